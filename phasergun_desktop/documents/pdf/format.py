"""Reads PDFs: words from pypdfium2, laid out to headings, paragraphs, lists and table rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import Page
from phasergun_desktop.documents.pdf.blocks import PdfWriter
from phasergun_desktop.documents.pdf.layout import PageLayout, TextRun, layout_elements
from phasergun_desktop.documents.pdf.lines import Line, LineJoiner, lines_of, split_line_numbers
from phasergun_desktop.documents.pdf.margins import MarginRules
from phasergun_desktop.documents.pdf.paragraphs import (
    HeadingRules,
    Style,
    line_style,
    outline_key,
)
from phasergun_desktop.documents.pdf.rulings import ruled_tables
from phasergun_desktop.documents.pdf.words import PageFrame, Upright, Word, page_frame, page_words
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.errors import DocumentError, DocumentProblem

MAX_PAGES = 5_000
# Words of so many pages are kept between the two passes; beyond, pages are read twice.
_KEPT_PAGES = 1_000
_MAX_OUTLINE = 2_000


@dataclass(frozen=True, slots=True)
class _Page:
    """The words of a page: lines in the main direction of writing, other words beside.

    ``numbers`` are the line numbers of a draft, if it has any.
    """

    frame: PageFrame
    upright: Upright
    lines: list[Line]
    others: list[Word]
    numbers: Line | None


def open_pdf(data: bytes) -> Any:
    """Open a PDF with its form fields. Raises DocumentError: password protected or damaged."""
    import pypdfium2  # noqa: PLC0415

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise DocumentError(
                "Password protected",
                "The PDF is password protected.",
                "Enter the password, or save a copy without it.",
                DocumentProblem.PASSWORD,
            ) from error
        raise DocumentError(
            "Damaged PDF",
            "The PDF is damaged and cannot be opened.",
            "Export it again from its source, or print it to a new PDF.",
        ) from error
    try:
        if pdf.get_formtype():
            pdf.init_forms()
    except pypdfium2.PdfiumError:
        pass  # the pages are read without their form fields
    return pdf


def read_pdf(data: bytes, reading: Reading) -> tuple[FileProperties, tuple[Page, ...]]:
    """Append the blocks of a PDF to ``reading.builder``; return its properties and page sizes.

    Raises DocumentError where it is damaged, password protected or has no page.
    """
    pdf = open_pdf(data)
    try:
        if not len(pdf):
            raise DocumentError(
                "Damaged PDF",
                "The PDF has no pages.",
                "Export it again from its source, or print it to a new PDF.",
            )
        return _PdfReader(pdf, reading.builder).read()
    finally:
        pdf.close()


class _PdfReader:
    """Reads a PDF in two passes: learn what repeats and what is usual, then lay out."""

    def __init__(self, pdf: Any, builder: DocumentBuilder) -> None:
        self._pdf = pdf
        self._builder = builder
        self._count = min(len(pdf), MAX_PAGES)
        self._kept: dict[int, _Page] = {}
        self._margins = MarginRules()
        self._joiner = LineJoiner()
        self._styles: Counter[Style] = Counter()
        self._pitches: list[float] = []
        self._sizes: list[Page] = []
        self._empty: list[int] = []
        self._unreadable: list[int] = []

    def read(self) -> tuple[FileProperties, tuple[Page, ...]]:
        """Append all blocks."""
        if len(self._pdf) > self._count:
            self._builder.warn(f"Only the first {MAX_PAGES:,} pages were read.")
        for index in range(self._count):
            self._learn(index)
        pitch = sorted(self._pitches)[len(self._pitches) // 2] if self._pitches else 1.2
        pitch = min(2.4, max(0.95, pitch))
        rules = HeadingRules(self._styles, _outline(self._pdf))
        writer = PdfWriter(self._builder, rules, self._joiner, pitch)
        for index in range(self._count):
            for layout, margins in self._layouts(index, pitch):
                writer.add_page(layout, margins)
        writer.finish()
        self._warn_of_pages()
        return self._properties(), tuple(self._sizes)

    def _text_of(self, index: int) -> _Page:
        kept = self._kept.get(index)
        if kept is not None:
            return kept
        page = self._page(index)
        if page is None:
            frame, words = PageFrame(612.0, 792.0, 1, 0, 0, 0, -1, 792), []
        else:
            try:
                frame = page_frame(page)
                words = page_words(page, frame)
            finally:
                page.close()
        main = _main_quadrant(words)
        upright = Upright(main, frame.width, frame.height)
        own = [upright.word(word) if main else word for word in words if word.quadrant == main]
        others = [word for word in words if word.quadrant != main]
        lines, numbers = split_line_numbers(lines_of(own))
        found = _Page(frame, upright, lines, others, numbers)
        if index < _KEPT_PAGES:
            self._kept[index] = found
        return found

    def _page(self, index: int) -> Any:
        """Return a page with its form fields as part of the content; None if it is damaged."""
        import pypdfium2  # noqa: PLC0415
        from pypdfium2 import raw  # noqa: PLC0415

        try:
            page = self._pdf[index]
            if self._pdf.formenv and raw.FPDFPage_GetAnnotCount(page.raw) > 0:
                # Flattening works on this copy in memory; the file is not touched.
                page.flatten()
                page.close()
                page = self._pdf[index]
            return page
        except pypdfium2.PdfiumError:
            return None

    def _learn(self, index: int) -> None:
        page = self._text_of(index)
        frame, lines = page.frame, page.lines
        self._sizes.append(Page(round(frame.width, 2), round(frame.height, 2)))
        if not lines:
            self._empty.append(index + 1)
            return
        text = "".join(line.text for line in lines)
        odd = sum(1 for char in text if char == "\ufffd" or "\ue000" <= char <= "\uf8ff")
        if odd > 0.3 * len(text):
            self._unreadable.append(index + 1)
        self._joiner.learn(lines)
        self._margins.learn(lines, _turned_height(page.upright))
        for before, line in pairwise(lines):
            style = line_style(line)
            self._styles[style] += len(line.text)
            distance = line.base - before.base
            same = abs(before.x0 - line.x0) < 2 and len(line.text) > 40
            if same and 0 < distance < 3 * line.height and style == line_style(before):
                self._pitches.append(distance / max(1.0, line.height))

    def _layouts(self, index: int, pitch: float) -> Iterator[tuple[PageLayout, list[Line]]]:
        """Yield the layout of a page for each direction of writing on it, the main one first."""
        page = self._text_of(index)
        if not page.lines:
            return
        margins = self._margins.margin_lines(page.lines, _turned_height(page.upright))
        aside = {id(line) for line in margins}
        body = [line for line in page.lines if id(line) not in aside]
        if page.numbers is not None:
            margins = [*margins, page.numbers]
        ruled = self._ruled(index, page.frame, page.upright) if body else []
        yield PageLayout(index + 1, page.upright, layout_elements(body, ruled, pitch)), margins
        for quadrant in sorted({word.quadrant for word in page.others}):
            upright = Upright(quadrant, page.frame.width, page.frame.height)
            turned = [upright.word(word) for word in page.others if word.quadrant == quadrant]
            run = TextRun(tuple(lines_of(turned)), 0.0, page.frame.width)
            yield PageLayout(index + 1, upright, (run,)), []

    def _ruled(self, index: int, frame: PageFrame, upright: Upright) -> list[Any]:
        page = self._page(index)
        if page is None:
            return []
        try:
            return list(ruled_tables(page, frame, upright))
        finally:
            page.close()

    def _warn_of_pages(self) -> None:
        for pages, what in ((self._empty, "no text layer"), (self._unreadable, "unreadable text")):
            if not pages:
                continue
            if len(pages) <= 3:
                for page in pages:
                    self._builder.warn(f"Page {page} has {what}.")
            else:
                self._builder.warn(f"{len(pages)} pages have {what}: {_ranges(pages)}.")

    def _properties(self) -> FileProperties:
        import pypdfium2  # noqa: PLC0415

        try:
            info = self._pdf.get_metadata_dict(skip_empty=True)
        except (pypdfium2.PdfiumError, UnicodeDecodeError):
            info = {}
        return FileProperties(
            title=info.get("Title", ""),
            author=info.get("Author", ""),
            created=_iso_date(info.get("CreationDate", "")),
            modified=_iso_date(info.get("ModDate", "")),
            pages=len(self._pdf),
        )


def _turned_height(upright: Upright) -> float:
    return upright.width if upright.quadrant in (1, 3) else upright.height


def _main_quadrant(words: list[Word]) -> int:
    counts: Counter[int] = Counter()
    for word in words:
        counts[word.quadrant] += len(word.text)
    return counts.most_common(1)[0][0] if counts else 0


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


def _iso_date(value: str) -> str:
    match = re.match(r"D?:?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?", value)
    if not match:
        return ""
    year, month, day, hour, minute, second = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    return f"{date}T{hour}:{minute}:{second or '00'}" if day and hour and minute else date


def _ranges(pages: list[int]) -> str:
    """Return page numbers as ranges: 1-3, 7."""
    spans: list[tuple[int, int]] = []
    for page in pages:
        if spans and page == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], page)
        else:
            spans.append((page, page))
    shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans[:12])
    return shown + (", …" if len(spans) > 12 else "")
