"""Files that are dropped on a folder of the tree: asked about, copied there, read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMessageBox

from phasergun_desktop.background.job_handle import JobHandle, MakeJob
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.projects.file_copies import (
    CopyPlan,
    FileCopy,
    beside,
    copy_files,
    plan_copies,
)
from phasergun_desktop.projects.folder_tree import find_folder
from phasergun_desktop.ui.confirmation import confirm
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.wording import count, shortened_name

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_MOST_NAMES = 5
_REPLACE = "Replace"


class DropFlow(Flow):
    """Nothing is copied before the writer has said yes; everything runs beside the window and the
    writing, and can be stopped."""

    running_changed = Signal(bool)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._jobs: list[JobHandle] = []
        desk.parts.project_panel.files_dropped.connect(self.take)
        desk.parts.status_bar.stop_button.clicked.connect(self.stop)

    @property
    def is_running(self) -> bool:
        """Whether something is copied, or looked at to be copied."""
        return bool(self._jobs)

    def stop(self) -> None:
        """Stop copying; files that are copied whole stay."""
        for job in self._jobs:
            job.cancel()

    def take(self, paths: Sequence[Path], relative: PurePosixPath) -> None:
        """Look at what was dropped on a folder of the project, then ask."""
        session = self._work.session
        if session is None:
            return
        root = session.project.root

        job = self._submit(lambda _stop: plan_copies(paths, find_folder(root, relative), root))

        def on_seen(plan: CopyPlan) -> None:
            if session is self._work.session:
                self._ask(session, plan, relative.as_posix() if relative.parts else root.name)

        job.succeeded.connect(on_seen)
        job.failed.connect(self._work.report)

    def _submit(self, make_job: MakeJob) -> JobHandle:
        job = self._work.runners.models.submit(make_job)
        self._jobs.append(job)
        job.finished.connect(self._on_job_finished)
        self.running_changed.emit(True)
        return job

    def _on_job_finished(self) -> None:
        self._jobs = [one for one in self._jobs if not one.is_done]
        self.running_changed.emit(self.is_running)

    def _ask(self, session: ProjectSession, plan: CopyPlan, folder: str) -> None:
        copies, there, out = plan.copies, plan.there, ""
        if plan.outside:
            lead = "it leads" if plan.outside == 1 else "they lead"
            out = f"Left out: {count(plan.outside, 'file')}, since {lead} out of the project."
        if not copies:
            text = out or "There is nothing to copy: the files are there"
            self._work.say(text)
            return
        many = count(len(copies), "file")
        new = tuple(one for one in copies if one.target not in there)
        if not there:
            text = "The originals stay where they are. The copies are read at once."
            offers = [("Copy", copies)]
        else:
            names = [shortened_name(one.name) for one in sorted(there)]
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            are = "is a file of this name" if len(names) == 1 else "are files of these names"
            text = f"There {are} already: {', '.join(names[:_MOST_NAMES])}{more}."
            offers = [("Keep both", _side_by_side(plan)), (_REPLACE, copies)]
            if new:
                offers.append(("Leave those out", new))
        answers = {
            name: partial(
                self._copy, session, chosen, there if name == _REPLACE else frozenset(), folder
            )
            for name, chosen in offers
        }
        confirm(
            self._window,
            "Copy into the project",
            f"Copy {many} into {folder}?",
            f"{text} {out}".strip(),
            answers,
            QMessageBox.ButtonRole.AcceptRole,
        )

    def _copy(
        self,
        session: ProjectSession,
        copies: tuple[FileCopy, ...],
        replaced: frozenset[Path],
        folder: str,
    ) -> None:
        status = self._status_bar
        job = self._submit(lambda _stop: copy_files(copies, replaced))
        whole = 0

        def on_event(event: Event) -> None:
            nonlocal whole
            if isinstance(event, Progress):
                whole = event.done
                status.show_work(f"Copying {event.detail}, {whole + 1} of {event.total}")

        def on_done(done: int) -> None:
            status.show_work(f"{count(done, 'file')} copied into {folder}")

        def on_cancelled() -> None:
            status.show_work(f"Stopped: {whole} of {count(len(copies), 'file')} copied")

        def on_failed(error: Exception) -> None:
            status.show_work("Not everything was copied")
            self._work.report(error)

        def on_finished() -> None:
            current = self._work.sync
            if current is not None and session is self._work.session:
                current.request()

        job.event_received.connect(on_event)
        job.succeeded.connect(on_done)
        job.cancelled.connect(on_cancelled)
        job.failed.connect(on_failed)
        job.finished.connect(on_finished)


def _side_by_side(plan: CopyPlan) -> tuple[FileCopy, ...]:
    taken = {one.name_key for one in plan.copies}
    made = []
    for one in plan.copies:
        kept = beside(one, taken) if one.target in plan.there else one
        taken.add(kept.name_key)
        made.append(kept)
    return tuple(made)
