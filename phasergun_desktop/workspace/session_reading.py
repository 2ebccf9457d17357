"""Which documents of a project are read, and how: hidden labels, passwords, languages of scans."""

from __future__ import annotations

from collections.abc import Iterable

from phasergun_desktop.workspace.project_reading import ProjectReading


class SessionReading:
    """Asks and changes what belongs to the reading of the open project."""

    _reading: ProjectReading

    def add_password(self, password: str) -> bool:
        """Try ``password`` on protected documents from now on; return whether the system's
        keyring keeps it beyond this session. Raises ``ProjectError`` for an empty one."""
        return self._reading.add_password(password)

    def has_passwords(self) -> bool:
        """Whether passwords were entered for this project."""
        return self._reading.has_passwords()

    def forget_passwords(self) -> None:
        """Delete the passwords of this project, also from the keyring."""
        self._reading.forget_passwords()

    def reading_languages(self) -> str:
        """Return the languages of scanned pages, tesseract's names joined by ``+``."""
        return self._reading.languages()

    def set_reading_languages(self, languages: str) -> None:
        """Choose them; the next sync reads again what depends on them. Raises ``ProjectError``."""
        self._reading.set_languages(languages)

    def installed_languages(self) -> tuple[str, ...]:
        """Return what can be chosen; empty without tesseract."""
        return self._reading.installed_languages()

    def hidden_labels(self) -> tuple[str, ...]:
        """Return the labels of confidentiality whose documents are hidden."""
        return self._reading.hidden_labels()

    def hide_labels(self, labels: Iterable[str]) -> None:
        """Hide the documents of ``labels`` and of no others; see ``ProjectReading.hide_labels``.
        Until a sync has applied it nothing is searched, planned or asked."""
        self._reading.hide_labels(labels)
