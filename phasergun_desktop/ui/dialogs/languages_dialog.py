"""Asks in which languages scanned pages and pictures of the project are written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedChecks
from phasergun_desktop.ui.projects.language_words import language_name

WHY = (
    "In which languages are the scanned pages and pictures of this project? Choose only those: "
    "each further language makes recognition slower."
)
AGAIN = "When you change this, the documents of this project are read again."
MORE = (
    "Further languages come with tesseract (Debian and Ubuntu: packages like tesseract-ocr-deu; "
    "macOS: brew install tesseract-lang; Windows: tick them in tesseract's installer)."
)
ABSENT = (
    "The program tesseract, which recognises the text of scanned pages and pictures, is not on "
    "this computer. Install it (Debian and Ubuntu: the package tesseract-ocr; macOS: brew "
    "install tesseract; Windows: the installer of UB Mannheim), then come back here."
)
CODE_ROLE = int(Qt.ItemDataRole.UserRole)


class LanguagesDialog(QDialog):
    """``languages_chosen`` carries tesseract's names joined by ``+``, only when they changed."""

    languages_chosen = Signal(str)

    def __init__(
        self, installed: Sequence[str], chosen: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recognition language")
        self._before = [one for one in chosen.split("+") if one]
        self.list = QListWidget()
        self.list.setAccessibleName("Languages of scanned pages")
        self.list.setItemDelegate(OutlinedChecks(self.list))
        absent = [one for one in self._before if one not in installed]
        names = {one: language_name(one) for one in installed}
        names |= {one: f"{language_name(one)} (not installed)" for one in absent}
        for code, name in sorted(names.items(), key=lambda one: one[1].lower()):
            item = QListWidgetItem(name)
            item.setData(CODE_ROLE, code)
            item.setToolTip(f"tesseract: {code}")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_on = code in self._before
            item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        texts = (WHY, AGAIN, MORE) if installed else (ABSENT,)
        labels = [QLabel(text) for text in texts]
        for label in labels:
            label.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        wanted = standard.Ok | standard.Cancel if installed else standard.Close
        self.buttons = QDialogButtonBox(wanted)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = laid_out(QVBoxLayout(self), labels[0], spacing=8)
        if installed:
            column.addWidget(self.list, 1)
        for label in labels[1:]:
            column.addWidget(label)
        column.addWidget(self.buttons)
        self.setMinimumWidth(440)
        self.list.itemChanged.connect(self._on_changed)
        if installed:
            self.list.setCurrentRow(0)
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def chosen(self) -> str:
        """What is checked; languages that were chosen before keep their order and come first."""
        checked = [
            str(item.data(CODE_ROLE))
            for item in map(self.list.item, range(self.list.count()))
            if item.checkState() is Qt.CheckState.Checked
        ]
        first = [one for one in self._before if one in checked]
        return "+".join([*first, *(one for one in checked if one not in first)])

    def accept(self) -> None:
        """Hand the choice over and close."""
        chosen = self.chosen
        super().accept()
        if chosen and chosen != "+".join(self._before):
            self.languages_chosen.emit(chosen)

    def _on_changed(self, _item: QListWidgetItem) -> None:
        button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        if button is not None:
            button.setEnabled(bool(self.chosen))
