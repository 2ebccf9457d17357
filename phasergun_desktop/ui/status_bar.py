"""The line at the bottom: the index, the generation, the first token, the confidence, Stop."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QStatusBar, QWidget

from phasergun_desktop.answering.model import Confidence
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.icons import IconSet

NOTICE_MS = 8000


class DeskStatusBar(QStatusBar):
    """Says little and says it exactly."""

    stop_wanted = Signal()
    problems_wanted = Signal()

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.index_label = ElidedLabel()
        self.index_label.set_elide_mode(Qt.TextElideMode.ElideRight)
        self.work_label = QLabel()
        self.first_token_label = QLabel()
        self.confidence_label = QLabel()
        self.stop_button = QPushButton("Stop")
        self.stop_button.setToolTip("Stop writing; what is written stays (Esc)")
        self.stop_button.setFlat(False)
        self.stop_button.clicked.connect(self.stop_wanted)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 4, 0)
        self.addWidget(self.index_label, 1)
        for label in (self.work_label, self.first_token_label, self.confidence_label):
            label.setContentsMargins(8, 0, 8, 0)
            self.addPermanentWidget(label)
        self.addPermanentWidget(self.stop_button)
        self.stop_button.hide()
        self.first_token_label.hide()
        self.confidence_label.hide()
        self.refresh_icons()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.stop_button.setIcon(self._icons.icon("stop"))

    def show_index(self, text: str) -> None:
        """Say how far the index is."""
        self.index_label.set_full_text(text)

    def show_work(self, text: str) -> None:
        """Say what the generation does or how it ended."""
        self.work_label.setText(text)
        self.work_label.setAccessibleName(text)

    def set_running(self, is_running: bool) -> None:
        """Show or hide Stop."""
        self.stop_button.setVisible(is_running)
        if is_running:
            self.first_token_label.hide()
            self.confidence_label.hide()

    def show_first_token(self, milliseconds: float) -> None:
        """Say how long the first word took."""
        self.first_token_label.setText(f"First word after {milliseconds / 1000:.1f} s")
        self.first_token_label.show()

    def show_confidence(self, confidence: Confidence | None) -> None:
        """Say how far the draft can be trusted; every component is in the tooltip."""
        if confidence is None:
            self.confidence_label.hide()
            return
        level = confidence.level.value.replace("_", " ")
        self.confidence_label.setText(f"Confidence: {level} ({confidence.score:.2f})")
        lines = [escape(confidence.rationale)] if confidence.rationale else []
        lines += [
            f"{escape(one.name.replace('_', ' ').capitalize())}: {one.score:.2f}. "
            f"{escape(one.explanation)}"
            for one in confidence.criteria
        ]
        self.confidence_label.setToolTip(f"<p>{'<br>'.join(lines)}</p>" if lines else "")
        self.confidence_label.show()

    def show_kept_confidence(self, level: str, score: float, rationale: str) -> None:
        """Say the confidence that was kept with a draft."""
        if not level:
            self.confidence_label.hide()
            return
        self.confidence_label.setText(f"Confidence: {level.replace('_', ' ')} ({score:.2f})")
        self.confidence_label.setToolTip(rationale)
        self.confidence_label.show()
