"""The prompt with its evidence as a sheet above the page that folds to a line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from phasergun_desktop.ui.fold_line import FoldLine
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out

# Evidence is read before there is a draft, and beside one it has half of the height.
_WITHOUT_A_DRAFT, _WITH_A_DRAFT = (700, 300), (500, 500)


class PromptSheet(QWidget):
    """Unfolded while there is no draft, folded when one is written or opened; in between the
    writer decides. Where the writer drags the border, it stays there for either state."""

    def __init__(self, panel: PromptPanel, page: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._panel = panel
        self.line = FoldLine("Prompt and evidence")
        self.line.setToolTip("Show or hide the prompt and its evidence (Ctrl+Shift+P)")
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(panel)
        self.splitter.addWidget(page)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self._sizes = {False: list(_WITHOUT_A_DRAFT), True: list(_WITH_A_DRAFT)}
        self._has_draft = False
        laid_out(QVBoxLayout(self), self.line, (self.splitter, 1), margins=NO_MARGINS, spacing=0)
        self.splitter.splitterMoved.connect(self._on_moved)
        self.line.folded.connect(self._on_folded)
        panel.board.shown.connect(self._say)
        self.line.fold(False)

    def show_draft(self, has_draft: bool) -> None:
        """Make room for a draft on the page, or for the prompt of the next one."""
        self._has_draft = has_draft
        self.line.fold(has_draft)
        self._share()

    def unfold(self) -> None:
        """Show the prompt and its evidence."""
        self.line.fold(False)

    def _on_folded(self, is_folded: bool) -> None:
        self._panel.setVisible(not is_folded)
        self._say()
        self._share()

    def _share(self) -> None:
        if not self.line.is_folded:
            self.splitter.setSizes(self._sizes[self._has_draft])

    def _say(self) -> None:
        """Say while it is folded what is on the sheet."""
        panel = self._panel
        name = panel.picker.currentText()
        # What stands there may have little left of the prompt that it was. Behind the name it is
        # seen where the line is too long for its room.
        changed = ", changed" if panel.prompt_file and panel.is_changed() else ""
        parts = (f"“{name}”{changed}" if name else "", panel.board.status.text())
        self.line.say(" · ".join(part for part in parts if part) if self.line.is_folded else "")

    def _on_moved(self) -> None:
        self._sizes[self._has_draft] = self.splitter.sizes()
