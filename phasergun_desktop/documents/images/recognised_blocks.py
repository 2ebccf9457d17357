"""Makes blocks of the recognised lines of a page: paragraphs, rows, and its headings."""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import median

from phasergun_desktop.documents.builder import DocumentBuilder, LineMark
from phasergun_desktop.documents.images.recognition import (
    RecognisedLine,
    RecognisedPage,
    RecognisedWord,
    mean_confidence,
)
from phasergun_desktop.documents.model import BlockKind, PageLocator, Rect

# A heading is one short line in capitals, or in letters that much higher than those of the page.
_MOST_HEADING_WORDS = 12
_LEAST_HEADING_LETTERS = 4
_HEADING_HEIGHT = 1.35
_ENDS = (".", ",", ";", ":", "!", "?")
# Justified text has gaps up to about twice the height of its letters.
_CELL_GAP = 2.5


def add_recognised_page(builder: DocumentBuilder, page: int, found: RecognisedPage) -> None:
    """Append the paragraphs of ``found`` as blocks of page ``page`` (from 1).

    A line with gaps as between the cells of a table is a block of its own. Every block has a
    rectangle per line, a segment per word and its mean confidence.
    """
    lines = [line for line in found.lines if line.words]
    usual = median(_height(line) for line in lines) if lines else 0.0
    for _, group in groupby(enumerate(lines), key=_unit):
        unit = tuple(line for _, line in group)
        # Specks and bits of drawings are taken for marks; a block of nothing else says nothing.
        if any(any(map(str.isalnum, word.text)) for line in unit for word in line.words):
            _add_unit(builder, page, unit, is_heading=_is_heading(unit, usual))


def _unit(numbered: tuple[int, RecognisedLine]) -> tuple[int, int]:
    """Return what the lines of one block share: their paragraph; a row of a table stands alone."""
    number, line = numbered
    return line.paragraph, number if _has_cells(line) else -1


def _has_cells(line: RecognisedLine) -> bool:
    """Whether a gap between two words is far too wide for a space: a row of a table, a form."""
    height = _height(line)
    return any(
        right.rect.x0 - left.rect.x1 > _CELL_GAP * height for left, right in pairwise(line.words)
    )


def _height(line: RecognisedLine) -> float:
    return median(word.rect.y1 - word.rect.y0 for word in line.words)


def _is_heading(lines: tuple[RecognisedLine, ...], usual: float) -> bool:
    """Whether ``lines`` are a heading; ``usual`` is the height of a line of the page."""
    first, *others = lines
    text = " ".join(word.text for word in first.words)
    letters = [sign for sign in text if sign.isalpha()]
    if others or len(first.words) > _MOST_HEADING_WORDS or text.endswith(_ENDS):
        return False
    if len(letters) < _LEAST_HEADING_LETTERS or _has_cells(first):
        return False
    return all(map(str.isupper, letters)) or _height(first) >= _HEADING_HEIGHT * usual


def _add_unit(
    builder: DocumentBuilder, page: int, lines: tuple[RecognisedLine, ...], *, is_heading: bool
) -> None:
    text = ""
    marks: list[LineMark] = []
    for line in lines:
        for position, word in enumerate(line.words):
            if position == 0 and _is_hyphenated(text, word):
                # The half before the line's end keeps its mark, less the hyphen.
                text = text[:-1]
                last = marks[-1]
                marks[-1] = LineMark(last.start, len(text), page, last.rect)
            elif text:
                text += " "
            marks.append(LineMark(len(text), len(text) + len(word.text), page, word.rect))
            text += word.text
    rects = tuple(_around(line.words) for line in lines)
    builder.add(
        BlockKind.HEADING if is_heading else BlockKind.PARAGRAPH,
        text,
        PageLocator(page, rects),
        level=1 if is_heading else 0,
        marks=tuple(marks),
        ocr_confidence=mean_confidence(lines),
    )


def _is_hyphenated(text: str, following: RecognisedWord) -> bool:
    """Whether ``text`` ends with a hyphen that is there for the line's end only."""
    return (
        len(text) > 2
        and text[-1] in "-\u00ad\u2010"
        and text[-2].islower()
        and text[-3].isalpha()
        and following.text[0].islower()
    )


def _around(words: tuple[RecognisedWord, ...]) -> Rect:
    return Rect(
        min(word.rect.x0 for word in words),
        min(word.rect.y0 for word in words),
        max(word.rect.x1 for word in words),
        max(word.rect.y1 for word in words),
    )
