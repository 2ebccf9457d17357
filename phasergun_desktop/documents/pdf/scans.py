"""Recognises the pages of a PDF that are pictures, and says which were and which were not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.documents.images.recognised_blocks import add_recognised_page
from phasergun_desktop.documents.images.recognition import RecognisedPage, Recogniser
from phasergun_desktop.documents.model import Page
from phasergun_desktop.documents.pdf.opening import PdfFile, scale_within
from phasergun_desktop.errors import DocumentError, DocumentProblem

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 300.0
MAX_RECOGNISED = 500
# A page of poster size is rendered with fewer dots an inch, so that none exhausts the memory.
_MAX_PIXELS = 40_000_000
# How much darker or lighter than the paper a dot of ink is, of 255 steps, and which share of
# the dots of a page it takes: a page number has more, the noise of a scanned sheet less.
_INK_STEP = 56
_MIN_INK = 4e-5


class ScannedPages:
    """Recognises pages in their order; ``warn`` says at the end what became of them.

    ``missing`` is the error that the program or a language is not installed, once it is known;
    ``tried`` says that a page was not blank.
    """

    def __init__(self, pdf: PdfFile, reading: Reading) -> None:
        self._pdf = pdf
        self._reading = reading
        self._recogniser = Recogniser(reading)
        self._recognised: list[int] = []
        self._unread: list[int] = []
        self._beyond: list[int] = []
        self._failed: list[tuple[int, str]] = []
        self.missing: DocumentError | None = None
        self.tried = False

    def recognise(self, number: int) -> RecognisedPage | None:
        """Return the text of page ``number`` (from 1).

        None where it is blank, where nothing can be recognised on it, where the program for it
        is missing (see ``missing``), or where enough pages of the file were recognised.
        """
        if self.missing is not None:
            self._unread.append(number)
            return None
        if len(self._recognised) >= MAX_RECOGNISED:
            self._beyond.append(number)
            return None
        image_and_dpi = self._rendered(number - 1)
        if image_and_dpi is None or not has_ink(image_and_dpi[0]):
            return None
        self.tried = True
        self._reading.report(ReadingProgress(number, self._pdf.page_count, recognised=True))
        try:
            found = self._recogniser.recognise(*image_and_dpi)
        except DocumentError as error:
            if error.problem is DocumentProblem.PROGRAM_MISSING:
                self.missing = error
                self._unread.append(number)
            else:
                self._failed.append((number, error.message))
            return None
        if not any(line.words for line in found.lines):
            return None
        self._recognised.append(number)
        return found

    def add(self, number: int, found: RecognisedPage, page: Page) -> Page:
        """Append the blocks of a recognised page; return ``page`` with its confidence."""
        add_recognised_page(self._reading.builder, number, found)
        return Page(page.width, page.height, found.confidence)

    def warn(self) -> None:
        """Say in the document's warnings which pages were recognised and which were not."""
        warn = self._reading.builder.warn
        if self._recognised:
            whose = "its picture" if len(self._recognised) == 1 else "their pictures"
            warn(f"The text of {pages_named(self._recognised)} was recognised from {whose}.")
        if self._unread and self.missing is not None:
            verb = "is a picture and was" if len(self._unread) == 1 else "are pictures and were"
            named = pages_named(self._unread).capitalize()
            warn(f"{named} {verb} not read. {self.missing.remedy}")
        if self._beyond:
            warn(
                f"Only the first {MAX_RECOGNISED} pages without text were recognised;"
                f" {pages_named(self._beyond)} were not read. Split the file."
            )
        for number, message in self._failed:
            warn(f"Page {number} was not read: {message}")

    def _rendered(self, index: int) -> tuple[Image, float] | None:
        """Return the picture of a page in grey and its dots an inch; None where it is damaged."""
        import pypdfium2  # noqa: PLC0415

        page = self._pdf.page(index)
        if page is None:
            return None
        try:
            width, height = page.get_size()
            scale = scale_within(DPI / 72, _MAX_PIXELS, width, height)
            bitmap = page.render(scale=scale, grayscale=True)
            try:
                image: Image = bitmap.to_pil().convert("L").copy()
            finally:
                bitmap.close()
        except pypdfium2.PdfiumError:
            return None
        finally:
            page.close()
        return image, scale * 72


def has_ink(image: Image) -> bool:
    """Say whether anything is drawn on a page, rendered in grey, beside the noise of paper."""
    small = image.reduce(4) if min(image.size) > 400 else image
    levels: list[int] = small.histogram()
    paper = max(range(256), key=lambda level: levels[level])
    ink = sum(count for level, count in enumerate(levels) if abs(level - paper) > _INK_STEP)
    return ink > _MIN_INK * small.width * small.height


def pages_named(pages: Sequence[int]) -> str:
    """Return "page 3", "pages 3 and 4" or "pages 1-3, 7 and 9"; at most twelve ranges."""
    spans: list[tuple[int, int]] = []
    for page in pages:
        if spans and page == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], page)
        else:
            spans.append((page, page))
    shown: list[str] = []
    for first, last in spans[:12]:
        if last - first == 1:
            shown.extend([str(first), str(last)])
        else:
            shown.append(str(first) if first == last else f"{first}-{last}")
    if len(spans) > 12:
        shown.append("others")
    listed = ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else shown[0]
    return f"{'page' if len(pages) == 1 else 'pages'} {listed}"
