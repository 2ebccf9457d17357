"""The code pages in which Office files of old spell text that is not Unicode."""

from __future__ import annotations

import codecs

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


def codec_of(codepage: object) -> str:
    """Return the codec of a Windows code page by its number, ``""`` for one that is not known."""
    try:
        return codecs.lookup(_OTHERS.get(str(codepage), f"cp{codepage}")).name
    except LookupError:
        return ""
