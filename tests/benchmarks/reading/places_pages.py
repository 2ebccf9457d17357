"""Goes to a place on a page of a PDF or a picture and reads what stands there."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.model import Block, PageLocator, ParsedDocument, Rect, Segment
from tests.benchmarks.reading.agreement import similarity
from tests.benchmarks.reading.word_metrics import folded

_HYPHENS = "-\u00ad\u2010\u2011\x02\ufffe"
# Steps a point in which pdftotext is told a rectangle.
_FINE = 10
_CONTROL = re.compile("[\x00\x01\x03-\x1f\x7f-\x9f]")
# Neighbouring lines' boxes touch: what is read is what crosses the middle of the line.
_MIDDLE = 0.3


class PdfPlaces:
    """Reads inside rectangles: with pdfium's own search by place, pdfplumber, and pdftotext.

    What one of them finds there exactly is there; each of them misses some fonts or spaces.
    """

    def __init__(self, path: Path) -> None:
        import pypdfium2

        self._path = path
        self._pdfium = pypdfium2.PdfDocument(path)
        self._plumber: Any = None
        self._texts: dict[int, Any] = {}

    def close(self) -> None:
        """Close the file."""
        for text in self._texts.values():
            text.close()
        if self._plumber is not None:
            self._plumber.close()
        self._pdfium.close()

    def read(self, segment: Segment, wanted: str) -> str:
        """Return what stands in the rectangle of ``segment``: ``wanted``, or else what does."""
        found: list[str] = []
        for way in (self._in_middle, self._in_whole, self._by_pdfplumber, self._by_pdftotext):
            found.append(way(segment))
            if same_line(found[-1], wanted):
                return found[-1]
        return max(found, key=lambda each: similarity(each, wanted))

    def _in_middle(self, segment: Segment) -> str:
        """What crosses the middle of the line: the boxes of neighbouring lines may touch."""
        rect = segment.rect
        across = _MIDDLE * (rect.x1 - rect.x0) if _is_vertical(segment) else 0.2
        down = 0.2 if _is_vertical(segment) else _MIDDLE * (rect.y1 - rect.y0)
        return self._bounded(
            segment.page,
            Rect(rect.x0 + across, rect.y0 + down, rect.x1 - across, rect.y1 - down),
        )

    def _in_whole(self, segment: Segment) -> str:
        return self._bounded(segment.page, segment.rect)

    def _bounded(self, number: int, rect: Rect) -> str:
        page = self._pdfium[number - 1]
        if number not in self._texts:
            self._texts[number] = page.get_textpage()
        corners = [_in_page(page, rect.x0, rect.y0), _in_page(page, rect.x1, rect.y1)]
        across, down = sorted(x for x, _ in corners), sorted(y for _, y in corners)
        found: str = self._texts[number].get_text_bounded(across[0], down[0], across[1], down[1])
        return found

    def _by_pdfplumber(self, segment: Segment) -> str:
        """What pdfplumber finds there; "" where it cannot open the file."""
        import pdfplumber

        if self._plumber is None:
            try:
                self._plumber = pdfplumber.open(self._path)
            except Exception:  # noqa: BLE001 - it fails on damaged files in many ways
                return ""
        pages = self._plumber.pages
        if segment.page > len(pages):
            return ""
        page = pages[segment.page - 1]
        left, top = page.cropbox[0], page.cropbox[1]
        rect = segment.rect
        moved = Rect(left + rect.x0, top + rect.y0, left + rect.x1, top + rect.y1)

        def inside(item: dict[str, Any]) -> bool:
            box = Rect(item["x0"], item["top"], item["x1"], item["bottom"])
            return item["object_type"] == "char" and _is_inside(box, [moved])

        return str(page.filter(inside).extract_text() or "")

    def _by_pdftotext(self, segment: Segment) -> str:
        """What pdftotext finds in that part of the page; "" without the program."""
        found = shutil.which("pdftotext")
        if found is None:
            return ""
        rect = segment.rect
        left, top = (math.floor(each * _FINE) for each in (rect.x0, rect.y0))
        size = (math.ceil((rect.x1 - rect.x0) * _FINE), math.ceil((rect.y1 - rect.y0) * _FINE))
        command = [found, "-q", "-cropbox", "-r", str(72 * _FINE)]
        command += ["-f", str(segment.page), "-l", str(segment.page)]
        command += ["-x", str(left), "-y", str(top), "-W", str(size[0]), "-H", str(size[1])]
        done = subprocess.run([*command, str(self._path), "-"], capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")


def _is_vertical(segment: Segment) -> bool:
    """Whether a line of several characters is written up or down the page."""
    rect = segment.rect
    return segment.end - segment.start > 2 and rect.y1 - rect.y0 > 1.5 * (rect.x1 - rect.x0)


def _in_page(page: Any, x: float, y: float) -> tuple[float, float]:
    """Turn a point of the page as shown (from its top left) into the file's own space."""
    x0, y0, x1, y1 = page.get_cropbox()
    left, right, bottom, top = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    width, height = page.get_size()
    turned = page.get_rotation()
    size = (height, width) if turned in (90, 270) else (width, height)
    if abs(right - left - size[0]) > 1 or abs(top - bottom - size[1]) > 1:
        left, bottom, right, top = 0.0, 0.0, *size  # a box that the page inherits
    match turned:
        case 90:
            return left + y, bottom + x
        case 180:
            return right - x, bottom + y
        case 270:
            return right - y, top - x
        case _:
            return left + x, top - y


def same_line(there: str, wanted: str) -> bool:
    """Whether a line on the page is the block's line: a hyphen at its end may be undone."""
    return _line_key(there) == _line_key(wanted)


def _line_key(text: str) -> str:
    # A bullet of a font's own has a control character for its code, which is no text.
    return folded(folded(_CONTROL.sub(" ", text)).rstrip(_HYPHENS))


def words_inside(document: ParsedDocument, block: Block, *, own: bool) -> str:
    """Return the recorded words whose middle is in the block's rectangles: the block's ``own``,
    or those of every block of the page."""
    locator = block.locator
    if not isinstance(locator, PageLocator):
        return ""
    found = [
        segment
        for each in ((block,) if own else document.blocks)
        for segment in each.segments
        if segment.page == locator.page and _is_inside(segment.rect, locator.rects)
    ]
    text = ""
    end = -1
    for segment in found:
        # Two halves of a word that a line's end had broken stand without a space.
        text += ("" if segment.start == end else " ") + document.text[segment.start : segment.end]
        end = segment.end
    return text


def _is_inside(rect: Rect, rects: Iterable[Rect]) -> bool:
    across, down = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    return any(each.x0 <= across <= each.x1 and each.y0 <= down <= each.y1 for each in rects)


def recognised_there(path: Path, document: ParsedDocument, block: Block, tesseract: str) -> str:
    """Return what plain tesseract recognises in the cut-out of a picture at ``block``."""
    import PIL.Image
    import PIL.ImageOps

    locator = block.locator
    if not isinstance(locator, PageLocator) or not locator.rects:
        return ""
    page = document.pages[locator.page - 1]
    with PIL.Image.open(path) as opened:
        opened.seek(locator.page - 1)
        image = PIL.ImageOps.exif_transpose(opened).convert("L")
    scale = image.width / page.width
    margin = 4.0
    box = (
        min(each.x0 for each in locator.rects) - margin,
        min(each.y0 for each in locator.rects) - margin,
        max(each.x1 for each in locator.rects) + margin,
        max(each.y1 for each in locator.rects) + margin,
    )
    cut = image.crop(
        (int(box[0] * scale), int(box[1] * scale), int(box[2] * scale) + 1, int(box[3] * scale) + 1)
    )
    return _recognised(cut, tesseract)


def _recognised(image: Any, tesseract: str) -> str:
    import io

    import PIL.ImageOps

    buffer = io.BytesIO()
    PIL.ImageOps.expand(image, border=20, fill=255).save(buffer, "PNG")
    done = subprocess.run(
        [tesseract, "stdin", "stdout", "--psm", "6"],
        input=buffer.getvalue(),
        capture_output=True,
        check=False,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
    )
    return done.stdout.decode("utf-8", "replace")
