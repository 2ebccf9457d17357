"""Where the window was and how it looked, kept in the settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.settings.model import (
    Appearance,
    Generation,
    Settings,
    Spelling,
    SpellingLanguage,
    Theme,
)

# Changes when docks are added or renamed: an old arrangement is not forced upon new docks.
LAYOUT_VERSION = 1
MOST_OPEN_DRAFTS = 200


class SettingsPort(Protocol):
    """Loads and saves the settings."""

    def load(self) -> Settings:
        """Return the settings."""
        ...

    def change(self, edit: Callable[[Settings], Settings]) -> Settings:
        """Write what ``edit`` makes of the settings as they are kept now."""
        ...


class WindowMemory:
    """Reads the settings once; writes them at the end and when the theme is chosen."""

    def __init__(self, store: SettingsPort) -> None:
        self._store = store
        self._settings = self._read = store.load()

    @property
    def theme(self) -> Theme:
        """The colours that were chosen."""
        return self._settings.appearance.theme

    @property
    def draft_points(self) -> float:
        """Size of the draft's text in points, zoom included."""
        look = self._settings.appearance
        return look.draft_font_size_pt * look.zoom_percent / 100

    @property
    def normal_points(self) -> float:
        """Size of the draft's text in points without zoom."""
        return self._settings.appearance.draft_font_size_pt

    @property
    def look(self) -> Appearance:
        """How the window looks."""
        return self._settings.appearance

    def set_look(self, look: Appearance) -> None:
        """Remember how the window looks; what is chosen is seen at its size."""
        if look.draft_font_size_pt != self.look.draft_font_size_pt:
            look = replace(look, zoom_percent=100)
        self._settings = replace(self._settings, appearance=look)

    @property
    def spelling(self) -> Spelling:
        """Whether spelling is checked, and in which language."""
        return self._settings.spelling

    def set_spelling(
        self, *, is_on: bool | None = None, language: SpellingLanguage | None = None
    ) -> None:
        """Remember whether spelling is checked, or in which language."""
        now = self._settings.spelling
        made = Spelling(now.is_on if is_on is None else is_on, language or now.language)
        self._settings = replace(self._settings, spelling=made)

    @property
    def generation(self) -> Generation:
        """Which model was in use when the window opened."""
        return self._settings.generation

    @property
    def last_project(self) -> Path | None:
        """The project that was in view last."""
        last = self._settings.projects.last_opened
        return Path(last) if last else None

    @property
    def open_drafts(self) -> tuple[str, ...]:
        """The drafts that had tabs, of all projects."""
        return self._settings.window.open_drafts

    def restore(self, window: QMainWindow) -> bool:
        """Put the window and its docks where they were; False the first time."""
        layout = self._settings.window
        if not layout.geometry:
            return False
        window.restoreGeometry(QByteArray.fromBase64(layout.geometry.encode("ascii")))
        state = QByteArray.fromBase64(layout.dock_state.encode("ascii"))
        return window.restoreState(state, LAYOUT_VERSION)

    def set_theme(self, theme: Theme) -> None:
        """Remember the colours."""
        look = replace(self._settings.appearance, theme=theme)
        self._settings = replace(self._settings, appearance=look)

    def set_draft_points(self, points: float) -> None:
        """Remember the size of the draft's text."""
        percent = round(100 * points / self._settings.appearance.draft_font_size_pt)
        look = replace(self._settings.appearance, zoom_percent=min(max(percent, 50), 400))
        self._settings = replace(self._settings, appearance=look)

    @property
    def hints_seen(self) -> tuple[str, ...]:
        """The notes of the sample that need not be shown any more."""
        return self._settings.window.hints_seen

    def add_hint_seen(self, name: str) -> None:
        """Remember that a note of the sample was done or put away."""
        layout = self._settings.window
        layout = replace(layout, hints_seen=(*layout.hints_seen, name))
        self._settings = replace(self._settings, window=layout)

    def set_open_drafts(self, open_ids: Sequence[str], of_project: Collection[str]) -> None:
        """Remember which drafts of a project have tabs; those of other projects stay."""
        others = [one for one in self.open_drafts if one not in of_project]
        window = replace(
            self._settings.window, open_drafts=(*others, *open_ids)[-MOST_OPEN_DRAFTS:]
        )
        self._settings = replace(self._settings, window=window)

    def set_last_project(self, root: Path) -> None:
        """Remember the project in view."""
        projects = replace(self._settings.projects, last_opened=str(root))
        self._settings = replace(self._settings, projects=projects)

    def save(self, window: QMainWindow) -> PhaserGunError | None:
        """Write everything; return the problem instead of raising it: the window closes."""
        layout = replace(
            self._settings.window,
            geometry=bytes(window.saveGeometry().toBase64().data()).decode("ascii"),
            dock_state=bytes(window.saveState(LAYOUT_VERSION).toBase64().data()).decode("ascii"),
        )
        self._settings = replace(self._settings, window=layout)
        try:
            self._store.change(self._with_own)
        except PhaserGunError as error:
            return error
        return None

    def _with_own(self, stored: Settings) -> Settings:
        """Return ``stored`` with what this window set: what others changed meanwhile stays, and
        so does what could not be read when the window opened."""
        own, read = self._settings, self._read
        if own.appearance != read.appearance:
            stored = replace(stored, appearance=own.appearance)
        if own.projects.last_opened != read.projects.last_opened:
            projects = replace(stored.projects, last_opened=own.projects.last_opened)
            stored = replace(stored, projects=projects)
        if own.spelling != read.spelling:
            stored = replace(stored, spelling=own.spelling)
        return replace(stored, window=own.window)
