"""A keyring in memory, which can refuse as real ones do."""

from __future__ import annotations


class FakeKeyring:
    """Holds secrets by service and user name; ``refuses`` makes every call raise."""

    def __init__(self, priority: float = 5.0) -> None:
        self.priority = priority
        self.entries: dict[tuple[str, str], str] = {}
        self.refuses = False
        self.calls = 0

    def get_password(self, service: str, username: str) -> str | None:
        """Return the secret, or None."""
        self._called()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store a secret."""
        self._called()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Delete a secret."""
        self._called()
        del self.entries[service, username]

    def _called(self) -> None:
        self.calls += 1
        if self.refuses:
            raise RuntimeError("the keyring is locked; the secret was hunter2")
