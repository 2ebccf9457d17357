"""The text field of a prompt: references are chips, and names are offered as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QTextEdit, QToolTip, QWidget

from phasergun_desktop.references.completion import Completion, completions
from phasergun_desktop.references.model import Problem, ResolvedReference
from phasergun_desktop.references.reference_names import ReferenceNames
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.generate.name_popup import NamePopup
from phasergun_desktop.ui.generate.prompt_chips import (
    Chip,
    MarkState,
    chip_rects,
    make_chip,
    marks_of,
    paint_chips,
)
from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import file_name

EXAMPLE = (
    "Say what to write, for example: Write the Device Description for [Master Record|Device Name]. "
    "Type [ or @ to choose sources."
)
BESIDE_A_TEMPLATE = (
    "The section is drafted from the whole project. Write here only to name its sources, for "
    "example: Use @initiation, or to add something, for example: Cover the warranty."
)
NOTHING_INSTEAD = "Nothing that exists is near to this name"
_LONGEST_ENTRY, _MOST_FILES = 70, 5
_OF_THE_LIST = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)


class PromptEditor(QPlainTextEdit):
    """Plans carry code points; the field counts in UTF-16, so they are converted."""

    # One thing was put in the place of another.
    replaced = Signal()
    # A document that a reference means is to be shown.
    file_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: tuple[Chip, ...] = ()
        self.names = ReferenceNames()
        self._is_dismissed = self._is_taking = False
        self.popup = NamePopup(self)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Prompt")
        self.describe(has_template=False)
        self.textChanged.connect(self._on_text_changed)
        self.cursorPositionChanged.connect(self._on_cursor_moved)
        self.popup.taken.connect(self._take)
        self.popup.dismissed.connect(self._on_dismissed)

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

    # References and problems ------------------------------------------------------------------

    def show_marks(
        self, references: tuple[ResolvedReference, ...], problems: tuple[Problem, ...]
    ) -> None:
        """Draw the references and underline the problems of the text as it stands."""
        text = self.toPlainText()
        marks = marks_of(references, problems)
        self._chips = tuple(make_chip(self.document(), text, mark) for mark in marks)
        self._underline()
        self.viewport().update()

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The references and problems whose words are still what they were."""
        return tuple(chip for chip in self._chips if chip.is_intact)

    def go_to(self, problem: Problem) -> None:
        """Select the problem's text."""
        text = self.toPlainText()
        first = utf16_length(text[: problem.start])
        self._select(first, first + utf16_length(text[problem.start : problem.end]))

    def _select(self, first: int, last: int) -> None:
        self.setTextCursor(stretch(self.document(), first, last))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def use(self, problem: Problem, text: str) -> None:
        """Put ``text`` where ``problem`` is, as one undo step, if its words still stand there."""
        for chip in self.chips:
            if problem not in chip.mark.fixable:
                continue
            self._select(*chip.span)
            self.textCursor().insertText(text)
            self.replaced.emit()
            return

    def _underline(self) -> None:
        colours = colours_for(self.palette())
        selections = []
        for chip in self.chips:
            if chip.mark.state is MarkState.FOUND:
                continue
            selection = QTextEdit.ExtraSelection()
            look = QTextCharFormat()
            is_wrong = chip.mark.state is MarkState.WRONG
            style = QTextCharFormat.UnderlineStyle
            look.setUnderlineStyle(style.WaveUnderline if is_wrong else style.DotLine)
            look.setUnderlineColor(colours.wrong if is_wrong else colours.partly)
            selection.cursor = chip.cursor
            selection.format = look
            selections.append(selection)
        self.setExtraSelections(selections)

    def _chip_at(self, point: QPoint) -> Chip | None:
        return next(
            (c for c in self.chips if any(r.contains(point) for r in chip_rects(self, c))), None
        )

    # What can be done about a problem ---------------------------------------------------------

    def show_fixes(self) -> bool:
        """Offer what may stand instead of the problem at the cursor, or of the next one; whether
        there is any."""
        wrong = [chip for chip in self.chips if chip.mark.fixable]
        at = self.textCursor().selectionStart()
        chip = next((one for one in wrong if one.span[1] >= at), wrong[0] if wrong else None)
        if chip is None:
            return False
        self._select(*chip.span)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_fixes(menu, chip)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(self.viewport().mapToGlobal(self.cursorRect().bottomLeft()))
        return True

    def _add_fixes(self, menu: QMenu, chip: Chip) -> None:
        _add_first(
            menu,
            [
                (f"Use {text}", partial(self.use, problem, text))
                for problem in chip.mark.fixable
                for text in problem.replacements
            ],
        )

    def _add_files(self, menu: QMenu, chip: Chip) -> None:
        reference = chip.mark.reference
        files = reference.files[:_MOST_FILES] if reference is not None else ()
        _add_first(
            menu, [(f"Open {file_name(one)}", partial(self.file_wanted.emit, one)) for one in files]
        )

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what may stand instead of a problem and the documents that a reference means, above
        what every field offers."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chip = self._chip_at(event.pos())
        if chip is not None:
            self._add_files(menu, chip)
            self._add_fixes(menu, chip)
        menu.popup(event.globalPos())

    # Names that are offered -------------------------------------------------------------------

    def _on_text_changed(self) -> None:
        self._underline()
        self._offer()

    def _on_cursor_moved(self) -> None:
        if self.popup.is_open:
            self._offer()

    def _before_cursor(self) -> str:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText()

    def _offer(self, *, is_asked: bool = False) -> None:
        """Offer what can stand at the cursor, in a field in which the writer types."""
        if self._is_taking:
            return
        is_typing = self.hasFocus() and not self.textCursor().hasSelection()
        found: tuple[Completion, ...] = ()
        if is_typing and self.names.scopes:
            found = completions(self._before_cursor(), self.names)
        # What was closed with Esc stays closed until something else is begun.
        self._is_dismissed = self._is_dismissed and bool(found) and not is_asked
        if self._is_dismissed:
            return
        where = self.cursorRect()
        where.translate(self.viewport().pos())
        self.popup.offer(found, where)

    def _on_dismissed(self) -> None:
        self._is_dismissed = True

    def _take(self, chosen: Completion) -> None:
        """Write what was chosen in the place of what was typed of it."""
        before = self._before_cursor()
        cursor = self.textCursor()
        typed = utf16_length(before[len(before) - chosen.length :]) if chosen.length else 0
        move, keep = QTextCursor.MoveOperation, QTextCursor.MoveMode.KeepAnchor
        text = chosen.insert
        after = cursor.block().text()[len(before) :]
        if text.endswith("]") and after.startswith("]"):
            text = text[:-1]
        self._is_taking = True
        # Not by letters: one of those may be several places long.
        cursor.setPosition(cursor.position() - typed, keep)
        cursor.insertText(text)
        if text != chosen.insert:
            cursor.movePosition(move.Right)
        self.setTextCursor(cursor)
        self._is_taking = False
        # The list is closed for what was chosen, and opens again for the next part.
        QTimer.singleShot(0, self, self._offer)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's own name
        """Leave Tab to the list while it is open."""
        return not self.popup.is_open and super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Offer names with Ctrl+Space too; leave to the list the keys that take and close."""
        if self.popup.is_open and event.key() in _OF_THE_LIST:
            event.ignore()
            return
        is_asked = event.key() == Qt.Key.Key_Space
        if is_asked and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self._offer(is_asked=True)
            return
        super().keyPressEvent(event)

    # Drawing and pointing ---------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips behind the text."""
        paint_chips(self, self.chips)
        super().paintEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what a reference stands for, or what is wrong, where the pointer rests."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            chip = self._chip_at(event.pos())
            # (Without a text it is hidden.)
            tip = chip.mark.tip() if chip is not None else ""
            QToolTip.showText(event.globalPos(), tip, self.viewport())
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
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_chips"):
            self._underline()


def _add_first(menu: QMenu, entries: Sequence[tuple[str, Callable[[], object]]]) -> None:
    """Put entries above those of ``menu``."""
    first = menu.actions()[0] if menu.actions() else None
    for words, do in entries:
        # Names of files may hold an ampersand.
        action = menu.addAction(shortened(words, _LONGEST_ENTRY).replace("&", "&&"))
        action.triggered.connect(lambda _checked=False, do=do: do())
        if first is not None:
            menu.insertAction(first, action)
    if first is not None and entries:
        menu.insertSeparator(first)
