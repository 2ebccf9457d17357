"""The window: where the panels stand, and how it opens and closes."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from phasergun_desktop.paths import resources_path
from phasergun_desktop.spelling.speller import OWN_WORDS_FILE, Speller
from phasergun_desktop.ui.activity.activity_flow import ActivityFlow
from phasergun_desktop.ui.ask.ask_flow import AskFlow
from phasergun_desktop.ui.ask.conversation_flow import ConversationFlow
from phasergun_desktop.ui.desk_frame import TITLE, DeskFrame
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
from phasergun_desktop.ui.evaluation.evaluation_flow import EvaluationFlow
from phasergun_desktop.ui.flow import Desk
from phasergun_desktop.ui.generate.prompt_file_flow import PromptFileFlow
from phasergun_desktop.ui.generate.prompt_keeping import PromptKeeping
from phasergun_desktop.ui.help.help_flow import HelpFlow
from phasergun_desktop.ui.help.hint_flow import HintFlow
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.models.model_flow import ModelFlow
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.profile_flow import ProfileFlow
from phasergun_desktop.ui.project_work import ProjectWork
from phasergun_desktop.ui.projects.contents_flow import ContentsFlow
from phasergun_desktop.ui.projects.drop_flow import DropFlow
from phasergun_desktop.ui.projects.file_flow import FileFlow
from phasergun_desktop.ui.projects.project_flow import ProjectFlow
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.sources.source_flow import SourceFlow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_commands import WindowCommands
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_LOG = logging.getLogger(__name__)


class MainWindow(DeskFrame):
    """Makes the flows, and hands them the project in view."""

    def __init__(
        self,
        workspace: AnyWorkspace,
        memory: WindowMemory,
        theme: ThemeSwitch,
        config: Path,
        parent: QWidget | None = None,
    ) -> None:
        """``config`` is the folder that has the words which the writer added."""
        runners = Runners()
        super().__init__(resources_path() / "icons", runners, parent)
        self.runners = runners
        self._workspace, self._memory = workspace, memory
        self.theme = theme
        # The threads that did not end in time when the window was closed.
        self._is_closed, self.late_runners = False, tuple[str, ...]()
        self.reporter = ProblemReporter(self.parts.message_bar, self)
        self.keeper = ProjectKeeper(workspace, runners, self)
        self.work = ProjectWork(
            self.keeper, runners, self.reporter, self.parts.status_bar, self.parts.message_bar
        )
        self.desk = Desk(self.parts, self.work, self)
        self._make_flows(Speller(resources_path() / "dictionaries", config / OWN_WORDS_FILE))
        self.commands = WindowCommands(self, memory)
        self._connect()
        self.take_place(memory)
        self.model_flow.show_in_use(memory.settings.generation)

    def _make_flows(self, speller: Speller) -> None:
        parts, desk, memory = self.parts, self.desk, self._memory
        prompt, keeper, actions = parts.prompt_panel, self.keeper, self.actions_table
        self.prompt_keeping = PromptKeeping(desk)
        self.prompt_file_flow = PromptFileFlow(desk)
        self.contents_flow = contents = ContentsFlow(desk, keeper)
        self.project_flow = ProjectFlow(desk, self._workspace, keeper, contents)
        self.file_flow = FileFlow(desk, keeper)
        self.drop_flow = DropFlow(desk)
        self.source_flow = SourceFlow(desk, lambda: self.show_dock("source"))
        self.draft_flow = drafts = DraftFlow(desk, DraftShelf(desk))
        self.unsaved_flow = UnsavedFlow(desk, self.reporter, drafts, self.prompt_keeping)
        self.project_flow.may_forget = self.unsaved_flow.may_forget
        self.citation_flow = CitationFlow(desk)
        self.problem_flow = ProblemFlow(desk, self.show_dock)
        self.discrepancy_flow = DiscrepancyFlow(desk, self.source_flow)
        self.conversation_flow = conversations = ConversationFlow(desk, memory)
        composer = parts.ask_panel.composer
        profiles = ProfileFlow(desk, composer.profile, composer.tell, "question")
        self.draft_profiles = ProfileFlow(desk, prompt.profile_button, prompt.tell, "plan")
        self.draft_profiles.picked.connect(prompt.template_chosen)
        profiles.changed.connect(self.draft_profiles.refresh)
        self.draft_profiles.changed.connect(profiles.refresh)
        self.ask_flow = AskFlow(desk, conversations, profiles, self.source_flow)
        self.ask_flow.show_panel = lambda: self.show_dock("ask")
        self.model_flow = ModelFlow(desk, self._workspace, actions)
        drafts.may_send = self.ask_flow.may_send = self.model_flow.may_send
        self.proof_flow = ProofFlow(desk, drafts)
        self.rewrite_flow = RewriteFlow(desk, self.proof_flow, drafts)
        self.version_flow = VersionFlow(desk, drafts)
        self.draft_list_flow = DraftListFlow(desk, drafts)
        self.draft_tab_flow = DraftTabFlow(desk, drafts, contents, memory)
        self.spelling_flow = SpellingFlow(desk, speller, memory)
        self.changed_sources_flow = ChangedSourcesFlow(desk, drafts, self.source_flow)
        self.activity_flow = ActivityFlow(desk)
        self.evaluation_flow = EvaluationFlow(desk)
        self.help_flow = HelpFlow(resources_path() / "help", self.icons, actions, self)
        self.hint_flow = HintFlow(desk, memory, actions, drafts)

    # Connections ------------------------------------------------------------------------------

    def _connect(self) -> None:
        parts = self.parts
        self.follow_the_eye()
        parts.project_panel.draft_activated.connect(self.draft_flow.shelf.open_draft)
        parts.project_panel.prompt_activated.connect(parts.prompt_panel.choose)
        self.project_flow.session_changed.connect(self._on_session_changed)
        for editor in (parts.draft_panel.editor, parts.prompt_panel.editor):
            editor.textChanged.connect(self.keeper.note_typing)
        self.contents_flow.source_changed.connect(self.parts.source_panel.reload)
        self.unsaved_flow.settled.connect(self.close)
        self.draft_list_flow.leave = self.draft_tab_flow.close
        self.keeper.failed.connect(self._on_project_failed)
        self.keeper.synced.connect(lambda _report: self.draft_flow.shelf.check_sources())
        self.keeper.synced.connect(self.spelling_flow.ask_again)
        self.keeper.synced.connect(lambda _report: self.ask_flow.show_filter_values())
        self.keeper.synced.connect(lambda _report: self.conversation_flow.follow_hidden())
        parts.prompt_panel.board.passage_activated.connect(self.source_flow.open_place)
        parts.prompt_panel.board.file_activated.connect(self.source_flow.open_file)
        parts.search_panel.hit_activated.connect(self.source_flow.open_place)
        self.problem_flow.fixes_wanted.connect(self.spelling_flow.offer_at_cursor)
        self.draft_flow.drafts_changed.connect(self.contents_flow.show_drafts)
        self.draft_flow.prompt_save_wanted.connect(self.prompt_file_flow.save)
        self.draft_flow.running_changed.connect(self.commands.set_running)
        self.proof_flow.running_changed.connect(self.commands.set_running)
        self.drop_flow.running_changed.connect(self.commands.offer_stop)
        self.ask_flow.running_changed.connect(self.commands.offer_stop)
        self.parts.status_bar.stop_button.clicked.connect(self.ask_flow.asking.stop)
        self.ask_flow.is_writing = lambda: (
            self.draft_flow.generation.is_running or self.proof_flow.is_running
        )
        composer = parts.ask_panel.composer
        parts.prompt_panel.model_told.connect(composer.set_model_problem)
        parts.status_bar.remote_shown.connect(composer.set_remote)
        self.draft_flow.shelf.first_problem_wanted.connect(self.problem_flow.go_to_first)
        self.parts.search_panel.failed.connect(self.reporter.report)
        for search in (self.parts.search_panel, self.draft_flow.evidence.search):
            search.rested.connect(self.activity_flow.keep_search)
            self.contents_flow.hidden_listed.connect(search.note_hidden)
        self.parts.search_panel.right_wanted.connect(self.ask_flow.keep_found)
        show_values = self.parts.search_panel.add_filter.show_values
        self.ask_flow.filter_values_found.connect(show_values)
        self.parts.start_page.offer_chosen.connect(self.commands.run)
        self.theme.applied.connect(self.refresh_icons)

    def _on_project_failed(self, _error: Exception) -> None:
        if self.keeper.session is None:
            self.show_start()

    def start(self, project: Path | None) -> None:
        """Open ``project``, or the one that was in view last, or the start page."""
        self.project_flow.show_known()
        last = self._memory.last_project
        root = project or (last if last is not None and last.is_dir() else None)
        if root is not None:
            # The desk is there at once; its project follows when it is open.
            self.show_desk()
            self.keeper.show(root)
        else:
            self.show_start()

    def _on_session_changed(self, session: ProjectSession | None) -> None:
        self.hint_flow.leave()
        self.source_flow.set_session(session)
        self.discrepancy_flow.leave()
        self.proof_flow.settle()
        self.prompt_keeping.set_session(session)
        self.draft_tab_flow.set_session(session)
        self.draft_profiles.set_session(session)
        self.draft_flow.set_session(session)
        self.proof_flow.set_session(session)
        self.rewrite_flow.close()
        self.version_flow.left.emit()
        self.changed_sources_flow.forget()
        self.spelling_flow.set_session(session)
        self.parts.search_panel.set_session(session)
        self.ask_flow.set_session(session)
        self.activity_flow.read()
        self.evaluation_flow.read()
        self.unsaved_flow.offer_back(session)
        if session is None:
            self.setWindowTitle(TITLE)
            self.show_start()
            return
        self.show_desk()
        self.setWindowTitle(f"{session.project.name} – {TITLE}")
        self._memory.set_last_project(session.project.root)
        self.parts.prompt_panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    # Light and dark, closing --------------------------------------------------------------------

    def refresh_icons(self) -> None:
        """Draw everything that has a colour of its own anew."""
        self.icons.use_palette(QGuiApplication.palette())
        self.actions_table.refresh_icons()
        self.parts.refresh_icons()
        self.help_flow.refresh_icons()
        self.dress_docks()

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
        self.draft_flow.generation.stop()
        self.proof_flow.stop()
        self.ask_flow.asking.abandon()
        self.keeper.close()
        # Whatever fails here, files, processes and threads are let go.
        with ExitStack() as stack:
            stack.callback(self._workspace.close)
            for session in self.keeper.sessions:
                stack.callback(session.close)
            stack.callback(self._finish)
            self.proof_flow.keep_edits()

    def _finish(self) -> None:
        self.late_runners = self.runners.shutdown()
        # What a stop left of the draft that was being written is saved with the rest.
        self.draft_flow.generation.take_rest()
        # When the threads are done: nothing older comes on top of it.
        for autosave in (self.draft_flow.autosave, self.prompt_keeping.autosave):
            if not autosave.flush():
                _LOG.warning("closed with something that could not be saved")
        self.show_docks()
        self._memory.save(self)
