"""What a chunker returns and what every chunker offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from phasergun_desktop.documents.model import ParsedDocument


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """Code points ``start``..``end`` of a document, from block ``first_block`` to ``last_block``.

    ``prefix`` is a heading repeated for a piece of a split section; it is not part of the span.
    """

    start: int
    end: int
    first_block: int
    last_block: int
    heading_path: tuple[str, ...] = ()
    prefix: str = ""


class Chunker(Protocol):
    """Cuts a document; the same document always gives the same chunks."""

    @property
    def identity(self) -> str:
        """Strategy, version and sizes: chunks of different identities never mix."""
        ...

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        ...
