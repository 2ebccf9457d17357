"""The panel that asks the project: a conversation above, the next question below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.ask.composer import Composer
from phasergun_desktop.ui.ask.conversation_list import ConversationList
from phasergun_desktop.ui.ask.transcript import Transcript
from phasergun_desktop.ui.fold_line import FoldLine
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out

NEW = "New conversation"


class AskPanel(QWidget):
    """Widgets only; the flow connects them with the project."""

    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title_line = FoldLine("Conversation")
        self.title_line.setToolTip("Show the conversations of this project, and search them")
        self.new_button = self._button("New", "Begin another conversation")
        self.more_button = self._button("More", "Rename, export or delete this conversation")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more_button)
        self.rename: QAction = menu.addAction("&Rename…")
        self.export_markdown: QAction = menu.addAction("Export to &Markdown…")
        self.export_word: QAction = menu.addAction("Export to &Word…")
        menu.addSeparator()
        self.delete: QAction = menu.addAction("&Delete…")
        self.more_button.setMenu(menu)
        self.transcript = Transcript()
        self.list = ConversationList()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.transcript)
        self.stack.addWidget(self.list)
        self.composer = Composer()
        self.transcript.titled = self.composer.titled
        self._build()
        self.title_line.folded.connect(self._on_folded)
        self.list.left.connect(lambda: self.title_line.fold(True))
        self.show_title("")

    def _button(self, text: str, tip: str) -> QToolButton:
        made = QToolButton(autoRaise=True)
        made.setText(text)
        made.setToolTip(tip)
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return made

    def _build(self) -> None:
        policy = self.title_line.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self.title_line.setSizePolicy(policy)
        line = (self.title_line, 1), self.new_button, self.more_button
        top = laid_out(QHBoxLayout(), *line, margins=(4, 2, 4, 2), spacing=2)
        rule = QFrame(frameShape=QFrame.Shape.HLine, frameShadow=QFrame.Shadow.Plain)
        rule.setForegroundRole(self.palette().ColorRole.Mid)
        rows = top, (self.stack, 1), rule, self.composer
        laid_out(QVBoxLayout(self), *rows, margins=NO_MARGINS, spacing=0)

    def show_title(self, title: str, *, is_kept: bool = False) -> None:
        """Say which conversation is in view; one that is not kept yet has nothing to be done."""
        self.title_line.say(title or NEW)
        self.more_button.setEnabled(is_kept)

    def show_transcript(self) -> None:
        """Show the conversation instead of the list."""
        self.title_line.fold(True)

    def focus_box(self) -> None:
        """Give the keyboard to the question."""
        self.show_transcript()
        self.composer.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_folded(self, is_folded: bool) -> None:
        self.stack.setCurrentWidget(self.transcript if is_folded else self.list)
        if is_folded:
            self.composer.box.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.list.begin()
            self.list_wanted.emit()
