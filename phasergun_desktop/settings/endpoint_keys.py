"""The keys of model servers, kept by the operating system's keyring.

Nothing here writes a key to a file or to a log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from phasergun_desktop.settings.passwords import Keyring, system_keyring

SERVICE = "PhaserGun model server"
_log = logging.getLogger(__name__)


class EndpointKeyStore(Protocol):
    """Keys by the address of their server, so that a key is never sent to another one."""

    def key(self, address: str) -> str:
        """Return the key, ``""`` where there is none; this may ask the user for permission."""
        ...

    def keep(self, address: str, key: str) -> bool:
        """Use ``key`` from now on; return whether it is kept beyond this session."""
        ...

    def forget(self, address: str) -> None:
        """Delete the key."""
        ...


class KeyringKeys:
    """An EndpointKeyStore: one entry of the keyring for each address.

    What the keyring refuses is kept in memory until the application ends. The keyring is
    touched at the first use only. Thread-safe.
    """

    def __init__(self, find: Callable[[], Keyring | None] = system_keyring) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._keyring: Keyring | None = None
        self._is_found = False
        self._known: dict[str, str] = {}

    def key(self, address: str) -> str:
        """Return the key, ``""`` where there is none; this may ask the user for permission."""
        with self._lock:
            if address not in self._known:
                self._known[address] = self._stored(address)
            return self._known[address]

    def keep(self, address: str, key: str) -> bool:
        """Use ``key`` from now on; return whether the keyring keeps it."""
        with self._lock:
            self._known[address] = key
            keyring = self._found()
            if keyring is None:
                return False
            try:
                keyring.set_password(SERVICE, address, key)
            except Exception as error:  # noqa: BLE001 - backends raise what their system raises
                self._note("could not keep a key", error)
                return False
            return True

    def forget(self, address: str) -> None:
        """Delete the key; without one nothing happens."""
        with self._lock:
            self._known[address] = ""
            keyring = self._found()
            if keyring is None:
                return
            try:
                if keyring.get_password(SERVICE, address) is not None:
                    keyring.delete_password(SERVICE, address)
            except Exception as error:  # noqa: BLE001
                self._note("could not delete its entry", error)

    def _stored(self, address: str) -> str:
        keyring = self._found()
        if keyring is None:
            return ""
        try:
            return keyring.get_password(SERVICE, address) or ""
        except Exception as error:  # noqa: BLE001
            self._note("could not be read", error)
            return ""

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
