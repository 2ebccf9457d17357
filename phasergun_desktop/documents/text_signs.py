"""Tells by its first and last bytes what kind of text a file holds."""

from __future__ import annotations

import re
from enum import StrEnum

from phasergun_desktop.documents.encodings import decode_text

_START_BYTES = 16_384
_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?"
_TIMING = re.compile(rf"^[ \t]*{_TIME}[ \t]*-{{1,2}}>[ \t]*{_TIME}", re.MULTILINE)
_SRT_START = re.compile(
    rf"\s*(?:\d+[ \t]*\n\s*)?\d{{1,2}}:\d\d:\d\d[.,]\d{{1,3}}[ \t]*-->[ \t]*{_TIME}"
)
_MARKUP = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?P<root><[!?\w][^>]{0,2000}>?)", re.DOTALL
)
_HTML_ROOT = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_MIME_HEADERS = re.compile(r"(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t]+[^\n]*\n)*)+")
_WORD_XML = (
    "http://schemas.microsoft.com/office/word/2003/wordml",
    "http://schemas.microsoft.com/office/2006/xmlPackage",
)
_PDF_PARTS = re.compile(rb"\d+ \d+ obj\b|\bendobj\b|\bstartxref\b")
_JSON_KEY = re.compile(r'"([A-Za-z_]{1,40})"\s*:')
# fmt: off
_TIME_KEYS = frozenset({
    "start", "end", "start_time", "end_time", "starttime", "endtime", "start_ms", "end_ms",
    "startms", "startoffset", "endoffset", "offset", "offsets", "offsetinticks", "begin", "from",
    "timestamp", "timestamps", "ts", "start_timestamp", "duration", "start_s", "end_s", "time",
})
_SPEECH_KEYS = frozenset({
    "text", "transcript", "transcripts", "content", "word", "words", "display", "lexical", "body",
    "sentence", "sentences", "utterance", "utterances", "punctuated_word", "alternatives", "segs",
})
# fmt: on


class TextSign(StrEnum):
    """What a text turns out to be."""

    RTF = "rtf"
    HTML = "html"
    WEB_ARCHIVE = "web_archive"
    WORD_XML = "word_xml"
    OTHER_XML = "other_xml"
    VTT = "vtt"
    SRT = "srt"


def text_sign(head: bytes) -> TextSign | None:
    """Return what the text that begins with ``head`` is; None for plain text."""
    if head.lstrip()[:5] == b"{\\rtf":
        return TextSign.RTF
    text = decode_text(head[:_START_BYTES]).text.lstrip()
    if re.match(r"WEBVTT(?:\s|$)", text):
        return TextSign.VTT
    if _SRT_START.match(text):
        return TextSign.SRT
    if text[:1] == "<":
        return _markup_sign(text)
    match = _MIME_HEADERS.match(text)
    headers = match.group().lower() if match else ""
    is_web_archive = "mime-version:" in headers and "multipart/related" in headers
    return TextSign.WEB_ARCHIVE if is_web_archive else None


def has_timings(head: bytes) -> bool:
    """Say whether some line in ``head`` reads like the times of a subtitle."""
    return _TIMING.search(decode_text(head[:_START_BYTES]).text) is not None


def may_be_transcript(head: bytes, tail: bytes) -> bool:
    """Say whether the JSON between ``head`` and ``tail`` names times and words."""
    text = decode_text(head).text + decode_text(tail).text
    keys = {match.lower() for match in _JSON_KEY.findall(text)}
    return bool(keys & _TIME_KEYS and keys & _SPEECH_KEYS)


def has_pdf_parts(head: bytes, tail: bytes) -> bool:
    """Say whether the objects of a PDF stand in ``head`` or ``tail``."""
    return bool(_PDF_PARTS.search(head) or _PDF_PARTS.search(tail))


def _markup_sign(text: str) -> TextSign | None:
    match = _MARKUP.match(text)
    root = match["root"] if match else ""
    if _HTML_ROOT.match(root):
        return TextSign.HTML
    if any(name in text for name in _WORD_XML):
        return TextSign.WORD_XML
    return TextSign.OTHER_XML if text.startswith("<?xml") else None
