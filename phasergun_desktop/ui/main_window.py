"""The window: where the panels stand, and how it opens and closes."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.paths import resources_path
from phasergun_desktop.spelling.speller import Speller
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.dock_widths import DockWidths
from phasergun_desktop.ui.drafts.changed_sources_flow import ChangedSourcesFlow
from phasergun_desktop.ui.drafts.citation_flow import CitationFlow
from phasergun_desktop.ui.drafts.discrepancy_flow import DiscrepancyFlow
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.drafts.draft_list_flow import DraftListFlow
from phasergun_desktop.ui.drafts.draft_shelf import DraftShelf
from phasergun_desktop.ui.drafts.draft_tab_flow import DraftTabFlow
from phasergun_desktop.ui.drafts.problem_flow import ProblemFlow
from phasergun_desktop.ui.drafts.proof_flow import ProofFlow
from phasergun_desktop.ui.drafts.rewrite_flow import RewriteFlow
from phasergun_desktop.ui.drafts.spelling_flow import SpellingFlow
from phasergun_desktop.ui.drafts.unsaved_flow import UnsavedFlow
from phasergun_desktop.ui.drafts.version_flow import VersionFlow
from phasergun_desktop.ui.first_geometry import expected_frame, first_geometry
from phasergun_desktop.ui.generate.prompt_file_flow import PromptFileFlow
from phasergun_desktop.ui.generate.prompt_keeping import PromptKeeping
from phasergun_desktop.ui.generate.prompt_sheet import PromptSheet
from phasergun_desktop.ui.help.help_flow import HelpFlow
from phasergun_desktop.ui.help.hint_flow import HintFlow
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.models.model_flow import ModelFlow
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.projects.drop_flow import DropFlow
from phasergun_desktop.ui.projects.file_flow import FileFlow
from phasergun_desktop.ui.projects.project_flow import ProjectFlow
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.sources.source_flow import SourceFlow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_actions import VIEW, WindowActions
from phasergun_desktop.ui.window_commands import WindowCommands
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_LOG = logging.getLogger(__name__)
TITLE = "PhaserGun"
FIRST_SIZE = QSize(1440, 900)


class MainWindow(QMainWindow):
    """Builds the desk; what happens on it is in the flows."""

    def __init__(
        self,
        workspace: AnyWorkspace,
        memory: WindowMemory,
        theme: ThemeSwitch,
        icon_folder: Path,
        runners: Runners,
        speller: Speller,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._memory = workspace, memory
        self.theme = theme
        self._is_closed, self._late = False, tuple[str, ...]()
        self.runners = runners
        self.icons = IconSet(icon_folder, self.palette())
        self.parts = DeskParts(self.icons, runners, self)
        self.reporter = ProblemReporter(self.parts.message_bar, self)
        self.keeper = ProjectKeeper(workspace, runners, self)
        self.actions_table = WindowActions(self, self.icons)
        self._docks: dict[str, QDockWidget] = {}
        self._stack = QStackedWidget()
        self._is_first_time, self._hidden_for_start = False, list[QDockWidget]()
        self._widths = DockWidths(self)
        self._build()
        self._make_flows(speller)
        self.commands = WindowCommands(self, memory)
        self._connect()
        self._restore()
        self.model_flow.show_in_use(memory.generation)

    def _make_flows(self, speller: Speller) -> None:
        parts = self.parts
        self.prompt_keeping = PromptKeeping(
            parts.prompt_panel, parts.runners.interactive, self.reporter, self
        )
        self.prompt_file_flow = PromptFileFlow(
            parts.project_panel,
            parts.prompt_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            self,
        )
        self.project_flow = ProjectFlow(
            self._workspace,
            self.keeper,
            parts.project_panel,
            parts.prompt_panel,
            parts.source_panel,
            parts.start_page,
            parts.status_bar,
            parts.message_bar,
            parts.runners,
            self.reporter,
            self,
        )
        self.file_flow = FileFlow(
            self.keeper,
            parts.project_panel,
            parts.source_loader,
            parts.source_panel,
            parts.status_bar,
            parts.message_bar,
            parts.runners.interactive,
            self.reporter,
            self,
        )
        self.drop_flow = DropFlow(
            self.keeper,
            parts.project_panel,
            parts.status_bar,
            parts.runners.models,
            self.reporter,
            self,
        )
        self.source_flow = SourceFlow(
            parts.project_panel,
            parts.draft_panel,
            parts.source_loader,
            parts.source_panel,
            parts.message_bar,
            self.reporter,
            lambda: self.show_dock("source"),
            self,
        )
        shelf = DraftShelf(
            parts.problems_panel,
            parts.prompt_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.message_bar,
            parts.runners.interactive,
            self.reporter,
            self,
        )
        self.draft_flow = DraftFlow(
            shelf,
            parts.prompt_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.message_bar,
            parts.runners,
            self.reporter,
            self,
        )
        self.unsaved_flow = UnsavedFlow(
            parts.prompt_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            self.draft_flow,
            self.prompt_keeping,
            self,
        )
        self.project_flow.may_forget = self.unsaved_flow.may_forget
        self.citation_flow = CitationFlow(
            parts.search_panel,
            parts.prompt_panel,
            parts.draft_panel,
            parts.source_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            self,
        )
        self.problem_flow = ProblemFlow(
            parts.search_panel,
            parts.problems_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.message_bar,
            self.show_dock,
            self,
        )
        self.discrepancy_flow = DiscrepancyFlow(
            parts.problems_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.message_bar,
            parts.icons,
            parts.runners.interactive,
            self.source_flow,
            self,
        )
        self.model_flow = ModelFlow(
            self._workspace,
            self.keeper,
            parts.prompt_panel,
            parts.status_bar,
            parts.message_bar,
            parts.runners,
            self.reporter,
            self.actions_table,
            self,
        )
        self.draft_flow.may_send = self.model_flow.may_send
        self.proof_flow = ProofFlow(
            parts.prompt_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.runners,
            self.reporter,
            self.draft_flow,
            self,
        )
        self.rewrite_flow = RewriteFlow(
            parts.draft_panel,
            parts.rewrite_bar,
            parts.status_bar,
            parts.message_bar,
            parts.runners.interactive,
            self.reporter,
            self.proof_flow,
            self.draft_flow,
        )
        self.version_flow = VersionFlow(
            parts.draft_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            self.draft_flow,
            self,
        )
        self.draft_list_flow = DraftListFlow(
            parts.project_panel,
            parts.draft_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            self.draft_flow,
            self,
        )
        self.draft_tab_flow = DraftTabFlow(
            parts.draft_panel,
            parts.draft_tabs,
            parts.status_bar,
            self.draft_flow,
            self.project_flow,
            self._memory,
            self,
        )
        self.spelling_flow = SpellingFlow(
            parts.draft_panel,
            parts.status_bar,
            parts.runners.interactive,
            self.reporter,
            speller,
            self._memory,
            self,
        )
        self.changed_sources_flow = ChangedSourcesFlow(
            parts.draft_panel,
            parts.runners.interactive,
            self.reporter,
            self.draft_flow,
            self.source_flow,
            self,
        )
        self.help_flow = HelpFlow(resources_path() / "help", self.icons, self.actions_table, self)
        self.hint_flow = HintFlow(
            parts.problems_panel,
            parts.draft_panel,
            parts.hint_strip,
            self._memory,
            self.actions_table,
            self.draft_flow,
            self,
        )

    # Layout -----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(self.icons.icon("application"))
        self.setDockNestingEnabled(True)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCentralWidget(self._build_middle())
        self.addToolBar(self.parts.hint_strip)
        self.setStatusBar(self.parts.status_bar)
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self._add_dock("project", "Project", self.parts.project_panel, left)
        self._add_dock("search", "Search", self.parts.search_panel, left)
        self._add_dock("problems", "Problems", self.parts.problems_panel, left)
        self._add_dock("source", "Source", self.parts.source_panel, right)
        self.tabifyDockWidget(self._docks["project"], self._docks["search"])
        self.tabifyDockWidget(self._docks["search"], self._docks["problems"])
        self._docks["project"].raise_()
        menu = self.actions_table.menu(VIEW)
        menu.addSeparator()
        for number, dock in enumerate(self._docks.values(), start=1):
            toggle = dock.toggleViewAction()
            toggle.setText(f"Panel: {dock.windowTitle()}")
            toggle.setShortcut(f"Ctrl+Alt+Shift+{number}")
            menu.addAction(toggle)

    def _build_middle(self) -> QWidget:
        draft = QWidget()
        column = QVBoxLayout(draft)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.parts.style_bar)
        column.addWidget(self.parts.find_bar)
        column.addWidget(self.parts.draft_panel, 1)
        column.addWidget(self.parts.rewrite_bar)
        self.sheet = PromptSheet(self.parts.prompt_panel, draft)
        # Hidden as a whole by focus mode: the tabs come and go by themselves.
        self.tab_row = QWidget()
        row = QVBoxLayout(self.tab_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.parts.draft_tabs)
        self._stack.addWidget(self.parts.start_page)
        self._stack.addWidget(self.sheet)
        self._middle = QWidget()
        whole = QVBoxLayout(self._middle)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.parts.message_bar)
        whole.addWidget(self.tab_row)
        whole.addWidget(self._stack, 1)
        return self._middle

    def _add_dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> None:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"dock-{name}")
        dock.setWidget(widget)
        # Qt keeps what stands behind another tab visible outside of the window, where Tab finds it.
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)
        dock.visibilityChanged.connect(lambda seen: widget.setVisible(seen or dock.isHidden()))
        self.addDockWidget(area, dock)
        self._docks[name] = dock

    def show_dock(self, name: str) -> None:
        """Show a dock and bring it to the front of its tabs."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """All docks."""
        return tuple(self._docks.values())

    def _restore(self) -> None:
        if not self._memory.restore(self):
            available, frame = self.screen().availableGeometry(), expected_frame(self)
            self.setGeometry(first_geometry(available, frame, FIRST_SIZE))
            self._is_first_time = True
        self.parts.draft_panel.draft_shown.connect(self.sheet.show_draft)

    # Connections ------------------------------------------------------------------------------

    def _connect(self) -> None:
        parts = self.parts
        left = (parts.project_panel, parts.search_panel, parts.problems_panel)
        middle = (parts.hint_strip, self._middle)
        follow_the_eye(self, *left, *middle, parts.source_panel, parts.status_bar)
        parts.project_panel.draft_activated.connect(self.draft_flow.shelf.open_draft)
        parts.project_panel.prompt_activated.connect(parts.prompt_panel.choose)
        self.project_flow.session_changed.connect(self._on_session_changed)
        self.project_flow.source_changed.connect(self.parts.source_panel.reload)
        self.unsaved_flow.settled.connect(self.close)
        self.draft_list_flow.leave = self.draft_tab_flow.close
        self.keeper.failed.connect(self._on_project_failed)
        self.keeper.synced.connect(lambda _report: self.draft_flow.shelf.check_sources())
        self.keeper.synced.connect(self.spelling_flow.ask_again)
        parts.prompt_panel.board.passage_activated.connect(self.source_flow.open_passage)
        parts.prompt_panel.board.file_activated.connect(self.source_flow.open_file)
        parts.search_panel.hit_activated.connect(self.source_flow.open_hit)
        self.problem_flow.fixes_wanted.connect(self.spelling_flow.offer_at_cursor)
        self.draft_flow.drafts_changed.connect(self.project_flow.show_drafts)
        self.draft_flow.prompt_save_wanted.connect(self.project_flow.save_prompt)
        self.draft_flow.running_changed.connect(self.commands.set_running)
        self.proof_flow.running_changed.connect(self.commands.set_running)
        self.drop_flow.running_changed.connect(self.commands.set_copying)
        self.draft_flow.shelf.first_problem_wanted.connect(self.problem_flow.go_to_first)
        self.parts.search_panel.failed.connect(self.reporter.report)
        self.parts.start_page.offer_chosen.connect(self.commands.run)
        self.theme.applied.connect(self.refresh_icons)

    def _on_project_failed(self, _error: Exception) -> None:
        if self.keeper.session is None:
            self._show_start()

    def start(self, project: Path | None) -> None:
        """Open ``project``, or the one that was in view last, or the start page."""
        self.project_flow.show_known()
        last = self._memory.last_project
        root = project or (last if last is not None and last.is_dir() else None)
        if root is not None:
            # The desk is there at once; its project follows when it is open.
            self._show_desk()
            self.keeper.show(root)
        else:
            self._show_start()

    def _show_start(self) -> None:
        if not self._hidden_for_start:
            self._hidden_for_start = [one for one in self.docks if not one.isHidden()]
        for dock in self._hidden_for_start:
            dock.hide()
        self._stack.setCurrentWidget(self.parts.start_page)
        self.parts.start_page.focus_first()

    def _on_session_changed(self, session: ProjectSession | None) -> None:
        self.hint_flow.leave()
        self.source_flow.set_session(session)
        self.citation_flow.set_session(session)
        self.draft_list_flow.set_session(session)
        self.prompt_file_flow.set_session(session)
        self.discrepancy_flow.set_session(session)
        self.proof_flow.settle()
        self.prompt_keeping.set_session(session)
        self.draft_tab_flow.set_session(session)
        self.draft_flow.set_session(session)
        for flow in (
            self.proof_flow,
            self.rewrite_flow,
            self.version_flow,
            self.changed_sources_flow,
        ):
            flow.set_session(session)
        self.spelling_flow.set_session(session)
        self.parts.search_panel.set_session(session)
        self.unsaved_flow.set_session(session)
        if session is None:
            self.setWindowTitle(TITLE)
            self._show_start()
            return
        self._show_desk()
        self.setWindowTitle(f"{session.project.name} – {TITLE}")
        self._memory.set_last_project(session.project.root)
        self.parts.prompt_panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_desk(self) -> None:
        self._stack.setCurrentWidget(self.sheet)
        for dock in self._hidden_for_start:
            dock.show()
        if self._hidden_for_start:
            self._docks["project"].raise_()
        self._hidden_for_start = []
        if self._is_first_time:
            self._is_first_time = False
            self._widths.arrange({self._docks["project"]: 0.2, self._docks["source"]: 0.33})

    # Light and dark, closing --------------------------------------------------------------------

    def refresh_icons(self) -> None:
        """Draw everything that has a colour of its own anew."""
        self.icons.use_palette(QGuiApplication.palette())
        self.actions_table.refresh_icons()
        self.parts.refresh_icons()
        self.help_flow.refresh_icons()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons anew when the palette changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "help_flow"):
            self.refresh_icons()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave focus mode with an Esc that nobody else needs."""
        if event.key() == Qt.Key.Key_Escape:
            self.commands.focus_mode.set_on(False)
        super().keyPressEvent(event)

    @property
    def late_runners(self) -> tuple[str, ...]:
        """The threads that did not end in time when the window was closed."""
        return self._late

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save, stop what runs, and remember where everything was; stay open while something that
        could not be saved is asked about."""
        if not self._is_closed:
            try:
                if not self.unsaved_flow.may_close():
                    event.ignore()
                    return
            except BaseException:
                # A bug of ours; what was typed is in a rescue copy.
                self.let_go()
                raise
            self.let_go()
        super().closeEvent(event)

    def let_go(self) -> None:
        """Close whatever stands against it: nobody can be asked any more."""
        if self._is_closed:
            return
        self._is_closed = True
        # Hidden at once: ending the threads may take a moment.
        self.hide()
        self.help_flow.close()
        # The next start must not begin with an empty row.
        self.hint_flow.leave()
        self.commands.focus_mode.set_on(False)
        self._memory.set_draft_points(self.parts.draft_panel.editor.points)
        self.draft_flow.generation.abandon()
        self.proof_flow.stop()
        self.keeper.close()
        # Whatever fails here, files, processes and threads are let go.
        with ExitStack() as stack:
            stack.callback(self._workspace.close)
            for session in self.keeper.sessions:
                stack.callback(session.close)
            stack.callback(self._finish)
            self.proof_flow.keep_edits()

    def _finish(self) -> None:
        self._late = self.runners.shutdown()
        # When the threads are done: nothing older comes on top of it.
        for autosave in (self.draft_flow.autosave, self.prompt_keeping.autosave):
            if not autosave.flush():
                _LOG.warning("closed with something that could not be saved")
        for dock in self._hidden_for_start:
            dock.show()
        self._memory.save(self)
