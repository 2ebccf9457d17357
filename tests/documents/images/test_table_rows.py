"""Tables that were read column by column come out row by row; prose is left alone."""

from __future__ import annotations

import random

from phasergun_desktop.documents.images.table_rows import in_rows
from phasergun_desktop.documents.images.tesseract import RecognisedWord
from phasergun_desktop.documents.model import Rect


def block(number: int, left: int, top: int, *lines: str) -> list[RecognisedWord]:
    """A block of lines 40 pixels apart; an empty line is a gap. Ten pixels a letter."""
    found = []
    for row, line in enumerate(lines):
        x, y = left, top + 40 * row
        for text in line.split():
            found.append(
                RecognisedWord(text, Rect(x, y, x + 10 * len(text), y + 26), 0.9, number, 1, row)
            )
            x += 10 * (len(text) + 1)
    return found


def shown(words: tuple[RecognisedWord, ...]) -> list[str]:
    lines: dict[tuple[int, int, int], list[str]] = {}
    for word in words:
        lines.setdefault((word.block, word.paragraph, word.line), []).append(word.text)
    return [" ".join(texts) for texts in lines.values()]


def test_columns_become_rows() -> None:
    words = (
        *block(1, 0, 0, "The results were these, and they are final:"),
        *block(2, 0, 100, "Test", "Drop", "Bias"),
        *block(3, 400, 102, "Method", "IEC 60068", "ISO 15197"),
        *block(4, 0, 300, "This is what follows after the table."),
        # The last column came after the text that stands below it.
        *block(5, 800, 98, "Result", "no damage", "7.8 %"),
    )
    assert shown(in_rows(words)) == [
        "The results were these, and they are final:",
        "Test Method Result",
        "Drop IEC 60068 no damage",
        "Bias ISO 15197 7.8 %",
        "This is what follows after the table.",
    ]
    assert len({word.block for word in in_rows(words)}) == 5


def test_a_form_of_two_columns_is_read_across() -> None:
    words = (
        *block(1, 0, 0, "Name", "Lot", "Date"),
        *block(2, 500, 0, "GlucoTrace G2", "26F11", "2026-09-28"),
    )
    assert shown(in_rows(words)) == ["Name GlucoTrace G2", "Lot 26F11", "Date 2026-09-28"]


def test_columns_of_prose_stay_columns() -> None:
    prose = ("the meter was tested with", "blood of twelve donors at", "three levels of glucose")
    for columns in (2, 3):
        words = tuple(
            word for column in range(columns) for word in block(column, 400 * column, 0, *prose)
        )
        assert in_rows(words) == words
    headings = (*block(1, 0, 0, "1 Introduction"), *block(2, 500, 0, "3 Results"))
    assert in_rows(tuple(headings)) == tuple(headings)


def test_blocks_below_each_other_stay_as_they_are() -> None:
    words = (*block(1, 0, 0, "Scope"), *block(2, 300, 60, "Purpose"), *block(3, 0, 120, "Terms"))
    assert in_rows(words) == words
    assert in_rows(()) == ()


def test_no_word_is_lost() -> None:
    chance = random.Random(4)
    for _ in range(50):
        words = tuple(
            word
            for number in range(chance.randrange(1, 9))
            for word in block(
                number,
                chance.randrange(0, 1000),
                chance.randrange(0, 400),
                *(" ".join(["word"] * chance.randrange(1, 5)) for _ in range(3)),
            )
        )
        found = in_rows(words)
        key = [(word.rect.x0, word.rect.y0, word.text) for word in found]
        assert sorted(key) == sorted((word.rect.x0, word.rect.y0, word.text) for word in words)
