"""What a fake session is told of the reading of its documents, kept in memory."""

from __future__ import annotations

from collections.abc import Iterable

from phasergun_desktop.workspace.project_reading import ProjectReading


class FakeReading(ProjectReading):
    """``keeps_passwords``: there is a keyring; ``installed`` are the languages of tesseract."""

    def __init__(self) -> None:
        self.passwords: list[str] = []
        self.keeps_passwords = True
        self.chosen = "eng"
        self.installed: tuple[str, ...] = ("deu", "eng", "fra")
        self.hidden: tuple[str, ...] = ()

    def add_password(self, password: str) -> bool:
        self.passwords.append(password)
        return self.keeps_passwords

    def has_passwords(self) -> bool:
        return bool(self.passwords)

    def forget_passwords(self) -> None:
        self.passwords.clear()

    def languages(self) -> str:
        return self.chosen

    def set_languages(self, languages: str) -> None:
        self.chosen = languages

    def installed_languages(self) -> tuple[str, ...]:
        return self.installed

    def hide_labels(self, labels: Iterable[str]) -> None:
        self.hidden = tuple(labels)
