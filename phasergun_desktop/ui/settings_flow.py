"""What the settings of the page change in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices

from phasergun_desktop.settings.model import Appearance, SearchEmbedding, Spelling, Theme
from phasergun_desktop.ui.dialogs.settings_dialog import SettingsDialog
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.ui.main_window import MainWindow


class SettingsFlow(QObject):
    """Shows the page as the settings say, and keeps what is chosen in them."""

    def __init__(self, window: MainWindow, memory: WindowMemory) -> None:
        super().__init__(window)
        self._window = window
        self._memory = memory
        window.parts.draft_panel.editor.set_points(memory.draft_points)
        self._show()

    def open_dialog(self) -> None:
        """Let the writer choose."""
        own_words = self._window.spelling_flow.own_words
        dialog = SettingsDialog(
            self._memory.settings, has_words=own_words.is_file(), parent=self._window
        )
        dialog.words.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(own_words)))
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(self._on_changed)
        dialog.reranking.changed.connect(lambda made: self._memory.change(reranking=made))
        dialog.embedding.changed.connect(lambda made: self._memory.change(embedding=made))
        dialog.naming.changed.connect(lambda made: self._memory.change(naming=made))
        embedding = self._memory.settings.embedding
        dialog.finished.connect(lambda: self._keep(embedding))
        dialog.open()

    def set_theme(self, theme: Theme) -> None:
        """Wear the system's colours, or light or dark ones."""
        self._window.theme.choose(theme)
        self._memory.set_theme(theme)
        self._show()

    def _on_changed(self, look: Appearance, spelling: Spelling) -> None:
        if look.draft_font_size_pt != self._memory.settings.appearance.draft_font_size_pt:
            # Zoom ends with it: what is chosen is what is seen.
            self._window.parts.draft_panel.editor.set_points(look.draft_font_size_pt)
        if look.theme is not self._memory.settings.appearance.theme:
            self._window.theme.choose(look.theme)
        self._memory.set_look(look)
        self._memory.set_spelling(is_on=spelling.is_on, language=spelling.language)
        self._window.spelling_flow.apply()
        self._show()

    def _keep(self, embedding: SearchEmbedding) -> None:
        error = self._memory.save(self._window)
        if error is not None:
            self._window.reporter.report(error)
        sync = self._window.work.sync
        if self._memory.settings.embedding != embedding and sync is not None:
            # Another embedder reads the documents.
            sync.request()

    def _show(self) -> None:
        memory, actions = self._memory, self._window.actions_table
        editor = self._window.parts.draft_panel.editor
        editor.set_family(memory.settings.appearance.draft_font_family)
        editor.set_characters(memory.settings.appearance.line_characters)
        actions[f"theme-{memory.settings.appearance.theme.value}"].setChecked(True)
        actions["check-spelling"].setChecked(memory.settings.spelling.is_on)
