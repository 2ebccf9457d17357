"""The keys of model servers, kept by the operating system's keyring."""

from __future__ import annotations

import threading
from collections.abc import Callable

from phasergun_desktop.settings.keyring_entries import (
    Keyring,
    KeyringEntries,
    UnreadableError,
    system_keyring,
)

SERVICE = "PhaserGun model server"


class KeyringKeys:
    """Keys by the address of their server, so that a key is never sent to another one: one entry
    of the keyring for each.

    What the keyring refuses is kept in memory until the application ends. Thread-safe.
    """

    def __init__(self, find: Callable[[], Keyring | None] = system_keyring) -> None:
        self._entries = KeyringEntries(SERVICE, find)
        self._lock = threading.Lock()
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
            return self._entries.keep(address, key)

    def forget(self, address: str) -> None:
        """Delete the key; without one nothing happens."""
        with self._lock:
            self._known[address] = ""
            self._entries.forget(address)

    def _stored(self, address: str) -> str:
        try:
            return self._entries.read(address)
        except UnreadableError:
            return ""
