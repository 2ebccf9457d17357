"""Takes what is to change in a text, and shows old and new side by side to accept or reject."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.drafts.differences import Change, word_differences
from phasergun_desktop.ui.editor.difference_view import DifferenceView
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox

LOWEST, HIGHEST = 56, 190


class RewriteBar(QWidget):
    """Under the draft while something is rewritten; Return asks, then accepts, Esc leaves."""

    wished = Signal(str)
    accepted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.box = QLineEdit(placeholderText="How? For example: shorter, or: state the limit")
        self.box.setAccessibleName("What is to change")
        self.about.setBuddy(self.box)
        self.whole_box = OutlinedCheckBox("&Whole paragraph")
        self.whole_box.setToolTip("Rewrite the whole paragraph (Ctrl+R once more)")
        self.go_button = QPushButton("Rewrite")
        self.go_button.setToolTip("Let the language model rewrite it (Return)")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Leave the text as it is (Esc)")
        self.proposal = QWidget()
        self.old = DifferenceView("Text as it stands")
        self.new = DifferenceView("Text as rewritten")
        self.verdict = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.accept_button = QPushButton("Accept")
        self.accept_button.setToolTip("Put the new text in the place of the old (Return)")
        self.reject_button = QPushButton("Reject")
        self.reject_button.setToolTip("Leave the text as it is (Esc)")
        self._build()
        self.box.returnPressed.connect(self._on_wished)
        self.go_button.clicked.connect(self._on_wished)
        self.accept_button.clicked.connect(self.accepted)
        self.reject_button.clicked.connect(self.left)
        self.cancel_button.clicked.connect(self.left)
        self.hide()

    def _build(self) -> None:
        buttons = self.whole_box, self.go_button, self.cancel_button
        asking = laid_out(QHBoxLayout(), self.about, (self.box, 1), *buttons)
        sides = QHBoxLayout()
        for words, view in (("As it stands", self.old), ("Rewritten", self.new)):
            label = QLabel(words)
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            sides.addLayout(laid_out(QVBoxLayout(), label, view, spacing=2), 1)
        deciding = QHBoxLayout()
        deciding.addWidget(self.verdict, 1)
        for button in (self.accept_button, self.reject_button):
            deciding.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        laid_out(QVBoxLayout(self.proposal), sides, deciding, margins=NO_MARGINS)
        laid_out(QVBoxLayout(self), asking, self.proposal, margins=(10, 6, 10, 6))

    @property
    def has_proposal(self) -> bool:
        """Whether there is something to accept."""
        return not self.proposal.isHidden()

    def ask(self, about: str) -> None:
        """Ask what is to change in what ``about`` names."""
        self.about.setText(f"Rewrite {about}:")
        self.proposal.hide()
        self.cancel_button.show()
        self.show()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def propose(self, old: str, new: str, verdict: str) -> None:
        """Show what was written beside what stands there, and say what was found about it."""
        pieces = word_differences(old, new)
        self.old.show_pieces(tuple(p for p in pieces if p.change is not Change.INSERTED))
        self.new.show_pieces(tuple(p for p in pieces if p.change is not Change.DELETED))
        self.verdict.setText(verdict)
        self.cancel_button.hide()
        self.proposal.show()
        self._fit()
        self.accept_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_running(self, is_running: bool) -> None:
        """Take no other wish while one is being fulfilled."""
        if is_running:
            self.proposal.hide()
        for widget in (self.box, self.whole_box, self.go_button, self.cancel_button):
            widget.setEnabled(not is_running)
        if not is_running and self.isVisible() and not self.has_proposal:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_wished(self) -> None:
        if self.box.text().strip():
            self.wished.emit(self.box.text().strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept with Return, leave with Esc."""
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif is_return and self.has_proposal and not self.box.hasFocus():
            button = self.focusWidget()
            (self.left if button is self.reject_button else self.accepted).emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give both texts the height that they need at this width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = LOWEST
        for view in (self.old, self.new):
            view.document().setTextWidth(view.viewport().width())
            needed = max(needed, ceil(view.document().size().height()) + 4)
        for view in (self.old, self.new):
            view.setFixedHeight(min(needed, HIGHEST))
