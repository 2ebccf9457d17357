"""PDFs for measuring, put together from the pages of real ones by what is drawn on a page."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tests.benchmarks.reading.data_files import DataFile

MIN_RULING_POINTS = 20.0
MAX_RULING_THICKNESS = 3.0
# A page with less text is a picture, whose reading is that of its recognition.
MIN_CHARACTERS = 200
_PATH = 2  # FPDF_PAGEOBJ_PATH
_MAX_DEPTH = 8


class PageClass(StrEnum):
    """What is drawn on a page beside its text."""

    PLAIN = "plain"
    LINES = "lines"
    TABLE = "table"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Page ``index`` (from 0) of a PDF."""

    path: Path
    index: int
    page_class: PageClass


def classified_pages(files: Iterable[DataFile]) -> list[SourcePage]:
    """Return every page of the PDFs among ``files`` that can be opened, with its class.

    PLAIN: no path of the page is a ruling, that is at least ``MIN_RULING_POINTS`` long in one
    direction and at most ``MAX_RULING_THICKNESS`` in the other, or a box longer than that in
    both. TABLE: at least two rulings (a box counts as two of each) in both directions.
    """
    import pypdfium2

    found: list[SourcePage] = []
    for file in files:
        if file.suffix != "pdf":
            continue
        try:
            document = pypdfium2.PdfDocument(file.path)
        except pypdfium2.PdfiumError:
            continue
        for index in range(len(document)):
            page = document[index]
            found.append(SourcePage(file.path, index, _class_of(page)))
            page.close()
        document.close()
    return found


def _class_of(page: Any) -> PageClass:
    text = page.get_textpage()
    characters = text.count_chars()
    text.close()
    if characters < MIN_CHARACTERS:
        return PageClass.PICTURE
    across = down = 0
    for item in page.get_objects(filter=(_PATH,), max_depth=_MAX_DEPTH):
        left, bottom, right, top = item.get_bounds()
        wide, high = right - left >= MIN_RULING_POINTS, top - bottom >= MIN_RULING_POINTS
        if wide and high:
            across, down = across + 2, down + 2
        elif wide and top - bottom <= MAX_RULING_THICKNESS:
            across += 1
        elif high and right - left <= MAX_RULING_THICKNESS:
            down += 1
    if across >= 2 and down >= 2:
        return PageClass.TABLE
    return PageClass.LINES if across or down else PageClass.PLAIN


def chosen(pages: Sequence[SourcePage], count: int, *classes: PageClass) -> list[SourcePage]:
    """Return at most ``count`` pages of ``classes``, drawn with a fixed seed."""
    members = [each for each in pages if each.page_class in classes]
    return random.Random(20240501).sample(members, min(count, len(members)))


def write_pdf(pages: Sequence[SourcePage], path: Path) -> None:
    """Write ``pages`` in their order as one PDF."""
    import pypdfium2

    made = pypdfium2.PdfDocument.new()
    sources: dict[Path, Any] = {}
    try:
        start = 0
        while start < len(pages):
            # Neighbours from one file are imported at once, which shares their fonts.
            end = start + 1
            while end < len(pages) and pages[end].path == pages[start].path:
                end += 1
            source = pages[start].path
            if source not in sources:
                sources[source] = pypdfium2.PdfDocument(source)
            made.import_pages(sources[source], [each.index for each in pages[start:end]])
            start = end
        made.save(str(path))
    finally:
        for source_document in sources.values():
            source_document.close()
        made.close()
