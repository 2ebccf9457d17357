"""Takes words with their boxes from the pages of a PDF (pypdfium2)."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

from phasergun_desktop.documents.model import Rect

_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "ft",
    0xFB06: "st",
}
# pdfium reports a hyphen at a line's end as one of these.
_LINE_HYPHENS = frozenset({0x02, 0xFFFE, 0xAD})
_SPACES = frozenset({0x00, 0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x3000})
_INVISIBLE = frozenset({0x200B, 0x200C, 0x200D, 0xFEFF})
_BOLD_WEIGHT = 600
_FORCE_BOLD = 1 << 18
MAX_PAGE_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without a space. Points, origin at the top left of its frame.

    ``base`` is where its base line crosses; ``quadrant`` is the direction of writing on the
    rendered page: 0 right, 1 down, 2 left, 3 up.
    ``spaced`` says that the file itself has a space character after the word;
    ``hyphenated`` that it ends with a hyphen which is there for the line break.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: tuple[float, float]
    bold: bool
    quadrant: int = 0
    spaced: bool = False
    hyphenated: bool = False

    @property
    def height(self) -> float:
        """The height of the line of text that the word stands in."""
        return self.y1 - self.y0


@dataclass(frozen=True, slots=True)
class PageFrame:
    """How points of a page's own space appear on the rendered page: an affine map."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where (x, y) is on the rendered page, origin at the top left."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Return the upright rectangle around two corners."""
        px0, py0 = self.point(x0, y0)
        px1, py1 = self.point(x1, y1)
        return Rect(min(px0, px1), min(py0, py1), max(px0, px1), max(py0, py1))


def page_frame(page: Any) -> PageFrame:
    """Return the map from a page's space to its rendering, rotation and crop box included."""
    from pypdfium2 import raw  # noqa: PLC0415

    width, height = page.get_size()
    # The conversion returns whole numbers: sample on a grid that is fine enough.
    fine = 1000
    device = (0, 0, max(1, round(width * fine)), max(1, round(height * fine)), 0)

    def sample(x: float, y: float) -> tuple[float, float]:
        out_x, out_y = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page, *device, x, y, out_x, out_y)
        return out_x.value / fine, out_y.value / fine

    x_0, y_0 = sample(0, 0)
    x_1, y_1 = sample(100, 0)
    x_2, y_2 = sample(0, 100)
    return PageFrame(
        width=width,
        height=height,
        a=(x_1 - x_0) / 100,
        b=(x_2 - x_0) / 100,
        c=x_0,
        d=(y_1 - y_0) / 100,
        e=(y_2 - y_0) / 100,
        f=y_0,
    )


def page_words(page: Any, frame: PageFrame) -> list[Word]:
    """Return the words of ``page`` in the order of the file, boxes as on the rendered page."""
    from pypdfium2 import raw  # noqa: PLC0415

    text_page = page.get_textpage()
    try:
        return _WordReader(raw, text_page, frame).read()
    finally:
        text_page.close()


class _WordReader:
    """Groups the characters of one page."""

    def __init__(self, raw: Any, text_page: Any, frame: PageFrame) -> None:
        self._raw = raw
        self._page = text_page
        self._frame = frame
        self._words: list[Word] = []
        self._text: list[str] = []
        self._first = 0
        self._hyphenated = False
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._name = ctypes.create_string_buffer(128)

    def read(self) -> list[Word]:
        """Return the words of the page.

        This loop runs once per character and decides the speed of reading: it calls pdfium
        twice and does plain arithmetic.
        """
        box = self._raw.FS_RECTF()
        pointer = ctypes.byref(box)
        unicode_of, box_of = self._raw.FPDFText_GetUnicode, self._raw.FPDFText_GetLooseCharBox
        handle, text = self._page.raw, self._text
        last = grown = (0.0, 0.0, 0.0, 0.0)
        for index in range(min(self._page.count_chars(), MAX_PAGE_CHARACTERS)):
            code = unicode_of(handle, index)
            if code in _SPACES:
                if text:
                    box_of(handle, index, pointer)
                    wide = abs(box.right - box.left) > 0.01
                    self._flush(grown, spaced=wide and code not in (10, 13))
                continue
            if code in _INVISIBLE or not box_of(handle, index, pointer):
                continue
            x0, y0, x1, y1 = box.left, box.bottom, box.right, box.top
            if y1 - y0 < 0.2:
                x0, y0, x1, y1 = self._tight_box(index, (x0, min(y0, y1), x1, max(y0, y1)))
            if text:
                size = last[3] - last[1]
                size = 0.6 * (max(last[2] - last[0], size))
                if (
                    x0 - last[2] > size
                    or last[0] - x1 > size
                    or max(y0 - last[3], last[1] - y1) > size
                ):
                    self._flush(grown, spaced=False)
            last = (x0, y0, x1, y1)
            if text:
                grown = (
                    min(grown[0], x0),
                    min(grown[1], y0),
                    max(grown[2], x1),
                    max(grown[3], y1),
                )
            else:
                grown = last
                self._first = index
            if 0x20 < code < 0x7F:
                text.append(chr(code))
                self._hyphenated = False
            else:
                self._append(code)
        self._flush(grown, spaced=False)
        return self._words

    def _append(self, code: int) -> None:
        self._hyphenated = code in _LINE_HYPHENS
        if self._hyphenated:
            self._text.append("-")
        elif 0xFB00 <= code <= 0xFB06:
            self._text.append(_LIGATURES[code])
        else:
            self._text.append(chr(code) if code < 0xD800 else _character(code))

    def _tight_box(
        self, index: int, loose: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float]:
        values = [ctypes.c_double() for _ in range(4)]
        if not self._raw.FPDFText_GetCharBox(self._page.raw, index, *values):
            return loose
        left, right, bottom, top = (value.value for value in values)
        return left, min(bottom, top), right, max(bottom, top)

    def _flush(self, box: tuple[float, float, float, float], *, spaced: bool) -> None:
        if not self._text:
            return
        text = "".join(self._text)
        self._text.clear()
        rect = self._frame.rect(*box)
        if not text.strip() or not all(map(math.isfinite, (rect.x0, rect.y0, rect.x1, rect.y1))):
            return
        self._words.append(
            Word(
                text,
                rect.x0,
                rect.y0,
                rect.x1,
                rect.y1,
                base=self._base(rect),
                bold=self._is_bold(),
                quadrant=self._quadrant(),
                spaced=spaced,
                hyphenated=self._hyphenated and len(text) > 1,
            )
        )

    def _base(self, rect: Rect) -> tuple[float, float]:
        x, y = self._origin
        if self._raw.FPDFText_GetCharOrigin(self._page.raw, self._first, x, y):
            point = self._frame.point(x.value, y.value)
            if all(map(math.isfinite, point)):
                return point
        return rect.x0, rect.y1

    def _is_bold(self) -> bool:
        flags = ctypes.c_int()
        length = self._raw.FPDFText_GetFontInfo(
            self._page.raw, self._first, self._name, len(self._name), flags
        )
        name = self._name.raw[: max(0, min(length, len(self._name)) - 1)].lower() if length else b""
        if b"bold" in name or b"black" in name or b"heavy" in name or flags.value & _FORCE_BOLD:
            return True
        weight: int = self._raw.FPDFText_GetFontWeight(self._page.raw, self._first)
        return weight >= _BOLD_WEIGHT

    def _quadrant(self) -> int:
        angle = self._raw.FPDFText_GetCharAngle(self._page.raw, self._first)
        if angle < 0:
            return 0
        frame = self._frame
        # pdfium measures the angle clockwise, in a space whose y axis points up.
        x = frame.a * math.cos(angle) - frame.b * math.sin(angle)
        y = frame.d * math.cos(angle) - frame.e * math.sin(angle)
        if abs(x) >= abs(y):
            return 0 if x >= 0 else 2
        return 1 if y > 0 else 3


def _character(code: int) -> str:
    if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return "\ufffd"
    return chr(code)


@dataclass(frozen=True, slots=True)
class Upright:
    """Turns a page so that text of one direction of writing runs from left to right."""

    quadrant: int
    width: float
    height: float

    def turned(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, ...]:
        """Return a box of the rendered page in the turned frame."""
        w, h = self.width, self.height
        match self.quadrant:
            case 1:
                return y0, w - x1, y1, w - x0
            case 2:
                return w - x1, h - y1, w - x0, h - y0
            case 3:
                return h - y1, x0, h - y0, x1
        return x0, y0, x1, y1

    def turned_point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the rendered page in the turned frame."""
        x0, y0, _, _ = self.turned(x, y, x, y)
        return x0, y0

    def back(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Return a box of the turned frame as a rectangle on the rendered page."""
        w, h = self.width, self.height
        match self.quadrant:
            case 1:
                return Rect(w - y1, x0, w - y0, x1)
            case 2:
                return Rect(w - x1, h - y1, w - x0, h - y0)
            case 3:
                return Rect(y0, h - x1, y1, h - x0)
        return Rect(x0, y0, x1, y1)

    def word(self, word: Word) -> Word:
        """Return ``word`` in the turned frame."""
        x0, y0, x1, y1 = self.turned(word.x0, word.y0, word.x1, word.y1)
        base = self.turned_point(*word.base)
        return Word(
            word.text, x0, y0, x1, y1, base, word.bold, word.quadrant, word.spaced, word.hyphenated
        )
