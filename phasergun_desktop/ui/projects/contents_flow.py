"""What the project in view holds: files with their states, prompts, drafts, templates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.errors import PhaserGunError, ProjectError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.jobs import Progress
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.projects.convention import FolderConvention
from phasergun_desktop.projects.folder_tree import read_convention
from phasergun_desktop.references.reference_names import ReferenceNames
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.sync.hidden_files import hidden_names
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.wording import index_summary, literal

if TYPE_CHECKING:
    from phasergun_desktop.drafts.draft_store import DraftSummary
    from phasergun_desktop.workspace.session import ProjectSession
    from phasergun_desktop.workspace.session_prompts import PromptFile

SETTLE_MS = 120


class ContentsFlow(Flow):
    """Fetches what is in the project, shows it, and follows what is read."""

    source_changed = Signal(str)
    # The files that the confidentiality setting hides now.
    hidden_listed = Signal(object)
    # What the list of drafts says now: a tuple of summaries.
    drafts_listed = Signal(object)

    def __init__(self, desk: Desk, keeper: ProjectKeeper) -> None:
        super().__init__(desk)
        self._records: dict[str, FileRecord] = {}
        self._reading = ""
        self._has_asked = False
        # Hundreds of files change state in a row; the summary is written once for many.
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        keeper.file_changed.connect(self._on_file_changed)
        keeper.progressed.connect(self._on_progressed)
        keeper.synced.connect(self._on_synced)
        keeper.paused_changed.connect(lambda _is_paused: self._settle.start())

    def clear(self) -> None:
        """Show nothing of the project that is left."""
        self._records.clear()
        self._reading = ""
        self._project_panel.model.reset()
        self._project_panel.forget_details()

    def begin(self, session: ProjectSession | None) -> None:
        """Show what is in a project that came into view, or that none did."""
        self._has_asked = False
        if session is None:
            self._status_bar.show_index("")
            return
        # Warming takes the interpreter for itself: the writer's prompts come first.
        self._load(session).finished.connect(lambda: self._warm(session))

    def _load(self, session: ProjectSession) -> JobHandle:
        """Fetch files, prompts and drafts beside the window's thread and show them."""

        def on_loaded(
            found: tuple[
                tuple[FileRecord, ...],
                tuple[PromptFile, ...],
                tuple[DraftSummary, ...],
                tuple[SectionTemplate, ...],
                tuple[Agent, ...],
                bool,
            ],
        ) -> None:
            files, prompts, drafts, templates, agents, shows_folders = found
            self._prompt_panel.show_templates(templates)
            self._prompt_panel.show_agents(agents)
            before, self._records = self._records, {one.file: one for one in files}
            for one in files:
                self._tell_changed(before.get(one.file), one)
            hidden = hidden_names(files)
            self._source_panel.note_files(self._records, hidden)
            self.hidden_listed.emit(hidden)
            model = self._project_panel.model
            model.show_prompts(prompts)
            model.show_files(files)
            model.show_drafts(drafts)
            model.show_folders(shows_folders)
            self.drafts_listed.emit(drafts)
            self._prompt_panel.show_prompts(prompts)
            self._project_panel.show_details()
            self._show_summary()

        job = self._work.call(
            lambda: (
                session.files(),
                session.prompts(),
                session.drafts.list(),
                session.templates(),
                session.agents(),
                _has_convention(session.project.root),
            ),
            on_loaded,
        )
        self._load_names(session)
        return job

    def _load_names(self, session: ProjectSession) -> None:
        """Fetch what can be named in a prompt; nobody waits for it."""

        def on_named(names: ReferenceNames) -> None:
            self._prompt_panel.editor.names = names

        self._work.call(session.reference_names, on_named)

    def show_drafts(self) -> None:
        """Bring the list of drafts up to date."""

        def on_listed(drafts: tuple[DraftSummary, ...]) -> None:
            self._project_panel.model.show_drafts(drafts)
            self.drafts_listed.emit(drafts)

        self._work.do(lambda session: session.drafts.list(), on_listed, failed=lambda _error: None)

    def _warm(self, session: ProjectSession) -> None:
        if session is not self._work.session:
            return
        panel = self._prompt_panel
        self._work.call(session.model_status, panel.set_model_problem, failed=lambda _error: None)
        job = self._work.runners.answering.submit(lambda _stop: session.warm())
        job.failed.connect(self._on_warm_failed)

    def _on_warm_failed(self, error: Exception) -> None:
        if isinstance(error, PhaserGunError):
            self._prompt_panel.set_model_problem(f"{error.message} {error.remedy}".strip())
        else:
            self._work.report(error)

    # Files ----------------------------------------------------------------------------------

    def _on_file_changed(self, record: FileRecord) -> None:
        before = self._records.get(record.file)
        self._records[record.file] = record
        self._project_panel.model.show_file(record)
        self._tell_changed(before, record)
        self._settle.start()

    def _tell_changed(self, before: FileRecord | None, record: FileRecord) -> None:
        """Tell whom it concerns that a file was read, anew or for the first time: a source that was
        asked for too early is shown then, whether the list or the news of the file came first."""
        if record.sha256 and (before is None or before.sha256 != record.sha256):
            self.source_changed.emit(record.file)

    def _on_progressed(self, event: Progress) -> None:
        record = self._records.get(event.detail)
        if record is not None and record.state is FileState.PENDING:
            self._reading = event.detail
            self._project_panel.model.set_reading(event.detail)
        self._settle.start()

    def _on_synced(self, report: SyncReport) -> None:
        self._reading = ""
        self._project_panel.model.set_reading("")
        for warning in report.warnings:
            self._work.tell(warning)
        # Once: a sync follows whenever a file is saved.
        if report.asks and not self._has_asked:
            self._work.tell(report.asks)
            self._has_asked = True
        session = self._work.session
        if session is not None:
            self._load(session)
            if report.changed or report.removed or report.renamed:
                self._prompt_panel.request_plan()

    def _on_settled(self) -> None:
        self._show_summary()
        # The very file that the prompt waits for may be indexed long before the folder is read.
        if self._prompt_panel.waits_for_files:
            self._prompt_panel.request_plan()

    def _show_summary(self) -> None:
        files = tuple(self._records.values())
        current = self._work.sync
        is_reading = current is not None and current.is_running
        waiting = any(one.state is FileState.PENDING for one in files)
        self._prompt_panel.set_reading(is_reading and (waiting or not files))
        is_unknown = is_reading and not files
        is_paused = current is not None and current.is_paused
        reading = "" if is_paused else self._reading
        summary = index_summary(files, reading, is_paused=is_paused)
        summary = "Reading the folder…" if is_unknown else summary
        self._status_bar.show_index(summary)
        failed = [one for one in files if one.state is FileState.FAILED]
        lines = [f"{one.file}: {one.reason}" for one in failed]
        self._status_bar.index_label.setToolTip(literal("\n".join(lines) or summary))
        self._project_panel.show_details()


def _has_convention(root: Path) -> bool:
    """Whether the folder is laid out as the convention has it; not if it cannot be read."""
    try:
        return read_convention(root) is FolderConvention.TREE
    except ProjectError:
        return False
