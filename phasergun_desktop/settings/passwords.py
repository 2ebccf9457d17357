"""The passwords of protected documents, kept by the operating system's keyring.

Nothing here writes a password to a file or to a log.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any, Protocol

SERVICE = "PhaserGun"
# Each one is tried on every protected file, and each try on an Office file takes a moment.
MAX_PASSWORDS = 50
# keyring's own measure: below this a keyring is a plain file, or none at all.
_LEAST_PRIORITY = 1.0

_log = logging.getLogger(__name__)


class PasswordStore(Protocol):
    """Passwords by project. A project has a list: every one is tried on every protected file,
    since companies use one password for many files, and files are renamed and replaced."""

    def passwords(self, project_id: str) -> tuple[str, ...]:
        """Return the passwords, last added first; this may ask the user for permission."""
        ...

    def add(self, project_id: str, password: str) -> bool:
        """Add a password; return whether it is kept beyond this session."""
        ...

    def forget(self, project_id: str) -> None:
        """Delete every password of the project."""
        ...


class Keyring(Protocol):
    """The calls of a keyring backend that are used here."""

    @property
    def priority(self) -> float:
        """How good the backend is; below 1 it is not safe, or there is none."""
        ...

    def get_password(self, service: str, username: str) -> str | None:
        """Return the secret, or None."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store a secret."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Delete a secret; raises where there is none."""
        ...


def system_keyring() -> Keyring | None:
    """Return the keyring of this system; None where there is none that is safe.

    Linux without a desktop usually has none. A keyring that the user has set to a plain file is
    not used.
    """
    # Slow: it looks for backends and talks to the desktop.
    from keyring import core  # noqa: PLC0415

    core.init_backend(core.recommended)
    found: Any = core.get_keyring()
    return found if float(found.priority) >= _LEAST_PRIORITY else None


class KeyringPasswords:
    """A PasswordStore: one entry of the keyring for each project, holding a JSON list.

    What the keyring refuses is kept in memory until the application ends. The keyring is
    touched at the first use only. Thread-safe.
    """

    def __init__(self, find: Callable[[], Keyring | None] = system_keyring) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._keyring: Keyring | None = None
        self._is_found = False
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
            keyring = self._found()
            if keyring is None or project_id in self._unread:
                return False
            secret = json.dumps(self._known[project_id], ensure_ascii=False)
            try:
                keyring.set_password(SERVICE, project_id, secret)
            except Exception as error:  # noqa: BLE001 - backends raise what their system raises
                self._note("could not keep a password", error)
                return False
            return True

    def forget(self, project_id: str) -> None:
        """Delete every password of the project; without an entry nothing happens."""
        with self._lock:
            self._known[project_id] = ()
            self._unread.discard(project_id)
            keyring = self._found()
            if keyring is None:
                return
            try:
                if keyring.get_password(SERVICE, project_id) is not None:
                    keyring.delete_password(SERVICE, project_id)
            except Exception as error:  # noqa: BLE001
                self._note("could not delete its entry", error)

    def _passwords(self, project_id: str) -> tuple[str, ...]:
        if project_id not in self._known:
            self._known[project_id] = self._stored(project_id)
        return self._known[project_id]

    def _stored(self, project_id: str) -> tuple[str, ...]:
        keyring = self._found()
        if keyring is None:
            return ()
        try:
            found = json.loads(keyring.get_password(SERVICE, project_id) or "[]")
        except Exception as error:  # noqa: BLE001
            self._note("could not be read", error)
            self._unread.add(project_id)
            return ()
        if not isinstance(found, list):
            return ()
        return tuple(each for each in found if isinstance(each, str))

    def _found(self) -> Keyring | None:
        if not self._is_found:
            self._is_found = True
            try:
                self._keyring = self._find()
            except Exception as error:  # noqa: BLE001
                self._note("was not found", error)
        return self._keyring

    def _note(self, what: str, error: Exception) -> None:
        # The kind only: what a backend says could quote the secret.
        _log.warning("The system's keyring %s (%s).", what, type(error).__name__)
