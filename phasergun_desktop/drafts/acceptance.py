"""The writer's word for a sentence as it stands in the text: a mark that holds for these words."""

from __future__ import annotations

import hashlib

# An acceptance that was kept before the time was recorded.
EARLIER = "earlier"
_SEPARATOR = "#"


def acceptance_of(text: str, time: str) -> str:
    """Return the mark for ``text`` accepted at ``time`` (ISO 8601)."""
    return f"{time}{_SEPARATOR}{_hash(text)}"


def accepted_at(mark: str, text: str) -> str:
    """Return when ``text`` was accepted, ``""`` where ``mark`` is none or of other words."""
    time, _, words = mark.partition(_SEPARATOR)
    return time if not words or words == _hash(text) else ""


def _hash(text: str) -> str:
    # The bars between the cells of a row are not its words, nor is the space between them.
    words = " ".join(text.replace("|", " ").split())
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:12]
