"""The text field of the draft: a page of readable width whose footnote marks are links."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from phasergun_desktop.drafts.draft_shape import NO_FOOTNOTE, ParagraphKind
from phasergun_desktop.ui.editor import draft_clipboard, draft_formats, marks
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.editor.page_edit import PageEdit
from phasergun_desktop.ui.editor.spelling_lines import SpellingLines, hint_of
from phasergun_desktop.ui.editor.spoken_state import SpokenState, unit_at
from phasergun_desktop.ui.editor.support_highlighter import SupportHighlighter
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.theme import Colours, colours_for

# Characters; some six times the 60 pages that the speed of the desk is measured with.
MOST_PASTED = 1_000_000
TOO_MUCH_PASTED = (
    "That is more than a draft can hold, so nothing was pasted. Put the file into the project "
    "folder to cite it, or paste a part of it."
)


class DraftEditor(PageEdit):
    """Text that the writer edits; marks are whole, numbered by position, and open their source."""

    footnote_activated = Signal(int)
    marks_changed = Signal()
    menu_wanted = Signal(QMenu, int)
    # More was to be pasted than a page can hold; the sentence says so.
    paste_refused = Signal(str)

    def __init__(self, book: DraftBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.book = book
        self._colours = colours_for(self.palette())
        self._last_position = 0
        self.setAcceptRichText(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Draft")
        self.setPlaceholderText("The draft appears here. Choose a prompt, then press Generate.")
        self.viewport().setMouseTracking(True)
        self.highlighter = SupportHighlighter(self.document(), book, self.colours)
        self.spelling = SpellingLines(self)
        self._renumber_timer = QTimer(self, singleShot=True, interval=0)
        self._renumber_timer.timeout.connect(self._on_renumber_due)
        self.document().contentsChange.connect(self._on_contents_change)
        self.cursorPositionChanged.connect(self._on_cursor_moved)
        self.spoken = SpokenState(self)

    def new_document(self) -> QTextDocument:
        """Return an empty document for ``show_page``."""
        document = QTextDocument(self)
        document.contentsChange.connect(self._on_contents_change)
        return document

    def show_page(
        self, document: QTextDocument, book: DraftBook, highlighter: SupportHighlighter
    ) -> None:
        """Put another document, with what stands behind it, into view."""
        self.show_document(document)
        self.book, self.highlighter = book, highlighter
        highlighter.follow_colours()

    # Light and dark ----------------------------------------------------------------------

    def colours(self) -> Colours:
        """Return the colours that the overlays wear."""
        return self._colours

    def changeEvent(self, event: QEvent) -> None:
        """Recolour the overlays when light turns dark or back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "highlighter"):
            self._colours = colours_for(self.palette())
            self.highlighter.rehighlight()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and the lines under misspelled words over it."""
        super().paintEvent(event)
        self.spelling.paint(event.rect())

    # Marks --------------------------------------------------------------------------------

    def mark_here(self) -> int:
        """Return the key of the footnote at the cursor, or 0."""
        found = marks.mark_at(self.document(), self.textCursor().position())
        return found.footnote if found is not None else NO_FOOTNOTE

    def open_mark_here(self) -> bool:
        """Open the footnote at the cursor, else the next in this paragraph; False if none."""
        key = self.mark_here()
        if key == NO_FOOTNOTE:
            position = self.textCursor().position()
            for mark in marks.find_marks_in_block(self.document(), position):
                if mark.start >= position:
                    key = mark.footnote
                    break
        if key == NO_FOOTNOTE:
            return False
        self.footnote_activated.emit(key)
        return True

    def step_to_mark(self, step: int) -> bool:
        """Move the cursor to the next (``step`` 1) or previous (-1) mark."""
        position = self.textCursor().position()
        found = marks.find_marks(self.document())
        ahead = [one for one in found if (one.end > position if step > 0 else one.end < position)]
        if not ahead:
            return False
        self.move_cursor(ahead[0].end if step > 0 else ahead[-1].end)
        return True

    def select_mark(self, key: int) -> bool:
        """Put the cursor behind the first mark of a footnote and show it."""
        for mark in marks.find_marks(self.document()):
            if mark.footnote == key:
                self.move_cursor(mark.end)
                return True
        return False

    def move_cursor(self, position: int, anchor: int | None = None) -> None:
        """Move the cursor (selecting from ``anchor``) and scroll to it."""
        cursor = self.textCursor()
        cursor.setPosition(position if anchor is None else anchor)
        if anchor is not None:
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self._last_position = position
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def keys_between(self, start: int, end: int) -> set[int]:
        """Return the keys of the footnotes with a mark between two positions of a paragraph."""
        found = marks.find_marks_in_block(self.document(), start)
        return {one.footnote for one in found if start <= one.start and one.end <= end}

    def numbers(self) -> dict[int, int]:
        """Return footnote key → shown number."""
        return marks.numbers_of(marks.find_marks(self.document()))

    def _on_contents_change(self, _position: int, removed: int, added: int) -> None:
        # Plain typing cannot move a mark past another; only removal and pasting can.
        if removed > 0 or added > 1:
            self._renumber_timer.start()

    def _on_renumber_due(self) -> None:
        document = self.document()
        # What was undone is right as it was; a change here would cut off redo.
        if not document.isRedoAvailable() and not self.isReadOnly():
            marks.renumber(document, joins_previous=document.isUndoAvailable())
        self.marks_changed.emit()

    def _on_cursor_moved(self) -> None:
        cursor = self.textCursor()
        position = cursor.position()
        last, self._last_position = self._last_position, position
        if cursor.hasSelection() or self.isReadOnly():
            return
        found = marks.mark_at(self.document(), position)
        if found is None:
            return
        if found.start < position < found.end:
            self.move_cursor(found.start if last >= found.end else found.end)
        else:
            self._leave_mark_format()

    def _leave_mark_format(self) -> None:
        """Let what is typed beside a mark go on with the sentence, not with the number."""
        text_format = self.currentCharFormat()
        if draft_formats.footnote_of(text_format) != NO_FOOTNOTE:
            self.setCurrentCharFormat(draft_formats.text_beside_mark(text_format))

    # Keys and mouse -----------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open marks and delete them whole; everything else is as in any editor."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            self.open_mark_here()
            return
        if not self.isReadOnly() and self._deletes_mark(event):
            return
        if event.matches(QKeySequence.StandardKey.InsertParagraphSeparator):
            self._new_paragraph()
            return
        if event.text() and not self.isReadOnly() and not self.textCursor().hasSelection():
            self._leave_mark_format()
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Compose letters beside a mark as text."""
        if not self.isReadOnly() and not self.textCursor().hasSelection():
            self._leave_mark_format()
        super().inputMethodEvent(event)

    def _new_paragraph(self) -> None:
        super().keyPressEvent(
            QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r")
        )
        cursor = self.textCursor()
        block = cursor.block()
        if block.blockFormat().headingLevel() and block.length() == 1 and not self.isReadOnly():
            # The paragraph after a heading is text, as in a word processor.
            cursor.joinPreviousEditBlock()
            kind = ParagraphKind.TEXT
            cursor.setBlockFormat(draft_formats.block_format(kind))
            cursor.setBlockCharFormat(draft_formats.block_text_format(kind))
            cursor.endEditBlock()
            self.setCurrentCharFormat(draft_formats.block_text_format(kind))

    def _deletes_mark(self, event: QKeyEvent) -> bool:
        cursor = self.textCursor()
        if cursor.hasSelection():
            return False
        back = event.key() == Qt.Key.Key_Backspace
        if not back and event.key() != Qt.Key.Key_Delete:
            return False
        position = cursor.position()
        for mark in marks.find_marks_in_block(self.document(), position):
            if position == (mark.end if back else mark.start):
                stretch(self.document(), mark.start, mark.end).removeSelectedText()
                return True
        return False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the hand over a mark."""
        super().mouseMoveEvent(event)
        over = self._mark_under(event.position().toPoint()) != NO_FOOTNOTE
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the source of a mark that was clicked."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            key = self._mark_under(event.position().toPoint())
            if key != NO_FOOTNOTE:
                self.footnote_activated.emit(key)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the quote of a mark, or why a sentence is marked, on hover."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            # (Without a text it is hidden.)
            QToolTip.showText(event.globalPos(), self._hover_text(event), self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the usual menu with what can be done about the sentence."""
        menu = self.createStandardContextMenu(event.pos())
        self.menu_wanted.emit(menu, self.cursorForPosition(event.pos()).position())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def _mark_under(self, point: object) -> int:
        href = self.anchorAt(point)  # type: ignore[arg-type]  # QPoint; narrowed by the callers
        return draft_formats.key_of_href(href)

    def _hover_text(self, event: QHelpEvent) -> str:
        key = self._mark_under(event.pos())
        if key != NO_FOOTNOTE:
            changed = key in self.highlighter.changed_footnotes
            return hover_html(self.book.footnotes.get(key), is_changed=changed)
        cursor = self.cursorForPosition(event.pos())
        word = self.spelling.word_at(cursor.position())
        if word is not None:
            return f"<p style='width:320px'>{escape(hint_of(word.selectedText()))}</p>"
        return hover_html(unit_at(cursor, self.book))

    # Clipboard ----------------------------------------------------------------------------

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the text with its marks, so that a moved sentence keeps its footnotes."""
        return draft_clipboard.to_mime(self.textCursor(), self.book.footnotes)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take text of any origin."""
        return draft_clipboard.has_text(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste: drafts with their marks; of others headings, lists and tables, and plain text."""
        if len(source.text()) > MOST_PASTED:
            self.paste_refused.emit(TOO_MUCH_PASTED)
        elif not self.isReadOnly():
            draft_clipboard.insert(self.textCursor(), source, self.book)
            self.ensureCursorVisible()
