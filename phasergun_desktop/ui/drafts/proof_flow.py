"""What keeps the proof of the draft true while it is edited: checked again, written again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.drafts.draft_shape import NO_UNIT, Statement
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.editor.draft_revision import DraftRevision
from phasergun_desktop.ui.editor.unit_places import UnitPlace
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.model_job import progress_in_words
from phasergun_desktop.writing.model import FirstToken, TextStreamed

if TYPE_CHECKING:
    from phasergun_desktop.workspace.rewritten_groups import Regeneration, RewrittenGroup
    from phasergun_desktop.workspace.session import ProjectSession

NO_SENTENCE = "There is no sentence of the sources here to write again"
QUIET_MS = 1000
# A page that was pasted is checked in parts, so that marks come soon and nothing else waits long.
MOST_AT_ONCE = 12


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What was ``made`` of ``draft``: ``keys`` are those of its units in their order, ``notes`` the
    keys of its footnote numbers."""

    draft: Draft
    keys: tuple[int, ...]
    notes: dict[int, int]
    made: Regeneration


class ProofFlow(Flow):
    """Works beside the writing: nothing here waits on the window's thread."""

    running_changed = Signal(bool)
    checked = Signal()
    # Something was written to a wish, for the writer to take or leave.
    proposed = Signal(object)

    def __init__(self, desk: Desk, drafts: DraftFlow) -> None:
        super().__init__(desk)
        self._drafts = drafts
        self._session: ProjectSession | None = None
        self._job: JobHandle | None = None
        self.revision = DraftRevision(desk.parts.draft_panel)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self.settle)
        desk.parts.draft_panel.changed.connect(self._quiet.start)
        desk.parts.status_bar.stop_button.clicked.connect(self.stop)
        drafts.leaving.connect(self.keep_edits)
        drafts.shelf.opened.connect(self._on_opened)
        drafts.generation.begun.connect(self._on_opened)

    def set_session(self, session: ProjectSession | None) -> None:
        """Work in another project from now on."""
        self.stop()
        self._quiet.stop()
        self._session = session

    def _on_opened(self, _draft: object = None) -> None:
        # A draft may have been closed before its last words were checked.
        self._quiet.start()

    # Checked again ------------------------------------------------------------------------------

    def settle(self) -> None:
        """Record what was done since the last pause, and check again what has other words."""
        self._quiet.stop()
        panel, session = self._draft_panel, self._session
        if session is None or panel.draft is None or panel.is_generating:
            return
        self.keep_edits()
        stands = panel.text.statements()
        wanted = [index for index, one in enumerate(stands) if one.unit.needs_check][:MOST_AT_ONCE]
        draft = panel.snapshot() if wanted else None
        if draft is None:
            return
        asked = [stands[index] for index in wanted]
        self._work.call(
            lambda: session.check(draft, wanted),
            lambda units: self._on_checked(draft, asked, units),
        )

    def _on_checked(
        self, draft: Draft, asked: Sequence[Statement], units: Sequence[DraftSentence]
    ) -> None:
        panel = self._draft_panel
        if panel.draft is None or panel.draft.draft_id != draft.draft_id:
            return
        self.revision.mark(asked, units)
        panel.refresh()
        self._drafts.autosave.mark_dirty()
        self.checked.emit()
        if len(asked) == MOST_AT_ONCE:
            self.settle()

    def keep_edits(self) -> None:
        """Write what was done since the last pause to the log, while its draft is on the desk."""
        panel, session = self._draft_panel, self._session
        if session is None or panel.draft is None:
            return
        edits = panel.settle_edits()
        # As it stands with these edits: they are kept together.
        draft = panel.snapshot() if edits else None
        if draft is None:
            return
        autosave = self._drafts.autosave
        one = autosave.numbered(session, draft)

        def write(is_newest: bool) -> bool:
            return session.log_edits(draft, edits, is_newest=is_newest)

        self._work.call(lambda: autosave.write_in_turn(one, write), must_run=True)

    # Written again ------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether something is being written again."""
        return self._job is not None

    def rewrite_sentence(self) -> None:
        """Write the sentence at the cursor again."""
        here = self.revision.here()
        self.rewrite([here] if here is not None else [])

    def rewrite_paragraph(self) -> None:
        """Write the paragraph at the cursor again."""
        self.rewrite(self.revision.paragraph_here())

    def rewrite(self, places: Sequence[UnitPlace], wish: str = "") -> None:
        """Write units again; to a ``wish`` it is proposed, else put in their place."""
        panel, session = self._draft_panel, self._session
        status = self._status_bar
        if session is None or self._job is not None or panel.is_generating:
            return
        places = rewritable(places)
        if not places:
            status.show_work(NO_SENTENCE)
            return
        uses_model = not session.model_status()
        if uses_model and not self._drafts.may_send(lambda: self.rewrite(places, wish)):
            return
        draft = panel.snapshot()
        if draft is None:
            return
        keys = tuple(one.key for one in panel.text.statements())
        wanted = {one.key for one in places}
        indices = [
            index
            for index, key in enumerate(keys)
            if key in wanted and not draft.units[index].is_header
        ]
        if not indices:
            status.show_work(NO_SENTENCE)
            return
        notes = {number: key for key, number in panel.editor.numbers().items()}
        job = self._work.runners.answering.submit(
            lambda stop: session.regenerate(
                draft, indices, should_stop=stop.is_set, use_model=uses_model, wish=wish
            )
        )
        self._job = job
        job.event_received.connect(self._on_event)
        take = self.proposed.emit if wish else self.take
        job.succeeded.connect(lambda made: take(Rewritten(draft, keys, notes, made)))
        job.cancelled.connect(lambda: status.show_work("Stopped; the text is as it was"))
        job.failed.connect(self._on_failed)
        job.finished.connect(self._on_finished)
        self._set_running(True)
        status.show_work("Writing again…")

    def _on_event(self, event: Event) -> None:
        status = self._status_bar
        if isinstance(event, TextStreamed):
            speed = f", {event.tokens_per_second:.0f} tok/s" if event.tokens_per_second >= 1 else ""
            status.show_work(f"Writing again{speed}")
        elif isinstance(event, FirstToken):
            status.show_first_token(event.first_token_ms)
        elif isinstance(event, Progress):
            status.show_work(progress_in_words(event))

    def take(self, rewritten: Rewritten) -> None:
        """Put what was written in the place of the old words, as one undo step."""
        panel, draft = self._draft_panel, rewritten.draft
        if panel.draft is None or panel.draft.draft_id != draft.draft_id:
            return
        notes = dict(rewritten.notes)
        told: list[str] = []
        is_replaced = False
        groups = rewritten.made.groups
        for note in (note for group in groups for note in group.footnotes):
            notes[note.number] = panel.book.add_footnote(note)
        edit = QTextCursor(panel.editor.document())
        edit.beginEditBlock()
        # From the end: until the step is complete it is not known where the rest has moved.
        for group in reversed(groups):
            keys = [rewritten.keys[i] for i in group.indices]
            if not group.units:
                told.append(group.why_kept)
            elif self.revision.replace(keys, old_texts(draft, group), group.units, notes):
                is_replaced = True
            else:
                told.append("The text was changed meanwhile, so it was left as it is.")
        edit.endEditBlock()
        if is_replaced:
            panel.keep_making_of(rewritten.made.draft)
            panel.refresh()
            self.settle()
            told.insert(0, "Written again (Ctrl+Z brings the old words back)")
        if rewritten.made.warning:
            told.append(rewritten.made.warning)
        self._work.say(" ".join(dict.fromkeys(told)))

    def _on_failed(self, error: Exception) -> None:
        self._work.say("Nothing was written again")
        self._work.report(error)

    def _on_finished(self) -> None:
        self._job = None
        self._set_running(False)

    def _set_running(self, is_running: bool) -> None:
        self._prompt_panel.set_busy(is_running)
        if is_running:
            self._status_bar.clear_outcome()
        self.running_changed.emit(is_running)

    def stop(self) -> None:
        """Stop writing again; the old words stay."""
        if self._job is not None:
            self._job.cancel()


def rewritable(places: Sequence[UnitPlace]) -> list[UnitPlace]:
    """Return those of ``places`` that can be written again: no headings, no rows."""
    return [one for one in places if not one.level and not one.is_row and one.key != NO_UNIT]


def old_texts(draft: Draft, group: RewrittenGroup) -> list[str]:
    """Return the words of the units that ``group`` was written in the place of."""
    return [" ".join(draft.units[index].text.split()) for index in group.indices]
