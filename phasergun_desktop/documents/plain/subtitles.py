"""Reads WebVTT and SubRip: every cue with its times, its speakers and its words.

webvtt-py and pysubs2 were tried: both lose speakers (the second voice of a cue, or all), and
one bad line makes the first refuse the file.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

from phasergun_desktop.documents.builder import folded_lines
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.plain.cues import Cue

_TIME = r"(?:(?:\d{1,4}:)?\d{1,2}:)?\d{1,2}(?:[.,]\d{1,6})?"
_TIMING = re.compile(rf"^\s*(?P<start>{_TIME})\s*-{{1,2}}>\s*(?P<end>{_TIME})(?:\s.*)?$")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+(?P<name>[^<>]*)>|(?P<end></v>)")
_TAG = re.compile(
    r"</?(?:c|i|b|u|s|v|em|rt|ruby|lang|font|span|strong|p|br)(?:[.\s][^<>]*)?/?>"
    r"|<\d[\d:.]*>|\{\\[^{}]*\}",
    re.IGNORECASE,
)
_WORD_TIME = re.compile(r"<\d\d[\d:]*\.\d{3}>")
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_HEADER_FIELD = re.compile(r"^(?P<name>[A-Za-z][\w-]*):\s*(?P<value>.+)$")
_MAX_HEADER_LINES = 20


def read_subtitles(text: str) -> tuple[list[Cue], FileProperties]:
    """Return the cues of a WebVTT or SubRip text with ``\\n`` as line end, and what it states of
    itself.

    Whatever stands between two lines of times belongs to the first: a missing or wrong number,
    an empty line in the text or a missing one between cues loses nothing. A line of times that
    cannot be read makes its words part of the cue before.
    """
    lines = text.split("\n")
    places = [(index, match) for index, line in enumerate(lines) if (match := _TIMING.match(line))]
    # Captions that roll up say every line again in the next cue; the times of single words
    # tell such a file.
    rolling = _WORD_TIME.search(text) is not None
    cues: list[Cue] = []
    before: list[str] = []
    for number, (index, match) in enumerate(places):
        last = number + 1 >= len(places)
        end = len(lines) if last else places[number + 1][0]
        names = {str(number + 2), _following_number(lines[index - 1] if index else "")}
        body = _body(lines[index + 1 : end], followed=not last, names=names)
        if rolling:
            plain = [_plain(line) for line in body]
            body = [line for line, text in zip(body, plain, strict=True) if text not in before]
            before = [text for text in plain if text]
        start_s, end_s = _seconds(match["start"]), _seconds(match["end"])
        cues.extend(_voices("\n".join(body), start_s, max(start_s, end_s)))
    return cues, _head(lines[: places[0][0] if places else len(lines)])


def _following_number(name: str) -> str:
    digits = name.strip()
    return str(int(digits) + 1) if re.fullmatch(r"[0-9]{1,9}", digits) else ""


def _body(lines: list[str], *, followed: bool, names: set[str]) -> list[str]:
    """Return the text lines of a cue: without comments and the name of the following cue.

    That stands in a line of its own, or is one of ``names`` where the empty line is missing.
    """
    if followed and lines and lines[-1].strip():
        name = lines[-1].strip()
        alone = len(lines) == 1 or not lines[-2].strip()
        if (alone and len(lines) > 1) or name in names:
            lines = lines[:-1]
    kept: list[str] = []
    in_comment = False
    for position, line in enumerate(lines):
        starts_block = position > 0 and not lines[position - 1].strip()
        if not line.strip():
            in_comment = False
        elif in_comment or (starts_block and _COMMENT.match(line)):
            in_comment = True
        else:
            kept.append(line.strip())
    return kept


def _voices(text: str, start_s: float, end_s: float) -> list[Cue]:
    """Return one cue for each voice in ``text``."""
    found: list[Cue] = []
    speaker: str | None = None
    position = 0
    for match in [*_VOICE.finditer(text), None]:
        piece = _plain(text[position : match.start() if match else len(text)])
        if piece:
            found.append(Cue(start_s, end_s, piece, speaker))
        if match:
            name = html.unescape(match["name"] or "").strip()
            speaker = name or None
            position = match.end()
    joined: list[Cue] = []
    for cue in found:
        if joined and joined[-1].speaker == cue.speaker:
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text}\n{cue.text}")
        else:
            joined.append(cue)
    return joined


def _plain(text: str) -> str:
    return folded_lines(html.unescape(_TAG.sub("", _VOICE.sub("", text))))


def _head(lines: list[str]) -> FileProperties:
    """Return the title and the language that the head of a WebVTT file states."""
    if not lines or not lines[0].lstrip("\ufeff").startswith("WEBVTT"):
        return FileProperties()
    title = lines[0].lstrip("\ufeff").removeprefix("WEBVTT").strip(" \t-–:")
    language = ""
    for line in lines[1:_MAX_HEADER_LINES]:
        if not line.strip():
            break
        field = _HEADER_FIELD.match(line)
        if field and field["name"].lower() == "language":
            language = field["value"].strip()
    return FileProperties(title=title, language=language)


def _seconds(time: str) -> float:
    """Return "[[hours:]minutes:]seconds[.fraction]" in seconds."""
    seconds = 0.0
    for part in time.replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return round(seconds, 3)
