"""Reads PDFs: words from pypdfium2, laid out to headings, paragraphs, lists and table rows."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import Page
from phasergun_desktop.documents.pdf.blocks import PdfWriter
from phasergun_desktop.documents.pdf.layout import PageLayout, TextRun, layout_elements
from phasergun_desktop.documents.pdf.line_groups import (
    HeadingRules,
    Style,
    line_style,
    outline_key,
)
from phasergun_desktop.documents.pdf.lines import Line, LineJoiner, lines_of
from phasergun_desktop.documents.pdf.margins import MarginRules
from phasergun_desktop.documents.pdf.opening import PdfFile
from phasergun_desktop.documents.pdf.pages import PageState, VisitedPage, visit_page
from phasergun_desktop.documents.pdf.pdf_properties import (
    attached_names,
    pdf_properties,
    published_as,
)
from phasergun_desktop.documents.pdf.rulings import ruled_tables
from phasergun_desktop.documents.pdf.scans import ScannedPages, pages_named
from phasergun_desktop.errors import DocumentError, DocumentProblem

MAX_PAGES = 5_000
_MAX_OUTLINE = 2_000
_MAX_PITCHES = 100_000
# The pages of a document up to this long are kept as they are: pickling them costs time.
_UNPACKED_PAGES = 100


def read_pdf(source: Path | bytes, reading: Reading) -> tuple[FileProperties, tuple[Page, ...]]:
    """Append the blocks of a PDF to ``reading.builder``; return its properties and page sizes.

    ``source`` is best a path: then the file is never in memory as a whole. Raises DocumentError
    where it is damaged or password protected, where no page has text, and where all text is in
    pictures and the program that recognises it is missing.
    """
    pdf = PdfFile(source, reading.options.passwords)
    try:
        pages = _PdfReader(pdf, reading).read()
        reading.builder.warn_of_inner_files(attached_names(pdf.document))
        return pdf_properties(pdf.document, published_as(source)), pages
    finally:
        pdf.close()


class _PdfReader:
    """Reads a PDF in two passes: learn what repeats and what is usual, then lay out.

    Each page is visited once; between the passes those of a long document are kept pickled, in
    some 40 kilobytes each.
    """

    def __init__(self, pdf: PdfFile, reading: Reading) -> None:
        self._pdf = pdf
        self._builder = reading.builder
        self._scans = ScannedPages(pdf, reading)
        self._kept: list[VisitedPage | bytes] = []
        self._states: list[PageState] = []
        self._margins = MarginRules()
        self._joiner = LineJoiner()
        self._styles: Counter[Style] = Counter()
        self._pitches: list[float] = []

    def read(self) -> tuple[Page, ...]:
        """Append all blocks; return the pages."""
        count = min(self._pdf.page_count, MAX_PAGES)
        if self._pdf.page_count > count:
            self._builder.warn(f"Only the first {MAX_PAGES:,} pages were read.")
        for index in range(count):
            visited = visit_page(self._pdf, index)
            if visited.state is PageState.TEXT:
                self._learn(visited)
            self._states.append(visited.state)
            self._kept.append(visited if count <= _UNPACKED_PAGES else pickle.dumps(visited))
        pitch = sorted(self._pitches)[len(self._pitches) // 2] if self._pitches else 1.2
        pitch = min(2.4, max(0.95, pitch))
        rules = HeadingRules(self._styles, _outline(self._pdf.document))
        writer = PdfWriter(self._builder, rules, self._joiner, pitch)
        pages = tuple(self._write(number, writer, pitch) for number in range(1, count + 1))
        writer.finish()
        self._judge()
        return pages

    def _learn(self, page: VisitedPage) -> None:
        lines = page.lines
        self._joiner.learn(lines)
        self._margins.learn(lines, page.frame.turned_height(page.quadrant))
        for before, line in pairwise(lines):
            style = line_style(line)
            self._styles[style] += len(line.text)
            if abs(before.x0 - line.x0) >= 2 or len(line.text) <= 40:
                continue
            distance = line.base - before.base
            if 0 < distance < 3 * line.height and style == line_style(before):
                self._pitches.append(distance / max(1.0, line.height))
        if len(self._pitches) > _MAX_PITCHES:
            self._pitches = self._pitches[::2]

    def _write(self, number: int, writer: PdfWriter, pitch: float) -> Page:
        """Append the blocks of a page, from its text or else from its picture."""
        kept = self._kept[number - 1]
        # What this process has pickled itself.
        page = pickle.loads(kept) if isinstance(kept, bytes) else kept  # noqa: S301
        size = Page(round(page.frame.width, 2), round(page.frame.height, 2))
        if page.state in (PageState.PICTURE, PageState.GARBLED):
            found = self._scans.recognise(number)
            if found is not None:
                writer.interrupt()
                return self._scans.add(number, found, size)
        for layout, margins in self._layouts(number, page, pitch):
            writer.add_page(layout, margins)
        for text, rect in page.comments:
            writer.add_comment(number, text, rect)
        return size

    def _layouts(
        self, number: int, page: VisitedPage, pitch: float
    ) -> Iterator[tuple[PageLayout, list[Line]]]:
        """Yield the layout of a page for each direction of writing on it, the main one first."""
        if not page.lines:
            return
        height = page.frame.turned_height(page.quadrant)
        margins = self._margins.margin_lines(page.lines, height)
        aside = {id(line) for line in margins}
        body = [line for line in page.lines if id(line) not in aside]
        if page.numbers is not None:
            margins = [*margins, page.numbers]
        ruled = ruled_tables(page.rulings) if body else []
        yield (
            PageLayout(number, page.frame.back(page.quadrant), layout_elements(body, ruled, pitch)),
            margins,
        )
        for quadrant in sorted({word.quadrant for word in page.others}):
            turned = [word for word in page.others if word.quadrant == quadrant]
            run = TextRun(tuple(lines_of(turned)), 0.0, page.frame.width)
            yield PageLayout(number, page.frame.back(quadrant), (run,)), []

    def _judge(self) -> None:
        """Warn of what was not read; raise where nothing was."""
        states = Counter(self._states)
        if not states[PageState.TEXT] and self._scans.missing is not None:
            raise self._scans.missing
        self._scans.warn()
        damaged = [n for n, state in enumerate(self._states, 1) if state is PageState.DAMAGED]
        if damaged:
            verb = "is" if len(damaged) == 1 else "are"
            named = pages_named(damaged).capitalize()
            self._builder.warn(f"{named} {verb} damaged and cannot be read.")
        if not self._builder.blocks:
            if self._scans.tried or damaged:
                raise DocumentError(
                    "No text",
                    " ".join(self._builder.warnings)
                    or "No text was recognised on the pages of the PDF.",
                    "Look at it in another program: if it shows text, print it to a new PDF or scan"
                    " it again at 300 dpi.",
                    DocumentProblem.DAMAGED if damaged else DocumentProblem.EMPTY,
                )
            raise DocumentError(
                "No text",
                "There is no text on the pages of the PDF.",
                "Replace it or remove it.",
                DocumentProblem.EMPTY,
            )


def _outline(pdf: Any) -> dict[str, int]:
    """Return the entries of the file's outline with their level, as far as it is readable."""
    import pypdfium2  # noqa: PLC0415

    found: dict[str, int] = {}
    try:
        for entry in pdf.get_toc(max_depth=6):
            key = outline_key(entry.get_title() or "")
            if len(key) > 3:
                found.setdefault(key, min(6, entry.level + 1))
            if len(found) >= _MAX_OUTLINE:
                break
    except (pypdfium2.PdfiumError, RecursionError, UnicodeDecodeError):
        pass
    return found
