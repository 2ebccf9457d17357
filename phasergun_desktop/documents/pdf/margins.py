"""Recognises the headers and footers that repeat from page to page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from phasergun_desktop.documents.pdf.lines import Line

_PAGE_NUMBER = re.compile(
    r"^(?:[-–—|\s]*)(?:page|seite|p\.)?\s*\d{1,4}(?:\s*(?:of|/|von|de)\s*\d{1,4})?(?:[-–—|\s]*)$"
    r"|^[ivxlc]{1,6}$",
    re.IGNORECASE,
)
_EDGE_LINES = 4
_EDGE_SHARE = 0.16
_MIN_PAGES = 3


class MarginRules:
    """Collects the lines at the edges of all pages, then says which of them repeat."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._pages = 0

    def learn(self, lines: Sequence[Line], height: float) -> None:
        """Take the lines of a page (top to bottom) of ``height`` points into account."""
        self._pages += 1
        keys = {(edge, _shape(line.text)) for edge, line in _edge_lines(lines, height)}
        self._counts.update(keys)

    def margin_lines(self, lines: Sequence[Line], height: float) -> list[Line]:
        """Return the lines of a page that are header or footer."""
        found: list[Line] = []
        for edge, line in _edge_lines(lines, height):
            text = line.text.strip()
            repeated = self._counts[edge, _shape(text)]
            numbered = _PAGE_NUMBER.match(text) is not None and self._pages > 1
            often = self._pages >= _MIN_PAGES and repeated >= max(3, 0.3 * self._pages)
            if numbered or often:
                found.append(line)
        return found


def _edge_lines(lines: Sequence[Line], height: float) -> list[tuple[str, Line]]:
    top = [line for line in lines[:_EDGE_LINES] if line.y1 < _EDGE_SHARE * height]
    bottom = [line for line in lines[-_EDGE_LINES:] if line.y0 > (1 - _EDGE_SHARE) * height]
    return [("top", line) for line in top] + [("bottom", line) for line in bottom]


def _shape(text: str) -> str:
    """Return what stays the same from page to page: left and right pages differ in order."""
    return " ".join(sorted(re.sub(r"\d+", "#", text.lower()).split()))
