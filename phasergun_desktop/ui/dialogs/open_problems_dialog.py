"""What is still open in a draft that is about to be exported."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.wording import count
from phasergun_desktop.ui.wrapped_list import WrappedList


class OpenProblemsDialog(QDialog):
    """Lists the problems and leaves the rest to the writer; the desk can be used beside it."""

    first_wanted = Signal()

    def __init__(
        self, problems: Sequence[QListWidgetItem], remarks: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.resize(560, 380)
        several = len(problems) != 1
        label = QLabel(
            f"{count(len(problems), 'problem')} of this draft {'are' if several else 'is'} open. "
            f"Marked sentences get {remarks}."
        )
        label.setWordWrap(True)
        self.list = WrappedList("Open problems")
        for one in problems:
            self.list.addItem(QListWidgetItem(one))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export_button = buttons.addButton(
            "&Export anyway", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.first_button = buttons.addButton(
            "&Go to the first", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.first_button.setDefault(True)
        self.first_button.clicked.connect(self._on_first)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), label, (self.list, 1), buttons)
        follow_the_eye(self, self)
        self.first_button.setFocus()

    def _on_first(self) -> None:
        self.reject()
        self.first_wanted.emit()
