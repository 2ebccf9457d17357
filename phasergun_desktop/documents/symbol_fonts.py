"""Reads letters of symbol fonts as the characters they look like.

In these fonts "m" is drawn as "μ" and "£" as "≤": read as they are stored, a dose in μg would
become one in mg.
"""

from __future__ import annotations

import re

# The characters from 0x20 to 0x7E and from 0xA0 to 0xFE of Adobe's and Microsoft's Symbol.
_SYMBOL_LOW = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙ"
    "ϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_HIGH = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ"
    "℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\uf8ff〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
SYMBOL = {
    **{0x20 + index: sign for index, sign in enumerate(_SYMBOL_LOW)},
    **{0xA0 + index: sign for index, sign in enumerate(_SYMBOL_HIGH)},
}
# fmt: off
WINGDINGS = {
    0x20: " ", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x3F: "✍", 0x41: "✌", 0x45: "☜", 0x46: "☞",
    0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4C: "☹", 0x4E: "☠", 0x6C: "●", 0x6D: "❍", 0x6E: "■",
    0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖",
    0x77: "⬥", 0x78: "☒", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉", 0xA7: "▪", 0xA8: "☐",
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE7: "➔", 0xE8: "➔",
    0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑", **{0x80 + each: chr(0x245F + each) for each in range(1, 11)},
}
_WINGDINGS_2 = {
    0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x98: "•",
    0x97: "●", 0x9E: "⦁", 0xA2: "■", 0xA3: "☐",
}
_WEBDINGS = {0x20: " ", 0x61: "✔", 0x63: "□", 0x67: "■", 0x6E: "●", 0x72: "✖", 0x3D: "●"}
# fmt: on
_FONTS = {
    "symbol": SYMBOL,
    "wingdings": WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "webdings": _WEBDINGS,
}
_PRIVATE = re.compile("[\uf000-\uf0ff]")
# Where no font is named: what Word and the converters of old files write most.
_UNNAMED = {**SYMBOL, 0xA7: "▪", 0xA8: "☐", 0xFC: "✓", 0xFE: "☒", 0x6F: "☐", 0x71: "☐", 0x78: "☒"}


def is_symbol_font(font: str) -> bool:
    """Say whether the letters of ``font`` are drawn as other signs."""
    return font.lower() in _FONTS


def symbol(code: int, font: str) -> str:
    """Return the character that ``code`` looks like in ``font``, ``""`` where it is unknown."""
    if 0xF000 <= code <= 0xF0FF:
        return _FONTS.get(font.lower(), _UNNAMED).get(code - 0xF000, "")
    if code < 0x100 and is_symbol_font(font):
        return _FONTS[font.lower()].get(code, "")
    private = 0xE000 <= code < 0xF900 or 0xD800 <= code < 0xE000
    return "" if private or not 0x20 <= code < 0x110000 else chr(code)


def in_symbol_font(text: str, font: str) -> str:
    """Return ``text`` as it looks in ``font``; letters without a known look stay as they are."""
    table = _FONTS[font.lower()]
    return "".join(table.get(ord(each) & 0xFF, each) if _has_look(each) else each for each in text)


def private_read(text: str, font: str) -> str:
    """Return ``text`` with the private characters of symbol fonts as what they look like."""
    return _PRIVATE.sub(lambda match: symbol(ord(match[0]), font) or match[0], text)


def _has_look(letter: str) -> bool:
    return ord(letter) < 0x100 or 0xF000 <= ord(letter) <= 0xF0FF
