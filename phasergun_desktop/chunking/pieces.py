"""Body blocks as pieces of limited length, and their sections: what all chunkers start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.chunking.sentence_ends import split_span, trimmed
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument


@dataclass(frozen=True, slots=True)
class Piece:
    """A body block, or a part of a long one. ``path`` includes the block if it is a heading."""

    start: int
    end: int
    block: int
    path: tuple[str, ...]
    is_heading: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the body blocks up to the next heading; ``path`` ends with the heading."""

    path: tuple[str, ...]
    pieces: tuple[Piece, ...]

    @property
    def start(self) -> int:
        """First code point."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """Code point after the last."""
        return self.pieces[-1].end

    @property
    def is_bare(self) -> bool:
        """Whether nothing stands under the heading."""
        return len(self.pieces) == 1 and self.pieces[0].is_heading


def body_blocks(document: ParsedDocument) -> Iterator[Block]:
    """Yield the blocks that are chunked and searched, without empty ones."""
    for block in document.blocks:
        if block.kind.is_body and document.text[block.start : block.end].strip():
            yield block


def section_path(document: ParsedDocument, block: Block) -> tuple[str, ...]:
    """Return the headings of the section that ``block`` stands in or opens."""
    if block.kind is BlockKind.HEADING:
        return (*block.heading_path, " ".join(document.block_text(block).split()))
    return block.heading_path


def pieces_of(document: ParsedDocument, max_chars: int) -> tuple[Piece, ...]:
    """Return the body blocks in reading order, those longer than ``max_chars`` in parts."""
    found: list[Piece] = []
    for block in body_blocks(document):
        start, end = trimmed(document.text, block.start, block.end)
        path = section_path(document, block)
        is_heading = block.kind is BlockKind.HEADING
        if end - start <= max_chars:
            spans = [(start, end)]
        else:
            spans = split_span(document.text, start, end, lambda a, b: b - a <= max_chars)
        found.extend(Piece(a, b, block.ordinal, path, is_heading) for a, b in spans)
    return tuple(found)


def sections_of(pieces: Sequence[Piece]) -> tuple[Section, ...]:
    """Group pieces into sections: a new one at every heading and change of heading path."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        if groups and _continues(groups[-1][-1], piece):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return tuple(Section(group[-1].path, tuple(group)) for group in groups)


def _continues(previous: Piece, piece: Piece) -> bool:
    if previous.block == piece.block:
        return True
    return not piece.is_heading and (previous.is_heading or previous.path == piece.path)


def common_path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the headings that all ``paths`` share from the top."""
    if not paths:
        return ()
    shared = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(shared), len(path)) and shared[length] == path[length]:
            length += 1
        shared = shared[:length]
    return shared
