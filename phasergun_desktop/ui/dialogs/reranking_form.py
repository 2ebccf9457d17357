"""Chooses what reranks: the bundled model, the language model, or a cross-encoder of one's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.embedding.own_cross_encoder import ONNX_SUFFIX, cross_encoder_problem
from phasergun_desktop.settings.model import Reranking, RerankWith
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel

METHODS = {
    RerankWith.BUNDLED: "The bundled model",
    RerankWith.LANGUAGE_MODEL: "The language model",
    RerankWith.CROSS_ENCODER: "A cross-encoder of mine",
}
_TIP = (
    "Puts what is found for a question of several parts in a second order, in profiles that rerank"
)
SLOW = (
    "The language model of this computer needs twenty seconds or more for each part of a question, "
    "and a small one may grade all passages alike: try it on questions that you have collected."
)


class RerankingForm(QWidget):
    """What is chosen holds at once; a line says why it cannot be used."""

    changed = Signal(Reranking)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method, self.path = QComboBox(), QLineEdit()
        self.folder_button, self.file_button = QPushButton("Fol&der…"), QPushButton("F&ile…")
        self.notice = NoticeLabel()
        for method, words in METHODS.items():
            self.method.addItem(words, method)
        self.method.setToolTip(_TIP)
        self.method.setAccessibleName("Rerank with")
        self.path.setAccessibleName("Folder or file of the cross-encoder")
        self.path.setPlaceholderText("Its folder, or an ONNX file")
        for button in (self.folder_button, self.file_button):
            button.setAutoDefault(False)
        self._row = QWidget()
        laid_out(
            QHBoxLayout(self._row),
            (self.path, 1),
            self.folder_button,
            self.file_button,
            margins=NO_MARGINS,
        )
        laid_out(QVBoxLayout(self), self.method, self._row, self.notice, margins=NO_MARGINS)
        self.method.currentIndexChanged.connect(self._on_changed)
        self.path.textChanged.connect(self._on_changed)
        self.folder_button.clicked.connect(self._choose_folder)
        self.file_button.clicked.connect(self._choose_file)
        self.show_reranking(Reranking())

    @property
    def reranking(self) -> Reranking:
        """What is chosen."""
        return Reranking(RerankWith(self.method.currentData()), self.path.text().strip())

    def show_reranking(self, reranking: Reranking) -> None:
        """Show what is in force."""
        self.method.setCurrentText(METHODS[reranking.method])
        self.path.setText(reranking.cross_encoder_path)
        self._show_state()

    def _on_changed(self) -> None:
        self._show_state()
        self.changed.emit(self.reranking)

    def _show_state(self) -> None:
        chosen = self.reranking
        is_own = chosen.method is RerankWith.CROSS_ENCODER
        self._row.setVisible(is_own)
        words = SLOW if chosen.method is RerankWith.LANGUAGE_MODEL else ""
        if is_own:
            problem = cross_encoder_problem(Path(chosen.cross_encoder_path))
            words = f"{problem.message} {problem.remedy}" if problem is not None else ""
        self.notice.setText(words)
        self.notice.setVisible(bool(words))

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, "Choose the folder of a cross-encoder", self.path.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._open(dialog)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, "Choose a cross-encoder", self.path.text())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"ONNX files (*{ONNX_SUFFIX})", "All files (*)"])
        self._open(dialog)

    def _open(self, dialog: QFileDialog) -> None:
        dialog.fileSelected.connect(self.path.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
