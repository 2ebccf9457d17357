"""Where the text of a Word 97-2003 file lies, and which properties lie beside it.

Follows [MS-DOC]. A position is counted in characters from the start of the main text, across
all parts; an offset is counted in bytes of the main stream.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_CHARACTERS = 40_000_000
_PAGE = 512
# By the three highest bits of an operation; 0: the operand says it.
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)
_DEFINE_TABLE, _CHANGE_TABS = 0xD608, 0xC615


class NotAWordFile(ValueError):  # noqa: N818 - said of the bytes, caught in this room
    """The streams are not those of a Word file, or too damaged to find the text."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters ``start``..``end`` (positions), from ``offset`` on, ``width`` bytes each."""

    start: int
    end: int
    offset: int
    width: int


class PieceTable:
    """All pieces of a file, in the order of the text."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        if sum(piece.end - piece.start for piece in pieces) > MAX_CHARACTERS or not pieces:
            raise NotAWordFile
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]

    def text(self, main: bytes, codec: str) -> str:
        """Return the characters, one per position; those of one byte by ``codec``."""
        texts: list[str] = []
        for piece in self._pieces:
            length = piece.end - piece.start
            found = main[piece.offset : piece.offset + length * piece.width]
            # A surrogate pair is two positions, as it is two units in the file.
            units = (
                "".join(
                    map(chr, struct.unpack(f"<{len(found) // 2}H", found[: len(found) // 2 * 2]))
                )
                if piece.width == 2
                else found.decode(codec, "replace")
            )
            texts.append(units.ljust(length, "\0"))
        return "".join(texts)

    def offset(self, position: int) -> int | None:
        """Return where the character at ``position`` lies, None where no piece has it."""
        index = bisect_right(self._starts, position) - 1
        if index < 0 or position >= self._pieces[index].end:
            return None
        piece = self._pieces[index]
        return piece.offset + (position - piece.start) * piece.width

    def positions(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches of text that lie in the bytes ``start``..``end``."""
        for piece in self._pieces:
            length = (piece.end - piece.start) * piece.width
            first = max(start, piece.offset) - piece.offset
            last = min(end, piece.offset + length) - piece.offset
            if last > first:
                yield (piece.start + first // piece.width, piece.start + -(-last // piece.width))


def read_pieces(table: bytes, *, eight_bit: bool) -> PieceTable:
    """Read the piece table in ``table``; ``eight_bit``: files before Word 97.

    Raises NotAWordFile and struct.error.
    """
    place = 0
    while place < len(table) and table[place] == 1:
        place += 3 + struct.unpack_from("<H", table, place + 1)[0]
    if place >= len(table) or table[place] != 2:
        raise NotAWordFile
    (length,) = struct.unpack_from("<I", table, place + 1)
    count = (min(length, len(table) - place - 5) - 4) // 12
    if count < 1:
        raise NotAWordFile
    positions = struct.unpack_from(f"<{count + 1}I", table, place + 5)
    found: list[Piece] = []
    for index in range(count):
        at = place + 5 + 4 * (count + 1) + 8 * index + 2
        (offset,) = struct.unpack_from("<I", table, at)
        width = 1 if eight_bit or offset & 0x40000000 else 2
        if width == 1 and not eight_bit:
            offset = (offset & 0x3FFFFFFF) // 2
        start, end = positions[index], positions[index + 1]
        if end < start or start != (found[-1].end if found else 0):
            raise NotAWordFile
        found.append(Piece(start, end, offset, width))
    return PieceTable(found)


@dataclass(frozen=True, slots=True)
class Run:
    """What the file says of the bytes ``start``..``end`` beside their text."""

    start: int
    end: int
    style: int
    changes: bytes


class RunTable:
    """Runs in the order of the file, found by the offset of a byte that they cover."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = sorted(runs, key=lambda run: run.start)
        self._starts = [run.start for run in self.runs]

    def at(self, offset: int | None) -> Run | None:
        """Return the run that covers ``offset``."""
        index = -1 if offset is None else bisect_right(self._starts, offset) - 1
        if offset is None or index < 0 or self.runs[index].end <= offset:
            return None
        return self.runs[index]


def paragraph_runs(main: bytes, index: bytes) -> RunTable:
    """Read the properties of all paragraphs; ``index`` lists the pages that hold them."""
    runs: list[Run] = []
    for page, start, end, at in _entries(main, index, 13):
        style, changes = 0, b""
        if 0 < at < _PAGE - 1:
            size = 2 * page[at] - 1 if page[at] else 2 * page[at + 1]
            first = at + (1 if page[at] else 2)
            held = page[first : min(first + size, _PAGE - 1)]
            if len(held) >= 2:
                (style,) = struct.unpack_from("<H", held)
                changes = held[2:]
        runs.append(Run(start, end, style, changes))
    return RunTable(runs)


def character_runs(main: bytes, index: bytes) -> RunTable:
    """Read the properties of all runs of characters that have any."""
    return RunTable(
        [
            Run(start, end, 0, page[at + 1 : min(at + 1 + page[at], _PAGE - 1)])
            for page, start, end, at in _entries(main, index, 1)
            if 0 < at < _PAGE - 1
        ]
    )


def _entries(main: bytes, index: bytes, width: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield for each run its page, its first byte and its end, and where on the page its
    properties are; ``width`` is the size of what a page says of a run beside its offsets."""
    count = (len(index) - 4) // 8
    for number in range(max(0, count)):
        (place,) = struct.unpack_from("<I", index, 4 * (count + 1) + 4 * number)
        first = (place & 0x3FFFFF) * _PAGE
        page = main[first : first + _PAGE]
        # 101 character runs are the most that a page can hold.
        if len(page) < _PAGE or not 0 < page[-1] <= 101:
            continue
        offsets = struct.unpack_from(f"<{page[-1] + 1}I", page)
        for run, (start, end) in enumerate(pairwise(offsets)):
            yield page, start, end, 2 * page[4 * len(offsets) + width * run]


def changes_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (operation, operand) of a list of property changes, as far as it is whole."""
    place = 0
    while place + 2 < len(data):
        operation = data[place] | data[place + 1] << 8
        place += 2
        length = _OPERAND_BYTES[operation >> 13]
        if not length:
            if operation == _CHANGE_TABS and data[place] == 255:
                return
            if operation == _DEFINE_TABLE and place + 2 <= len(data):
                length = int(struct.unpack_from("<H", data, place)[0]) + 1
            else:
                length = data[place] + 1
        yield operation, data[place : place + length]
        place += length
