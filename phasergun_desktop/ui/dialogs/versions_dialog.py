"""The versions of a draft: when and why each was kept, how it differs, and bringing one back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.drafts.differences import Piece
from phasergun_desktop.drafts.draft_store import DraftVersion
from phasergun_desktop.ui.editor.difference_view import DifferenceView, difference_in_words
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import count, when_in_words
from phasergun_desktop.ui.wrapped_list import WrappedList

_USER = Qt.ItemDataRole.UserRole
# Stands for the text on the desk.
NOW = 0

Compare = Callable[[int, int], JobHandle]


class VersionsDialog(QDialog):
    """``compare`` starts a job whose result are the pieces between two versions (``NOW`` is the
    text on the desk)."""

    restore_wanted = Signal(int)

    def __init__(
        self, versions: tuple[DraftVersion, ...], compare: Compare, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._compare = compare
        self._job: JobHandle | None = None
        self.setWindowTitle("Versions of this draft")
        self.resize(980, 620)
        self.list = WrappedList("Versions")
        self.other = QComboBox()
        self.other.setAccessibleName("Compare with")
        self.other.addItem("the text as it stands", NOW)
        for version in versions:
            item = QListWidgetItem(_line(version))
            item.setData(_USER, version.version_id)
            self.list.addItem(item)
            self.other.addItem(_short(version), version.version_id)
        self.view = DifferenceView("Difference")
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.restore_button = QPushButton("&Restore this version")
        self.restore_button.setToolTip("Ctrl+Z in the draft brings the present text back")
        self._build()
        self.list.currentRowChanged.connect(self._show)
        self.other.currentIndexChanged.connect(self._show)
        self.restore_button.clicked.connect(self._on_restore)
        if versions:
            self.list.setCurrentRow(0)
        else:
            self.summary.setText("No version of this draft has been kept yet.")
            self.restore_button.setEnabled(False)

    def _build(self) -> None:
        right = QWidget()
        label = QLabel("How the selected version became")
        label.setBuddy(self.other)
        line = laid_out(QHBoxLayout(), label, (self.other, 1))
        laid_out(QVBoxLayout(right), line, (self.view, 1), self.summary, margins=NO_MARGINS)
        splitter = QSplitter()
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([330, 650])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.restore_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), (splitter, 1), buttons)

    @property
    def chosen(self) -> int:
        """The number of the selected version, ``NOW`` where none is."""
        chosen = self.list.selectedItems()
        return int(chosen[0].data(_USER)) if chosen else NOW

    def _show(self) -> None:
        if self.chosen == NOW:
            return
        if self._job is not None:
            self._job.succeeded.disconnect(self._on_compared)
            self._job.finished.disconnect(self._on_finished)
        self.summary.setText("Comparing…")
        self._job = self._compare(self.chosen, int(self.other.currentData()))
        self._job.succeeded.connect(self._on_compared)
        self._job.failed.connect(self._on_failed)
        self._job.finished.connect(self._on_finished)

    def _on_finished(self) -> None:
        self._job = None

    def _on_compared(self, pieces: tuple[Piece, ...]) -> None:
        self.view.show_pieces(pieces)
        self.summary.setText(difference_in_words(pieces))

    def _on_failed(self, error: Exception) -> None:
        self.summary.setText(f"This version cannot be shown. {error}")

    def _on_restore(self) -> None:
        self.restore_wanted.emit(self.chosen)
        self.accept()


def _line(version: DraftVersion) -> str:
    name = f"“{version.name}”\n" if version.name else ""
    return f"{name}{when_in_words(version.made)}\n{version.why}, {count(version.words, 'word')}"


def _short(version: DraftVersion) -> str:
    return f"the version of {when_in_words(version.made)} ({version.name or version.why})"
