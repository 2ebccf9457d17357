"""The card below the project tree: a line that unfolds what is known of the selected file, and what
may help it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from phasergun_desktop.ui.fold_line import FoldLine
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.projects.file_facts import FileFacts
from phasergun_desktop.ui.theme import colours_for

HIGHEST = 260


class FileCard(QWidget):
    """A line that is always there, and below it, unless it is folded, text that can be selected, as
    high as it needs to be up to a limit, then buttons. It is unfolded by itself as long as a file
    is selected that something is offered for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: FileFacts | None = None
        self._file = ""
        self._is_unfolded_for_offers = False
        self._buttons: dict[str, QPushButton] = {}
        self.line = FoldLine("Details")
        self.line.setToolTip("Show or hide what is known of the selected file")
        self._body = QWidget()
        self._text = _FactsText()
        self._offers = laid_out(QVBoxLayout(), margins=(10, 0, 10, 8), spacing=4)
        laid_out(QVBoxLayout(self._body), self._text, self._offers, margins=NO_MARGINS, spacing=0)
        laid_out(QVBoxLayout(self), self.line, self._body, margins=NO_MARGINS, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.line.folded.connect(self._on_folded)
        self._show_body()

    def set_actions(self, actions: Sequence[QAction]) -> None:
        """Make a button of each action; which are shown is said with the facts."""
        for action in actions:
            button = QPushButton(action.text())
            button.setToolTip(action.toolTip())
            button.clicked.connect(action.trigger)
            button.hide()
            self._offers.addWidget(button)
            self._buttons[action.objectName()] = button

    def show_facts(self, file: str, facts: FileFacts, offers: Sequence[str] = ()) -> None:
        """Say these facts of ``file`` and offer these actions (by name)."""
        if facts != self._facts:
            self._facts = facts
            self._write()
        is_another, self._file = file != self._file, file
        for name, button in self._buttons.items():
            button.setVisible(name in offers)
        margin = 8 if any(name in offers for name in self._buttons) else 0
        self._offers.setContentsMargins(10, 0, 10, margin)
        if is_another and margin and self.line.is_folded:
            self._is_unfolded_for_offers = True
            self.line.fold(False)
        elif is_another and not margin and self._is_unfolded_for_offers:
            self.line.fold(True)
        self._show_body()

    def clear(self) -> None:
        """Say nothing: no file is selected."""
        self._file, self._facts = "", None
        self._show_body()

    def _on_folded(self, is_folded: bool) -> None:
        self._is_unfolded_for_offers &= not is_folded
        self._show_body()

    def _show_body(self) -> None:
        facts, is_folded = self._facts, self.line.is_folded
        self._body.setVisible(facts is not None and not is_folded)
        self.line.say(facts.title if facts is not None and is_folded else "")

    def text(self) -> str:
        """Return what the card says."""
        return str(self._text.toPlainText())

    def buttons(self) -> list[QPushButton]:
        """Return the buttons that are offered."""
        return [one for one in self._buttons.values() if not one.isHidden()]

    def changeEvent(self, event: QEvent) -> None:
        """Write in the colours of light or dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and getattr(self, "_facts", None) is not None:
            self._write()

    def _write(self) -> None:
        facts = self._facts
        if facts is None:
            return
        muted = colours_for(self.palette()).muted.name()
        rows = "".join(
            f'<tr><td style="padding-right: 10px; color: {muted}">{escape(label)}</td>'
            f"<td>{escape(value)}</td></tr>"
            for label, value in facts.rows
        )
        remarks = "".join(
            f"<p style='margin: 0 0 4px 0'>{escape(one)}</p>" for one in facts.remarks
        )
        self._text.setHtml(
            f"<p style='margin: 0 0 2px 0'><b>{escape(facts.title)}</b></p>"
            f"<p style='margin: 0 0 4px 0'>{escape(facts.state)}</p>"
            f"{remarks}<table cellspacing='0' cellpadding='0'>{rows}</table>"
        )
        self._text.updateGeometry()


class _FactsText(QTextEdit):
    """Read-only text without a frame that asks for the height of what it says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName("Details of the selected file")
        self.document().setDocumentMargin(10.0)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        """Return the size of the text, not higher than the limit."""
        return QSize(200, min(int(self.document().size().height()) + 1, HIGHEST))

    def minimumSizeHint(self) -> QSize:
        """Let the tree have its room on a low window."""
        return QSize(120, min(self.sizeHint().height(), HIGHEST // 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height where the width changes the lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
