"""Finds out how the bytes of a text file spell characters."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The characters of a file, line ends as ``\\n``; ``guessed`` where nothing proves them."""

    text: str
    encoding: str
    guessed: bool


def decode_text(data: bytes) -> DecodedText:
    """Decode ``data`` by byte order mark, else UTF-8, else UTF-16/32 by pattern, else cp1252."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded(data, encoding, guessed=False)
    wide = _wide_encoding(data)
    if wide:
        return _decoded(data, wide, guessed=False)
    try:
        return DecodedText(_unix_lines(data.decode("utf-8")), "utf-8", False)
    except UnicodeDecodeError:
        return _decoded(data, "cp1252", guessed=True)


def _decoded(data: bytes, encoding: str, *, guessed: bool) -> DecodedText:
    text = data.decode(encoding, errors="replace")
    return DecodedText(_unix_lines(text.removeprefix("\ufeff")), encoding, guessed)


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")


def _wide_encoding(data: bytes) -> str:
    """Name UTF-16 or UTF-32 without a mark by where its zero bytes are, or ``""``."""
    sample = data[:_SAMPLE_BYTES]
    sample = sample[: len(sample) // 4 * 4]
    if len(sample) < 8 or b"\x00" not in sample:
        return ""
    quarter = len(sample) // 4
    zeros = [sample[offset::4].count(0) / quarter for offset in range(4)]
    high, low = 0.7, 0.3
    if zeros[2] > high and zeros[3] > high and zeros[0] < low:
        return "utf-32-le"
    if zeros[0] > high and zeros[1] > high and zeros[3] < low:
        return "utf-32-be"
    if zeros[1] > low and zeros[3] > low and zeros[0] < low / 3 and zeros[2] < low / 3:
        return "utf-16-le"
    if zeros[0] > low and zeros[2] > low and zeros[1] < low / 3 and zeros[3] < low / 3:
        return "utf-16-be"
    return ""


def looks_like_text(sample: bytes) -> bool:
    """Say whether the first bytes of a file can be text in any encoding we know."""
    if any(sample.startswith(bom) for bom, _ in _BOMS) or _wide_encoding(sample):
        return True
    if b"\x00" in sample:
        return False
    controls = sum(1 for byte in sample if byte < 32 and byte not in (9, 10, 12, 13, 27))
    return controls <= len(sample) * 0.02
