"""Turns what a PDF's fonts call their glyphs into characters: ligatures, private codes, hyphens."""

from __future__ import annotations

import re
from unicodedata import normalize

from phasergun_desktop.documents.symbol_fonts import SYMBOL, WINGDINGS

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
