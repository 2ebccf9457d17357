"""The profiles that there are: those of the product and the user's own copies."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.named_files import NamedFiles
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.profile_file import read_profile
from phasergun_desktop.profiles.settings_reader import read_settings_text
from phasergun_desktop.storage.atomic_files import write_atomically

DEFAULT_PROFILE = "regulatory"


class ProfileStore:
    """Finds profiles by name. A file of the user's outranks the product's of the same name."""

    def __init__(self, resources: Path, user: Path) -> None:
        """``resources`` is the product's resource folder, ``user`` the folder that holds the
        user's own profiles (it may be absent)."""
        self._files = NamedFiles(resources / "profiles", user)
        # By file, with the text that it was read from.
        self._read: dict[Path, tuple[str, Profile]] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of all profiles, the default one first."""
        return tuple(sorted(self._files.names(), key=lambda name: (name != DEFAULT_PROFILE, name)))

    def is_own(self, name: str) -> bool:
        """Whether the file of a profile is the user's."""
        return self._files.is_own(name)

    def path(self, name: str) -> Path:
        """Return the file of a profile. Raises ``ProfileError`` when there is none."""
        path = self._files.path(name)
        if path is not None:
            return path
        names = self.names()
        raise ProfileError(
            "Profile not known",
            f"There is no profile “{name[:80]}”.",
            did_you_mean(name, names) or f"Known are: {', '.join(names)}.",
        )

    def text(self, name: str) -> str:
        """Return the file of a profile. Raises ``ProfileError`` when it is unknown or cannot be
        read."""
        return read_settings_text(self.path(name))

    def save(self, name: str, text: str) -> None:
        """Keep ``text`` as the user's profile ``name``; one of the product's of that name gives
        way to it. Raises ``ProfileError``, with line and column for what is not valid: the file
        stays what it was then. Raises ``StorageError``."""
        path = self._files.own_path(name)
        if path is None:
            raise ProfileError(
                "This is no name",
                f"“{name[:80]}” cannot be the name of a profile.",
                "Use letters, digits, - and _, at most 64.",
            )
        read_profile(path.name, text)
        write_atomically(path, text)

    def load(self, name: str = DEFAULT_PROFILE) -> Profile:
        """Read a profile. Raises ``ProfileError`` when it is unknown or not valid."""
        path = self.path(name)
        text = read_settings_text(path)
        known = self._read.get(path)
        if known is None or known[0] != text:
            known = self._read[path] = (text, read_profile(path.name, text))
        return known[1]
