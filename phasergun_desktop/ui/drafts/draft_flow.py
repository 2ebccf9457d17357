"""What happens with drafts: planning, writing, stopping, keeping, opening, exporting."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import PhaserGunError, ProjectError
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.ui.drafts.draft_shelf import DraftShelf
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.evidence_flow import EvidenceFlow
from phasergun_desktop.ui.generate.generation import (
    FinishedDraft,
    Generation,
    GenerationRequest,
    outcome_in_words,
    utc_now,
)
from phasergun_desktop.ui.generate.planning import Planning
from phasergun_desktop.workspace.prompt_problems import prompt_exists_error, prompt_stem
from phasergun_desktop.writing.model import AnswerStatus

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession
    from phasergun_desktop.workspace.session_prompts import PromptFile

PROMPT_FOLDER = "Context/Prompt"
_REOPENED = {
    "writing": "Writing was interrupted; what was written is here",
    "cancelled": "Your last draft is open again; its writing was stopped",
}
NOTHING_WRITTEN = "Add a document on it, or passages to the evidence by hand."


class DraftFlow(Flow):
    """Connects prompt, generation, editor and the store of drafts."""

    drafts_changed = Signal()
    prompt_save_wanted = Signal(str, str)
    running_changed = Signal(bool)
    # Other text is about to take the place of the draft on the desk.
    leaving = Signal()

    def __init__(self, desk: Desk, shelf: DraftShelf) -> None:
        super().__init__(desk)
        self._session: ProjectSession | None = None
        # Whether passages may leave the machine; where it says no, it asks, and calls back.
        self.may_send: Callable[[Callable[[], None]], bool] = lambda _again: True
        self.planning = Planning(desk.work.runners.interactive, self)
        self.evidence = EvidenceFlow(desk)
        self.generation = Generation(desk.work.runners.answering, self)
        self.shelf = shelf
        self.autosave = shelf.autosave
        # The name that the text itself gave to the draft on the desk.
        self._first_words = ""
        # What the message bar was told of the last draft.
        self._told = ""
        desk.parts.draft_panel.set_open(False)
        self._connect()

    def _connect(self) -> None:
        prompt, draft = self._prompt_panel, self._draft_panel
        status, generation = self._status_bar, self.generation
        prompt.plan_wanted.connect(self._on_plan_wanted)
        prompt.generate_wanted.connect(self.generate)
        prompt.save_button.clicked.connect(self.save_prompt)
        self.planning.planned.connect(prompt.show_plan_of)
        self.planning.failed.connect(self._on_plan_failed)
        generation.begun.connect(self._on_begun)
        generation.text_streamed.connect(draft.stream)
        generation.unit_bound.connect(draft.add_unit)
        generation.stream_discarded.connect(draft.discard_stream)
        generation.point_started.connect(prompt.board.mark_point)
        generation.progressed.connect(status.show_work)
        generation.first_token_came.connect(status.show_first_token)
        generation.completed.connect(self._on_completed)
        generation.failed.connect(self._on_generation_failed)
        generation.ended.connect(self._on_ended)
        # What it kept may be older than what the writer has done since.
        generation.settled.connect(self.autosave.mark_dirty)
        status.stop_button.clicked.connect(generation.stop)
        draft.changed.connect(self._on_draft_changed)
        self.autosave.saved.connect(lambda _draft: self.drafts_changed.emit())
        self.shelf.drafts_changed.connect(self.drafts_changed)
        self.shelf.opened.connect(self.leaving)
        self.leaving.connect(self._forget_outcome)

    # The session ------------------------------------------------------------------------------

    def set_session(self, session: ProjectSession | None) -> None:
        """Draft in another project from now on; the last draft there is opened again."""
        self.generation.abandon()
        # Behind what is saved already: an older state must not come on top of it.
        self.autosave.save_now()
        self.planning.cancel()
        self._session = session
        self.autosave.set_session(session)
        self.shelf.leave()
        self.evidence.set_session(session)
        self._draft_panel.new_draft(None)
        self._draft_panel.forget_pages()
        self._draft_panel.set_open(session is not None)
        self._forget_outcome()
        # The plan in view is of the sources of the project before.
        self._prompt_panel.show_plan(None)
        if session is None:
            return
        self._prompt_panel.request_plan()
        unsaved = self.autosave.unsaved_of(session)

        def on_latest(draft: Draft | None) -> None:
            # What is still to be saved was on this desk last.
            draft = unsaved[-1] if unsaved else draft
            # An empty one has nothing to go on with.
            if draft is not None and draft.units and self._is_untouched():
                self.shelf.show_draft(draft, keeps_typed=True)
                self._work.say(_REOPENED.get(draft.status, "Your last draft is open again"))

        self._work.call(session.latest_draft, on_latest)

    def _forget_outcome(self) -> None:
        """Say nothing more of the draft that was on the desk, nor of how it was written."""
        self._work.untell(self._told)
        self._work.say("")
        self._status_bar.clear_outcome()

    def _is_untouched(self) -> bool:
        panel = self._draft_panel
        return panel.draft is None and not panel.is_generating

    # Planning and writing -----------------------------------------------------------------------

    def _on_plan_wanted(self, prompt: str, template: str, agent: str, profile: str) -> None:
        if self._session is not None:
            self.planning.request(self._session, prompt, template, agent, profile)

    def _on_plan_failed(self, error: Exception) -> None:
        if isinstance(error, PhaserGunError):
            message = f"{error.message} {error.remedy}".strip()
            self._prompt_panel.show_plan_failure(message)
            self._work.say(message)
        else:
            self._prompt_panel.show_plan_failure("No plan could be made.")
            self._work.report(error)

    def generate(self, uses_model: bool = False) -> None:
        """Write the draft that is planned, or say what stands against it; with the model its
        paragraphs are joined. It is written later where nothing but the plan is missing."""
        panel = self._prompt_panel
        plan: Plan | None = panel.plan
        session = self._session
        if session is None:
            return
        why = panel.why_no_prose() if uses_model else panel.why_not()
        if plan is None or why:
            self._work.say(why)
            panel.generate_when_planned(uses_model)
            return
        planned = panel.planned
        if planned is None or not self.planning.made(planned, session):
            return
        if uses_model and not self.may_send(lambda: self.generate(True)):
            return
        self.leaving.emit()
        self.keep_before_generating(session)
        self.autosave.save_now()
        model = session.model_name() if uses_model else ""
        self.generation.start(
            session, GenerationRequest(plan, panel.prompt_file, uses_model, model)
        )

    def keep_before_generating(self, session: ProjectSession) -> None:
        """Keep a version of the draft on the desk: another one is about to take its place."""
        draft = self._draft_panel.snapshot()
        if draft is None or not draft.units:
            return
        self._work.call(
            lambda: session.save_version(draft, "Before another draft was generated"), must_run=True
        )

    def _on_begun(self, draft: Draft) -> None:
        self._draft_panel.begin_generation(draft)
        # Whoever pressed Generate reads on there, and Ctrl+Z is meant for the draft.
        self._draft_panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._prompt_panel.set_busy(True)
        self.running_changed.emit(True)

    def _on_completed(self, finished: FinishedDraft) -> None:
        result = finished.result
        self._draft_panel.end_generation(finished.draft)
        self._work.say(outcome_in_words(result))
        if result.status is AnswerStatus.ABSTAINED:
            self._told = f"{outcome_in_words(result)}. {NOTHING_WRITTEN}"
            self._work.tell(self._told)
        self.drafts_changed.emit()

    def _on_generation_failed(self, error: Exception) -> None:
        self._draft_panel.end_generation(None)
        self._work.say("The draft could not be written")
        self._work.report(error)

    def _on_ended(self) -> None:
        if self._draft_panel.is_generating:
            # Cancelled before it began, or left for another project.
            self._draft_panel.end_generation(None, "cancelled")
            self._work.say("Stopped")
        self._prompt_panel.set_busy(False)
        self._prompt_panel.board.mark_point(-1)
        self.running_changed.emit(False)

    # Keeping --------------------------------------------------------------------------------

    def _on_draft_changed(self) -> None:
        panel = self._draft_panel
        if panel.draft is None and self._session is not None:
            if panel.editor.document().isEmpty():
                return
            prompt = self._prompt_panel
            first_line = panel.editor.toPlainText().strip().split("\n", 1)[0]
            self._first_words = first_line[:80]
            panel.adopt(_own_draft(self._first_words, prompt.prompt_file, prompt.prompt_text))
        self._name_by_first_line()
        self.autosave.mark_dirty()

    def _name_by_first_line(self) -> None:
        """While its first line is being typed, a draft of one's own has that for a name."""
        panel = self._draft_panel
        draft, document = panel.draft, panel.editor.document()
        if draft is None or draft.title != self._first_words or document.blockCount() > 1:
            return
        words = document.begin().text().strip()[:80]
        if words and words != self._first_words:
            self._first_words = words
            panel.rename(words)

    def save_now(self) -> None:
        """Save at once, for those whose fingers do it by themselves."""
        status, job = self._status_bar, self.autosave.save_now()
        if job is not None:
            status.show_work("Saving…")
            job.succeeded.connect(lambda _none: status.show_work("Saved"))
            job.failed.connect(lambda _error: status.show_work("Not saved"))
        elif self.autosave.is_dirty:
            status.show_work("Not saved")
            self.autosave.retry()
        else:
            status.show_work("Saved")

    def save_prompt(self) -> None:
        """Save the prompt in its file, or ask for a name."""
        panel = self._prompt_panel
        file, text = panel.prompt_file, panel.prompt_text
        if not text.strip():
            return
        if not file:
            name, is_given = QInputDialog.getText(self._window, "Save prompt", "Name of the prompt")
            if not is_given:
                return
            try:
                self._save_new_prompt(f"{PROMPT_FOLDER}/{prompt_stem(name)}.md", text)
            except ProjectError as error:
                self._work.report(error)
            return
        self.prompt_save_wanted.emit(file, text)

    def _save_new_prompt(self, file: str, text: str) -> None:
        """Save it unless another prompt has that name."""

        def on_listed(prompts: Sequence[PromptFile]) -> None:
            # Upper and lower case make one file on many disks.
            if file.casefold() in {prompt.file.casefold() for prompt in prompts}:
                self._work.report(prompt_exists_error(file.rpartition("/")[2]))
            else:
                self.prompt_save_wanted.emit(file, text)

        self._work.do(lambda session: session.prompts(), on_listed)


def _own_draft(title: str, prompt_file: str, prompt: str) -> Draft:
    """Return the draft for text that the writer typed without generating."""
    made = utc_now()
    return Draft(
        draft_id=uuid.uuid4().hex,
        title=title,
        prompt_file=prompt_file,
        prompt=prompt,
        status="complete",
        units=(),
        footnotes=(),
        created=made,
        modified=made,
    )
