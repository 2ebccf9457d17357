"""Opens the list of categories and writes what was changed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.dialogs.categories_dialog import CategoriesDialog
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.projects.project_panel import ProjectPanel
from phasergun_desktop.ui.status_bar import DeskStatusBar
from phasergun_desktop.workspace.session_categories import CategorySheet

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class CategoriesFlow(QObject):
    """One list at a time; the folder is read again when it was saved."""

    def __init__(
        self,
        keeper: ProjectKeeper,
        project_panel: ProjectPanel,
        status_bar: DeskStatusBar,
        runner: JobRunner,
        reporter: ProblemReporter,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._keeper = keeper
        self._project_panel = project_panel
        self._status_bar = status_bar
        self._runner = runner
        self._reporter = reporter
        self._window = window

    def open_dialog(self) -> None:
        """Show what each document is, at the file that is selected in the tree."""
        session, record = self._keeper.session, self._project_panel.current_record()
        if session is None:
            return
        job = self._runner.submit_call(session.category_sheet)

        def on_read(sheet: CategorySheet) -> None:
            if session is self._keeper.session:
                file = record.file if record is not None else ""
                dialog = CategoriesDialog(sheet, file, self._window)
                dialog.save_wanted.connect(
                    lambda text: self._save(session, dialog, sheet.text, text)
                )
                dialog.open()

        job.succeeded.connect(on_read)
        job.failed.connect(self._reporter.report)

    def _save(
        self, session: ProjectSession, dialog: CategoriesDialog, before: str, text: str
    ) -> None:
        job = self._runner.submit_call(lambda: session.save_categories(before, text), must_run=True)

        def on_saved(_none: object) -> None:
            dialog.accept()
            self._status_bar.show_work("Categories saved")
            if session is self._keeper.session and self._keeper.current is not None:
                self._keeper.current.request()

        def on_failed(error: Exception) -> None:
            if isinstance(error, PhaserGunError):
                dialog.show_failure(f"{error.message} {error.remedy}".strip())
            else:
                dialog.show_failure("Nothing was saved.")
                self._reporter.report(error)

        job.succeeded.connect(on_saved)
        job.failed.connect(on_failed)
