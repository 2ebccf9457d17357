"""Chunks of a fixed size that end at the best separator near their end."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.chunking.model import ChunkSpan
from phasergun_desktop.chunking.pieces import Piece, common_path, pieces_of
from phasergun_desktop.chunking.sentence_ends import trimmed
from phasergun_desktop.documents.model import ParsedDocument

LADDER = ("\n\n", "\n", ". ", "! ", "? ", "; ", ", ", " ")


@dataclass(frozen=True, slots=True)
class SeparatorChunker:
    """Cuts every ``size_chars``, at the first of ``separators`` that stands in the last
    ``search_share`` (0..1) of a chunk; ``overlap_chars`` are in two chunks."""

    size_chars: int = 500
    overlap_chars: int = 50
    separators: tuple[str, ...] = LADDER
    search_share: float = 0.3

    @property
    def identity(self) -> str:
        """Strategy, version and sizes."""
        ladder = "".join(self.separators)
        return (
            f"separators-1({self.size_chars},{self.overlap_chars},{self.search_share},{ladder!r})"
        )

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        pieces = pieces_of(document, self.size_chars)
        if not pieces:
            return ()
        chunks: list[ChunkSpan] = []
        cursor, stop = pieces[0].start, pieces[-1].end
        first = 0
        while cursor < stop:
            cut = self._cut(document.text, cursor, stop)
            start, end = trimmed(document.text, cursor, cut)
            while first < len(pieces) and pieces[first].end <= start:
                first += 1
            inside = _inside(pieces, first, end)
            if inside:
                _append(chunks, _chunk(start, end, inside))
            # The tail is whole: going back for an overlap would only repeat its end.
            cursor = stop if cut >= stop else self._next_start(document.text, cursor, cut)
            first = max(first - 1, 0)
        return tuple(chunks)

    def _cut(self, text: str, start: int, stop: int) -> int:
        limit = start + self.size_chars
        if limit >= stop:
            return stop
        earliest = start + int(self.size_chars * (1.0 - self.search_share))
        for separator in filter(None, self.separators or LADDER):
            found = text.rfind(separator, earliest, limit)
            if found > start:
                return found + len(separator)
        return limit

    def _next_start(self, text: str, start: int, cut: int) -> int:
        back = max(cut - self.overlap_chars, start + 1)
        space = text.find(" ", back, cut)
        return space + 1 if space >= 0 else back


def _inside(pieces: tuple[Piece, ...], first: int, end: int) -> list[Piece]:
    found: list[Piece] = []
    for piece in pieces[first:]:
        if piece.start >= end:
            break
        found.append(piece)
    return found


def _append(chunks: list[ChunkSpan], chunk: ChunkSpan) -> None:
    """Add ``chunk`` unless the one before says the same, cut at the same footer."""
    if chunks and chunk.start == chunks[-1].start:
        chunks[-1] = chunk
    elif not chunks or chunk.end > chunks[-1].end:
        chunks.append(chunk)


def _chunk(start: int, end: int, inside: list[Piece]) -> ChunkSpan:
    path = common_path([piece.path for piece in inside])
    # Notes, headers and footers at either end are not part of the chunk.
    start, end = max(start, inside[0].start), min(end, inside[-1].end)
    return ChunkSpan(start, end, inside[0].block, inside[-1].block, path)
