"""Finds out how the bytes of a text file spell characters."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Control characters that no text has: tab, line ends, form feed, DOS's end of file, the escape
# of terminals and of ISO-2022 and the latter's shifts (out and in) are left out.
_CONTROLS = bytes(each for each in range(32) if each not in b"\t\n\v\f\r\x0e\x0f\x1a\x1b")
_MAX_CONTROL_SHARE = 0.02
# What marks the encodings that are spelled in ASCII: ISO-2022, HZ, UTF-7.
_SHIFTED = re.compile(rb"\x1b[$(]|~\{|\+[A-Za-z0-9/]{3,}-?")
_HIGH_BYTES = bytes(range(128, 256))
_HIGH = re.compile(rb"[\x80-\xff]")
# English text with a few of these is Windows-1252, whatever statistics make of so few bytes.
_COMMON_SIGNS = frozenset("–—‘’“”•…™®©°±µ×²³·§½¼¾€£÷\xa0")
_LEAD_BYTES = 50_000
_DETECTED_BYTES = 4_000_000
_JUDGED_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The characters of a file, line ends as ``\\n``; ``guessed`` where nothing proves them.

    ``encoding`` is a codec's name. ``damaged`` says that some bytes had no meaning in it; they
    are U+FFFD in ``text``.
    """

    text: str
    encoding: str
    guessed: bool
    damaged: bool = False


def decoded_lines(data: bytes, builder: DocumentBuilder) -> str:
    """Return the text of a file as ``decode_text`` reads it; ``builder`` keeps any doubt."""
    decoded = decode_text(data)
    if decoded.guessed:
        builder.warn(
            f"The encoding is not stated in the file; {_display_name(decoded.encoding)}"
            " was assumed."
        )
    if decoded.damaged:
        builder.warn("Some characters of the file could not be decoded.")
    return decoded.text


def decode_text(data: bytes) -> DecodedText:
    """Decode ``data``: byte order mark, valid UTF-8, then what chardet finds, then Windows-1252.

    UTF-8 with a few damaged bytes stays UTF-8. Line ends are unified; a form feed is none.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded(data, encoding, guessed=False)
    if not _count(data[:_LEAD_BYTES], b"\0") and not (data.isascii() and _SHIFTED.search(data)):
        try:
            return DecodedText(_unix_lines(data.decode("utf-8")), "utf-8", False)
        except UnicodeDecodeError:
            pass
        damaged = _damaged_utf8(data)
        if damaged is not None:
            return damaged
        if _only_common_signs(data):
            return _decoded(data, "cp1252", guessed=True)
    return _detected(data)


def looks_like_text(sample: bytes) -> bool:
    """Say whether the first bytes of a file can be text in any encoding that is read."""
    if any(sample.startswith(bom) for bom, _ in _BOMS):
        return True
    controls = _count(sample, _CONTROLS)
    if controls <= len(sample) * _MAX_CONTROL_SHARE and not _count(sample, b"\0"):
        return True
    if _wide_encoding(sample):
        return True
    if _is_ebcdic(_found_by_chardet(sample)):
        return True
    return controls <= len(sample) * _MAX_CONTROL_SHARE / 4 and _is_utf8_start(sample)


def _detected(data: bytes) -> DecodedText:
    wide = _wide_encoding(data[:_DETECTED_BYTES])
    if wide:
        return _decoded(data, wide, guessed=False)
    encoding = _found_by_chardet(data)
    if not encoding:
        ascii_only = data.isascii()
        return _decoded(data, "utf-8" if ascii_only else "cp1252", guessed=not ascii_only)
    guessed = not encoding.lower().startswith(("utf", "ascii"))
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        # The part that was not examined may need the encoding's superset (EUC-KR: CP949).
        encoding = _found_by_chardet(data, prefer_superset=True) or "cp1252"
        return _decoded(data, encoding, guessed=guessed)
    if guessed and data.decode("cp1252", errors="replace") == text:
        # The languages of the West differ from others in no character of this text.
        encoding = "cp1252"
    return DecodedText(_unix_lines(text, ebcdic=_is_ebcdic(encoding)), encoding, guessed)


def _decoded(data: bytes, encoding: str, *, guessed: bool) -> DecodedText:
    text = data.decode(encoding, errors="replace")
    damaged = "\ufffd" in text and encoding != "cp1252"
    return DecodedText(_unix_lines(text.removeprefix("\ufeff")), encoding, guessed, damaged)


def _unix_lines(text: str, *, ebcdic: bool = False) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x85", "\n") if ebcdic else text


def _damaged_utf8(data: bytes) -> DecodedText | None:
    """Return ``data`` as UTF-8 where nearly all of its characters beyond ASCII are valid."""
    text = data.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd")
    valid = sum(1 for _ in re.finditer(r"[^\x00-\x7f\ufffd]", text))
    if damaged * 4 > valid:
        return None
    return DecodedText(_unix_lines(text), "utf-8", False, damaged=True)


def _only_common_signs(data: bytes) -> bool:
    high = b"".join(_HIGH.findall(data[:_DETECTED_BYTES]))
    if not high or len(high) * 10 > len(data):
        return False
    return _COMMON_SIGNS.issuperset(high.decode("cp1252", errors="replace"))


def _found_by_chardet(data: bytes, *, prefer_superset: bool = False) -> str:
    """Return the codec that chardet names for ``data``, or ``""`` where it sees no text."""
    import chardet  # noqa: PLC0415 - most files are UTF-8 and need none

    sample = _telling(data)
    found = chardet.detect(sample, max_bytes=len(sample) or 1, prefer_superset=prefer_superset)
    name = found["encoding"] or ""
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        return ""


def _telling(data: bytes) -> bytes:
    """Return the part of ``data`` that tells its encoding: the rest in ASCII would drown it."""
    sample = data[:_DETECTED_BYTES]
    is_drowned = len(sample) > _LEAD_BYTES and _count(sample, _HIGH_BYTES) * 200 < len(sample)
    if is_drowned and not _count(data[:_LEAD_BYTES], b"\0"):
        lines = b"\n".join(line for line in data.split(b"\n") if _HIGH.search(line))
        return lines[:_DETECTED_BYTES] or sample
    return sample


def _wide_encoding(data: bytes) -> str:
    """Name UTF-16 or UTF-32 without a mark, or ``""``.

    chardet takes some binary data for UTF-16, so what it names must also read like text.
    """
    if len(data) < 4 or b"\0" not in data:
        return ""
    encoding = _found_by_chardet(data)
    if not encoding.startswith(("utf-16", "utf-32")):
        return ""
    width = 2 if encoding.startswith("utf-16") else 4
    sample = data[: min(len(data) // width, _JUDGED_CHARACTERS) * width]
    text = sample.decode(encoding, errors="replace")
    # A surrogate pair may have been cut in half at the end.
    return encoding if _reads_like_text(text[:-1] if len(sample) < len(data) else text) else ""


def _reads_like_text(text: str) -> bool:
    """Say whether ``text`` has next to no senseless characters and few scripts."""
    categories = Counter(map(unicodedata.category, text))
    senseless = sum(categories[each] for each in ("Cn", "Co", "Cs")) + text.count("\ufffd")
    controls = categories["Cc"] - sum(text.count(each) for each in "\t\n\r\f")
    if senseless + controls > len(text) * 0.01:
        return False
    scripts = Counter(
        unicodedata.name(each, "?").split()[0] for each in text if each.isalpha()
    ).most_common()
    letters = sum(count for _, count in scripts)
    signs = sum(1 for each in text if each < "\x7f" and not each.isalpha())
    # Japanese mixes three scripts and takes the fourth from Latin.
    coherent = sum(count for _, count in scripts[:4]) >= letters * 0.9
    return coherent and (letters + signs) * 2 > len(text)


def _count(data: bytes, which: bytes) -> int:
    return len(data) - len(data.translate(None, delete=which))


def _is_utf8_start(sample: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _is_ebcdic(encoding: str) -> bool:
    """Say whether ``encoding`` spells "A" as EBCDIC does."""
    if not encoding:
        return False
    try:
        return "A".encode(encoding) == b"\xc1"
    except LookupError:
        return False


def _display_name(encoding: str) -> str:
    match = re.fullmatch(r"(?:cp|windows-)(125\d)", encoding)
    return f"Windows-{match[1]}" if match else encoding.upper().replace("_", "-")
