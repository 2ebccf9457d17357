"""What most flows have: the panels of the desk, work on the project in view, and the window."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.project_work import ProjectWork


@dataclass(frozen=True, slots=True)
class Desk:
    """What flows are made for."""

    parts: DeskParts
    work: ProjectWork
    window: QWidget


class Flow(QObject):
    """Connects panels with the project in view. Of the parts it has those that many flows need."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._work, self._window, parts = desk.work, desk.window, desk.parts
        self._project_panel = parts.project_panel
        self._search_panel = parts.search_panel
        self._problems_panel = parts.problems_panel
        self._prompt_panel = parts.prompt_panel
        self._draft_panel = parts.draft_panel
        self._source_panel = parts.source_panel
        self._status_bar = parts.status_bar
