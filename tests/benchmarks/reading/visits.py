"""Goes to blocks by their locators, format by format, and compares what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    LineLocator,
    ParagraphLocator,
    ParsedDocument,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from tests.benchmarks.reading.agreement import (
    Agreement,
    agreement,
    cells_agree,
    labelled,
    strings_agree,
)
from tests.benchmarks.reading.other_readers import decoded
from tests.benchmarks.reading.places_office import SlidePlaces, WordPlaces
from tests.benchmarks.reading.places_pages import PdfPlaces, same_line, words_inside
from tests.benchmarks.reading.places_text import CuePlaces, LinePlaces, RecordPlaces
from tests.benchmarks.reading.word_metrics import folded, letters

Found = tuple[str, Agreement]
NO_PLACE: Found = ("", Agreement.NO_PLACE)


def visit_pdf(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Read inside the rectangle of each line of a block; recognised blocks: their own words."""
    places = PdfPlaces(path)
    try:
        for block in blocks:
            if block.ocr_confidence is not None:
                there = words_inside(document, block, own=True)
                yield there, agreement(document.block_text(block), there)
            else:
                yield _pdf_block(places, document, block)
    finally:
        places.close()


def _pdf_block(places: PdfPlaces, document: ParsedDocument, block: Block) -> Found:
    wanted = [document.text[each.start : each.end] for each in block.segments]
    there = [places.read(each, text) for each, text in zip(block.segments, wanted, strict=True)]
    # The headers that a row's text carries stand in another row.
    if not block.cells and letters("".join(wanted)) != letters(document.block_text(block)):
        return " / ".join(there), Agreement.DIFFERENT
    if all(same_line(one, other) for one, other in zip(there, wanted, strict=True)):
        return " / ".join(there), Agreement.EXACT if wanted else Agreement.NOTHING
    return " / ".join(there), agreement("\n".join(wanted), "\n".join(there))


def visit_pictures(
    path: Path, document: ParsedDocument, blocks: Sequence[Block]
) -> Iterator[Found]:
    """Take the block's words whose boxes are in its rectangles."""
    del path
    for block in blocks:
        there = words_inside(document, block, own=True)
        yield there, agreement(document.block_text(block), there)


def visit_word(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Count to the paragraph, row or cell of a Word file."""
    places = WordPlaces(path)
    for block in blocks:
        locator = block.locator
        text = document.block_text(block)
        if not isinstance(locator, ParagraphLocator) or (
            locator.paragraph is None and locator.table is None
        ):
            yield NO_PLACE
        elif block.kind is BlockKind.TABLE_ROW and locator.column is None:
            row = places.row(locator)
            strings = [] if row is not None else places.anchored(locator)
            there = row if row is not None else strings
            found = cells_agree(block, there)
            if found is not Agreement.EXACT:
                found = _charted(block, places.anchored(locator), found)
            yield " | ".join(there), found
        elif block.kind is BlockKind.NOTE:
            notes = places.anchored(locator)
            best = next((each for each in notes if labelled(text, each).leads_back), None)
            yield _beside(text, notes, best)
        else:
            there_text = places.paragraph(locator) or ""
            found = labelled(text, there_text)
            if found is not Agreement.EXACT:
                anchored = places.anchored(locator)
                if anchored and strings_agree(text, anchored).leads_back:
                    found = Agreement.EXACT
            yield there_text, found


def _charted(block: Block, strings: Sequence[str], otherwise: Agreement) -> Agreement:
    """A row of a chart's table: each of its cells is one of the chart's strings."""
    known = {_number(folded(each)) for each in strings}
    cells = [_number(folded(cell)) for _, cell in block.cells if cell.strip()]
    return Agreement.EXACT if cells and all(each in known for each in cells) else otherwise


def _number(text: str) -> str:
    """Return a number to ten digits (a file has 8.1999999999999993), other text as it is."""
    try:
        return f"{float(text):.10g}"
    except ValueError:
        return text


def _beside(text: str, there: Sequence[str], best: str | None) -> Found:
    if best is not None:
        return best, Agreement.EXACT
    joined = "\n".join(there)
    return joined, Agreement.DIFFERENT if there else Agreement.NOTHING


def visit_slides(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Count to the slide and shape of a presentation; notes and comments: the slide's own."""
    places = SlidePlaces(path)
    for block in blocks:
        locator = block.locator
        if not isinstance(locator, SlideLocator):
            yield NO_PLACE
            continue
        text = document.block_text(block)
        if locator.shape is None:
            beside = places.beside(locator)
            yield "", strings_agree(text, beside)
            continue
        there = places.shape(locator) or ""
        found = labelled(text, there)
        if block.kind is BlockKind.TABLE_ROW:
            rows = places.rows(locator)
            if any(cells_agree(block, row).leads_back for row in rows):
                found = Agreement.EXACT
        if not found.leads_back:
            # A chart's or diagram's strings are in a file of its own.
            beside = places.beside(locator)
            if strings_agree(text, beside).leads_back:
                found = Agreement.EXACT
            else:
                found = _charted(block, beside, found)
        yield there, found


def visit_lines(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Read as many lines from the locator on as the block has."""
    text = decoded(path)
    places = LinePlaces(text or "")
    for block in blocks:
        if text is None or not isinstance(block.locator, LineLocator):
            yield NO_PLACE
            continue
        wanted = document.block_text(block)
        there = places.at(block.locator, wanted.count("\n") + 1)
        yield there, agreement(wanted, there)


def visit_markdown(
    path: Path, document: ParsedDocument, blocks: Sequence[Block]
) -> Iterator[Found]:
    """Compare letters and digits with those from the line on; a row: cell after cell."""
    text = decoded(path)
    places = LinePlaces(text or "")
    for block in blocks:
        if text is None or not isinstance(block.locator, LineLocator):
            yield NO_PLACE
            continue
        there = places.markdown_from(block.locator)
        cells = [letters(cell) for _, cell in block.cells]
        wanted = letters(document.block_text(block))
        if block.cells:
            found = _cells_follow(there, cells)
            line = places.markdown_line(block.locator)
            if not found.leads_back and _inside(line, cells):
                found = Agreement.INSIDE
            yield there[:200], found
        else:
            found = (
                Agreement.EXACT
                if there.startswith(wanted)
                else agreement(wanted, there[: len(wanted)])
            )
            yield there[: len(wanted)], found


def _inside(line: str, cells: Sequence[str]) -> bool:
    """Whether the cells stand one after the other somewhere in the line.

    A cell that is merged down its column stands there once, before the rows that repeat it.
    """
    for index, first in enumerate(cells):
        start = line.find(first) if first else -1
        while start >= 0:
            before = line[:start]
            rest = [cell for cell in cells[index:] if cell == first or cell not in before]
            if all(cell in before for cell in cells[:index]) and any(
                _cells_follow(line[start:], each).leads_back for each in (cells[index:], rest)
            ):
                return True
            start = line.find(first, start + 1)
    return False


def _cells_follow(there: str, cells: Sequence[str]) -> Agreement:
    """Whether the cells stand one after the other from the line's beginning."""
    place = 0
    last = ""
    for cell in cells:
        if there.startswith(cell, place):
            place += len(cell)
        elif cell != last:  # a merged cell is repeated in ours, not in the file
            return Agreement.DIFFERENT
        last = cell
    return Agreement.EXACT


def visit_csv(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Count to the record of a CSV file."""
    text = decoded(path)
    places = RecordPlaces(text or "")
    for block in blocks:
        if text is None or not isinstance(block.locator, RowLocator):
            yield NO_PLACE
            continue
        there = places.at(block.locator) or []
        found = cells_agree(block, there)
        if not block.cells or not found.leads_back:
            # A title above the table, or a file of one column whose commas are text.
            whole = agreement(document.block_text(block), places.line(there))
            found = whole if not block.cells or whole.leads_back else found
        yield " | ".join(there), found


def visit_cues(path: Path, document: ParsedDocument, blocks: Sequence[Block]) -> Iterator[Found]:
    """Look for a cue with exactly the block's times."""
    places = CuePlaces(path.read_text(encoding="utf-8"), path.suffix.lstrip("."))
    for block in blocks:
        if not isinstance(block.locator, TimeLocator):
            yield NO_PLACE
            continue
        wanted = document.block_text(block)
        cues = places.at(block.locator)
        best = next((each for each in cues if labelled(wanted, each).leads_back), None)
        yield _beside(wanted, cues, best)
