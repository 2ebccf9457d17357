"""The drafts that are kept: opened, begun anew, deleted, checked against sources, exported."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.source_changes import SourceChange
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.editor.autosave import Autosave
from phasergun_desktop.ui.ports import SessionPort
from phasergun_desktop.ui.problem_reporter import ProblemReporter


class DraftShelf(QObject):
    """Works on the draft of the desk while nothing is being written into it."""

    drafts_changed = Signal()
    opened = Signal()
    # What became of every cited passage whose file changed (``SourceChange``).
    sources_checked = Signal(object)

    def __init__(
        self, parts: DeskParts, reporter: ProblemReporter, autosave: Autosave, window: QWidget
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._reporter = reporter
        self._autosave = autosave
        self._window = window
        self._session: SessionPort | None = None
        parts.project_panel.draft_activated.connect(self.open_draft)
        parts.project_panel.delete_draft_wanted.connect(self.delete_draft)

    def set_session(self, session: SessionPort | None) -> None:
        """Keep drafts of another project from now on."""
        self._session = session

    @property
    def _is_writing(self) -> bool:
        return self._parts.draft_panel.is_generating

    def open_draft(self, draft_id: str) -> None:
        """Open a kept draft; the one on the desk is saved before."""
        session = self._session
        current = self._parts.draft_panel.draft
        if session is None or self._is_writing:
            return
        if current is not None and current.draft_id == draft_id:
            return
        self._autosave.save_now()
        job = self._parts.runners.interactive.submit_call(lambda: session.drafts.load(draft_id))
        job.succeeded.connect(self.show_draft)
        job.failed.connect(self._reporter.report)

    def new_draft(self) -> None:
        """Begin an empty draft; the one on the desk is saved before."""
        if not self._is_writing:
            self._autosave.save_now()
            self.opened.emit()
            self._parts.draft_panel.new_draft(None)
            self._parts.status_bar.show_kept_confidence("", 0.0, "")

    def delete_draft(self, draft_id: str) -> None:
        """Ask, then remove a draft for good."""
        question = QMessageBox(
            QMessageBox.Icon.Question,
            "Delete draft",
            "Delete this draft?",
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        question.setInformativeText("It cannot be brought back.")
        delete = question.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        delete.clicked.connect(lambda: self._delete(draft_id))
        question.open()

    def _delete(self, draft_id: str) -> None:
        session = self._session
        if session is None or self._is_writing:
            return
        current = self._parts.draft_panel.draft
        if current is not None and current.draft_id == draft_id:
            self._parts.draft_panel.new_draft(None)
            self._autosave.set_session(session)
        job = self._parts.runners.interactive.submit_call(lambda: session.drafts.delete(draft_id))
        job.succeeded.connect(lambda _none: self.drafts_changed.emit())
        job.failed.connect(self._reporter.report)

    def show_draft(self, draft: Draft) -> None:
        """Put a kept draft on the desk."""
        if self._is_writing:
            return
        self.opened.emit()
        self._parts.draft_panel.open_draft(draft)
        self._parts.status_bar.show_kept_confidence(
            draft.confidence_level,
            draft.confidence_score,
            draft.confidence_rationale,
            draft.confidence_criteria,
        )
        panel = self._parts.prompt_panel
        if (draft.prompt or draft.template) and not panel.is_changed():
            panel.set_text(draft.prompt_file, draft.prompt, draft.template)
        self.check_sources()

    def check_sources(self) -> None:
        """Ask what became of the cited passages; ``sources_checked`` follows."""
        session, draft = self._session, self._parts.draft_panel.snapshot()
        if session is None or draft is None or not draft.footnotes:
            return
        job = self._parts.runners.interactive.submit_call(lambda: session.changed_sources(draft))

        def on_checked(changes: tuple[SourceChange, ...]) -> None:
            current = self._parts.draft_panel.draft
            if current is not None and current.draft_id == draft.draft_id:
                self.sources_checked.emit(changes)

        job.succeeded.connect(on_checked)
        job.failed.connect(self._reporter.report)

    # Export ------------------------------------------------------------------------------

    def export(self, suffix: str) -> None:
        """Ask for a file name and write the draft there (``.docx`` or ``.md``)."""
        draft, session = self._parts.draft_panel.snapshot(), self._session
        if draft is None or session is None:
            self._parts.message_bar.show_text("There is no draft to export yet.")
            return
        stem = re.sub(r"[^\w\- ]+", "", draft.title).strip() or "Draft"
        names = {".docx": "Word document (*.docx)", ".md": "Markdown (*.md)"}
        start = str(Path.home() / f"{stem}{suffix}")
        chosen = QFileDialog.getSaveFileName(self._window, "Export", start, names[suffix])[0]
        if chosen:
            path = Path(chosen)
            self.export_to(path if path.suffix else path.with_suffix(suffix))

    def export_to(self, path: Path) -> None:
        """Write the draft to ``path`` beside the window's thread."""
        draft, session = self._parts.draft_panel.snapshot(), self._session
        if draft is None or session is None:
            return
        self._parts.status_bar.show_work(f"Exporting to {path.name}…")
        job = self._parts.runners.interactive.submit_call(lambda: session.export(draft, path))
        job.succeeded.connect(
            lambda _none: self._parts.status_bar.show_work(f"Exported to {path.name}")
        )
        job.failed.connect(self._on_export_failed)

    def _on_export_failed(self, error: Exception) -> None:
        self._parts.status_bar.show_work("Nothing was exported")
        self._reporter.report(error)
