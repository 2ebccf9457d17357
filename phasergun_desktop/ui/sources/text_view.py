"""Shows a source as text with structure, read only, with the passage marked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.ui.sources.source_text import SourceText, build_source_text
from phasergun_desktop.ui.theme import colours_for, reading_font

DEFAULT_POINTS = 11.0
SMALLEST_POINTS, LARGEST_POINTS = 7.0, 26.0
# The passage stands a third down the view, so that what leads to it is seen too.
PASSAGE_AT = 3


class SourceTextView(QTextEdit):
    """Headings, lists, tables and code of a source; the text is exactly that of the file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: SourceText | None = None
        self._passage = (0, 0)
        self._points = DEFAULT_POINTS
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Source text")

    def show_document(self, source: ParsedDocument) -> None:
        """Show another document from its beginning."""
        if self._shown is not None and self._shown.source is source:
            return
        made = build_source_text(source, reading_font(self._points))
        old = self._shown
        made.document.setParent(self)
        self.setDocument(made.document)
        self._shown = made
        self._passage = (0, 0)
        self.setExtraSelections([])
        if old is not None:
            old.document.deleteLater()

    def show_passage(self, start: int, end: int) -> None:
        """Mark code points ``start``..``end`` and scroll to them; an empty range marks nothing."""
        self._passage = (start, end)
        self._mark()
        found = self._shown.positions(start, end) if self._shown is not None else []
        cursor = QTextCursor(self.document())
        cursor.setPosition(found[0][0] if found else 0)
        self.setTextCursor(cursor)
        if found:
            self._scroll_to_cursor()

    def highlighted_text(self) -> str:
        """Return the marked text as the view shows it, parts joined as in the source."""
        if self._shown is None:
            return ""
        selections = self.extraSelections()
        places = self._shown.positions(*self._passage)
        # What lies between the shown parts (separators, column names) is as in the source.
        parts: list[str] = []
        before, wanted_end = self._passage
        for selection, (_first, _last, start, end) in zip(selections, places, strict=True):
            parts.append(self._shown.source.text[before:start])
            shown = selection.cursor.selectedText()
            parts.append(str(shown).replace("\u2028", "\n").replace("\u2029", "\n"))
            before = end
        parts.append(self._shown.source.text[before:wanted_end] if places else "")
        return "".join(parts)

    def zoom_by(self, steps: int) -> None:
        """Make the text larger or smaller by ``steps`` points."""
        wanted = min(max(self._points + steps, SMALLEST_POINTS), LARGEST_POINTS)
        if wanted != self._points:
            self._points = wanted
            self.document().setDefaultFont(reading_font(wanted))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Mark in the colours of light or dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and getattr(self, "_shown", None) is not None:
            self._mark()

    def _mark(self) -> None:
        colours = colours_for(self.palette())
        look = QTextCharFormat()
        look.setBackground(colours.passage)
        look.setForeground(colours.passage_text)
        # A line as well: the mark must be seen without its colour.
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(colours.passage_edge)
        selections = []
        places = self._shown.positions(*self._passage) if self._shown is not None else []
        for first, last, _start, _end in places:
            cursor = QTextCursor(self.document())
            cursor.setPosition(first)
            cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)

    def _scroll_to_cursor(self) -> None:
        self.ensureCursorVisible()
        bar = self.verticalScrollBar()
        wanted = bar.value() + self.cursorRect().top() - self.viewport().height() // PASSAGE_AT
        bar.setValue(wanted)
