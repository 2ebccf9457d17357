"""Puts the words of a table row by row where tesseract has taken its columns one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

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


def in_rows(words: tuple[RecognisedWord, ...]) -> tuple[RecognisedWord, ...]:
    """Return ``words`` in reading order, those of tables line by line across the columns.

    A table is three or more blocks of few words a line side by side, or two of very few. Each
    line across becomes a paragraph of its own. Boxes must be those of a straight page.
    """
    blocks = {number: _box(group) for number, group in _grouped(words, by_line=False).items()}
    tables = [table for table in _side_by_side(blocks) if _is_table(table, blocks)]
    first_of = {min(table): table for table in tables}
    within = {number for table in tables for number in table}
    ordered: list[RecognisedWord] = []
    fresh = max(blocks, default=(0,))[0] + 1
    for number, block in blocks.items():
        if number in first_of:
            for row in _rows(blocks[member] for member in first_of[number]):
                ordered.extend(
                    replace(word, block=fresh, paragraph=1, line=1)
                    for line in row
                    for word in line.words
                )
                fresh += 1
        elif number not in within:
            ordered.extend(block.words)
    return tuple(ordered)


def _grouped(
    words: Iterable[RecognisedWord], *, by_line: bool
) -> dict[tuple[int, ...], list[RecognisedWord]]:
    groups: dict[tuple[int, ...], list[RecognisedWord]] = {}
    for word in words:
        key = (word.block, word.paragraph, word.line) if by_line else (word.block,)
        groups.setdefault(key, []).append(word)
    return groups


def _box(words: list[RecognisedWord]) -> _Box:
    return _Box(tuple(words), around(words))


def _lines(block: _Box) -> list[_Box]:
    return [_box(group) for group in _grouped(block.words, by_line=True).values()]


def _words_a_line(block: _Box) -> float:
    return len(block.words) / len(_lines(block))


def _side_by_side(blocks: dict[tuple[int, ...], _Box]) -> list[list[tuple[int, ...]]]:
    """Return the blocks of few words a line in groups that stand side by side."""
    left = [number for number, block in blocks.items() if _words_a_line(block) <= _WORDS_A_LINE]
    groups: list[list[tuple[int, ...]]] = []
    while left:
        group = [left.pop(0)]
        for member in group:
            beside = [each for each in left if _are_beside(blocks[member], blocks[each])]
            group.extend(beside)
            left = [each for each in left if each not in beside]
        groups.append(group)
    return groups


def _are_beside(first: _Box, second: _Box) -> bool:
    own, its = first.rect, second.rect
    apart = own.x1 <= its.x0 or its.x1 <= own.x0
    return apart and first.is_level_with(second, _BESIDE)


def _is_table(group: list[tuple[int, ...]], blocks: dict[tuple[int, ...], _Box]) -> bool:
    if len(group) < 2:
        return False
    columns = [
        len({line.words[0].block for line in row})
        for row in _rows(blocks[number] for number in group)
    ]
    if max(columns) > 2:
        return True
    sparse = all(_words_a_line(blocks[number]) <= _WORDS_A_LINE_OF_TWO for number in group)
    return sparse and sum(count == 2 for count in columns) >= _ROWS_OF_TWO


def _rows(blocks: Iterable[_Box]) -> list[list[_Box]]:
    """Return the lines of ``blocks`` from top to bottom, those at one height together."""
    lines = [line for block in blocks for line in _lines(block)]
    rows: list[list[_Box]] = []
    for line in sorted(lines, key=lambda line: line.rect.y0 + line.rect.y1):
        if rows and any(line.is_level_with(other, _IN_ROW) for other in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.rect.x0) for row in rows]
