"""Makes paragraph blocks of the recognised lines of a page."""

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

# Justified text has gaps up to about twice the height of its letters.
_CELL_GAP = 2.5


def add_recognised_page(builder: DocumentBuilder, page: int, found: RecognisedPage) -> None:
    """Append the paragraphs of ``found`` as blocks of page ``page`` (from 1).

    A line with gaps as between the cells of a table is a block of its own. Every block has a
    rectangle per line, a segment per word and its mean confidence.
    """
    lines = [line for line in found.lines if line.words]
    for _, group in groupby(enumerate(lines), key=_unit):
        unit = tuple(line for _, line in group)
        # Specks and bits of drawings are taken for marks; a block of nothing else says nothing.
        if any(any(map(str.isalnum, word.text)) for line in unit for word in line.words):
            _add_paragraph(builder, page, unit)


def _unit(numbered: tuple[int, RecognisedLine]) -> tuple[int, int]:
    """Return what the lines of one block share: their paragraph; a row of a table stands alone."""
    number, line = numbered
    return line.paragraph, number if _has_cells(line) else -1


def _has_cells(line: RecognisedLine) -> bool:
    """Whether a gap between two words is far too wide for a space: a row of a table, a form."""
    height = median(word.rect.y1 - word.rect.y0 for word in line.words)
    return any(
        right.rect.x0 - left.rect.x1 > _CELL_GAP * height for left, right in pairwise(line.words)
    )


def _add_paragraph(builder: DocumentBuilder, page: int, lines: tuple[RecognisedLine, ...]) -> None:
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
        BlockKind.PARAGRAPH,
        text,
        PageLocator(page, rects),
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
