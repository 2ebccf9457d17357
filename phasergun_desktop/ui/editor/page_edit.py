"""A text field that looks like a page (readable line length, zoom, no frame), and how the view of
a field follows text that is added."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPalette,
    QResizeEvent,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from phasergun_desktop.ui.theme import reading_font

SHORTEST_LINE, LONGEST_LINE = 60, 80
SMALLEST_MARGIN = 28
SMALLEST_POINTS, LARGEST_POINTS = 8.0, 28.0
DEFAULT_POINTS = 12.0
MARGIN = 8.0
_NEAR_END = 24


class PageEdit(QTextEdit):
    """Keeps its lines at a number of characters, whatever the width of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Size of the text in points.
        self.points = DEFAULT_POINTS
        self._family = ""
        self._characters = 72
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        # A table whose words need more than the line is scrolled sideways, not broken in its words.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.document().setDocumentMargin(MARGIN)
        self._apply_font()
        self.cursorPositionChanged.connect(self._show_line)

    def set_points(self, points: float) -> None:
        """Set the size of the text, within what can be read."""
        wanted = min(max(points, SMALLEST_POINTS), LARGEST_POINTS)
        if wanted == self.points:
            return
        self.points = wanted
        self._apply_font()
        self._apply_margins()

    def set_family(self, family: str) -> None:
        """Set the face; empty is the built-in choice."""
        if family != self._family:
            self._family = family
            self._apply_font()
            self._apply_margins()

    def set_characters(self, characters: int) -> None:
        """Set how many characters of mean width a line holds."""
        if characters != self._characters:
            self._characters = characters
            self._apply_margins()

    def show_document(self, document: QTextDocument) -> None:
        """Put another document into view, in the letters of this field."""
        document.setDocumentMargin(MARGIN)
        if document.defaultFont() != self.font():
            document.setDefaultFont(self.font())
        self.setDocument(document)

    def _apply_font(self) -> None:
        font = reading_font(self.points, self._family)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        self.setFont(font)
        self.document().setDefaultFont(font)

    def _apply_margins(self) -> None:
        width = QFontMetricsF(self.font()).averageCharWidth() * self._characters
        spare = self.width() - self.verticalScrollBar().sizeHint().width() - width
        side = max(SMALLEST_MARGIN, int(spare / 2))
        self.setViewportMargins(side, 14, side, 0)

    def ensureCursorVisible(self) -> None:
        """Scroll to the cursor, and a little further."""
        super().ensureCursorVisible()
        self._show_line()

    def _show_line(self) -> None:
        """Keep the line below its letters in view too: a mark is drawn there."""
        line = self.cursorRect()
        under = line.bottom() + line.height() // 2 - self.viewport().height()
        if 0 < under < line.height():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + under)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line at a readable length."""
        self._apply_margins()
        super().resizeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_points(self.points + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
            return
        super().wheelEvent(event)


@contextmanager
def following_end(view: QTextEdit) -> Iterator[None]:
    """Keep the end of the text in view while some is added, if it was in view before."""
    bar = view.verticalScrollBar()
    follows = bar.value() >= bar.maximum() - _NEAR_END
    try:
        yield
    finally:
        if follows:
            bar.setValue(bar.maximum())
