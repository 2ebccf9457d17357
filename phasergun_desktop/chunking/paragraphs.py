"""Chunks of paragraphs with overlap, for narrative documents."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.chunking.model import ChunkSpan
from phasergun_desktop.chunking.pieces import Piece, common_path, pieces_of
from phasergun_desktop.chunking.sentence_ends import sentence_spans
from phasergun_desktop.documents.model import ParsedDocument


@dataclass(frozen=True, slots=True)
class ParagraphChunker:
    """Fills chunks to ``target_chars``; each repeats at most ``overlap_chars`` of the one before.

    No chunk is longer than ``max_chars``, the overlap included.
    """

    target_chars: int = 3000
    overlap_chars: int = 400
    max_chars: int = 4000

    @property
    def identity(self) -> str:
        """Strategy, version and sizes."""
        return f"paragraphs-1({self.target_chars},{self.overlap_chars},{self.max_chars})"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        chunks: list[ChunkSpan] = []
        group: list[Piece] = []
        for piece in pieces_of(document, self.target_chars):
            if group and self._is_full(group, piece):
                chunks.append(_chunk(group))
                group = self._overlap(document.text, group, piece)
            group.append(piece)
        if group:
            chunks.append(_chunk(group))
        return tuple(chunks)

    def _is_full(self, group: list[Piece], piece: Piece) -> bool:
        length = group[-1].end - group[0].start
        return length >= self.target_chars or piece.end - group[0].start > self.max_chars

    def _overlap(self, text: str, group: list[Piece], following: Piece) -> list[Piece]:
        """Return the end of ``group`` that the next chunk repeats: whole pieces, else sentences."""
        room = min(self.overlap_chars, self.max_chars - (following.end - group[-1].end))
        kept: list[Piece] = []
        for piece in reversed(group[1:]):
            if group[-1].end - piece.start > room:
                break
            kept.insert(0, piece)
        if kept or room <= 0:
            return kept
        last = group[-1]
        start = last.end
        for sentence_start, _ in reversed(sentence_spans(text, last.start, last.end)):
            if last.end - sentence_start > room:
                break
            start = sentence_start
        if last.start < start < last.end:
            return [Piece(start, last.end, last.block, last.path, last.is_heading)]
        return []


def _chunk(group: list[Piece]) -> ChunkSpan:
    path = common_path([piece.path for piece in group])
    return ChunkSpan(group[0].start, group[-1].end, group[0].block, group[-1].block, path)
