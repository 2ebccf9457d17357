"""The digest of a stored row, by which a change that nobody made is told from one that was made."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def row_digest(values: Sequence[object]) -> str:
    """Return the SHA-256 of the values of a row in the order of its columns; text is UTF-8, also
    where it comes as bytes."""
    parts: list[bytes] = []
    for value in values:
        stored = value if isinstance(value, bytes) else str(value).encode()
        parts += (b"%d:" % len(stored), stored)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def storable(text: str) -> str:
    """Return ``text`` as SQLite takes it: a lone surrogate of a damaged file has no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
