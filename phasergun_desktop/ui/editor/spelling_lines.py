"""Double lines under the misspelled words in view: drawn over the page, never part of the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPen, QTextBlock, QTextCursor, QTextLine, QTextTable
from PySide6.QtWidgets import QTextEdit

from phasergun_desktop.spelling.checked_words import WordAt
from phasergun_desktop.spelling.speller import Speller
from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.text_stretches import blocks_from, stretch
from phasergun_desktop.ui.theme import colours_for


def hint_of(word: str) -> str:
    """Say why a word is marked and what can be done."""
    return f"“{word}” is not in the dictionary. A right click or Alt+Return shows suggestions."


class SpellingLines:
    """Sentences have dotted, dashed and wavy lines; two straight ones are a word's, whatever its
    sentence has. Only paragraphs in view are checked, when they are drawn."""

    def __init__(self, editor: QTextEdit) -> None:
        self._editor = editor
        self._speller: Speller | None = None
        # Where a word is being typed that would be marked.
        self._held = -1
        editor.cursorPositionChanged.connect(self._on_cursor_moved)

    def use(self, speller: Speller | None) -> None:
        """Mark what ``speller`` does not know from now on; None marks nothing."""
        self._speller = speller
        self._editor.viewport().update()

    def misspelled(self, block: QTextBlock) -> tuple[WordAt, ...]:
        """Return the misspelled words of a paragraph."""
        return self._speller.misspelled(block.text()) if self._speller is not None else ()

    def word_at(self, position: int) -> QTextCursor | None:
        """Return the misspelled word at a position, selected."""
        block = self._editor.document().findBlock(position)
        return next(
            (
                cursor
                for cursor in self._cursors(block)
                if cursor.selectionStart() <= position <= cursor.selectionEnd()
            ),
            None,
        )

    def next_word(self, position: int) -> QTextCursor | None:
        """Return the first misspelled word behind a position, from the beginning again at the
        end of the text, selected."""
        block = self._editor.document().findBlock(position)
        for _ in range(self._editor.document().blockCount() + 1):
            for cursor in self._cursors(block):
                if cursor.selectionStart() >= position:
                    return cursor
            block, position = block.next(), 0
            if not block.isValid():
                block = self._editor.document().begin()
        return None

    def _cursors(self, block: QTextBlock) -> Iterator[QTextCursor]:
        text = block.text()
        for word in self.misspelled(block):
            # Positions count UTF-16 units.
            start = block.position() + utf16_length(text[: word.start])
            yield stretch(self._editor.document(), start, start + len(word.text))

    # Drawing ----------------------------------------------------------------------------------

    def paint(self, area: QRect) -> None:
        """Draw the lines within ``area`` of the viewport."""
        if self._speller is None:
            return
        editor = self._editor
        document, top = editor.document(), editor.verticalScrollBar().value()
        first = editor.cursorForPosition(area.topLeft())
        table: QTextTable | None = first.currentTable()
        # In a row, what is drawn beside it may come before.
        at = table.firstCursorPosition() if table is not None else first
        painter = QPainter(editor.viewport())
        painter.setPen(QPen(colours_for(editor.palette()).wrong, 1))
        painter.translate(-editor.horizontalScrollBar().value(), -top)
        for block in blocks_from(at.block()):
            where = document.documentLayout().blockBoundingRect(block)
            if where.top() - top > area.bottom():
                break
            if where.bottom() - top >= area.top():
                self._paint_block(painter, block, where.topLeft())
        painter.end()

    def _paint_block(self, painter: QPainter, block: QTextBlock, corner: QPointF) -> None:
        layout = block.layout()
        origin = corner - layout.boundingRect().topLeft()
        for cursor in self._cursors(block):
            end = cursor.selectionEnd()
            if self._is_being_typed(end):
                self._held = end
                continue
            start = cursor.selectionStart() - block.position()
            line = layout.lineForTextPosition(start)
            left, right = (_across(line, at) for at in (start, end - block.position()))
            under = origin.y() + line.y() + line.ascent() + max(3.0, line.descent() * 0.8)
            for y in (under, under + 2.5):
                painter.drawLine(QPointF(origin.x() + left, y), QPointF(origin.x() + right, y))

    def _is_being_typed(self, end: int) -> bool:
        cursor = self._editor.textCursor()
        return self._editor.hasFocus() and cursor.position() == end and not cursor.hasSelection()

    def _on_cursor_moved(self) -> None:
        if self._held >= 0 and self._held != self._editor.textCursor().position():
            self._held = -1
            self._editor.viewport().update()


def _across(line: QTextLine, position: int) -> float:
    # The number comes with the position that it is of.
    found: Any = line.cursorToX(position)
    return float(found[0])
