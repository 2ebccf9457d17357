"""Puts the words of a page into lines and joins lines to running text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from phasergun_desktop.documents.model import Rect, Segment
from phasergun_desktop.documents.pdf.placed_words import Word

# A gap this wide, in heights of the line, may be the gutter of a table.
GUTTER = 0.55
# A list mark stands at most so many heights before its text.
_MARK_GAP = 4.5
_MIN_NUMBERED = 8
_MIN_STRETCHED = 6
_MAX_VOCABULARY = 200_000
_MAX_SEAMS = 20_000
# So many words that look torn apart show that a document divides words at all.
_MIN_TORN = 3
_POINTS = ".,;:()[]\"'"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@dataclass(slots=True, eq=False)
class Line:
    """Words on one base line, left to right (or in their order of reading).

    ``height`` is the size of the middle word by size; ``bold`` that every word is bold. Lines are
    compared by identity and not changed; not frozen, since that doubles the time to make one.
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
    _parts: list[Line] | None = field(default=None, init=False, repr=False)

    @property
    def pieces(self) -> list[Line]:
        """The line divided at its wide gaps; a list mark stays with its text."""
        if self._parts is None:
            # Kept, because it is asked for again and again; empty for a line of one piece.
            self._parts = _parts(self)
        return self._parts or [self]

    def __reduce__(self) -> tuple[object, ...]:
        # In long documents lines are kept pickled: their words tell all.
        return make_line, (self.words,)


def make_line(words: Sequence[Word]) -> Line:
    """Return the line of ``words`` (at least one)."""
    first = words[0]
    if len(words) == 1:
        text, x0, y0, x1, y1, base, size, bold, _, _ = first
        bold = bold or not _has_letter(text)
        return Line((first,), text, x0, y0, x1, y1, base, max(0.5, size), bold)
    texts, lefts, tops, rights, bottoms, _, sizes, bolds, _, _ = zip(*words, strict=True)
    middle = first
    if max(sizes) - min(sizes) > 0.01:
        middle = sorted(words, key=itemgetter(6))[len(words) // 2]
    bold = all(bolds) or not any(not word.bold and _has_letter(word.text) for word in words)
    return Line(
        tuple(words),
        " ".join(texts),
        min(lefts),
        min(tops),
        max(rights),
        max(bottoms),
        middle.base,
        max(0.5, middle.size),
        bold,
    )


def _has_letter(text: str) -> bool:
    return text.isalnum() or any(map(str.isalnum, text))


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Group words into lines from top to bottom.

    Words of the same size share a line where their base lines agree; smaller ones
    (superscripts, units) where they lie within the line.
    """
    runs: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        key = (-int(word[6] + 0.5), int(8 * word[5]))
        if key in runs:
            runs[key].append(word)
        else:
            runs[key] = [word]
    groups: list[list[Word]] = []
    buckets: dict[int, list[int]] = {}
    for _, run in sorted(runs.items(), key=itemgetter(0)):
        bucket = int(run[0].base // 16)
        near = range(bucket - 1, bucket + 2)
        candidates = [index for beside in near for index in buckets.get(beside, ())]
        best, is_small = _best_group(run[0], groups, candidates)
        if best is None:
            buckets.setdefault(bucket, []).append(len(groups))
            groups.append(run)
        elif not is_small:
            groups[best].extend(run)
        else:
            # Each may belong to another line.
            for word in run:
                own, _ = _best_group(word, groups, candidates)
                groups[best if own is None else own].append(word)
    lines = [make_line(_in_reading_order(group)) for group in groups]
    return sorted(lines, key=lambda line: (line.base, line.x0))


def _best_group(
    word: Word, groups: list[list[Word]], candidates: list[int]
) -> tuple[int | None, bool]:
    """Return the line that ``word`` belongs to, and whether it is a small word there.

    A small word may be a mark that is raised or lowered: of two lines beside one another it
    belongs to the one whose words it touches.
    """
    best: int | None = None
    nearest, is_small = (True, 1.0), False
    for index in candidates:
        head = groups[index][0]
        height = max(head.size, 1.0)
        distance = abs(word.base - head.base) / height
        if distance > 0.55:
            continue
        small = word.size <= 0.8 * head.size
        apart = small and not any(_touches(word, other, height) for other in groups[index])
        if distance > 0.22 and (apart or not small):
            continue
        if (apart, distance) < nearest:
            best, nearest, is_small = index, (apart, distance), small
    return best, is_small


def _touches(small: Word, other: Word, height: float) -> bool:
    return small.x0 - other.x1 < 1.5 * height and other.x0 - small.x1 < 1.5 * height


def _in_reading_order(group: list[Word]) -> list[Word]:
    if len(group) == 1:
        return group
    group.sort(key=itemgetter(1))
    text = "".join([word.text for word in group])
    if not text.isascii() and _RIGHT_TO_LEFT.search(text):
        letters = [char for char in text if char.isalpha()]
        rtl = sum(1 for char in letters if unicodedata.bidirectional(char) in ("R", "AL"))
        if rtl > len(letters) / 2:
            group.reverse()
    return group


def _parts(line: Line) -> list[Line]:
    words, wide = line.words, GUTTER * line.height
    gaps = [after.x0 - before.x1 for before, after in pairwise(words)]
    if not gaps or max(gaps) <= wide or _is_stretched(line, gaps):
        return []
    parts: list[list[Word]] = [[words[0]]]
    for gap, word in zip(gaps, words[1:], strict=True):
        first = parts[-1]
        if gap > wide and not (
            len(first) == 1 and gap < _MARK_GAP * line.height and _is_mark(first[0].text)
        ):
            parts.append([word])
        else:
            first.append(word)
    return [make_line(part) for part in parts] if len(parts) > 1 else []


def _is_stretched(line: Line, gaps: list[float]) -> bool:
    """Whether the wide gaps are those of a justified line: all alike, and between words."""
    if len(line.words) < _MIN_STRETCHED:
        return False
    gaps = sorted(gaps)
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


class PlacedLine(NamedTuple):
    """A line, the page that it is on (from 1), and its rectangle there as rendered."""

    line: Line
    page: int
    rect: Rect


class LineJoiner:
    """Joins lines to text, with hyphens at line ends undone by the document's own words."""

    def __init__(self) -> None:
        self._vocabulary: Counter[str] = Counter()
        self._spaced_lines = 0
        self._seams: Counter[tuple[str, str]] = Counter()
        self._splits: bool | None = None
        self._lines = 0

    def learn(self, lines: Sequence[Line]) -> None:
        """Remember the words of a page, to tell a split word from a compound."""
        inner: list[str] = []
        for index, line in enumerate(lines):
            self._lines += 1
            self._spaced_lines += line.words[-1].spaced
            for piece in line.pieces:
                # The first and the last word may be the parts of one.
                inner.extend([word.text for word in piece.words[1:-1]])
                if piece.text[-1] == "-" and len(self._seams) < _MAX_SEAMS:
                    self._learn_seam(piece, lines[index + 1 : index + 4])
        if len(self._vocabulary) < _MAX_VOCABULARY:
            words = [word.strip(_POINTS) for word in " ".join(inner).lower().split()]
            self._vocabulary.update([word for word in words if len(word) > 2])

    def _learn_seam(self, piece: Line, following: Sequence[Line]) -> None:
        """Remember a hyphen at a line's end and what the next line of its column starts with."""
        for line in following:
            for below in line.pieces:
                if below.x0 < piece.x1 and piece.x0 < below.x1 and below.base > piece.base + 1:
                    parts = _hyphen_parts(piece.text, below.text)
                    if parts:
                        self._seams[parts] += 1
                    return

    def join(
        self, lines: Sequence[PlacedLine], *, width: float | None = None
    ) -> tuple[str, tuple[Segment, ...]]:
        """Return the text of ``lines`` and a mark per line.

        ``width`` is that of the column, for cells whose words were broken because they did not
        fit.
        """
        text = ""
        marks: list[Segment] = []
        for index, (line, page, rect) in enumerate(lines):
            if index:
                text, between = self._seam(text, lines[index - 1].line, line, width)
                text += between
                if marks[-1].end > len(text):
                    last = marks[-1]
                    marks[-1] = Segment(last.start, len(text), last.page, last.rect)
            marks.append(Segment(len(text), len(text) + len(line.text), page, rect))
            text += line.text
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
            # Where no word tells, do as this document does elsewhere; most never split words,
            # and those that do split many of which neither part is a word.
            known = self._vocabulary
            told = sum(self._verdict(*parts) for parts in self._seams)
            torn = sum(1 for parts in self._seams if known.keys().isdisjoint(parts))
            self._splits = told + torn // _MIN_TORN > 0
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
    return word.strip(_POINTS).lower()


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
