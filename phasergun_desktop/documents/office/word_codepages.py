"""The code pages in which Office files of old spell text that is not Unicode."""

from __future__ import annotations

import codecs

# By the primary language of the file (the low ten bits of a Windows language number).
_BY_LANGUAGE = {
    0x01: "cp1256",
    0x02: "cp1251",
    0x04: "gb18030",
    0x05: "cp1250",
    0x08: "cp1253",
    0x0D: "cp1255",
    0x0E: "cp1250",
    0x11: "cp932",
    0x12: "cp949",
    0x15: "cp1250",
    0x18: "cp1250",
    0x19: "cp1251",
    0x1A: "cp1250",
    0x1B: "cp1250",
    0x1C: "cp1250",
    0x1E: "cp874",
    0x1F: "cp1254",
    0x20: "cp1256",
    0x22: "cp1251",
    0x23: "cp1251",
    0x24: "cp1250",
    0x25: "cp1257",
    0x26: "cp1257",
    0x27: "cp1257",
    0x29: "cp1256",
    0x2A: "cp1258",
    0x2F: "cp1251",
}
# By the word in the head of an RTF file.
BY_RTF_WORD = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
# By the number of a font's character set.
BY_CHARSET = {
    77: "mac-roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_OTHERS = {"1200": "utf-16-le", "10000": "mac-roman"}
_TRADITIONAL_CHINESE = frozenset({0x0404, 0x0C04, 0x1404})


def codepage_of_language(language: int) -> str:
    """Return the codec of a Windows language number, Windows-1252 for western languages."""
    if language in _TRADITIONAL_CHINESE:
        return "cp950"
    return _BY_LANGUAGE.get(language & 0x3FF, "cp1252")


def codec_of(codepage: object) -> str:
    """Return the codec of a Windows code page by its number, ``""`` for one that is not known."""
    try:
        return codecs.lookup(_OTHERS.get(str(codepage), f"cp{codepage}")).name
    except LookupError:
        return ""
