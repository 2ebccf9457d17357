"""The section templates that there are, the product's and the user's own, and their files."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.profiles.named_files import NamedFiles
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.section_template import (
    ItemKind,
    ItemSubject,
    SectionTemplate,
    TemplateFamily,
    TemplateItem,
)
from phasergun_desktop.profiles.settings_reader import SettingsReader

MOST_ITEMS = 40
MOST_ATTRIBUTES = 20
_LONGEST_NAME, _LONGEST_ASK = 120, 400
_WORDS_USUAL, _WORDS_POSSIBLE = (200, 4000), (50, 50_000)
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


def load_section_template(path: Path) -> SectionTemplate:
    """Read the template at ``path``.

    Raises ``ProfileError`` with line and column for what is unreadable, missing, unknown or
    nonsense; a length outside the usual range is used and named in ``warnings``.
    """
    file = SettingsReader.open(path)
    name = _line(file, "name", _LONGEST_NAME)
    title = _line(file, "title", _LONGEST_NAME)
    family = file.choice("family", TemplateFamily)
    description = file.text("description", "").strip()
    words = file.integer("maximum_words", _WORDS_USUAL, _WORDS_POSSIBLE)
    items = tuple(_item(entry) for entry in file.sections("items"))
    file.finish()
    if name != path.stem:
        message = f"“name” is “{name}”, but the file is called {path.name}"
        raise file.wrong(file.mark("name"), message)
    if not 0 < len(items) <= MOST_ITEMS:
        message = f"“items” has {len(items)} entries; possible is 1 to {MOST_ITEMS}"
        raise file.wrong(file.mark("items"), message)
    return SectionTemplate(
        name=name,
        title=title,
        family=family,
        description=" ".join(description.split()),
        maximum_words=words,
        items=items,
        warnings=tuple(file.warnings),
    )


def _item(file: SettingsReader) -> TemplateItem:
    item = TemplateItem(
        name=_line(file, "name", _LONGEST_NAME),
        ask=_line(file, "ask", _LONGEST_ASK),
        kind=file.choice("kind", ItemKind, ItemKind.DESCRIBE),
        has_heading=file.flag("heading", True),
        is_required=file.flag("required", False),
        subject=file.choice("subject", ItemSubject, ItemSubject.DEVICE),
        attributes=_names(file, "attributes"),
        fields=_names(file, "fields"),
        helps=" ".join(file.text("helps", "").split()),
    )
    file.finish()
    if item.kind is ItemKind.COMPARE and not item.attributes:
        raise file.wrong(file.mark("kind"), "an item of kind compare needs “attributes”")
    if item.kind is not ItemKind.COMPARE and item.attributes:
        raise file.wrong(
            file.mark("attributes"), "only an item of kind compare can have “attributes”"
        )
    if len(item.attributes) > MOST_ATTRIBUTES:
        message = f"“attributes” has {len(item.attributes)} entries; at most {MOST_ATTRIBUTES}"
        raise file.wrong(file.mark("attributes"), message)
    if item.is_required and not item.helps:
        message = "a required item needs “helps”: which document in which folder states it"
        raise file.wrong(file.mark("required"), message)
    return item


def _names(file: SettingsReader, key: str) -> tuple[str, ...]:
    names = tuple(" ".join(text.split()) for text in file.texts(key))
    if not all(0 < len(name) <= _LONGEST_NAME for name in names):
        raise file.wrong(file.mark(key), f"each of “{key}” must have 1 to {_LONGEST_NAME} letters")
    return tuple(dict.fromkeys(names))


def _line(file: SettingsReader, key: str, most: int) -> str:
    text = " ".join(file.text(key).split())
    if not text or len(text) > most:
        raise file.wrong(file.mark(key), f"“{key}” must have 1 to {most} letters")
    return text
