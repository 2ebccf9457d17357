"""Goes to a line, a record or a time of a text file and reads what stands there."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Sequence

from phasergun_desktop.documents.model import LineLocator, RowLocator, TimeLocator
from tests.benchmarks.reading.word_metrics import letters

_LINE_END = re.compile(r"\r\n|\r|\n")
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+)[.,](\d{3})")
_TAG = re.compile(r"<[^>]*>")
_ADDRESS = re.compile(r"(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class LinePlaces:
    """The lines of a text, counted from 1."""

    def __init__(self, text: str) -> None:
        self._lines = _LINE_END.split(text)

    def at(self, locator: LineLocator, count: int) -> str:
        """Return ``count`` lines from the locator on."""
        return "\n".join(self._lines[locator.line - 1 : locator.line - 1 + count])

    def markdown_line(self, locator: LineLocator) -> str:
        """Return letters and digits of the one line at the locator, as ``markdown_from``."""
        return self.markdown_from(locator, 1)

    def markdown_from(self, locator: LineLocator, most: int = 400) -> str:
        """Return letters and digits from the line on, what only marks them up left out.

        Left out: tags and comments of HTML, addresses of links. Entities become characters.
        """
        source = "\n".join(self._lines[locator.line - 1 : locator.line - 1 + most])
        return letters(html.unescape(_TAG.sub("", _ADDRESS.sub("", _COMMENT.sub("", source)))))


class RecordPlaces:
    """The records of a CSV file, counted from 1; the delimiter is the commonest of its head."""

    def __init__(self, text: str) -> None:
        head = text[:4000]
        self._delimiter = max(",;\t|", key=head.count)
        source = io.StringIO(text, newline="")
        self._records = list(csv.reader(source, delimiter=self._delimiter))

    def line(self, record: Sequence[str]) -> str:
        """Return a record as its line without quotes and empty cells at the end."""
        return self._delimiter.join(record).rstrip(self._delimiter)

    def at(self, locator: RowLocator) -> list[str] | None:
        """Return the cells of the record, None where there is none."""
        if not 0 < locator.row <= len(self._records):
            return None
        return self._records[locator.row - 1]


class CuePlaces:
    """The cues of a transcript by their times in milliseconds."""

    def __init__(self, text: str, suffix: str) -> None:
        self._cues = _json_cues(text) if suffix == "json" else _timed_cues(text)

    def at(self, locator: TimeLocator) -> list[str]:
        """Return what is said from exactly the locator's start to its end."""
        key = (round(locator.start_s * 1000), round(locator.end_s * 1000))
        return [said for times, said in self._cues if times == key]


def _timed_cues(text: str) -> list[tuple[tuple[int, int], str]]:
    found: list[tuple[tuple[int, int], str]] = []
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        lines = block.strip().split("\n")
        for index, line in enumerate(lines):
            if "-->" in line:
                start, _, end = line.partition("-->")
                said = html.unescape(_TAG.sub("", " ".join(lines[index + 1 :])))
                found.append(((_milliseconds(start), _milliseconds(end)), said))
                break
    return found


def _milliseconds(clock: str) -> int:
    match = _CLOCK.search(clock)
    if match is None:
        return -1
    hours, minutes, seconds, rest = (int(each or 0) for each in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def _json_cues(text: str) -> list[tuple[tuple[int, int], str]]:
    content = json.loads(text)
    segments = content["segments"] if isinstance(content, dict) else content
    return [
        ((round(each["start"] * 1000), round(each["end"] * 1000)), each["text"])
        for each in segments
    ]
