"""The passwords of protected documents, kept by the operating system's keyring."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from phasergun_desktop.settings.keyring_entries import (
    Keyring,
    KeyringEntries,
    UnreadableError,
    system_keyring,
)

SERVICE = "PhaserGun"
# Each one is tried on every protected file, and each try on an Office file takes a moment.
MAX_PASSWORDS = 50


class KeyringPasswords:
    """Passwords by project. A project has a list, one entry of the keyring in JSON: every one is
    tried on every protected file, since companies use one password for many files, and files are
    renamed and replaced.

    What the keyring refuses is kept in memory until the application ends. Thread-safe.
    """

    def __init__(self, find: Callable[[], Keyring | None] = system_keyring) -> None:
        self._entries = KeyringEntries(SERVICE, find)
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, ...]] = {}
        # Entries that could not be read must not be replaced by a shorter list.
        self._unread: set[str] = set()

    def passwords(self, project_id: str) -> tuple[str, ...]:
        """Return the passwords, last added first; this may ask the user for permission."""
        with self._lock:
            return self._passwords(project_id)

    def add(self, project_id: str, password: str) -> bool:
        """Add a password; return whether the keyring keeps it."""
        with self._lock:
            others = [each for each in self._passwords(project_id) if each != password]
            self._known[project_id] = (password, *others)[:MAX_PASSWORDS]
            if project_id in self._unread:
                return False
            secret = json.dumps(self._known[project_id], ensure_ascii=False)
            return self._entries.keep(project_id, secret)

    def forget(self, project_id: str) -> None:
        """Delete every password of the project; without an entry nothing happens."""
        with self._lock:
            self._known[project_id] = ()
            self._unread.discard(project_id)
            self._entries.forget(project_id)

    def _passwords(self, project_id: str) -> tuple[str, ...]:
        if project_id not in self._known:
            self._known[project_id] = self._stored(project_id)
        return self._known[project_id]

    def _stored(self, project_id: str) -> tuple[str, ...]:
        try:
            found = json.loads(self._entries.read(project_id) or "[]")
        except (UnreadableError, ValueError):
            self._unread.add(project_id)
            return ()
        if not isinstance(found, list):
            return ()
        return tuple(each for each in found if isinstance(each, str))
