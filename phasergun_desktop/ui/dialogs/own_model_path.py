"""A row for the folder or the file of a model of the user's own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from phasergun_desktop.embedding.own_model import ONNX_SUFFIX
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out


class OwnModelPath(QWidget):
    """Names a model that is ``what`` ("an embedder"), typed or chosen; ``folder`` and ``file`` are
    the words on its buttons."""

    changed = Signal()

    def __init__(self, what: str, folder: str, file: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what = what
        self.box = QLineEdit()
        self.folder_button, self.file_button = QPushButton(folder), QPushButton(file)
        self.box.setAccessibleName(f"Folder or file of the {what.partition(' ')[2]}")
        self.box.setPlaceholderText("Its folder, or an ONNX file")
        for button in (self.folder_button, self.file_button):
            button.setAutoDefault(False)
        laid_out(
            QHBoxLayout(self),
            (self.box, 1),
            self.folder_button,
            self.file_button,
            margins=NO_MARGINS,
        )
        self.box.textChanged.connect(self.changed)
        self.folder_button.clicked.connect(self._choose_folder)
        self.file_button.clicked.connect(self._choose_file)

    @property
    def path(self) -> str:
        """What is named."""
        return self.box.text().strip()

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, f"Choose the folder of {self._what}", self.path)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._open(dialog)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, f"Choose {self._what}", self.path)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"ONNX files (*{ONNX_SUFFIX})", "All files (*)"])
        self._open(dialog)

    def _open(self, dialog: QFileDialog) -> None:
        dialog.fileSelected.connect(self.box.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
