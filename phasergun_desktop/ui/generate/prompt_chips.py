"""References of a prompt as chips behind its text: they move with their words."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from phasergun_desktop.ui.generate.prompt_marks import MarkState, PromptMark
from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.theme import Colours, colours_for

_FILL_ALPHA, _EDGE_ALPHA, _ROUND = 34, 150, 4.0


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
    cursor = QTextCursor(document)
    cursor.setPosition(min(first, last))
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    # What is typed right behind it is no part of it.
    cursor.setKeepPositionOnInsert(True)
    return Chip(cursor, cursor.selectedText(), mark)


def chip_rects(editor: QPlainTextEdit, chip: Chip) -> list[QRect]:
    """Return where the words of ``chip`` are on the viewport, line by line; none out of view."""
    first, last = chip.span
    block = editor.document().findBlock(first)
    rects: list[QRect] = []
    height = editor.viewport().height()
    while block.isValid() and block.position() < last:
        place = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
        if place.top() > height:
            break
        if place.bottom() >= 0 and block.isVisible():
            rects += _line_rects(block, place.topLeft(), first, last)
        block = block.next()
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
