"""Puts the words of a table row by row where tesseract has taken its columns one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from phasergun_desktop.documents.images.tesseract import RecognisedWord, around
from phasergun_desktop.documents.model import Rect

# Columns of prose have more words a line; of two columns side by side more is asked.
_WORDS_A_LINE = 3.5
_WORDS_A_LINE_OF_TWO = 2.5
_ROWS_OF_TWO = 3
# Blocks stand side by side where this much of the lower one's height is beside the other.
_BESIDE = 0.3
# Lines are in one row where this much of the lower one's height is beside the other.
_IN_ROW = 0.5


@dataclass(frozen=True, slots=True)
class _Box:
    """Words that belong together and the rectangle around them in pixels."""

    words: tuple[RecognisedWord, ...]
    rect: Rect

    def is_level_with(self, other: _Box, share: float) -> bool:
        """Whether ``share`` of the height of the lower of the two is beside the other."""
        own, its = self.rect, other.rect
        common = min(own.y1, its.y1) - max(own.y0, its.y0)
        return common > share * min(own.y1 - own.y0, its.y1 - its.y0)

    def is_beside(self, other: _Box) -> bool:
        """Whether the two stand side by side."""
        own, its = self.rect, other.rect
        return (own.x1 <= its.x0 or its.x1 <= own.x0) and self.is_level_with(other, _BESIDE)

    @property
    def lines(self) -> list[_Box]:
        """The lines of a block."""
        return _boxes(self.words, lambda word: (word.paragraph, word.line))

    @property
    def words_a_line(self) -> float:
        """How many words a line of a block has in the mean."""
        return len(self.words) / len(self.lines)


def in_rows(words: tuple[RecognisedWord, ...]) -> tuple[RecognisedWord, ...]:
    """Return ``words`` in reading order, those of tables line by line across the columns.

    A table is three or more blocks of few words a line side by side, or two of very few. Each
    line across becomes a paragraph of its own. Boxes must be those of a straight page.
    """
    blocks = _boxes(words, lambda word: word.block)
    tables = [group for group in _side_by_side(blocks) if _is_table(group)]
    table_of = {id(block): table for table in tables for block in table}
    ordered: list[RecognisedWord] = []
    fresh = max((word.block for word in words), default=0)
    for block in blocks:
        table = table_of.get(id(block))
        if table is None:
            ordered.extend(block.words)
        elif block is table[0]:
            for row in _rows(table):
                fresh += 1
                found = (word for line in row for word in line.words)
                ordered.extend(replace(word, block=fresh, paragraph=1, line=1) for word in found)
    return tuple(ordered)


def _boxes(words: Iterable[RecognisedWord], key: Callable[[RecognisedWord], object]) -> list[_Box]:
    groups = [tuple(group) for _, group in groupby(words, key)]
    return [_Box(group, around(group)) for group in groups]


def _side_by_side(blocks: Iterable[_Box]) -> list[list[_Box]]:
    """Return the blocks of few words a line in groups that stand side by side."""
    left = [block for block in blocks if block.words_a_line <= _WORDS_A_LINE]
    groups: list[list[_Box]] = []
    while left:
        group = [left.pop(0)]
        for member in group:
            group.extend(block for block in left if member.is_beside(block))
            left = [block for block in left if not member.is_beside(block)]
        groups.append(group)
    return groups


def _is_table(group: list[_Box]) -> bool:
    if len(group) < 2:
        return False
    columns = [len({line.words[0].block for line in row}) for row in _rows(group)]
    if max(columns) > 2:
        return True
    sparse = all(block.words_a_line <= _WORDS_A_LINE_OF_TWO for block in group)
    return sparse and sum(count == 2 for count in columns) >= _ROWS_OF_TWO


def _rows(blocks: Iterable[_Box]) -> list[list[_Box]]:
    """Return the lines of ``blocks`` from top to bottom, those at one height together."""
    lines = [line for block in blocks for line in block.lines]
    rows: list[list[_Box]] = []
    for line in sorted(lines, key=lambda line: line.rect.y0 + line.rect.y1):
        if rows and any(line.is_level_with(other, _IN_ROW) for other in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.rect.x0) for row in rows]
