"""The section templates that there are: those of the product and the user's own."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.profiles.named_files import NamedFiles
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.section_template import SectionTemplate, TemplateFamily
from phasergun_desktop.profiles.section_template_file import load_section_template

_FAMILIES = tuple(TemplateFamily)


class SectionTemplateStore:
    """Finds templates by name. A file of the user's outranks the product's of the same name."""

    def __init__(self, resources: Path, user: Path) -> None:
        """``resources`` is the product's resource folder, ``user`` the folder that holds the
        user's own templates (it may be absent)."""
        self._files = NamedFiles(resources / "templates", user)

    def names(self) -> tuple[str, ...]:
        """Return the names of all templates, sorted."""
        return self._files.names()

    def path(self, name: str) -> Path:
        """Return the file of a template. Raises ``ProfileError`` when there is none."""
        path = self._files.path(name)
        if path is not None:
            return path
        names = self.names()
        near = did_you_mean(name, names)
        raise ProfileError(
            "Template not known",
            f"There is no template “{name[:80]}”.",
            f"{near} Known are: {', '.join(names)}.".strip(),
        )

    def load(self, name: str) -> SectionTemplate:
        """Read a template. Raises ``ProfileError`` when it is unknown or not valid."""
        return load_section_template(self.path(name))

    def usable(self) -> tuple[SectionTemplate, ...]:
        """Return every template that is valid, by family and title.

        One that is not is left out: loading it by its name says what is wrong with it.
        """
        found = []
        for name in self.names():
            try:
                found.append(self.load(name))
            except ProfileError:
                continue
        return tuple(sorted(found, key=lambda each: (_FAMILIES.index(each.family), each.title)))
