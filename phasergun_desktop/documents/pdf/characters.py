"""Takes the words of a PDF page from its characters (pypdfium2), with few calls for each."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple
from unicodedata import normalize

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.exponents import exponent
from phasergun_desktop.documents.pdf.placed_words import PageFrame, Word
from phasergun_desktop.documents.symbol_fonts import SYMBOL, WINGDINGS

# A word ends at white space, and at the hyphen that pdfium marks at the end of a line. Code 0 is
# a glyph whose character the file does not tell.
_SPACES = "\t \xa0\u2002\u2003\u2009\u200a\u3000"
_WORD = re.compile(f"[^\x00\n\r\x02\ufffe{_SPACES}]+[\x02\ufffe]?|[\x02\ufffe]")
_BOLD_WEIGHT = 600
_FORCE_BOLD = 1 << 18
MAX_PAGE_CHARACTERS = 200_000
# What pdfium gives for a hyphen at a line's end, and for a glyph without a character.
_NO_CHARACTER = 0xFFFE
_FFI, _FFL = 0xFB03, 0xFB04
# In heights of a character: a hyphen has about a third, ffi and ffl more than three quarters.
_LIGATURE_WIDTH = 0.65
# In widths or heights of a character: a wider gap divides a word that has no space in it.
_GAP = 0.6
# An exponent is that much smaller than what it stands behind, and raised by this share of it.
_RAISED_SIZE, _RAISED_BY = 0.85, 0.15
_MAY_BE_RAISED = re.compile(r"[^\W_]\W?\d")
# pdfium reports a hyphen at a line's end as one of the first two; a soft hyphen that is drawn
# at all is drawn as a hyphen.
_HYPHENS = "\x02\ufffe\xad"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_PLAIN = {
    **{code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
    **dict.fromkeys(map(ord, _HYPHENS), "-"),
    **dict.fromkeys(map(ord, _INVISIBLE)),
}
# As PDF files use them: bullets, which begin the items of lists, and signs of Webdings.
_OTHERS = {0x2D: "–", 0x70: "❐", 0x9E: "·", 0xA2: "⭘", 0xA8: "□", 0xB7: "•", 0xDC: "➲"}
_DINGBATS = {**WINGDINGS, **_OTHERS}
_PRIVATE = re.compile("[\uf020-\uf0ff]")
_HALVES = re.compile("[\ud800-\udfff]")
_SYMBOL_FONT = re.compile(r"symbol(?!neu)")
_DINGBAT_FONT = re.compile(r"wingding|webding|dingbat")


class _Style(NamedTuple):
    """What the characters of one text object share; ``base`` in the frame of the quadrant."""

    bold: bool
    font: str
    quadrant: int
    turn: Affine
    base: float
    size: float


class _Calls(NamedTuple):
    """Functions of pdfium that take addresses as plain numbers: half as dear as pypdfium2's."""

    text_object: Callable[[int, int], int | None]
    loose_box: Callable[[int, int, int], int]
    unicode_of: Callable[[int, int], int]
    font_of: Callable[[int], int | None]


@cache
def _calls() -> _Calls:
    from pypdfium2 import raw  # noqa: PLC0415

    def bound(function: Any, result: Any, *arguments: Any) -> Any:
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
        return ctypes.CFUNCTYPE(result, *arguments)(address)

    pointer, number = ctypes.c_void_p, ctypes.c_int
    return _Calls(
        text_object=bound(raw.FPDFText_GetTextObject, pointer, pointer, number),
        loose_box=bound(raw.FPDFText_GetLooseCharBox, number, pointer, number, pointer),
        unicode_of=bound(raw.FPDFText_GetUnicode, ctypes.c_uint, pointer, number),
        font_of=bound(raw.FPDFTextObj_GetFont, pointer, pointer),
    )


def page_words(page: Any, frame: PageFrame) -> tuple[list[Word], int]:
    """Return the words of ``page`` in the order of the file, each in the frame upright for its
    direction of writing, and the number of glyphs whose character the file does not tell."""
    text_page = page.get_textpage()
    try:
        return _WordReader(text_page, frame).read()
    finally:
        text_page.close()


class _WordReader:
    """Groups the characters of one page.

    This decides the speed of reading. The text comes in one call; a word within one text
    object takes its box from its first and last character. Only words that are put together
    of several objects are looked at character by character: they may have a gap inside.
    """

    def __init__(self, text_page: Any, frame: PageFrame) -> None:
        from pypdfium2 import raw  # noqa: PLC0415

        self._raw = raw
        self._page = text_page.raw
        self._handle: int = ctypes.cast(text_page.raw, ctypes.c_void_p).value or 0
        self._count = max(0, min(text_page.count_chars(), MAX_PAGE_CHARACTERS))
        self._frame = frame
        self._calls = _calls()
        self._styles: dict[int, _Style] = {}
        self._fonts: dict[int, tuple[bool, str]] = {}
        self._matrix = raw.FS_MATRIX()
        self._turns = [frame.upright(quadrant).after(frame.shown) for quadrant in range(4)]
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._name = ctypes.create_string_buffer(128)
        # Left, top, right, bottom, written by pdfium and read without an attribute each.
        self._rect = raw.FS_RECTF()
        self._rect_address = ctypes.addressof(self._rect)
        self._box = memoryview(self._rect).cast("B").cast("f")

    def read(self) -> tuple[list[Word], int]:
        """Return the words of the page and the number of glyphs without a character."""
        text = self._text()
        handle, text_object = self._handle, self._calls.text_object
        spans = [match.span() for match in _WORD.finditer(text)]
        owners = [text_object(handle, first) or 0 for first, _ in spans]
        words: list[Word | None] = []
        for (first, end), owner, following in zip(
            spans, owners, [*owners[1:], 0][: len(owners)], strict=True
        ):
            style = self._styles.get(owner) or self._style(first, owner)
            if owner == following:
                # The object goes on: nothing in between can belong to another one, and the
                # word is not the last of its line.
                words.append(self._word(text[first:end], first, end, style, spaced=False))
                continue
            spaced = end < len(text) and text[end] in _SPACES and self._is_wide(end)
            if end - first == 1 or owner == text_object(handle, end - 1):
                words.append(self._word(text[first:end], first, end, style, spaced=spaced))
                continue
            for start, stop in self._parts(first, end):
                part_owner = text_object(handle, start) or 0
                style = self._styles.get(part_owner) or self._style(start, part_owner)
                own = spaced and stop == end
                piece = self._with_exponents(text[start:stop], start)
                words.append(self._word(piece, start, stop, style, spaced=own, every=True))
        return [word for word in words if word is not None], text.count("\x00")

    def _text(self) -> str:
        """Return one character for each that pdfium counts."""
        buffer = (ctypes.c_ushort * (self._count + 1))()
        written = self._raw.FPDFText_GetText(self._page, 0, self._count, buffer)
        if written - 1 == self._count:
            units = buffer[: self._count]
            for place in range(1, self._count - 1) if _NO_CHARACTER in units else ():
                if units[place] == _NO_CHARACTER and not self._calls.unicode_of(
                    self._handle, place
                ):
                    units[place] = self._unmapped(units, place)
        else:
            # Characters that the text leaves out would move those after them.
            units = [self._calls.unicode_of(self._handle, k) for k in range(self._count)]
        return (
            "".join(map(_character, units))
            if max(units, default=0) > 0x10FFFF
            else "".join(map(chr, units))
        )

    def _unmapped(self, units: list[int], place: int) -> int:
        """Return the character of a glyph without one: a ligature that is wide, else none.

        TeX's fonts have ffi and ffl, which pdfium does not know by their names.
        """
        before, after = chr(units[place - 1]), chr(units[place + 1])
        is_inside = before.islower() and after.islower()
        if not is_inside or not self._calls.loose_box(self._handle, place, self._rect_address):
            return 0
        left, top, right, bottom = self._box
        if abs(right - left) < _LIGATURE_WIDTH * abs(top - bottom):
            return 0
        return _FFL if after in "aeiouy" else _FFI

    def _word(
        self, piece: str, first: int, end: int, style: _Style, *, spaced: bool, every: bool = False
    ) -> Word | None:
        handle, address, loose = self._handle, self._rect_address, self._calls.loose_box
        if not loose(handle, first, address):
            return None
        x0, y1, x1, y0 = self._box
        for index in range(first + 1, end) if every else (end - 1,) if end - first > 1 else ():
            if loose(handle, index, address):
                left, top, right, bottom = self._box
                x0, y0 = min(x0, left), min(y0, bottom)
                x1, y1 = max(x1, right), max(y1, top)
        a, b, c, d, e, f = style.turn
        left, right = a * x0 + b * y0 + c, a * x1 + b * y1 + c
        top, bottom = d * x1 + e * y1 + f, d * x0 + e * y0 + f
        if left > right or top > bottom:
            left, right = min(left, right), max(left, right)
            top, bottom = min(top, bottom), max(top, bottom)
        if not math.isfinite(left + right + top + bottom):
            return None
        base = style.base
        if not top <= base <= bottom:
            base = self._base(first, style.turn, bottom)
        size = (
            style.size if 0.5 * (bottom - top) < style.size < 2 * (bottom - top) else bottom - top
        )
        if not piece.isascii() or piece[-1] == "\x02":
            piece = readable(piece, style.font)
        if not piece:
            return None
        return Word(piece, left, top, right, bottom, base, size, style.bold, style.quadrant, spaced)

    def _with_exponents(self, piece: str, first: int) -> str:
        """Return ``piece``, the characters from ``first`` on, with exponents in raised ones.

        They are set smaller than the character before, and above its base line.
        """
        if not _MAY_BE_RAISED.search(piece):
            return piece
        owners = [self._calls.text_object(self._handle, first + k) or 0 for k in range(len(piece))]
        written, at, before = "", 0, None
        for owner, same in groupby(owners):
            style = self._styles.get(owner) or self._style(first + at, owner)
            stretch = piece[at : at + len(list(same))]
            at += len(stretch)
            if (
                before is not None
                and style.size < _RAISED_SIZE * before.size
                and style.base < before.base - _RAISED_BY * before.size
            ):
                written += exponent(stretch, written)
            else:
                written, before = written + stretch, style
        return written

    def _is_wide(self, index: int) -> bool:
        """Whether a space is one of the file; those that pdfium adds have no width."""
        if not self._calls.loose_box(self._handle, index, self._rect_address):
            return False
        left, _, right, _ = self._box
        return abs(right - left) > 0.01

    def _parts(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Divide a word at gaps between its characters."""
        loose, handle, address = self._calls.loose_box, self._handle, self._rect_address
        start = first
        last: tuple[float, float, float, float] | None = None
        for index in range(first, end):
            if not loose(handle, index, address):
                continue
            x0, y1, x1, y0 = self._box
            if last is not None:
                size = _GAP * max(last[2] - last[0], last[3] - last[1])
                if (
                    x0 - last[2] > size
                    or last[0] - x1 > size
                    or max(y0 - last[3], last[1] - y1) > size
                ):
                    yield start, index
                    start = index
            last = (x0, y0, x1, y1)
        yield start, end

    def _base(self, index: int, turn: Affine, default: float) -> float:
        x, y = self._origin
        if self._raw.FPDFText_GetCharOrigin(self._page, index, x, y):
            base = turn[3] * x.value + turn[4] * y.value + turn[5]
            if math.isfinite(base):
                return base
        return default

    def _style(self, index: int, owner: int) -> _Style:
        bold, name = self._font(index, owner)
        matrix = self._matrix
        if self._raw.FPDFText_GetMatrix(self._page, index, matrix):
            quadrant, straight = self._direction(matrix.a, matrix.b)
            # The size as set on the page: unlike boxes, it is the same for every word.
            size = self._raw.FPDFText_GetFontSize(self._page, index) * math.hypot(
                matrix.c, matrix.d
            )
        else:
            quadrant, straight, size = 0, False, 0.0
        turn = self._turns[quadrant]
        # Each word of a slanted object has a base line of its own.
        base = self._base(index, turn, math.inf) if straight else math.inf
        style = _Style(bold, name, quadrant, turn, base, size)
        if owner:
            self._styles[owner] = style
        return style

    def _font(self, index: int, owner: int) -> tuple[bool, str]:
        """Return whether the font of a character is bold, and its name in lower case."""
        font = self._calls.font_of(owner) or 0 if owner else 0
        known = self._fonts.get(font) if font else None
        if known is not None:
            return known
        flags = ctypes.c_int()
        length = self._raw.FPDFText_GetFontInfo(
            self._page, index, self._name, len(self._name), flags
        )
        raw_name = self._name.raw[: max(0, min(length, len(self._name)) - 1)] if length else b""
        name = raw_name.decode("latin-1").lower()
        bold = (
            "bold" in name
            or "black" in name
            or "heavy" in name
            or bool(flags.value & _FORCE_BOLD)
            or self._raw.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT
        )
        self._fonts[font] = (bold, name)
        return bold, name

    def _direction(self, x: float, y: float) -> tuple[int, bool]:
        """Return the quadrant in which (x, y) of the page's space points, and if exactly so."""
        shown = self._frame.shown
        x, y = shown.a * x + shown.b * y, shown.d * x + shown.e * y
        straight = min(abs(x), abs(y)) < 0.01 * max(abs(x), abs(y))
        if abs(x) >= abs(y):
            return (0 if x >= 0 else 2), straight
        return (1 if y > 0 else 3), straight


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else "\ufffd"


def readable(piece: str, font: str) -> str:
    """Return ``piece`` in plain characters; ``font`` is its font's name in lower case.

    Codes U+F020 to U+F0FF stand for the 8-bit codes of a symbol font, or for plain letters of
    a font that was made like one. What is not known stays as it is.
    """
    if _HALVES.search(piece):
        # pdfium counts the two halves of a character beyond U+FFFF.
        piece = piece.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if _PRIVATE.search(piece):
        piece = _PRIVATE.sub(lambda match: _private(ord(match.group()) - 0xF000, font), piece)
    return piece.translate(_PLAIN).strip()


def _private(code: int, font: str) -> str:
    kept = chr(0xF000 + code)
    if _DINGBAT_FONT.search(font):
        return _DINGBATS.get(code, kept)
    if _SYMBOL_FONT.search(font):
        return SYMBOL.get(code, kept)
    if 0x21 <= code <= 0x7E:
        return chr(code)
    # Where the font's name does not tell, the usual bullets do.
    return _DINGBATS.get(code, kept) if code in (0xA7, 0xA8, 0xB7, 0xD8, 0xFC) else kept
