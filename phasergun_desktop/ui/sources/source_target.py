"""A place in a source that the viewer is asked to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from phasergun_desktop.documents.model import Locator, PageLocator, ParsedDocument, Rect
from phasergun_desktop.grounding.model import Footnote, SourcePlace
from phasergun_desktop.retrieval.model import Hit, Passage

CitedPlace: TypeAlias = Footnote | SourcePlace | Passage | Hit
# When two words belong to one stroke of the marker, in heights of a word.
LEAST_OVERLAP = 0.3
MOST_GAP_HEIGHTS = 3.0
MOST_STROKE_HEIGHTS = 2.2


@dataclass(frozen=True, slots=True)
class SourceTarget:
    """``start``..``end`` are code points of the document's text; equal for the whole file."""

    file: str
    start: int = 0
    end: int = 0
    quote: str = ""
    sha256: str = ""
    locator: Locator | None = None
    heading_path: tuple[str, ...] = ()
    footnote: int = 0


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Where a target stands in the document as it is now."""

    start: int
    end: int
    notice: str = ""


def target_of(one: CitedPlace, key: int = 0) -> SourceTarget:
    """Return the place that ``one`` names, of a search hit its best window; ``key`` is the key of a
    footnote in the draft."""
    start, end, quote, locator = one.start, one.end, "", None
    if isinstance(one, Passage):
        quote = one.text
    elif isinstance(one, Hit):
        locator = one.locator
        if one.windows:
            start, end = one.windows[0].start, one.windows[0].end
    else:
        quote, locator = one.quote, one.locator
    return SourceTarget(one.file, start, end, quote, one.sha256, locator, one.heading_path, key)


def find_passage(target: SourceTarget, document: ParsedDocument, sha256: str) -> FoundPassage:
    """Return where the quote stands now, with a notice if the file is not what was cited."""
    if target.end <= target.start:
        return FoundPassage(0, 0)
    is_same = not target.sha256 or target.sha256 == sha256
    slice_now = document.text[target.start : target.end]
    if is_same and (not target.quote or slice_now == target.quote):
        return FoundPassage(target.start, target.end)
    found = document.text.find(target.quote) if target.quote else -1
    if found >= 0:
        notice = "" if is_same else "The file has changed since; the passage is still in it."
        return FoundPassage(found, found + len(target.quote), notice)
    return FoundPassage(
        0, 0, "The file has changed since, and the cited passage is no longer in it."
    )


def locator_at(document: ParsedDocument, position: int) -> tuple[Locator | None, tuple[str, ...]]:
    """Return locator and heading path of the block at a code point."""
    for block in document.blocks:
        if block.start <= position < block.end:
            return block.locator, block.heading_path
    return None, ()


def page_rects(document: ParsedDocument, start: int, end: int) -> list[tuple[int, Rect]]:
    """Return (page, rectangle in points) of the lines that ``start``..``end`` touches.

    Words of one line (recognised text is located word by word) give one rectangle.
    """
    found: list[tuple[int, Rect]] = []
    for block in document.blocks:
        if block.end <= start or block.start >= end:
            continue
        parts = [one for one in block.segments if one.start < end and one.end > start]
        if parts:
            found.extend(_lines_of([(one.page, one.rect) for one in parts]))
        elif isinstance(block.locator, PageLocator):
            found.extend((block.locator.page, rect) for rect in block.locator.rects)
    return found


def _lines_of(parts: list[tuple[int, Rect]]) -> list[tuple[int, Rect]]:
    """Join neighbours on a line, as far as they look like one stroke of a marker."""
    lines: list[tuple[int, Rect]] = []
    last: Rect | None = None
    for page, rect in parts:
        joined = None
        if lines and last is not None and lines[-1][0] == page and _follows(last, rect):
            joined = _union(lines[-1][1], rect)
            height = min(last.y1 - last.y0, rect.y1 - rect.y0)
            if joined.y1 - joined.y0 > MOST_STROKE_HEIGHTS * height:
                # A crooked scan: the stroke goes on a little higher or lower.
                joined = None
        if joined is None:
            lines.append((page, rect))
        else:
            lines[-1] = (page, joined)
        last = rect
    return lines


def _follows(left: Rect, right: Rect) -> bool:
    height = min(left.y1 - left.y0, right.y1 - right.y0)
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    gap = right.x0 - left.x1
    return (
        overlap > height * LEAST_OVERLAP
        and right.x0 > left.x0
        and gap < MOST_GAP_HEIGHTS * max(left.y1 - left.y0, right.y1 - right.y0)
    )


def _union(one: Rect, other: Rect) -> Rect:
    return Rect(
        min(one.x0, other.x0), min(one.y0, other.y0), max(one.x1, other.x1), max(one.y1, other.y1)
    )
