"""The conversation on the screen under the writer's hands, with tooltips and the menu of a turn."""

from __future__ import annotations

from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.ui.ask.conversation_page import ConversationPage
from phasergun_desktop.ui.ask.conversation_view import ConversationView
from phasergun_desktop.ui.ask.turn_formats import Act, link_of
from phasergun_desktop.ui.ask.turn_words import has_answer
from phasergun_desktop.ui.drafts.cited_clipboard import cited_data
from phasergun_desktop.ui.editor.draft_hover import hover_html, shortened
from phasergun_desktop.ui.editor.spoken_state import unit_at
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.wording import confidence_lines, footnote_line, shown_mark

_REWRITTEN = "Ask it as a whole question, looked up alone: it goes into the question box"
OF_ANY = (Act.AGAIN, Act.EDIT, Act.KEEP)
ENTRIES = (
    (Act.AGAIN, "&Ask again"),
    (Act.EDIT, "&Edit the question"),
    (Act.COPY, "&Copy with sources"),
    (Act.INSERT, "&Insert into the draft"),
    (Act.KEEP, "&Save as an evaluation question"),
    (Act.RIGHT, "This passage is the &right one"),
)


class Transcript(ConversationView):
    """Read only. Alt with Up and Down steps through marks and links, Ctrl through questions."""

    footnote_activated = Signal(object)
    passage_activated = Signal(object)
    # What is to be done with a turn: ``Act``, the turn, and the passage that it is about, if any.
    action_wanted = Signal(object, object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cursorPositionChanged.connect(self._tell)

    # Going about ------------------------------------------------------------------------------

    def current_turn(self) -> Turn | None:
        """Return the turn at the cursor, else the last one."""
        here = self.page.turn_at(self.textCursor().position())
        return here or next(reversed(self.turns), None)

    def step_turn(self, step: int) -> None:
        """Go to the next (1) or previous (-1) question."""
        here = self.current_turn()
        if here is None:
            return
        is_inside = self.textCursor().position() > self.page.span(here.number)[0]
        wanted = here.number if step < 0 and is_inside else here.number + step
        if wanted not in self.page.shown and step < 0:
            self.show_earlier()
        if wanted in self.page.shown:
            self.go_to_turn(wanted)

    def go_to_turn(self, number: int) -> None:
        """Put the cursor at a question, at the top of the view."""
        cursor = self.textCursor()
        cursor.setPosition(self.page.span(number)[0])
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(self.top_of(number))

    def show_earlier(self) -> None:
        """Lay out some of the turns before those in view, and go to the last of them."""
        last = self.page.put_earlier()
        if last:
            self.settle_layout()
            self.go_to_turn(last)

    def step_link(self, step: int) -> None:
        """Go to the next (1) or previous (-1) mark or link, and select it."""
        cursor = self.textCursor()
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        links = [(one.position(), one.position() + one.length()) for one in self.page.links()]
        if step > 0:
            found = next((one for one in links if one[1] > last), None)
        else:
            found = next((one for one in reversed(links) if one[0] < first), None)
        if found is not None:
            self.setTextCursor(stretch(self.document(), *found))
            self.ensureCursorVisible()

    def open_here(self) -> bool:
        """Follow the mark or link at the cursor; whether there is one."""
        return self._follow(self._href_here())

    def chosen_footnote(self) -> Footnote | None:
        """Return the footnote of the mark or line of the sources at the cursor."""
        return self.page.footnote_of(self._href_here())

    def chosen_passage(self) -> Passage | Footnote | None:
        """Return the passage that the link at the cursor leads to."""
        link = link_of(self._href_here())
        if link is not None and link.act is Act.PASSAGE:
            return self.page.turn(link.number).unused[link.index]
        return self.chosen_footnote()

    def _href_here(self) -> str:
        return str(self.textCursor().charFormat().anchorHref())

    def _follow(self, href: str) -> bool:
        footnote, link = self.page.footnote_of(href), link_of(href)
        if footnote is not None:
            self.footnote_activated.emit(footnote)
        elif link is None:
            return False
        elif link.act is Act.EARLIER:
            self.show_earlier()
        elif link.act is Act.PASSAGE:
            self.passage_activated.emit(self.page.turn(link.number).unused[link.index])
        elif link.act in (Act.WHOLE_QUESTION, Act.UNUSED):
            at, bar = self.textCursor().position(), self.verticalScrollBar()
            value = bar.value()
            self.page.unfold(link)
            cursor = self.textCursor()
            cursor.setPosition(min(at, self.page.span(link.number)[1]))
            self.setTextCursor(cursor)
            bar.setValue(value)
        elif link.act is Act.CONFIDENCE:
            where = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
            QToolTip.showText(where, hover_of(self.page, href), self.viewport())
        elif link.act is Act.MORE:
            here = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
            self._pop_up(self.page.turn(link.number), here)
        elif not self.page.is_running:
            self.action_wanted.emit(link.act, self.page.turn(link.number), None)
        return True

    # Keys and mouse ---------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep the keys that go about in the conversation from the window's menus."""
        is_ours = isinstance(event, QKeyEvent) and _step_of(event) is not None
        if event.type() == QEvent.Type.ShortcutOverride and is_ours:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step through marks, links and questions; Return opens."""
        step = _step_of(event)
        if step is not None:
            by_link = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            (self.step_link if by_link else self.step_turn)(step)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or not self.open_here():
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the hand over what can be clicked."""
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow what was clicked."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self._follow(self.anchorAt(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the quote of a mark, why a sentence is marked, or what confidence rests on."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            # (Without a text it is hidden.)
            QToolTip.showText(event.globalPos(), self.hover_at(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def hover_at(self, point: QPoint) -> str:
        """Return what the pointer learns at a point."""
        href = self.anchorAt(point)
        if href:
            return hover_of(self.page, href)
        return hover_html(unit_at(self.cursorForPosition(point), self.page.book))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show what can be done with the turn."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            at = self.cursorForPosition(event.pos())
            if not self.textCursor().hasSelection():
                self.setTextCursor(at)
            self._pop_up(self.page.turn_at(at.position()), event.globalPos())
        else:
            self.show_menu()

    def show_menu(self) -> None:
        """Show what can be done with the turn at the cursor."""
        here = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
        self._pop_up(self.page.turn_at(self.textCursor().position()), here)

    def _pop_up(self, turn: Turn | None, where: QPoint) -> None:
        menu = turn_menu(self, turn or self.current_turn())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the words alone; a whole answer is copied with its sources by its own command."""
        return cited_data(self.page.words_of(self.textCursor()), None)

    def _tell(self) -> None:
        """Say what a mark at the cursor rests on."""
        footnote, words = self.chosen_footnote(), ""
        if footnote is not None:
            words = f"Footnote {footnote.number}: {footnote_line(footnote)}"
            words += f": “{shortened(footnote.quote)}”" if footnote.quote else ""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            if words and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


def _step_of(event: QKeyEvent) -> int | None:
    steps: dict[int, int] = {Qt.Key.Key_Down.value: 1, Qt.Key.Key_Up.value: -1}
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    is_ours = held in (Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier)
    return steps.get(event.key()) if is_ours else None


def hover_of(page: ConversationPage, href: str) -> str:
    """Return the tooltip of a mark (its quote, and the whole of one that is shortened) or a link of
    ``page``; empty where there is none."""
    footnote, link = page.footnote_of(href), link_of(href)
    if footnote is not None:
        is_short = footnote.mark and shown_mark(footnote) not in footnote.mark
        return hover_html(footnote) + (f"<p>{escape(footnote.mark)}</p>" if is_short else "")
    if link is None or link.act is Act.EARLIER:
        return ""
    turn = page.turn(link.number)
    if link.act is Act.CONFIDENCE and turn.confidence is not None:
        lines = [f"{turn.confidence.score:.2f} of 1", *confidence_lines(turn.confidence)]
        return f"<p style='width:320px'>{'<br>'.join(escape(line) for line in lines)}</p>"
    if link.act is Act.PASSAGE:
        return f"<p style='width:380px'>“{escape(shortened(turn.unused[link.index].text))}”</p>"
    return f"<p>{_REWRITTEN}</p>" if link.act is Act.REWRITTEN else ""


def turn_menu(transcript: Transcript, turn: Turn | None) -> QMenu:
    """Return the menu of ``turn``; only that of the selection while an answer is written."""
    menu = QMenu(transcript)
    passage = transcript.chosen_passage()
    if turn is not None and not transcript.page.is_running:
        for act, words in ENTRIES:
            entry = menu.addAction(words)
            is_there = passage is not None if act is Act.RIGHT else has_answer(turn)
            entry.setEnabled(is_there or act in OF_ANY)
            entry.triggered.connect(partial(_want, transcript, act, turn))
    menu.addSeparator()
    copy = menu.addAction("Copy the se&lection")
    copy.setEnabled(transcript.textCursor().hasSelection())
    copy.triggered.connect(transcript.copy)
    return menu


def _want(transcript: Transcript, act: Act, turn: Turn, _checked: bool = False) -> None:
    passage = transcript.chosen_passage() if act is Act.RIGHT else None
    transcript.action_wanted.emit(act, turn, passage)
