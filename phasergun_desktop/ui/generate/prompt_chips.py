"""References and problems of a prompt: what is said of them, and the chips behind its text, which
move with their words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from html import escape

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from phasergun_desktop.references.model import Problem, ResolvedReference, Severity
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.text_stretches import blocks_from, stretch
from phasergun_desktop.ui.theme import Colours, colours_for
from phasergun_desktop.ui.wording import count

FIX_HINT = "Alt+Return or the right button: what may stand here instead"
_MOST_FILES, _LONGEST_VALUE = 8, 300
_FILL_ALPHA, _EDGE_ALPHA, _ROUND = 34, 150, 4.0


class MarkState(StrEnum):
    """How a mark looks: a round frame, a dashed one with dots below, a square one with a wave."""

    FOUND = "found"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class PromptMark:
    """A stretch of the prompt (code points); without ``reference`` it is only a problem."""

    start: int
    end: int
    reference: ResolvedReference | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def state(self) -> MarkState:
        """What it looks like."""
        if any(each.severity is Severity.BLOCKS for each in self.problems):
            return MarkState.WRONG
        return MarkState.WARNING if self.problems else MarkState.FOUND

    @property
    def fixable(self) -> tuple[Problem, ...]:
        """The problems that know what may stand here instead."""
        place = (self.start, self.end)
        return tuple(p for p in self.problems if p.replacements and (p.start, p.end) == place)

    def tip(self) -> str:
        """Say in rich text what it stands for and what is wrong with it."""
        parts = [_paragraph(line) for line in _problem_lines(self.problems)]
        if self.fixable:
            parts.append(_paragraph(FIX_HINT))
        if self.reference is not None and self.reference.resolved:
            parts = [f"<p style='width:380px'><b>{escape(self.reference.text)}</b></p>"] + [
                _paragraph(line) for line in _meaning(self.reference)
            ] + parts  # fmt: skip
        return "".join(parts)


def marks_of(
    references: Iterable[ResolvedReference], problems: Iterable[Problem]
) -> tuple[PromptMark, ...]:
    """Return a mark for each reference with its problems, and for each other problem that has a
    place; sorted by place, without overlap of the references."""
    marks = [PromptMark(one.start, one.end, one) for one in references if one.end > one.start]
    marks.sort(key=lambda mark: mark.start)
    starts = [mark.start for mark in marks]
    alone: dict[tuple[int, int], PromptMark] = {}
    for problem in problems:
        if problem.end <= problem.start:
            continue
        at = max(bisect_right(starts, problem.start) - 1, 0)
        found = False
        while at < len(marks) and marks[at].start < problem.end:
            if marks[at].end > problem.start:
                marks[at] = replace(marks[at], problems=(*marks[at].problems, problem))
                found = True
            at += 1
        if not found:
            place = (problem.start, problem.end)
            mark = alone.get(place, PromptMark(*place))
            alone[place] = replace(mark, problems=(*mark.problems, problem))
    return tuple(sorted((*marks, *alone.values()), key=lambda mark: mark.start))


def _problem_lines(problems: tuple[Problem, ...]) -> Iterator[str]:
    for each in problems:
        yield f"{each.message} {each.remedy}".strip()


def _meaning(reference: ResolvedReference) -> Iterator[str]:
    """Yield the value with its file, or the documents."""
    if reference.value is not None:
        yield f"“{shortened(reference.value.text, _LONGEST_VALUE)}”"
        yield f"from {reference.value.file}"
        return
    if reference.pairs:
        yield count(len(reference.pairs), "answer") + ", used word for word"
    if not reference.files:
        yield f"{reference.label}: no document"
    yield from reference.files[:_MOST_FILES]
    if len(reference.files) > _MOST_FILES:
        yield f"and {len(reference.files) - _MOST_FILES} more"


def _paragraph(line: str) -> str:
    return f"<p style='width:380px'>{escape(line)}</p>"


@dataclass(frozen=True, slots=True, eq=False)
class Chip:
    """A mark with the cursor that selects its words, and these words."""

    cursor: QTextCursor
    words: str
    mark: PromptMark

    @property
    def is_intact(self) -> bool:
        """Whether its words are still those that were looked up."""
        return self.cursor.selectedText() == self.words

    @property
    def span(self) -> tuple[int, int]:
        """Where it is now, in UTF-16."""
        return self.cursor.selectionStart(), self.cursor.selectionEnd()


def make_chip(document: QTextDocument, text: str, mark: PromptMark) -> Chip:
    """Return the chip of ``mark`` in ``document``, which holds ``text``."""
    first = utf16_length(text[: mark.start])
    last = min(first + utf16_length(text[mark.start : mark.end]), document.characterCount() - 1)
    cursor = stretch(document, min(first, last), last)
    # What is typed right behind it is no part of it.
    cursor.setKeepPositionOnInsert(True)
    return Chip(cursor, cursor.selectedText(), mark)


def chip_rects(editor: QPlainTextEdit, chip: Chip) -> list[QRect]:
    """Return where the words of ``chip`` are on the viewport, line by line; none out of view."""
    first, last = chip.span
    rects: list[QRect] = []
    height = editor.viewport().height()
    for block in blocks_from(editor.document().findBlock(first), last - 1):
        place = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
        if place.top() > height:
            break
        if place.bottom() >= 0 and block.isVisible():
            rects += _line_rects(block, place.topLeft(), first, last)
    return rects


def _line_rects(block: QTextBlock, corner: QPointF, first: int, last: int) -> list[QRect]:
    rects = []
    layout = block.layout()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        begin = max(first - block.position(), line.textStart())
        end = min(last - block.position(), line.textStart() + line.textLength())
        if begin >= end:
            continue
        left, right = sorted((_x(line.cursorToX(begin)), _x(line.cursorToX(end))))
        top = line.y() + corner.y()
        rect = QRectF(left + corner.x() - 1, top, right - left + 2, line.height())
        rects.append(rect.toAlignedRect())
    return rects


def _x(place: object) -> float:
    # (The stubs say nothing of it: the position, and the letter that it was moved to.)
    x = place[0] if isinstance(place, tuple) else place
    return float(x) if isinstance(x, float | int) else 0.0


def paint_chips(editor: QPlainTextEdit, chips: tuple[Chip, ...]) -> None:
    """Draw ``chips`` on the viewport: found ones round, warnings dashed, wrong ones square."""
    colours = colours_for(editor.palette())
    painter = QPainter(editor.viewport())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for chip in chips:
        state = chip.mark.state
        colour = _colour(state, colours)
        fill, edge = QColor(colour), QColor(colour)
        fill.setAlpha(_FILL_ALPHA)
        edge.setAlpha(_EDGE_ALPHA)
        pen = QPen(edge, 1.0)
        if state is MarkState.WARNING:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(fill)
        radius = 0.0 if state is MarkState.WRONG else _ROUND
        for rect in chip_rects(editor, chip):
            painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.end()


def _colour(state: MarkState, colours: Colours) -> QColor:
    if state is MarkState.FOUND:
        return colours.link
    return colours.partly if state is MarkState.WARNING else colours.wrong
