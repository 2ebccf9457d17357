"""Which documents of one project are read, and how: labels, languages, passwords, programs."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

from phasergun_desktop.documents.document_reader import ReadingOptions
from phasergun_desktop.documents.tools import installed_languages
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.settings.passwords import KeyringPasswords
from phasergun_desktop.settings.project_settings import (
    LANGUAGES_PATTERN,
    ProjectSettingsStore,
    Reading,
)
from phasergun_desktop.sync.hidden_files import label_key


class ProjectReading:
    """What is set for one project. Thread-safe; nothing is loaded before it is asked for."""

    def __init__(
        self,
        project_id: str,
        settings: ProjectSettingsStore,
        passwords: KeyringPasswords,
        find_tesseract: Callable[[], str],
    ) -> None:
        self._project_id = project_id
        self._settings = settings
        self._passwords = passwords
        self._find_tesseract = find_tesseract
        self._lock = threading.Lock()
        # Those of this session that the keyring does not keep count as well.
        self._in_memory = False
        self._is_password_new = False

    def tesseract(self) -> str:
        """Return the path of the program that recognises text; empty where there is none now."""
        return self._find_tesseract()

    def options(self) -> ReadingOptions:
        """Return what a document is read with; the keyring is touched only where the project has
        passwords."""
        reading = self._settings.load().reading
        passwords: tuple[str, ...] = ()
        if reading.has_passwords or self._in_memory:
            passwords = self._passwords.passwords(self._project_id)
        return ReadingOptions(reading.languages, passwords)

    def languages(self) -> str:
        """Return the languages of scanned pages, tesseract's names joined by ``+``."""
        return self._settings.load().reading.languages

    def set_languages(self, languages: str) -> None:
        """Choose them; the next sync reads again what depends on them.

        Raises ``ProjectError`` where these cannot be languages, ``StorageError``.
        """
        if not re.fullmatch(LANGUAGES_PATTERN, languages):
            raise ProjectError(
                "These are not languages",
                "The languages of scanned pages are names like eng or deu, joined by +.",
                "Choose them from those that are installed.",
            )
        self._change(lambda now: replace(now, languages=languages))

    def installed_languages(self) -> tuple[str, ...]:
        """Return the names that can be chosen; empty without tesseract."""
        return installed_languages(self._find_tesseract())

    def has_passwords(self) -> bool:
        """Whether the user has entered a password for documents of this project."""
        return self._in_memory or self._settings.load().reading.has_passwords

    def add_password(self, password: str) -> bool:
        """Try ``password`` from now on; return whether it is kept beyond this session.

        Raises ``ProjectError`` for an empty one.
        """
        if not password:
            raise ProjectError("No password", "The password is empty.", "Enter the password.")
        kept = self._passwords.add(self._project_id, password)
        with self._lock:
            self._in_memory = self._in_memory or not kept
            self._is_password_new = True
        if kept:
            self._change(lambda now: replace(now, has_passwords=True))
        return kept

    def forget_passwords(self) -> None:
        """Delete every password of the project, also from the keyring."""
        if self.has_passwords():
            self._passwords.forget(self._project_id)
            self._in_memory = False
            self._change(lambda now: replace(now, has_passwords=False))

    def take_new_password(self) -> bool:
        """Return whether a password was added since the last call."""
        with self._lock:
            is_new, self._is_password_new = self._is_password_new, False
            return is_new

    def hidden_labels(self) -> tuple[str, ...]:
        """Return the labels of confidentiality whose documents are hidden, as they were chosen."""
        return self._settings.load().reading.hidden

    def hidden_keys(self) -> frozenset[str]:
        """Return the hidden labels in the form in which labels are compared."""
        return frozenset(map(label_key, self.hidden_labels()))

    def hide_labels(self, labels: Iterable[str]) -> None:
        """Hide the documents of ``labels`` and of no others. Until a sync has applied it nothing is
        searched, planned or asked. Raises ``StorageError``."""
        chosen = {label_key(each): " ".join(each.split()) for each in labels}
        chosen.pop("", None)
        self._change(lambda now: replace(now, hidden=tuple(chosen.values())))

    def _change(self, edit: Callable[[Reading], Reading]) -> None:
        with self._lock:
            self._settings.change(lambda known: replace(known, reading=edit(known.reading)))
