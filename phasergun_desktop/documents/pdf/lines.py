"""Puts the words of a page into lines and joins lines to running text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from phasergun_desktop.documents.builder import LineMark
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.documents.pdf.words import Word

# A gap this wide, in heights of the line, may be the gutter of a table.
GUTTER = 0.55
# A list mark stands at most so many heights before its text.
_MARK_GAP = 4.5
_MIN_NUMBERED = 8
_MIN_STRETCHED = 6


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one base line, left to right (or in their order of reading).

    ``height`` is that of the middle word by height; ``bold`` that every word is bold.
    """

    words: tuple[Word, ...]
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    height: float
    bold: bool


def make_line(words: Sequence[Word]) -> Line:
    """Return the line of ``words`` (at least one)."""
    by_height = sorted(words, key=lambda word: word.y1 - word.y0)
    middle = by_height[len(by_height) // 2]
    return Line(
        tuple(words),
        " ".join([word.text for word in words]),
        min([word.x0 for word in words]),
        min([word.y0 for word in words]),
        max([word.x1 for word in words]),
        max([word.y1 for word in words]),
        middle.base[1],
        max(0.5, middle.y1 - middle.y0),
        all(word.bold for word in words if any(map(str.isalnum, word.text))),
    )


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Group words into lines from top to bottom.

    Words of the same size share a line where their base lines agree; smaller ones
    (superscripts, units) where they lie within the line.
    """
    groups: list[list[Word]] = []
    by_size = sorted(words, key=lambda word: (-round(word.height, 0), word.base[1]))
    buckets: dict[int, list[int]] = {}
    for word in by_size:
        key = int(word.base[1] // 16)
        candidates = [index for near in (key - 1, key, key + 1) for index in buckets.get(near, ())]
        best = _best_group(word, groups, candidates)
        if best is None:
            buckets.setdefault(key, []).append(len(groups))
            groups.append([word])
        else:
            groups[best].append(word)
    lines = [make_line(_in_reading_order(group)) for group in groups]
    return sorted(lines, key=lambda line: (line.base, line.x0))


def _best_group(word: Word, groups: list[list[Word]], candidates: list[int]) -> int | None:
    best: int | None = None
    nearest = 1.0
    for index in candidates:
        head = groups[index][0]
        height = max(head.height, 1.0)
        distance = abs(word.base[1] - head.base[1]) / height
        if distance >= nearest or distance > 0.55:
            continue
        # A raised or lowered word belongs to a line only where it touches larger words.
        raised = distance > 0.22
        if raised and (
            word.height > 0.8 * head.height
            or not any(_touches(word, other, height) for other in groups[index])
        ):
            continue
        best, nearest = index, distance
    return best


def _touches(small: Word, other: Word, height: float) -> bool:
    return small.x0 - other.x1 < 1.5 * height and other.x0 - small.x1 < 1.5 * height


def _in_reading_order(group: list[Word]) -> list[Word]:
    group.sort(key=lambda word: word.x0)
    letters = [char for word in group for char in word.text if char.isalpha()]
    rtl = sum(1 for char in letters if unicodedata.bidirectional(char) in ("R", "AL"))
    if letters and rtl > len(letters) / 2:
        group.reverse()
    return group


def fragments_of(line: Line) -> list[Line]:
    """Split a line at its wide gaps; a list mark stays with its text."""
    if _is_stretched(line):
        return [line]
    pieces: list[list[Word]] = [[line.words[0]]]
    height = line.height
    for before, word in pairwise(line.words):
        first = pieces[-1]
        gap = word.x0 - before.x1
        is_mark = len(first) == 1 and gap < _MARK_GAP * height and _is_mark(first[0].text)
        if gap > GUTTER * height and not is_mark:
            pieces.append([word])
        else:
            first.append(word)
    return [make_line(piece) for piece in pieces]


def _is_stretched(line: Line) -> bool:
    """Whether the wide gaps are those of a justified line: all alike, and between words."""
    if len(line.words) < _MIN_STRETCHED:
        return False
    gaps = sorted(b.x0 - a.x1 for a, b in pairwise(line.words))
    middle = gaps[len(gaps) // 2]
    if (
        gaps[0] < 0.6 * middle
        or gaps[-1] > 1.8 * middle
        or middle > 1.8 * line.height
        or gaps[-1] < GUTTER * line.height
    ):
        return False
    return sum(1 for word in line.words if word.text[0].isalpha()) >= 0.6 * len(line.words)


def _is_mark(text: str) -> bool:
    if len(text) == 1 and not text.isalnum():
        return text not in "-–—☐☒□"
    return re.fullmatch(r"\(?(\d{1,2}(\.\d{1,2}){0,3}|[a-zA-Z]|[ivx]{1,4})[.)]", text) is not None


Placed = Callable[[Line], tuple[int, Rect]]


class LineJoiner:
    """Joins lines to text, with hyphens at line ends undone by the document's own words."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._spaced_lines = 0
        self._seams: Counter[tuple[str, str]] = Counter()
        self._splits: bool | None = None
        self._lines = 0

    def learn(self, lines: Sequence[Line]) -> None:
        """Remember the words of a page, to tell a split word from a compound."""
        for before, line in pairwise(lines):
            parts = _hyphen_parts(before.text, line.text)
            if parts and len(self._seams) < 20_000:
                self._seams[parts] += 1
        for line in lines:
            self._lines += 1
            self._spaced_lines += line.words[-1].spaced
            for word in line.words[:-1]:
                text = _bare(word.text)
                if len(text) > 2 and len(self._vocabulary) < 200_000:
                    self._vocabulary[text] = self._vocabulary.get(text, 0) + 1

    def join(
        self, lines: Sequence[Line], placed: Placed, *, width: float | None = None
    ) -> tuple[str, tuple[LineMark, ...]]:
        """Return the text of ``lines`` and a mark per line.

        ``placed`` gives page and rectangle of a line; ``width`` is that of the column, for
        cells whose words were broken because they did not fit.
        """
        text = ""
        marks: list[LineMark] = []
        for index, line in enumerate(lines):
            piece = line.text
            if index:
                text, between = self._seam(text, lines[index - 1], line, width)
                text += between
                if marks and marks[-1].end > len(text):
                    last = marks[-1]
                    marks[-1] = LineMark(last.start, len(text), last.page, last.rect)
            page, rect = placed(line)
            marks.append(LineMark(len(text), len(text) + len(piece), page, rect))
            text += piece
        return text, tuple(marks)

    def _seam(self, text: str, before: Line, line: Line, width: float | None) -> tuple[str, str]:
        """Return the text so far, without a hyphen that is undone, and what goes between."""
        last = before.words[-1]
        parts = _hyphen_parts(text, line.text)
        if parts:
            return (text[:-1], "") if self._was_split(*parts) else (text, "")
        if text.endswith(("-", "/")) and len(last.text) > 1 and not last.spaced:
            return text, ""
        if width is not None and self._was_broken(before, line, width):
            return text, ""
        return text, " "

    def _was_split(self, head: str, tail: str) -> bool:
        verdict = self._verdict(head, tail)
        if verdict:
            return verdict > 0
        if self._splits is None:
            # Where no word tells, do as this document does elsewhere; most never split words.
            self._splits = sum(self._verdict(*parts) for parts in self._seams) > 0
        return self._splits

    def _verdict(self, head: str, tail: str) -> int:
        """Return 1 where the document knows the joined word, -1 for a compound, else 0."""
        known = self._vocabulary
        whole, hyphened = known.get(head + tail, 0), known.get(f"{head}-{tail}", 0)
        if whole != hyphened:
            return 1 if whole > hyphened else -1
        return -1 if "-" in head or (head in known and tail in known) else 0

    def _was_broken(self, before: Line, line: Line, width: float) -> bool:
        """Whether a cell's only word on a line was cut because the column is too narrow.

        Only where the file writes the spaces at line ends, so that a missing one tells.
        """
        first = line.words[0].text[:1]
        parts = (_bare(before.words[0].text), _bare(line.words[0].text))
        if all(part.isalpha() and part in self._vocabulary for part in parts):
            return False
        return (
            self._spaced_lines > 0.3 * self._lines
            and len(before.words) == 1
            and not before.words[0].spaced
            and len(before.words[0].text) > 5
            and (first.islower() or first in ")/")
            and before.x1 - before.x0 > 0.6 * width
        )


def _hyphen_parts(text: str, following: str) -> tuple[str, str] | None:
    """Return the parts of a word around a hyphen at the end of ``text``, or None."""
    if not (text.endswith("-") and text[-2:-1].isalpha() and following[:1].islower()):
        return None
    head = re.split(r"[^\w-]", text[:-1])[-1].lower()
    tail = re.split(r"[^\w-]", following)[0].lower()
    return (head, tail) if head and tail else None


def _bare(word: str) -> str:
    return word.strip(".,;:()[]\"'").lower()


def split_line_numbers(lines: list[Line]) -> tuple[list[Line], Line | None]:
    """Take numbers that count the lines of a draft off its left margin.

    Returns the lines without them, and the numbers as a line of their own (None without any).
    """
    firsts = {index: line.words[0] for index, line in enumerate(lines)}
    numbers = {i: w for i, w in firsts.items() if w.text.isdigit() and len(w.text) <= 4}
    if len(numbers) < _MIN_NUMBERED:
        return lines, None
    # They end at one place left of everything; footnotes and page numbers do not.
    edge = Counter(round(word.x1) for word in numbers.values()).most_common(1)[0][0]
    found = {index: word for index, word in numbers.items() if abs(word.x1 - edge) < 2}
    rest = [line.words[1].x0 for i, line in enumerate(lines) if i in found and line.words[1:]]
    rest.extend(line.x0 for i, line in enumerate(lines) if i not in found)
    if len(found) < max(_MIN_NUMBERED, 0.5 * len(lines)) or not rest:
        return lines, None
    values = [int(word.text) for word in found.values()]
    steps = sum(1 for a, b in pairwise(values) if b == a + 1)
    if steps < 0.8 * (len(values) - 1) or min(rest) < edge:
        return lines, None
    kept = [line.words[1:] if index in found else line.words for index, line in enumerate(lines)]
    return [make_line(words) for words in kept if words], make_line(list(found.values()))
