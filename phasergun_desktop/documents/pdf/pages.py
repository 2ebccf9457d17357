"""Visits each page of a PDF once and keeps what was found there in little memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.documents.pdf.annotations import Comment, page_comments
from phasergun_desktop.documents.pdf.characters import page_words
from phasergun_desktop.documents.pdf.legibility import is_legible
from phasergun_desktop.documents.pdf.lines import Line, lines_of, split_line_numbers
from phasergun_desktop.documents.pdf.opening import PdfFile
from phasergun_desktop.documents.pdf.placed_words import PageFrame, Word, page_frame
from phasergun_desktop.documents.pdf.rulings import PageGraphics, page_graphics

# A page that is a picture for so much of its area, with fewer words than these (a stamp, a page
# number), is a scan.
_SCAN_SHARE = 0.5
_STAMP_WORDS = 20


class PageState(StrEnum):
    """What the text of a page is worth.

    ``TEXT``: it is read as it is. ``GARBLED``: the characters of its fonts are unknown.
    ``PICTURE``: it has next to no text, but something is drawn. ``BLANK``: nothing is.
    """

    TEXT = "text"
    GARBLED = "garbled"
    PICTURE = "picture"
    BLANK = "blank"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """What a page holds: lines in the main direction of writing, other words beside.

    ``quadrant`` is the main direction (see ``Word``); ``numbers`` are the line numbers of a
    draft, if it has any; ``rulings`` the boxes of lines and rectangles drawn, in the frame in
    which that direction is upright; ``comments`` those that are not drawn.
    """

    frame: PageFrame
    quadrant: int
    state: PageState
    lines: list[Line]
    others: list[Word]
    numbers: Line | None
    rulings: list[Rect]
    comments: tuple[Comment, ...] = ()


def visit_page(pdf: PdfFile, index: int) -> VisitedPage:
    """Read page ``index`` (from 0) of ``pdf``."""
    page = pdf.page(index)
    if page is None:
        frame = PageFrame(612.0, 792.0, Affine(e=-1, f=792))
        return VisitedPage(frame, 0, PageState.DAMAGED, [], [], None, [])
    try:
        frame = page_frame(page)
        words, unmapped = page_words(page, frame)
        graphics = page_graphics(page, frame)
        comments = page_comments(page, frame)
    finally:
        page.close()
    main = _main_quadrant(words)
    own = [word for word in words if word.quadrant == main]
    others = [word for word in words if word.quadrant != main]
    lines, numbers = split_line_numbers(lines_of(own))
    state = _state(words, unmapped, graphics)
    upright = frame.upright(main)
    rulings = [upright.rect(box.x0, box.y0, box.x1, box.y1) for box in graphics.boxes]
    if comments:
        solid = "".join([word.text for word in words])
        comments = tuple(each for each in comments if "".join(each[0].split()) not in solid)
    return VisitedPage(frame, main, state, lines, others, numbers, rulings, comments)


def _state(words: list[Word], unmapped: int, graphics: PageGraphics) -> PageState:
    if not words:
        return PageState.PICTURE if graphics.objects else PageState.BLANK
    if graphics.picture_share > _SCAN_SHARE and len(words) < _STAMP_WORDS:
        return PageState.PICTURE
    text = " ".join([word.text for word in words])
    return PageState.TEXT if is_legible(text, unmapped) else PageState.GARBLED


def _main_quadrant(words: list[Word]) -> int:
    if not any(map(itemgetter(8), words)):
        return 0
    counts: Counter[int] = Counter()
    for word in words:
        counts[word.quadrant] += len(word.text)
    return counts.most_common(1)[0][0]
