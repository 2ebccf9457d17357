"""The words of rendered pages: which stands at a point, and where a stretch of them is."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from PySide6.QtGui import QFont, QFontMetricsF

from phasergun_desktop.documents.model import ParsedDocument, Rect, Segment

# How far from a line a drag may pass and still mean it, in heights of the line.
_SLACK = 0.4


class PageText:
    """Lines (words of recognised pages) are located by the reader; letters within a line are
    placed by the widths that they have in a usual font."""

    def __init__(self, document: ParsedDocument) -> None:
        self.text = document.text
        self._segments = sorted(
            (one for block in document.blocks for one in block.segments), key=lambda one: one.start
        )
        self._starts = [one.start for one in self._segments]
        self._by_page: dict[int, list[Segment]] = defaultdict(list)
        for one in self._segments:
            self._by_page[one.page].append(one)

    def is_text_at(self, page: int, x: float, y: float) -> bool:
        """Whether words stand at a point (points, from the top left) of a page (from 1)."""
        return any(
            one.rect.x0 <= x <= one.rect.x1 and one.rect.y0 <= y <= one.rect.y1
            for one in self._by_page.get(page, ())
        )

    def caret_at(self, page: int, x: float, y: float) -> int | None:
        """Return the code point before which a caret at a point stands: in the line at this
        height, else in the nearest one; None on a page without words."""
        lines = self._by_page.get(page, ())
        if not lines:
            return None

        def distance(one: Segment) -> tuple[float, float]:
            slack = _SLACK * (one.rect.y1 - one.rect.y0)
            above = max(one.rect.y0 - slack - y, y - one.rect.y1 - slack, 0.0)
            return above, max(one.rect.x0 - x, x - one.rect.x1, 0.0)

        line = min(lines, key=distance)
        widths = self._widths(line)
        share = (x - line.rect.x0) / max(line.rect.x1 - line.rect.x0, 0.1) * widths[-1]
        at = bisect_left(widths, share)
        if at and (at == len(widths) or share - widths[at - 1] < widths[at] - share):
            at -= 1
        return line.start + min(at, line.end - line.start)

    def words(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch from the beginning of the word at ``start`` to the end of the one at
        ``end``."""
        while start > 0 and not self.text[start - 1].isspace():
            start -= 1
        while end < len(self.text) and end > 0 and not self.text[end - 1 : end + 1].isspace():
            if self.text[end].isspace():
                break
            end += 1
        return start, end

    def rects(self, start: int, end: int) -> list[tuple[int, Rect]]:
        """Return (page, rectangle in points) of each line's part of ``start``..``end``."""
        found = []
        first = max(bisect_left(self._starts, start + 1) - 1, 0)
        for one in self._segments[first : bisect_left(self._starts, end)]:
            begin, stop = max(one.start, start), min(one.end, end)
            if begin >= stop:
                continue
            widths = self._widths(one)
            scale = (one.rect.x1 - one.rect.x0) / max(widths[-1], 0.1)
            left = one.rect.x0 + widths[begin - one.start] * scale
            right = one.rect.x0 + widths[stop - one.start] * scale
            found.append((one.page, Rect(left, one.rect.y0, right, one.rect.y1)))
        return found

    def _widths(self, line: Segment) -> list[float]:
        """Return the advance up to each letter of a line, and to its end."""
        # Not kept: it must not outlive the application that it has its fonts from.
        metrics = QFontMetricsF(QFont("Helvetica", 12))
        widths = [0.0]
        for letter in self.text[line.start : line.end]:
            widths.append(widths[-1] + metrics.horizontalAdvance(letter))
        return widths
