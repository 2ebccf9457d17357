"""Focus mode: nothing but the draft, until F11 or Esc."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from phasergun_desktop.ui.main_window import MainWindow


class FocusMode(QObject):
    """Hides what stands around the draft and brings it back as it was."""

    def __init__(self, window: MainWindow, action: QAction) -> None:
        super().__init__(window)
        self._window = window
        self._action = action
        self._is_on = False
        self._was_visible: list[QWidget] = []
        self._was_folded = False
        window.sheet.line.folded.connect(self._on_folded)

    def toggle(self) -> None:
        """Enter or leave."""
        self.set_on(not self._is_on)

    def set_on(self, is_on: bool) -> None:
        """Leave nothing but the draft, or bring everything back."""
        if is_on == self._is_on:
            return
        window, panel = self._window, self._window.parts.draft_panel
        self._action.setChecked(is_on)
        if is_on:
            self._was_folded = window.sheet.line.is_folded
            window.sheet.line.fold(True)
            around = (*window.docks, window.tab_row, window.sheet.line, window.parts.style_bar)
            self._was_visible = [one for one in around if not one.isHidden()]
        self._is_on = is_on
        for widget in self._was_visible:
            widget.setVisible(not is_on)
        panel.set_bare(is_on)
        if is_on:
            panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            window.sheet.line.fold(self._was_folded)

    def _on_folded(self, is_folded: bool) -> None:
        if self._is_on and not is_folded:
            # A new draft begins with its prompt.
            self._was_folded = False
            self.set_on(False)
