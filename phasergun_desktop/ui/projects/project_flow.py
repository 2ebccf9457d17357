"""What happens with projects: opening, switching, states of files, prompts, list of drafts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.errors import PhaserGunError, ProjectError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.projects.convention import FolderConvention
from phasergun_desktop.projects.folder_tree import read_convention
from phasergun_desktop.references.reference_names import ReferenceNames
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.ui.dialogs.salvage_dialog import SalvageDialog
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.message_bar import MessageBar
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.projects.project_panel import ProjectPanel
from phasergun_desktop.ui.projects.project_tree_model import NodeKind
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.sources.source_panel import SourcePanel
from phasergun_desktop.ui.start_page import StartPage
from phasergun_desktop.ui.status_bar import DeskStatusBar
from phasergun_desktop.ui.words import index_summary

if TYPE_CHECKING:
    from phasergun_desktop.drafts.store import DraftSummary
    from phasergun_desktop.workspace.session import ProjectSession
    from phasergun_desktop.workspace.session_prompts import PromptFile

SETTLE_MS = 120


class ProjectFlow(QObject):
    """Connects the project panel with the open project."""

    session_changed = Signal(object)
    source_changed = Signal(str)
    # What the list of drafts says now: a tuple of summaries.
    drafts_listed = Signal(object)

    def __init__(
        self,
        workspace: AnyWorkspace,
        keeper: ProjectKeeper,
        project_panel: ProjectPanel,
        prompt_panel: PromptPanel,
        source_panel: SourcePanel,
        start_page: StartPage,
        status_bar: DeskStatusBar,
        message_bar: MessageBar,
        runners: Runners,
        reporter: ProblemReporter,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._keeper = keeper
        self._project_panel = project_panel
        self._prompt_panel = prompt_panel
        self._source_panel = source_panel
        self._start_page = start_page
        self._status_bar = status_bar
        self._message_bar = message_bar
        self._runners = runners
        self._reporter = reporter
        self._window = window
        # Calls back when nothing of a project can be lost by closing it for good.
        self.may_forget: Callable[[ProjectSession, Callable[[], None]], None] = (
            lambda _session, forget: forget()
        )
        self._records: dict[str, FileRecord] = {}
        self._reading = ""
        # Hundreds of files change state in a row; the summary is written once for many.
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        panel = project_panel
        panel.switch_wanted.connect(keeper.show)
        start_page.project_chosen.connect(keeper.show)
        keeper.current_changed.connect(self._on_current_changed)
        keeper.known_changed.connect(self.show_known)
        keeper.file_changed.connect(self._on_file_changed)
        keeper.progressed.connect(self._on_progressed)
        keeper.synced.connect(self._on_synced)
        keeper.failed.connect(reporter.report)

    # Projects -------------------------------------------------------------------------------

    def show_known(self) -> None:
        """Bring the list of projects up to date."""
        session = self._keeper.session
        current = session.project.root if session is not None else None
        known = self._workspace.known()
        self._project_panel.show_projects(known, current)
        self._start_page.show_recent(known)

    def open_folder(self) -> None:
        """Ask for a folder and open it."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open a project folder")
        if chosen:
            self._keeper.show(Path(chosen))

    def new_project(self) -> None:
        """Ask where the new project is to be and make it."""
        chosen = QFileDialog.getSaveFileName(
            self._window, "Name and place of the new project folder", str(Path.home() / "Project")
        )[0]
        if chosen:
            self._keeper.create(Path(chosen))

    def open_sample(self) -> None:
        """Open the sample project."""
        self._keeper.show_sample()

    def next_project(self) -> None:
        """Switch to the project after the one in view."""
        roots = [one.root for one in self._workspace.known() if one.exists]
        session = self._keeper.session
        if len(roots) > 1 and session is not None:
            # By name: the order of last use would only ever swap two.
            ordered = sorted(roots, key=lambda root: (root.name.lower(), str(root)))
            here = ordered.index(session.project.root) if session.project.root in ordered else 0
            self._keeper.show(ordered[(here + 1) % len(ordered)])

    def forget_project(self) -> None:
        """Ask, then drop the project in view from the list."""
        session = self._keeper.session
        if session is None:
            return
        question = QMessageBox(
            QMessageBox.Icon.Question,
            "Forget this project",
            f"Forget “{session.project.name}”?",
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        question.setInformativeText(
            "Its index and the passwords of its documents are removed. The folder, your drafts "
            "and the activity log stay; opening the folder again brings drafts and log back."
        )
        forget = question.addButton("Forget", QMessageBox.ButtonRole.DestructiveRole)
        root = session.project.root
        forget.clicked.connect(lambda: self.may_forget(session, lambda: self._keeper.forget(root)))
        question.open()

    def sync(self) -> None:
        """Read the folder again."""
        if self._keeper.current is not None:
            self._keeper.current.request()

    def retry(self) -> None:
        """Read the folder again, with the files that could not be read."""
        if self._keeper.current is not None:
            self._keeper.current.retry()

    # The session ----------------------------------------------------------------------------

    def _on_current_changed(self, session: ProjectSession | None) -> None:
        self._records.clear()
        self._reading = ""
        panel = self._project_panel
        panel.model.reset()
        panel.forget_details()
        self.session_changed.emit(session)
        if session is None:
            self._status_bar.show_index("")
            self.show_known()
            return
        if session.warnings:
            self._message_bar.show_text(" ".join(session.warnings))
        if session.salvage is not None:
            SalvageDialog(session.salvage, self._window).open()
        # Warming takes the interpreter for itself: the writer's prompts come first.
        self._load(session).finished.connect(lambda: self._warm(session))

    def _load(self, session: ProjectSession) -> JobHandle:
        """Fetch files, prompts and drafts beside the window's thread and show them."""
        job = self._runners.interactive.submit_call(
            lambda: (
                session.files(),
                session.prompts(),
                session.drafts.list(),
                session.templates(),
                _has_convention(session.project.root),
            )
        )

        def on_loaded(
            found: tuple[
                tuple[FileRecord, ...],
                tuple[PromptFile, ...],
                tuple[DraftSummary, ...],
                tuple[SectionTemplate, ...],
                bool,
            ],
        ) -> None:
            if session is not self._keeper.session:
                return
            files, prompts, drafts, templates, shows_folders = found
            self._prompt_panel.show_templates(templates)
            self._records = {one.file: one for one in files}
            self._source_panel.note_files(self._records)
            model = self._project_panel.model
            model.show_prompts(prompts)
            model.show_files(files)
            model.show_drafts(drafts)
            model.show_folders(shows_folders)
            self.drafts_listed.emit(drafts)
            self._prompt_panel.show_prompts(prompts)
            self._project_panel.show_details()
            self._show_summary()

        job.succeeded.connect(on_loaded)
        job.failed.connect(self._reporter.report)
        self._load_names(session)
        return job

    def _load_names(self, session: ProjectSession) -> None:
        """Fetch what can be named in a prompt; nobody waits for it."""
        job = self._runners.interactive.submit_call(session.reference_names)

        def on_named(names: ReferenceNames) -> None:
            if session is self._keeper.session:
                self._prompt_panel.editor.names = names

        job.succeeded.connect(on_named)
        job.failed.connect(self._reporter.report)

    def show_drafts(self) -> None:
        """Bring the list of drafts up to date."""
        session = self._keeper.session
        if session is None:
            return
        job = self._runners.interactive.submit_call(session.drafts.list)

        def on_listed(drafts: tuple[DraftSummary, ...]) -> None:
            if session is self._keeper.session:
                self._project_panel.model.show_drafts(drafts)
                self.drafts_listed.emit(drafts)

        job.succeeded.connect(on_listed)

    def save_prompt(self, file: str, text: str) -> None:
        """Write a prompt to the project and choose it."""
        session = self._keeper.session
        if session is None:
            return
        # What is not listed cannot be read, and is not to be replaced.
        is_new = self._prompt_panel.picker.findData(file) < 0
        job = self._runners.interactive.submit_call(
            lambda: (session.save_prompt(file, text, is_new=is_new), session.prompts()),
            must_run=True,
        )

        def on_saved(saved: tuple[PromptFile, tuple[PromptFile, ...]]) -> None:
            if session is not self._keeper.session:
                return
            prompts = saved[1]
            self._prompt_panel.expect(file, text)
            self._project_panel.model.show_prompts(prompts)
            self._prompt_panel.show_prompts(prompts)
            self._status_bar.show_work("Prompt saved")

        job.succeeded.connect(on_saved)
        job.failed.connect(self._reporter.report)

    def _warm(self, session: ProjectSession) -> None:
        if session is not self._keeper.session:
            return
        panel = self._prompt_panel
        status = self._runners.interactive.submit_call(session.model_status)
        status.succeeded.connect(panel.set_model_problem)

        def warm(_stop: object) -> Job[None]:
            return session.warm()

        job = self._runners.answering.submit(warm)
        job.failed.connect(self._on_warm_failed)

    def _on_warm_failed(self, error: Exception) -> None:
        if isinstance(error, PhaserGunError):
            self._prompt_panel.set_model_problem(f"{error.message} {error.remedy}".strip())
        else:
            self._reporter.report(error)

    # Files ----------------------------------------------------------------------------------

    def _on_file_changed(self, record: FileRecord) -> None:
        before = self._records.get(record.file)
        self._records[record.file] = record
        self._project_panel.model.show_file(record)
        if before is not None and before.sha256 != record.sha256:
            self.source_changed.emit(record.file)
        self._settle.start()

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
            self._message_bar.show_text(warning)
        session = self._keeper.session
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
        current = self._keeper.current
        is_reading = current is not None and current.is_running
        waiting = any(one.state is FileState.PENDING for one in files)
        self._prompt_panel.set_reading(is_reading and (waiting or not files))
        is_unknown = is_reading and not files
        summary = "Reading the folder…" if is_unknown else index_summary(files, self._reading)
        self._status_bar.show_index(summary)
        failed = [one for one in files if one.state is FileState.FAILED]
        lines = [f"{one.file}: {one.reason}" for one in failed]
        self._status_bar.index_label.setToolTip("\n".join(lines) or summary)
        self._project_panel.show_details()

    # One file -------------------------------------------------------------------------------

    def selected_path(self, file: str = "") -> Path | None:
        """Return the path of ``file``, or of the selected file; None if there is none."""
        session = self._keeper.session
        node = self._project_panel.current_node()
        if not file and node is not None and node.kind is not NodeKind.GROUP:
            file = node.key if node.kind is not NodeKind.DRAFT else ""
        return session.project.root / file if session is not None and file else None

    def open_external(self, file: str = "") -> None:
        """Open a file in its own application."""
        path = self.selected_path(file)
        if path is not None and self._is_there(path):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def show_in_folder(self, file: str = "") -> None:
        """Open the folder that a file is in."""
        path = self.selected_path(file)
        if path is not None and self._is_there(path.parent):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))

    def _is_there(self, path: Path) -> bool:
        if not path.exists():
            text = f"“{path.name}” is not in the folder any more; read the folder again (F5)."
            self._message_bar.show_text(text)
        return path.exists()


def _has_convention(root: Path) -> bool:
    """Whether the folder is laid out as the convention has it; not if it cannot be read."""
    try:
        return read_convention(root) is FolderConvention.TREE
    except ProjectError:
        return False
