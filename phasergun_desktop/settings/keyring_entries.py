"""Secrets in the operating system's keyring; nothing here writes one to a file or to a log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

# keyring's own measure: below this a keyring is a plain file, or none at all.
_LEAST_PRIORITY = 1.0

_log = logging.getLogger(__name__)


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


class UnreadableError(Exception):
    """There may be an entry, but the keyring does not give it out (locked, refused)."""


class KeyringEntries:
    """The entries of one ``service``. The keyring is touched at the first use only; what it
    refuses is logged by its kind alone. Not safe between threads."""

    def __init__(self, service: str, find: Callable[[], Keyring | None]) -> None:
        self._service = service
        self._find = find
        self._keyring: Keyring | None = None
        self._is_found = False

    def read(self, name: str) -> str:
        """Return the secret, ``""`` without one. Raises ``UnreadableError``."""
        keyring = self._found()
        if keyring is None:
            return ""
        try:
            return keyring.get_password(self._service, name) or ""
        except Exception as error:
            _note("could not be read", error)
            raise UnreadableError from error

    def keep(self, name: str, secret: str) -> bool:
        """Store ``secret``; return whether the keyring has it now."""
        keyring = self._found()
        if keyring is None:
            return False
        try:
            keyring.set_password(self._service, name, secret)
        except Exception as error:  # noqa: BLE001 - backends raise what their system raises
            _note("could not keep a secret", error)
            return False
        return True

    def forget(self, name: str) -> None:
        """Delete the secret; without one nothing happens."""
        keyring = self._found()
        if keyring is None:
            return
        try:
            if keyring.get_password(self._service, name) is not None:
                keyring.delete_password(self._service, name)
        except Exception as error:  # noqa: BLE001
            _note("could not delete its entry", error)

    def _found(self) -> Keyring | None:
        if not self._is_found:
            self._is_found = True
            try:
                self._keyring = self._find()
            except Exception as error:  # noqa: BLE001
                _note("was not found", error)
        return self._keyring


def _note(what: str, error: Exception) -> None:
    # The kind only: what a backend says could quote the secret.
    _log.warning("The system's keyring %s (%s).", what, type(error).__name__)
