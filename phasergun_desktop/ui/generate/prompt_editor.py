"""The text field of a prompt, with its problems underlined where they stand."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from phasergun_desktop.references.model import Problem, Severity
from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.theme import colours_for

EXAMPLE = (
    "Say what to write, for example: Write the Device Description for [Master Record|Device Name]."
)
BESIDE_A_TEMPLATE = (
    "The section is drafted from the whole project. Write here only to name its sources, for "
    "example: Use @initiation, or to add something, for example: Cover the warranty."
)


class PromptEditor(QPlainTextEdit):
    """Problems carry code points; the field counts in UTF-16, so they are converted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        self.setTabChangesFocus(True)
        self.setAccessibleName("Prompt")
        self.describe(has_template=False)

    def describe(self, *, has_template: bool) -> None:
        """Say in the empty field what can be written in it."""
        self.setPlaceholderText(BESIDE_A_TEMPLATE if has_template else EXAMPLE)

    def replace_text(self, text: str) -> None:
        """Put ``text`` in the place of all that stands there, as one undo step."""
        if text == self.toPlainText():
            return
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Underline the problems of the text as it stands."""
        self._problems = problems
        self._underline()

    def problem_spans(self) -> list[tuple[int, int]]:
        """Return the underlined UTF-16 spans."""
        return [self._span(one) for one in self._problems if one.end > one.start]

    def go_to(self, problem: Problem) -> None:
        """Select the problem's text."""
        first, last = self._span(problem)
        cursor = self.textCursor()
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _span(self, problem: Problem) -> tuple[int, int]:
        text = self.toPlainText()
        first = utf16_length(text[: problem.start])
        return first, first + utf16_length(text[problem.start : problem.end])

    def _underline(self) -> None:
        colours = colours_for(self.palette())
        selections = []
        last = self.document().characterCount() - 1
        for problem in self._problems:
            first, end = self._span(problem)
            if end <= first or end > last:
                continue
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(first)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            blocks = problem.severity is Severity.BLOCKS
            style = QTextCharFormat.UnderlineStyle
            look.setUnderlineStyle(style.WaveUnderline if blocks else style.DotLine)
            look.setUnderlineColor(colours.wrong if blocks else colours.partly)
            selection.cursor = cursor
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what is wrong where the pointer rests."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            position = self.cursorForPosition(event.pos()).position()
            for problem in self._problems:
                first, last = self._span(problem)
                if first <= position <= last and last > first:
                    text = f"{problem.message}\n{problem.remedy}".strip()
                    QToolTip.showText(event.globalPos(), text, self.viewport())
                    return True
            QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl as everywhere."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomIn(1) if event.angleDelta().y() > 0 else self.zoomOut(1)
            event.accept()
            return
        super().wheelEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Underline in the colours of light or dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_problems"):
            self._underline()
