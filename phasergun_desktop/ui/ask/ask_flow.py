"""What happens with questions: asking, stopping, asking again, and what becomes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.grounding.rendering import render_markdown
from phasergun_desktop.retrieval.model import Hit, Passage
from phasergun_desktop.ui.ask.asking_job import Asking
from phasergun_desktop.ui.ask.conversation_flow import ConversationFlow
from phasergun_desktop.ui.ask.kept_question import judged_question
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.ui.choice_button import agent_choices
from phasergun_desktop.ui.editor import draft_clipboard
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.profile_flow import ProfileFlow
from phasergun_desktop.ui.sources.source_flow import SourceFlow
from phasergun_desktop.ui.wording import count

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

WAITS = "A draft is being written; your question comes next. Stop takes it back."
LOADS = "What answers is still being loaded; your question comes next. Stop takes it back."
NO_PAGE = "The draft cannot be changed now; insert the answer when it is finished"
_TITLE = 60


class AskFlow(Flow):
    """Connects the panel with the project, the sources and the draft on the desk."""

    running_changed = Signal(bool)
    # What the documents of the project can be filtered by.
    filter_values_found = Signal(object)

    def __init__(
        self,
        desk: Desk,
        conversations: ConversationFlow,
        profiles: ProfileFlow,
        source_flow: SourceFlow,
    ) -> None:
        super().__init__(desk)
        self._panel = desk.parts.ask_panel
        self._conversations = conversations
        self._profiles = profiles
        self._sources = source_flow
        # Whether passages may leave the machine; where it says no, it asks, and calls back.
        self.may_send: Callable[[Callable[[], None]], bool] = lambda _again: True
        # Whether a draft is being written or rewritten.
        self.is_writing: Callable[[], bool] = lambda: False
        # Brings the panel back into view.
        self.show_panel: Callable[[], None] = lambda: None
        self.asking = Asking(desk.work.runners.answering, self)
        self._asked: Question | None = None
        self._turn: Turn | None = None
        self._connect()

    def _connect(self) -> None:
        composer, transcript, asking = self._panel.composer, self._panel.transcript, self.asking
        composer.ask_wanted.connect(self.ask)
        composer.stop_wanted.connect(asking.stop)
        self.filter_values_found.connect(composer.add_filter.show_values)
        transcript.action_wanted.connect(self.act)
        transcript.footnote_activated.connect(self._on_footnote)
        transcript.passage_activated.connect(self._on_passage)
        asking.begun.connect(self._on_begun)
        asking.text_streamed.connect(transcript.stream)
        asking.unit_bound.connect(self._on_unit_bound)
        asking.stream_discarded.connect(transcript.discard_stream)
        asking.progressed.connect(self._work.say)
        asking.completed.connect(self._on_completed)
        asking.failed.connect(self._on_failed)
        asking.abandoned.connect(self._on_abandoned)
        asking.ended.connect(self._on_ended)
        self._conversations.leaving.connect(asking.abandon)

    def set_session(self, session: ProjectSession | None) -> None:
        """Ask another project from now on."""
        self.asking.abandon()
        self._conversations.set_session(session)
        self._profiles.set_session(session)
        self._panel.composer.begin(is_open=session is not None)
        agent = self._panel.composer.agent
        self._work.do(
            lambda session: session.agents(),
            lambda agents: agent.show_choices(agent_choices(agents), ""),
        )
        self.show_filter_values()

    def show_filter_values(self) -> None:
        """Offer what the documents can be filtered by now."""
        self._work.do(lambda session: session.filter_values(), self.filter_values_found.emit)

    # Asking -----------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask what stands in the field."""
        question = self._panel.composer.question()
        if question.text:
            self._ask(question)

    def _ask(self, question: Question, again: int = 0) -> None:
        session = self._work.session
        if session is None or self.asking.is_running:
            return
        if question.uses_model and not self.may_send(lambda: self._ask(question, again)):
            return
        self._panel.show_transcript()
        is_first = not self._work.runners.answering.is_busy
        self._panel.composer.tell("" if is_first else WAITS if self.is_writing() else LOADS)
        self._asked, self._turn = question, None
        self.asking.start(session, question, self._conversations.current, again)
        self._panel.composer.set_running(True)
        self.running_changed.emit(True)

    def _on_begun(self, conversation_id: str, turn: Turn) -> None:
        self._turn = turn
        composer = self._panel.composer
        composer.tell("")
        if composer.box.question == turn.question.text:
            composer.box.clear()
        self._conversations.began(conversation_id, shortened(turn.question.text, _TITLE))
        self._panel.transcript.begin_turn(turn)

    def _on_unit_bound(self, unit: DraftSentence, footnotes: tuple[Footnote, ...]) -> None:
        if self._turn is not None:
            self._turn = replace(
                self._turn,
                sentences=(*self._turn.sentences, unit),
                footnotes=(*self._turn.footnotes, *footnotes),
            )
        self._panel.transcript.add_unit(unit, footnotes)

    def _on_completed(self, turn: Turn) -> None:
        # What it was made of is long, and not shown.
        self._panel.transcript.end_turn(replace(turn, result=None))
        words = {
            TurnStatus.COMPLETE: "Answered",
            TurnStatus.ABSTAINED: "Not in these documents",
            TurnStatus.CANCELLED: "Stopped; what was written so far is kept",
        }
        self._work.say(words.get(turn.status, "The question could not be answered"))

    def _on_failed(self, error: Exception) -> None:
        self._panel.transcript.end_turn(None)
        self._give_back()
        self._work.say("The question was not answered")
        self._work.report(error)

    def _on_abandoned(self) -> None:
        """Show what came until now; the job keeps the same."""
        if self._turn is not None:
            stopped = replace(self._turn, status=TurnStatus.CANCELLED)
            self._panel.transcript.end_turn(stopped)
        else:
            self._give_back()
        self._work.say("Stopped")

    def _give_back(self) -> None:
        """Leave the question to the writer, who may have begun another one."""
        if self._asked is not None and not self._panel.composer.box.question:
            self._panel.composer.show_question(self._asked)

    def _on_ended(self) -> None:
        self._asked = self._turn = None
        self._panel.composer.tell("")
        self._panel.composer.set_running(False)
        self.running_changed.emit(False)

    # With a turn ------------------------------------------------------------------------------

    def act(self, act: Act, turn: Turn, passage: Passage | Footnote | None = None) -> None:
        """Do what a link of a turn says."""
        if act is Act.AGAIN:
            # The answer of the last question gives way; behind an earlier one stand others.
            is_last = turn.number == self._panel.transcript.turns[-1].number
            self._ask(turn.question, turn.number if is_last else 0)
        elif act is Act.EDIT:
            self._panel.composer.show_question(turn.question)
        elif act is Act.REWRITTEN:
            whole = "" if turn.before else turn.rewritten
            self._panel.composer.show_question(turn.question, whole, is_alone=True)
        elif act is Act.COPY:
            self.copy(turn)
        elif act is Act.INSERT:
            self.insert(turn)
        else:
            # To measure the project on; one that was answered by nothing is to stay so.
            self._keep(judged_question(turn, passage))

    def copy(self, turn: Turn) -> None:
        """Put an answer with its sources on the clipboard."""
        markdown = render_markdown(turn.sentences, turn.footnotes)
        data = draft_clipboard.units_to_mime(turn.sentences, turn.footnotes, markdown)
        QApplication.clipboard().setMimeData(data)
        self._work.say("Copied with its sources")

    def insert(self, turn: Turn) -> None:
        """Put an answer into the draft at its cursor, with its footnotes, as one undo step."""
        editor = self._draft_panel.editor
        if editor.isReadOnly():
            self._work.say(NO_PAGE)
            return
        cursor = editor.textCursor()
        cursor.clearSelection()
        draft_clipboard.put_units(cursor, turn.sentences, turn.footnotes, self._draft_panel.book)
        editor.move_cursor(cursor.position())
        editor.setFocus(Qt.FocusReason.OtherFocusReason)
        notes = count(len(turn.footnotes), "footnote")
        self._work.say(f"Inserted at the cursor with {notes}")

    def keep_found(self, query: str, hit: Hit) -> None:
        """Keep what was searched for to measure the project on, with the hit that answers it."""
        self._keep(JudgedQuestion("", query, True, (hit.file,), passage=hit.text))

    def _keep(self, question: JudgedQuestion) -> None:
        self._work.do(
            lambda session: session.add_question(question),
            lambda _kept: self._work.say("Saved as an evaluation question"),
            must_run=True,
        )

    def _on_footnote(self, footnote: Footnote) -> None:
        turn = self._panel.transcript.current_turn()
        others = turn.footnotes if turn is not None else ()
        self._sources.open_cited(footnote, others, self._come_back)

    def _on_passage(self, passage: Passage) -> None:
        self._sources.open_found(passage, self._come_back)

    def _come_back(self) -> None:
        self.show_panel()
        self._panel.transcript.setFocus(Qt.FocusReason.OtherFocusReason)
