"""Files that are dropped on a folder of the tree: asked about, copied there, read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.projects.file_copies import FileCopy, beside, copy_files, plan_copies
from phasergun_desktop.projects.folder_tree import find_folder
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.ports import SessionPort
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.words import count, shortened_name

_MOST_NAMES = 5


class DropFlow(QObject):
    """Nothing is copied before the writer has said yes; everything runs beside the window."""

    def __init__(
        self, keeper: ProjectKeeper, parts: DeskParts, reporter: ProblemReporter, window: QWidget
    ) -> None:
        super().__init__(window)
        self._keeper = keeper
        self._parts = parts
        self._reporter = reporter
        self._window = window
        parts.project_panel.files_dropped.connect(self.take)

    def take(self, paths: Sequence[Path], relative: PurePosixPath) -> None:
        """Look at what was dropped on a folder of the project, then ask."""
        session = self._keeper.session
        if session is None:
            return
        root = session.project.root

        def look() -> tuple[tuple[FileCopy, ...], frozenset[Path]]:
            copies = plan_copies(paths, find_folder(root, relative), root)
            return copies, frozenset(one.target for one in copies if one.is_there)

        job = self._parts.runners.interactive.submit_call(look)

        def on_seen(found: tuple[tuple[FileCopy, ...], frozenset[Path]]) -> None:
            if session is self._keeper.session:
                self._ask(session, *found, relative.as_posix() if relative.parts else root.name)

        job.succeeded.connect(on_seen)
        job.failed.connect(self._reporter.report)

    def _ask(
        self,
        session: SessionPort,
        copies: tuple[FileCopy, ...],
        there: frozenset[Path],
        folder: str,
    ) -> None:
        if not copies:
            self._parts.status_bar.show_work("There is nothing to copy: the files are there")
            return
        many = count(len(copies), "file")
        question = QMessageBox(
            QMessageBox.Icon.Question,
            "Copy into the project",
            f"Copy {many} into {folder}?",
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        role = QMessageBox.ButtonRole.AcceptRole
        new = tuple(one for one in copies if one.target not in there)
        if not there:
            text = "The originals stay where they are. The copies are read at once."
            offers = [("Copy", copies)]
        else:
            names = [shortened_name(one.name) for one in sorted(there)]
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            are = "is a file of this name" if len(names) == 1 else "are files of these names"
            text = f"There {are} already: {', '.join(names[:_MOST_NAMES])}{more}."
            offers = [("Keep both", _side_by_side(copies, there)), ("Replace", copies)]
            if new:
                offers.append(("Leave those out", new))
        question.setInformativeText(text)
        for name, chosen in offers:
            button = question.addButton(name, role)
            button.clicked.connect(
                lambda _=False, chosen=chosen: self._copy(session, chosen, folder)
            )
        question.open()

    def _copy(self, session: SessionPort, copies: tuple[FileCopy, ...], folder: str) -> None:
        status = self._parts.status_bar

        def make(_stop: object) -> Job[int]:
            return copy_files(copies)

        job = self._parts.runners.interactive.submit(make)

        def on_event(event: Event) -> None:
            if isinstance(event, Progress):
                status.show_work(f"Copying {event.detail}, {event.done + 1} of {event.total}")

        def on_done(done: int) -> None:
            status.show_work(f"{count(done, 'file')} copied into {folder}")

        def on_failed(error: Exception) -> None:
            status.show_work("Not everything was copied")
            self._reporter.report(error)

        def on_finished() -> None:
            current = self._keeper.current
            if current is not None and session is self._keeper.session:
                current.request()

        job.event_received.connect(on_event)
        job.succeeded.connect(on_done)
        job.failed.connect(on_failed)
        job.finished.connect(on_finished)


def _side_by_side(copies: tuple[FileCopy, ...], there: frozenset[Path]) -> tuple[FileCopy, ...]:
    taken: frozenset[Path] = frozenset(one.target for one in copies)
    made = []
    for one in copies:
        kept = beside(one, taken) if one.target in there else one
        taken |= {kept.target}
        made.append(kept)
    return tuple(made)
