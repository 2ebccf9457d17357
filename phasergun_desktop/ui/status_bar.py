"""The line at the bottom: the index, the generation, the first token, the confidence, Stop."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QToolTip,
    QWidget,
)

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.wording import confidence_lines, count, literal, shortened_name
from phasergun_desktop.workspace.model_in_use import RemoteNotice
from phasergun_desktop.writing.model import Confidence

LONGEST_NAME = 36


class _RemoteLabel(QWidget):
    """An arrow that leads out, and the words; hidden while everything stays on this machine."""

    def __init__(self, icons: IconSet) -> None:
        super().__init__()
        self._icons = icons
        self.picture = QLabel()
        self.words = NoticeLabel()
        self.words.setWordWrap(False)
        laid_out(QHBoxLayout(self), self.picture, self.words, margins=(0, 0, 8, 0), spacing=5)
        self.hide()

    def show_notice(self, notice: RemoteNotice | None) -> None:
        """Show where passages go; hide for None."""
        self.setVisible(notice is not None)
        if notice is None:
            return
        short = replace(
            notice,
            model=shortened_name(notice.model, LONGEST_NAME),
            place=shortened_name(notice.place, LONGEST_NAME),
        )
        self.words.setText(short.line)
        agreed = "" if notice.has_consent else "You have not agreed yet: nothing is sent. "
        tip = f"{notice.line}. {agreed}{notice.warning}".strip()
        self.setToolTip(literal(f"{tip} (Model › Language model…, Ctrl+M)"))
        self.setAccessibleName(tip)
        self.words.setAccessibleName(tip)

    def refresh_icons(self) -> None:
        """Draw the arrow in the colour of the text."""
        self.picture.setPixmap(self._icons.icon("remote").pixmap(16, 16))


class DeskStatusBar(QStatusBar):
    """Says little and says it exactly."""

    # Whether a remote model is in use now.
    remote_shown = Signal(bool)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.index_label = ElidedLabel()
        self.index_label.set_elide_mode(Qt.TextElideMode.ElideRight)
        # As wide as its words where there is room, and never a reason for the window to grow.
        self.work_label = ElidedLabel()
        self.work_label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.first_token_label = QLabel()
        self.confidence_label = QLabel()
        self.stop_button = QPushButton("Stop", flat=False)
        self.stop_button.setToolTip("Stop; what is written or copied stays (Esc)")
        self.problems_button = QPushButton(flat=True)
        self.problems_button.setToolTip("Show what needs a look (F8 goes to the next)")
        self.problems_button.hide()
        self.words_label = QLabel()
        self.words_label.setContentsMargins(8, 0, 8, 0)
        self.remote_label = _RemoteLabel(icons)
        self.unsaved_label = NoticeLabel()
        self.unsaved_label.setWordWrap(False)
        self.unsaved_label.hide()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 4, 0)
        self.addWidget(self.remote_label)
        self.addWidget(self.unsaved_label)
        self.addWidget(self.index_label, 1)
        for label in (self.work_label, self.first_token_label, self.confidence_label):
            label.setContentsMargins(8, 0, 8, 0)
            self.addPermanentWidget(label)
        self.addPermanentWidget(self.problems_button)
        self.addPermanentWidget(self.words_label)
        self.addPermanentWidget(self.stop_button)
        self.stop_button.hide()
        self.first_token_label.hide()
        self.confidence_label.hide()
        self.refresh_icons()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.stop_button.setIcon(self._icons.icon("stop"))
        self.remote_label.refresh_icons()

    def show_remote(self, notice: RemoteNotice | None) -> None:
        """Say at all times where passages go while a remote model is in use."""
        self.remote_label.show_notice(notice)
        self.remote_shown.emit(notice is not None)

    def show_unsaved(self, error: Exception | None) -> None:
        """Say until it is saved that what was typed is not; None when everything is."""
        self.unsaved_label.setVisible(error is not None)
        why = (
            f"{error.title}. {error.message} {error.remedy}".strip()
            if isinstance(error, PhaserGunError)
            else ""
        )
        self.unsaved_label.setText("Not saved")
        self.unsaved_label.setToolTip(literal(why))
        self.unsaved_label.setAccessibleName(f"Not saved. {why}".strip())

    def show_index(self, text: str) -> None:
        """Say how far the index is."""
        self.index_label.set_full_text(text)

    def show_work(self, text: str) -> None:
        """Say what the generation does or how it ended."""
        self.work_label.set_full_text(text)

    def clear_outcome(self) -> None:
        """Say nothing more of what was written last."""
        self.first_token_label.hide()
        self.confidence_label.hide()

    def show_first_token(self, milliseconds: float) -> None:
        """Say how long the first word took."""
        self.first_token_label.setText(f"First word after {milliseconds / 1000:.1f} s")
        self.first_token_label.show()

    def show_problem_count(self, total: int) -> None:
        """Say how many things of the draft on the desk need a look: those of the list."""
        self.problems_button.setVisible(total > 0)
        self.problems_button.setText(count(total, "problem"))

    def show_words(self, total: int) -> None:
        """Say how many words the draft on the desk has."""
        self.words_label.setText(count(total, "word"))
        self.words_label.setVisible(total > 0)

    def show_confidence(self, confidence: Confidence | None) -> None:
        """Say in words how far the page can be trusted; a line for each part is in the tooltip."""
        if confidence is None:
            self.confidence_label.hide()
            return
        level = confidence.level.value.replace("_", " ")
        self.confidence_label.setText(f"Draft confidence: {level}")
        lines = confidence_lines(confidence)
        tip = "<br>".join(escape(line) for line in lines)
        self.confidence_label.setToolTip(f"<p>{tip}</p>" if tip else "")
        self.confidence_label.setAccessibleDescription("\n".join(lines))
        self.confidence_label.show()

    def explain_confidence(self) -> None:
        """Show the parts of the confidence without the mouse."""
        label = self.confidence_label
        if label.isHidden():
            self.show_work("There is no confidence yet: nothing has been written")
            return
        QToolTip.showText(label.mapToGlobal(label.rect().topLeft()), label.toolTip(), label)
