"""Chooses what reranks: the bundled model, the language model, or a cross-encoder of one's own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from phasergun_desktop.embedding.own_cross_encoder import cross_encoder
from phasergun_desktop.settings.model import Reranking, RerankWith
from phasergun_desktop.ui.dialogs.own_model_path import OwnModelPath
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
        self.method, self.notice = QComboBox(), NoticeLabel()
        self.path = OwnModelPath("a cross-encoder", "Fol&der…", "F&ile…")
        for method, words in METHODS.items():
            self.method.addItem(words, method)
        self.method.setToolTip(_TIP)
        self.method.setAccessibleName("Rerank with")
        laid_out(QVBoxLayout(self), self.method, self.path, self.notice, margins=NO_MARGINS)
        self.method.currentIndexChanged.connect(self._on_changed)
        self.path.changed.connect(self._on_changed)
        self.show_reranking(Reranking())

    @property
    def reranking(self) -> Reranking:
        """What is chosen."""
        return Reranking(RerankWith(self.method.currentData()), self.path.path)

    def show_reranking(self, reranking: Reranking) -> None:
        """Show what is in force."""
        self.method.setCurrentText(METHODS[reranking.method])
        self.path.box.setText(reranking.cross_encoder_path)
        self._show_state()

    def _on_changed(self) -> None:
        self._show_state()
        self.changed.emit(self.reranking)

    def _show_state(self) -> None:
        chosen = self.reranking
        is_own = chosen.method is RerankWith.CROSS_ENCODER
        self.path.setVisible(is_own)
        words = SLOW if chosen.method is RerankWith.LANGUAGE_MODEL else ""
        if is_own:
            problem = cross_encoder(Path(chosen.cross_encoder_path)).problem()
            words = f"{problem.message} {problem.remedy}" if problem is not None else ""
        self.notice.setText(words)
        self.notice.setVisible(bool(words))
