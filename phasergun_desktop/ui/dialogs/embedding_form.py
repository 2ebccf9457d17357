"""Chooses what gives the vectors of searches: the bundled model, or an embedder of one's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from phasergun_desktop.embedding.own_embedder import embedder_model
from phasergun_desktop.settings.model import SearchEmbedding
from phasergun_desktop.ui.dialogs.own_model_path import OwnModelPath
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel

BUNDLED, OWN = "The bundled model", "An embedder of mine"
_TIP = "Finds passages by their meaning, for a search and for what a server reads"
READS_ALL = (
    "It reads all documents of a project once, beside your work; until then the bundled model "
    "searches."
)


class EmbeddingForm(QWidget):
    """What is chosen holds when the dialog is closed; a line says why it cannot be used."""

    changed = Signal(SearchEmbedding)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method, self.notice = QComboBox(), NoticeLabel()
        self.path = OwnModelPath("an embedder", "F&older…", "Fil&e…")
        self.method.addItems([BUNDLED, OWN])
        self.method.setToolTip(_TIP)
        self.method.setAccessibleName("Search with")
        laid_out(QVBoxLayout(self), self.method, self.path, self.notice, margins=NO_MARGINS)
        self.method.currentIndexChanged.connect(self._on_changed)
        self.path.changed.connect(self._on_changed)
        self.show_embedding(SearchEmbedding())

    @property
    def embedding(self) -> SearchEmbedding:
        """What is chosen."""
        return SearchEmbedding(self.method.currentText() == OWN, self.path.path)

    def show_embedding(self, embedding: SearchEmbedding) -> None:
        """Show what is in force."""
        self.method.setCurrentText(OWN if embedding.is_own else BUNDLED)
        self.path.box.setText(embedding.path)
        self._show_state()

    def _on_changed(self) -> None:
        self._show_state()
        self.changed.emit(self.embedding)

    def _show_state(self) -> None:
        chosen = self.embedding
        problem = embedder_model(Path(chosen.path)).problem() if chosen.is_own else None
        self.path.setVisible(chosen.is_own)
        self.notice.setText(f"{problem.message} {problem.remedy}" if problem else READS_ALL)
        self.notice.setVisible(chosen.is_own)
