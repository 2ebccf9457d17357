"""What most flows have: the panels of the desk, work on the project in view, and the window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.project_work import ProjectWork


class Flow(QObject):
    """Connects panels with the project in view. Of ``parts`` it has those that many flows need."""

    def __init__(self, parts: DeskParts, work: ProjectWork, window: QWidget) -> None:
        super().__init__(window)
        self._work, self._window = work, window
        self._project_panel = parts.project_panel
        self._search_panel = parts.search_panel
        self._problems_panel = parts.problems_panel
        self._prompt_panel = parts.prompt_panel
        self._draft_panel = parts.draft_panel
        self._source_panel = parts.source_panel
        self._status_bar = parts.status_bar
