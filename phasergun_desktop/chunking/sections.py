"""Chunks by section, for procedures: small sections together, large ones split."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.chunking.model import ChunkSpan
from phasergun_desktop.chunking.pieces import Piece, Section, common_path, pieces_of, sections_of
from phasergun_desktop.documents.model import ParsedDocument


@dataclass(frozen=True, slots=True)
class SectionChunker:
    """Keeps sections whole; joins neighbours until ``min_chars``, never above ``max_chars``. The
    parts of one that is longer repeat at most ``overlap_chars`` of the part before."""

    min_chars: int = 2000
    max_chars: int = 4000
    overlap_chars: int = 0

    @property
    def identity(self) -> str:
        """Strategy, version and sizes."""
        overlap = f",{self.overlap_chars}" if self.overlap_chars else ""
        return f"sections-1({self.min_chars},{self.max_chars}{overlap})"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        chunks: list[ChunkSpan] = []
        open_sections: list[Section] = []
        for section in sections_of(pieces_of(document, self.max_chars)):
            if open_sections and not self._takes(open_sections, section):
                chunks.append(_joined(open_sections))
                open_sections = []
            if section.end - section.start > self.max_chars:
                chunks.extend(self._split(section))
            else:
                open_sections.append(section)
        if open_sections:
            chunks.append(_joined(open_sections))
        return tuple(chunks)

    def _takes(self, open_sections: list[Section], section: Section) -> bool:
        start, end = open_sections[0].start, open_sections[-1].end
        wants_more = end - start < self.min_chars or open_sections[-1].is_bare
        return wants_more and section.end - start <= self.max_chars

    def _split(self, section: Section) -> list[ChunkSpan]:
        chunks: list[ChunkSpan] = []
        group: list[Piece] = []
        for piece in section.pieces:
            if group and piece.end - group[0].start > self.max_chars:
                chunks.append(_piece_chunk(group, section, is_first=not chunks))
                room = min(self.overlap_chars, self.max_chars - (piece.end - group[-1].end))
                group = [p for p in group[1:] if group[-1].end - p.start <= room]
            group.append(piece)
        chunks.append(_piece_chunk(group, section, is_first=not chunks))
        return chunks


def _joined(sections: list[Section]) -> ChunkSpan:
    first, last = sections[0].pieces[0], sections[-1].pieces[-1]
    path = common_path([section.path for section in sections])
    return ChunkSpan(first.start, last.end, first.block, last.block, path)


def _piece_chunk(group: list[Piece], section: Section, *, is_first: bool) -> ChunkSpan:
    prefix = "" if is_first or not section.path else section.path[-1]
    return ChunkSpan(
        group[0].start, group[-1].end, group[0].block, group[-1].block, section.path, prefix
    )
