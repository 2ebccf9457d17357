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

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.wording import count

A_YEAR = 365
_MOST_DAYS = 9999
LEFT = (
    "They cannot be brought back. One entry with their number and sums stays in their place, so "
    "that the log can still be checked."
)
TEXTS_LEFT = (
    "They cannot be brought back. The entries stay with all figures, and a digest stands for each "
    "text, so that the log can still be checked. Entries of the first versions keep their texts."
)
ELSEWHERE = (
    "Drafts and conversations are not touched. Safety copies of the last days hold what is removed "
    "a little longer."
)


class RemovalDialog(QDialog):
    """``days_chosen`` asks how many entries that would be, ``removal_wanted`` for the removal; both
    carry the number of days that are kept, and whether only texts are removed."""

    days_chosen = Signal(int, bool)
    removal_wanted = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Remove old entries")
        label = QLabel("&Remove the entries of the log that are older than")
        self.days = QSpinBox(suffix=" days")
        self.days.setRange(0, _MOST_DAYS)
        self.days.setValue(A_YEAR)
        self.days.setAccessibleName("Days that are kept")
        label.setBuddy(self.days)
        self.only_texts = OutlinedCheckBox("&Keep the entries, without their questions and answers")
        self.told = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._left, elsewhere = QLabel(LEFT), QLabel(ELSEWHERE)
        self._left.setWordWrap(True)
        elsewhere.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.remove_button = QPushButton("Re&move")
        self.buttons.addButton(self.remove_button, QDialogButtonBox.ButtonRole.AcceptRole)
        words = self.told, self._left, elsewhere
        laid_out(
            QVBoxLayout(self), label, self.days, self.only_texts, *words, self.buttons, spacing=8
        )
        self.setMinimumWidth(440)
        # What cannot be brought back is not what Return does.
        self.remove_button.setAutoDefault(False)
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self.days.valueChanged.connect(self._on_changed)
        self.only_texts.toggled.connect(self._on_changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        follow_the_eye(self, self)
        self._on_changed()

    @property
    def _chosen(self) -> tuple[int, bool]:
        return self.days.value(), self.only_texts.isChecked()

    def show_count(self, days: int, only_texts: bool, entries: int) -> None:
        """Say how many entries are older than ``days``, if those are still chosen."""
        if (days, only_texts) == self._chosen:
            found = count(entries, "entry", "entries")
            self.told.setText(f"{'The texts of ' if only_texts else ''}{found} will be removed.")
            self.remove_button.setEnabled(bool(entries))

    def accept(self) -> None:
        """Ask for the removal and close."""
        super().accept()
        self.removal_wanted.emit(*self._chosen)

    def _on_changed(self) -> None:
        self._left.setText(TEXTS_LEFT if self.only_texts.isChecked() else LEFT)
        self.told.setText("Counting…")
        self.remove_button.setEnabled(False)
        self.days_chosen.emit(*self._chosen)
