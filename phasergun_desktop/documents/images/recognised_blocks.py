"""Makes blocks of the recognised lines of a page: paragraphs, rows, and its headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.images.recognition import (
    RecognisedLine,
    RecognisedPage,
    mean_confidence,
)
from phasergun_desktop.documents.images.tesseract import RecognisedWord, around
from phasergun_desktop.documents.model import BlockKind, PageLocator, Segment
from phasergun_desktop.documents.table_blocks import TableRow, add_table

# A heading is one short line in capitals, or in letters that much higher than those of the page.
_MOST_HEADING_WORDS = 12
_LEAST_HEADING_LETTERS = 4
_HEADING_HEIGHT = 1.35
_ENDS = (".", ",", ";", ":", "!", "?")
# Justified text has gaps up to about twice the height of its letters.
_CELL_GAP = 2.5
# A line that ends from this share of where the widest does is full.
_FULL = 0.9
# Between the lines of a paragraph there are at most so many times the height of their letters.
_LINE_GAP = 3.0


def add_recognised_page(builder: DocumentBuilder, page: int, found: RecognisedPage) -> None:
    """Append the paragraphs of ``found`` as blocks of page ``page`` (from 1).

    Lines below one another with gaps as between the cells of a table are its rows. Every block
    has a rectangle per line, a segment per word and its mean confidence.
    """
    # Specks and bits of drawings are taken for marks; a line of nothing else says nothing.
    lines = [line for line in found.lines if any(map(_has_letter, line.words))]
    usual = median(_height(line) for line in lines) if lines else 0.0
    for are_rows, members in groupby(lines, key=lambda line: len(_cells(line)) > 1):
        units = [tuple(members)]
        rows = _rows(page, units[0]) if are_rows else []
        if rows:
            group = ("recognised", page, units[0][0].words[0].rect.y0)
            add_table(builder, rows, group=group, may_head=False)
            continue
        if are_rows:
            units = [(line,) for line in units[0]]
        else:
            units = _paragraphs(units[0], max(line.words[-1].rect.x1 for line in lines), usual)
        for unit in units:
            _add_unit(builder, page, unit, is_heading=_is_heading(unit, usual))


def _paragraphs(
    lines: Sequence[RecognisedLine], right: float, usual: float
) -> list[tuple[RecognisedLine, ...]]:
    """Return ``lines``, of the height ``usual``, by their paragraphs; one that breaks off at the
    page's margin ``right`` in the middle of a sentence, as on a skewed page, goes on with the next
    one right below it."""
    made: list[tuple[RecognisedLine, ...]] = []
    for _, unit in groupby(lines, key=lambda line: line.paragraph):
        found = tuple(unit)
        is_below = bool(made) and _gap(made[-1][-1], found[0]) < _LINE_GAP * usual
        is_broken = is_below and _breaks_off(made[-1][-1], right) and _goes_on(found[0])
        if is_broken and not _is_heading(made[-1], usual):
            found = (*made.pop(), *found)
        made.append(found)
    return made


def _gap(line: RecognisedLine, following: RecognisedLine) -> float:
    return around(following.words).y0 - around(line.words).y1


def _breaks_off(line: RecognisedLine, right: float) -> bool:
    """Whether ``line`` is full and no sentence ends with it."""
    last = line.words[-1]
    return not last.text.endswith(_ENDS) and last.rect.x1 > _FULL * right


def _goes_on(line: RecognisedLine) -> bool:
    """Whether ``line`` begins with a small word; a single letter may be the mark of a list."""
    first = line.words[0].text
    return len(first) > 1 and first.isalpha() and first.islower()


def _has_letter(word: RecognisedWord) -> bool:
    return any(map(str.isalnum, word.text))


def _cells(line: RecognisedLine) -> list[list[RecognisedWord]]:
    """Return the words of a line, parted where a gap is far too wide for a space."""
    widest = _CELL_GAP * _height(line)
    cells = [[line.words[0]]]
    for left, right in pairwise(line.words):
        if right.rect.x0 - left.rect.x1 > widest:
            cells.append([])
        cells[-1].append(right)
    return cells


def _rows(page: int, lines: Sequence[RecognisedLine]) -> list[TableRow]:
    """Return ``lines`` as the rows of a table, none where their cells stand in no columns."""
    columns: list[tuple[float, float]] = []
    cells = [cell for line in lines for cell in _cells(line)]
    for start, end in sorted((cell[0].rect.x0, cell[-1].rect.x1) for cell in cells):
        if columns and start < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], end))
        else:
            columns.append((start, end))
    rows = [_row(page, line, [end for _, end in columns]) for line in lines]
    # Where two cells of a line fall together, what others have there goes across the gap.
    parted = zip(rows, lines, strict=True)
    apart = all(sum(map(bool, row.cells)) == len(_cells(line)) for row, line in parted)
    return rows if apart and len(rows) > 1 else []


def _row(page: int, line: RecognisedLine, ends: Sequence[float]) -> TableRow:
    """Return a line as a row with the columns that end at ``ends``."""
    texts = [""] * len(ends)
    marks: list[list[Segment]] = [[] for _ in ends]
    for word in line.words:
        column = next(number for number, end in enumerate(ends) if word.rect.x1 <= end)
        before = f"{texts[column]} " if texts[column] else ""
        texts[column] = before + word.text
        marks[column].append(Segment(len(before), len(texts[column]), page, word.rect))
    return TableRow(
        tuple(texts),
        PageLocator(page, (around(line.words),)),
        marks=tuple(map(tuple, marks)),
        ocr_confidence=mean_confidence(line.words),
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
    if len(letters) < _LEAST_HEADING_LETTERS or len(_cells(first)) > 1:
        return False
    return all(map(str.isupper, letters)) or _height(first) >= _HEADING_HEIGHT * usual


def _add_unit(
    builder: DocumentBuilder, page: int, lines: tuple[RecognisedLine, ...], *, is_heading: bool
) -> None:
    text = ""
    marks: list[Segment] = []
    for line in lines:
        for position, word in enumerate(line.words):
            if position == 0 and _is_hyphenated(text, word):
                # The half before the line's end keeps its mark, less the hyphen.
                text = text[:-1]
                last = marks[-1]
                marks[-1] = Segment(last.start, len(text), page, last.rect)
            elif text:
                text += " "
            marks.append(Segment(len(text), len(text) + len(word.text), page, word.rect))
            text += word.text
    rects = tuple(around(line.words) for line in lines)
    builder.add(
        BlockKind.HEADING if is_heading else BlockKind.PARAGRAPH,
        text,
        PageLocator(page, rects),
        level=1 if is_heading else 0,
        marks=tuple(marks),
        ocr_confidence=mean_confidence([word for line in lines for word in line.words]),
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
