"""The drafts that are kept: opened, begun anew, checked against sources, exported."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal

from phasergun_desktop.drafts.export import ExportFormat, file_stem, with_export_ending
from phasergun_desktop.drafts.kept_plan import kept_plan
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.source_changes import SourceChange
from phasergun_desktop.errors import ExportNotRecordedError
from phasergun_desktop.ui.confirmation import FILE_KINDS, ask_file, confirm
from phasergun_desktop.ui.dialogs.open_problems_dialog import OpenProblemsDialog
from phasergun_desktop.ui.editor.autosave import Autosave, SaveWay
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.workspace.hidden_documents import HiddenDraftError

STILL_WRITING = "This draft is still being written: wait for it, or stop it (Esc)"


class DraftShelf(Flow):
    """Works on the draft of the desk while nothing is being written into it."""

    drafts_changed = Signal()
    # Another draft, or none, is about to take the place of the one on the desk.
    opened = Signal()
    # The desk shows the draft that was asked for, or still the one before.
    settled = Signal()
    # What became of every cited passage whose file changed: footnote key → ``SourceChange``.
    sources_checked = Signal(object)
    # Before an export the writer wants to see what is open.
    first_problem_wanted = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        # The draft that was asked for last and is still being fetched.
        self._wanted = ""
        way: SaveWay[Draft] = SaveWay(
            desk.parts.draft_panel.snapshot,
            lambda draft: draft.draft_id,
            lambda session, draft: session.save_draft(draft),
        )
        self.autosave = Autosave(desk.work.runners.interactive, way, self)

    def leave(self) -> None:
        """Wait for no draft any more: another project is opened."""
        self._wanted = ""

    @property
    def _is_writing(self) -> bool:
        return self._draft_panel.is_generating

    def open_draft(self, draft_id: str) -> None:
        """Open a kept draft; the one on the desk is saved before."""
        session = self._work.session
        current = self._draft_panel.draft
        if session is None:
            return
        if self._is_writing:
            self._work.say(STILL_WRITING)
            return
        self._wanted = draft_id
        if current is not None and current.draft_id == draft_id:
            return
        self.autosave.save_now()
        # Newer than what is stored of it, and hidden by the same rule.
        unsaved = [d for d in self.autosave.unsaved_of(session) if d.draft_id == draft_id]

        def on_loaded(draft: Draft) -> None:
            # Another draft may have been opened meanwhile, or a new one begun.
            if self._wanted == draft_id:
                self.show_draft(draft)

        def load() -> Draft:
            return session.shown(unsaved[0]) if unsaved else session.kept_draft(draft_id)

        job = self._work.call(load, on_loaded)
        job.failed.connect(lambda _error: self.settled.emit())

    def new_draft(self) -> None:
        """Begin an empty draft; the one on the desk is saved before."""
        if not self._is_writing:
            self._wanted = ""
            self.autosave.save_now()
            self.opened.emit()
            self._draft_panel.new_draft(None)

    def show_draft(self, draft: Draft, *, keeps_typed: bool = False) -> None:
        """Put a kept draft on the desk, beside the prompt that it was made from.

        What the writer typed into another prompt stays with that prompt; an edited form of the
        draft's own stands as it is. With ``keeps_typed`` any prompt that was typed stays in view.
        """
        if self._is_writing:
            return
        self._wanted = ""
        # What was typed while it was fetched.
        self.autosave.save_now()
        self.opened.emit()
        self._draft_panel.open_draft(draft)
        panel = self._prompt_panel
        if not panel.is_typed() or not (keeps_typed or panel.is_prompt(draft.prompt_file)):
            agent = kept_plan(draft.plan_json).agent
            asked = draft.prompt_file, draft.prompt, draft.template, agent, draft.profile
            panel.set_text(*asked)
        self.settled.emit()
        self.check_sources()

    def check_sources(self) -> None:
        """Ask what became of the cited passages; ``sources_checked`` follows. A draft that cites
        what is hidden in the project is taken off the desk."""
        panel = self._draft_panel
        draft = panel.snapshot()
        if draft is None:
            return
        # The answer names numbers as they are now; the text may move before it comes.
        keys = {number: key for key, number in panel.editor.numbers().items()}

        def on_checked(changes: tuple[SourceChange, ...]) -> None:
            current = panel.draft
            if current is not None and current.draft_id == draft.draft_id:
                by_key = {keys[one.note.number]: one for one in changes if one.note.number in keys}
                self.sources_checked.emit(by_key)

        def on_failed(error: Exception) -> None:
            current = panel.draft
            is_here = current is not None and current.draft_id == draft.draft_id
            if isinstance(error, HiddenDraftError) and is_here:
                self.new_draft()
            self._work.report(error)

        self._work.do(
            lambda session: session.changed_sources(session.shown(draft)),
            on_checked,
            failed=on_failed,
        )

    # Export ------------------------------------------------------------------------------

    def export(self, suffix: str) -> None:
        """Export the draft (``.docx`` or ``.md``); what is open in it is listed before."""
        panel = self._draft_panel
        if panel.draft is None or self._work.session is None:
            self._work.tell("There is no draft to export yet.")
            return
        panel.refresh()
        problems = self._problems_panel.open_problems()
        if not problems:
            self._ask_name(suffix)
            return
        remarks = "a comment in Word" if suffix == ExportFormat.WORD else "a remark in the file"
        dialog = OpenProblemsDialog(problems, remarks, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._ask_name(suffix))
        dialog.first_wanted.connect(self.first_problem_wanted)
        dialog.show()

    def _ask_name(self, suffix: str) -> None:
        draft = self._draft_panel.snapshot()
        if draft is None:
            return
        name, kinds = f"{file_stem(draft.title)}{suffix}", FILE_KINDS[ExportFormat(suffix)]
        export = partial(self.export_as, wanted=ExportFormat(suffix))
        ask_file(self._window, "Export", name, kinds, export)

    def export_as(self, chosen: Path, wanted: ExportFormat) -> None:
        """Export under a name that was chosen in the dialog; ask before a file is replaced that
        the dialog could not ask about, since the name got its ending here."""
        path = with_export_ending(chosen, wanted)
        if path == chosen or not path.exists():
            self.export_to(path)
            return
        there = f"There is a file of this name in {path.parent} already."
        answers = {"Replace": lambda: self.export_to(path)}
        confirm(self._window, "Export", f"Replace “{path.name}”?", there, answers)

    def export_to(self, path: Path) -> None:
        """Write the draft to ``path`` beside the window's thread."""
        draft, session = self._draft_panel.snapshot(), self._work.session
        if draft is None or session is None:
            return
        self._work.say(f"Exporting to {path.name}…")
        job = self._work.call(
            lambda: session.export(draft, path), failed=self._on_export_failed, must_run=True
        )
        job.succeeded.connect(lambda _none: self._work.say(f"Exported to {path.name}"))

    def _on_export_failed(self, error: Exception) -> None:
        is_written = isinstance(error, ExportNotRecordedError)
        self._work.say("Exported, but not recorded" if is_written else "Nothing was exported")
        self._work.report(error)
