"""Takes the user's other names of things, a line for each thing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from phasergun_desktop.settings.model import Naming
from phasergun_desktop.text.other_names import unusable_lines
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel

_LINES_SHOWN = 4
_TIP = "What a prompt, a question or a search calls by one of these names is looked for by each"


class OtherNamesForm(QWidget):
    """What is typed holds when the dialog is closed; a line says what names nothing twice."""

    changed = Signal(Naming)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box, self.notice = QPlainTextEdit(tabChangesFocus=True), NoticeLabel()
        self.box.setPlaceholderText("MAF = minimum air flow")
        self.box.setToolTip(_TIP)
        self.box.setAccessibleName("Other names of things")
        self.box.setAccessibleDescription(_TIP)
        margins = round(2 * self.box.document().documentMargin()) + 2 * self.box.frameWidth()
        self.box.setFixedHeight(_LINES_SHOWN * self.box.fontMetrics().lineSpacing() + margins)
        laid_out(QVBoxLayout(self), self.box, self.notice, margins=NO_MARGINS)
        self.box.textChanged.connect(self._on_changed)
        self.show_naming(Naming())

    @property
    def naming(self) -> Naming:
        """What is typed, without empty lines."""
        lines = (" ".join(each.split()) for each in self.box.toPlainText().splitlines())
        return Naming(tuple(each for each in lines if each))

    def show_naming(self, naming: Naming) -> None:
        """Show what is in force."""
        self.box.setPlainText("\n".join(naming.other_names))

    def _on_changed(self) -> None:
        unusable = unusable_lines(self.naming.other_names)
        if unusable:
            self.notice.setText(
                f"“{unusable[0]}” names nothing twice: write two names with = between them."
            )
        self.notice.setVisible(bool(unusable))
        self.changed.emit(self.naming)
