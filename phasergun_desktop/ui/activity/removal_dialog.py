"""Asks how old the entries are that leave the activity log, and says what is left of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.wording import count

A_YEAR = 365
_MOST_DAYS = 9999
LEFT = (
    "They cannot be brought back. One entry with their number and sums stays in their place, so "
    "that the log can still be checked."
)
ELSEWHERE = (
    "Drafts and conversations are not touched. Safety copies of the last days hold what is removed "
    "a little longer."
)


class RemovalDialog(QDialog):
    """``days_chosen`` asks how many entries that would be, ``removal_wanted`` for the removal; both
    carry the number of days that are kept."""

    days_chosen = Signal(int)
    removal_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Remove old entries")
        label = QLabel("&Remove the entries of the log that are older than")
        self.days = QSpinBox()
        self.days.setRange(0, _MOST_DAYS)
        self.days.setValue(A_YEAR)
        self.days.setSuffix(" days")
        self.days.setAccessibleName("Days that are kept")
        label.setBuddy(self.days)
        self.told = QLabel()
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        left, elsewhere = QLabel(LEFT), QLabel(ELSEWHERE)
        left.setWordWrap(True)
        elsewhere.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.remove_button = QPushButton("Re&move")
        self.buttons.addButton(self.remove_button, QDialogButtonBox.ButtonRole.AcceptRole)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        for widget in (label, self.days, self.told, left, elsewhere, self.buttons):
            column.addWidget(widget)
        self.setMinimumWidth(440)
        # What cannot be brought back is not what Return does.
        self.remove_button.setAutoDefault(False)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self.days.valueChanged.connect(self._on_days)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        follow_the_eye(self, self)
        self._on_days()

    def show_count(self, days: int, entries: int) -> None:
        """Say how many entries are older than ``days``, if those are still chosen."""
        if days == self.days.value():
            self.told.setText(f"{count(entries, 'entry', 'entries')} will be removed.")
            self.remove_button.setEnabled(bool(entries))

    def accept(self) -> None:
        """Ask for the removal and close."""
        super().accept()
        self.removal_wanted.emit(self.days.value())

    def _on_days(self) -> None:
        self.told.setText("Counting…")
        self.remove_button.setEnabled(False)
        self.days_chosen.emit(self.days.value())
