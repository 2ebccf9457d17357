"""Where the window was and how it looked, kept in the settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.settings.model import (
    Appearance,
    Settings,
    Spelling,
    SpellingLanguage,
    Theme,
)
from phasergun_desktop.settings.store import SettingsStore

# Changes when docks are added or renamed: an old arrangement is not forced upon new docks.
LAYOUT_VERSION = 2
MOST_OPEN_DRAFTS = 200
# Written as they are in this window, where they were changed in it.
_OWN_SECTIONS = ("appearance", "spelling", "reranking", "embedding", "naming")


class WindowMemory:
    """Reads the settings once; writes them at the end, and what is open at once: it is open again
    after a crash."""

    def __init__(self, store: SettingsStore) -> None:
        self._store = store
        # As they are in this window now.
        self.settings = self._read = store.load()

    @property
    def draft_points(self) -> float:
        """Size of the draft's text in points, zoom included."""
        look = self.settings.appearance
        return look.draft_font_size_pt * look.zoom_percent / 100

    def set_look(self, look: Appearance) -> None:
        """Remember how the window looks; what is chosen is seen at its size."""
        if look.draft_font_size_pt != self.settings.appearance.draft_font_size_pt:
            look = replace(look, zoom_percent=100)
        self.settings = replace(self.settings, appearance=look)

    def set_spelling(
        self, *, is_on: bool | None = None, language: SpellingLanguage | None = None
    ) -> None:
        """Remember whether spelling is checked, or in which language."""
        now = self.settings.spelling
        made = Spelling(now.is_on if is_on is None else is_on, language or now.language)
        self.settings = replace(self.settings, spelling=made)

    def change(self, **sections: Any) -> None:
        """Remember whole sections of the settings, by their names: ``_OWN_SECTIONS`` are saved."""
        self.settings = replace(self.settings, **sections)

    @property
    def last_project(self) -> Path | None:
        """The project that was in view last."""
        last = self.settings.projects.last_opened
        return Path(last) if last else None

    def restore(self, window: QMainWindow) -> bool:
        """Put the window and its docks where they were; False the first time."""
        layout = self.settings.window
        if not layout.geometry:
            return False
        window.restoreGeometry(QByteArray.fromBase64(layout.geometry.encode("ascii")))
        state = QByteArray.fromBase64(layout.dock_state.encode("ascii"))
        return window.restoreState(state, LAYOUT_VERSION)

    def set_theme(self, theme: Theme) -> None:
        """Remember the colours."""
        look = replace(self.settings.appearance, theme=theme)
        self.settings = replace(self.settings, appearance=look)

    def set_draft_points(self, points: float) -> None:
        """Remember the size of the draft's text."""
        percent = round(100 * points / self.settings.appearance.draft_font_size_pt)
        look = replace(self.settings.appearance, zoom_percent=min(max(percent, 50), 400))
        self.settings = replace(self.settings, appearance=look)

    def add_hint_seen(self, name: str) -> None:
        """Remember that a note of the sample was done or put away."""
        layout = self.settings.window
        layout = replace(layout, hints_seen=(*layout.hints_seen, name))
        self.settings = replace(self.settings, window=layout)

    def set_open_drafts(self, open_ids: Sequence[str], of_project: Collection[str]) -> None:
        """Remember which drafts of a project have tabs; those of other projects stay."""
        others = [one for one in self.settings.window.open_drafts if one not in of_project]
        window = replace(self.settings.window, open_drafts=(*others, *open_ids)[-MOST_OPEN_DRAFTS:])
        if window != self.settings.window:
            self.settings = replace(self.settings, window=window)
            self._write()

    @property
    def open_conversations(self) -> tuple[str, ...]:
        """The conversations that were in view, of all projects, the last one last."""
        return self.settings.window.open_conversations

    def set_open_conversation(self, conversation_id: str) -> None:
        """Remember the conversation in view."""
        before = [one for one in self.open_conversations if one != conversation_id]
        opened = (*before, conversation_id)[-MOST_OPEN_DRAFTS:]
        window = replace(self.settings.window, open_conversations=opened)
        self.settings = replace(self.settings, window=window)
        self._write()

    def set_last_project(self, root: Path) -> None:
        """Remember the project in view."""
        projects = replace(self.settings.projects, last_opened=str(root))
        self.settings = replace(self.settings, projects=projects)
        self._write()

    def save(self, window: QMainWindow) -> PhaserGunError | None:
        """Write everything; return the problem instead of raising it: the window closes."""
        layout = replace(
            self.settings.window,
            geometry=bytes(window.saveGeometry().toBase64().data()).decode("ascii"),
            dock_state=bytes(window.saveState(LAYOUT_VERSION).toBase64().data()).decode("ascii"),
        )
        self.settings = replace(self.settings, window=layout)
        return self._write()

    def _write(self) -> PhaserGunError | None:
        try:
            self._store.change(self._with_own)
        except PhaserGunError as error:
            return error
        # What is changed back from now on is a change too.
        self._read = self.settings
        return None

    def _with_own(self, stored: Settings) -> Settings:
        """Return ``stored`` with what this window set: what others changed meanwhile stays, and
        so does what could not be read when the window opened."""
        own, read = self.settings, self._read
        if own.projects.last_opened != read.projects.last_opened:
            projects = replace(stored.projects, last_opened=own.projects.last_opened)
            stored = replace(stored, projects=projects)
        changed = [one for one in _OWN_SECTIONS if getattr(own, one) != getattr(read, one)]
        return replace(stored, window=own.window, **{one: getattr(own, one) for one in changed})
