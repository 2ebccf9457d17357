"""The part of a session that answers questions and keeps the conversations they are asked in."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.conversations.conversation_store import (
    MOST_TURNS,
    ConversationStore,
    time_now,
)
from phasergun_desktop.conversations.greetings import GREETING_ANSWER, is_greeting
from phasergun_desktop.conversations.model import (
    Conversation,
    ConversationSummary,
    Question,
    Turn,
    TurnStarted,
    TurnStatus,
)
from phasergun_desktop.conversations.turns import (
    answered,
    as_question,
    earlier_passages,
    error_line,
    looked_up_as,
    questions_before,
)
from phasergun_desktop.drafts.export import export_draft
from phasergun_desktop.errors import Cancelled, PhaserGunError, PromptError, StorageError
from phasergun_desktop.grounding.footnotes import EarlierFootnotes, numbers_behind
from phasergun_desktop.jobs import Job
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.planning.questions_before import MOST_BEFORE
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.sync.hidden_files import hidden_names
from phasergun_desktop.workspace.asked_draft import draft_of_conversation
from phasergun_desktop.workspace.hidden_documents import (
    require_exportable,
    stands_in,
    without_hidden_answer,
)
from phasergun_desktop.workspace.kept_results import (
    activity_of,
    failure_of,
    search_of,
)
from phasergun_desktop.workspace.session_drafts import not_kept
from phasergun_desktop.workspace.session_profiles import SessionProfiles
from phasergun_desktop.writing.composing import Composing
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel

_TRIMMED = (
    f"This conversation has more than {MOST_TURNS} questions: its first ones are kept, but not "
    "shown or used any more. The numbers of its sources stay."
)


class SessionAsking(SessionProfiles):
    """Answers questions on the project. All but ``ask``, which belongs to the thread that owns the
    language model, may be called on any thread. Every call raises ``StorageError``."""

    @property
    def _conversations(self) -> ConversationStore:
        return self._work.conversations

    def conversations(self) -> tuple[ConversationSummary, ...]:
        """Return every conversation, the one that was asked last first."""
        return self._conversations.list()

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation with its turns, without the answers that cite what is hidden in
        this project; ``StorageError`` when it is not there."""
        found = self._conversations.load(conversation_id)
        hidden = frozenset(hidden_names(self._index.files()))
        turns = tuple(without_hidden_answer(each, hidden) for each in found.turns)
        return replace(found, turns=turns)

    def search_conversations(self, words: str) -> tuple[ConversationSummary, ...]:
        """Return the conversations in which all of ``words`` stand, but in no answer that cites
        what is hidden in this project."""
        found = self._conversations.search(words)
        if not hidden_names(self._index.files()):
            return found
        return tuple(e for e in found if stands_in(words, self.conversation(e.conversation_id)))

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        """Give a conversation another title."""
        self._conversations.rename(conversation_id, title)

    def delete_conversation(self, conversation_id: str) -> None:
        """Remove a conversation for good; what was asked stays in the activity log."""
        self._conversations.delete(conversation_id)

    def export_conversation(self, conversation_id: str, path: Path) -> None:
        """Write a conversation as Markdown or DOCX, by the suffix of ``path``, and log it. Raises
        ``ExportError``, also where it cites what is hidden in this project."""
        conversation = self._conversations.load(conversation_id)
        draft = draft_of_conversation(conversation)
        require_exportable(
            (note.file for note in draft.footnotes),
            self._index.files(),
            (turn.text for turn in conversation.turns),
        )
        export_draft(draft, path)
        self.activity.append(
            Activity(
                ActivityKind.EXPORT,
                subject=path.name,
                project=self.project.name,
                conversation_id=conversation_id,
            )
        )

    def log_search(
        self, query: str, found: SearchResult | PhaserGunError, profile: str = ""
    ) -> None:
        """Append what was searched for and found, or why nothing was, to the activity log."""
        used = profile or self.profile_name
        self.activity.append(search_of(query, found, used, self.project.name))

    def ask(
        self,
        question: Question,
        conversation_id: str = "",
        *,
        should_stop: Callable[[], bool],
        again: int = 0,
    ) -> Job[Turn]:
        """Answer a question in a conversation, a new one without an id; return its turn, kept and
        logged however it ends. ``again``: the turn of that number is asked again, and those after
        it are removed.

        Yields ``TurnStarted`` when it is kept, then the events of ``Answerer.answer``. Raises
        ``PromptError`` where nothing is asked, ``ProfileError`` for a profile or an agent that is
        not known, and ``StorageError`` for a conversation that is not there; what fails later is
        the turn's ``error``.
        """
        question = replace(question, text=question.text.strip())
        if not any(character.isalnum() for character in question.text):
            raise PromptError(
                "Nothing is asked", "The question has no words.", "Type a question, then ask again."
            )
        # A wrong name is the question's mistake, not an answer to keep.
        self.engines.get(question.profile)
        if question.agent:
            self.agent(question.agent)
        asking = self._begun(question, conversation_id, again)
        try:
            yield TurnStarted(asking.conversation_id, asking.turn)
            asking.turn = yield from self._answered(asking, should_stop)
        except PhaserGunError as error:
            asking.ends(TurnStatus.ERROR, error_line(error))
            asking.failure = error
        except (Cancelled, GeneratorExit) as stop:
            asking.ends(TurnStatus.CANCELLED)
            if isinstance(stop, GeneratorExit):
                raise
        except BaseException:
            asking.ends(TurnStatus.ERROR, "The answer was broken off. Ask the question again.")
            raise
        finally:
            self._finish(asking)
        return asking.turn

    def _begun(self, question: Question, conversation_id: str, again: int) -> _Asking:
        """Keep the question as a turn, in a new conversation where there is none."""
        store = self._conversations
        turns: tuple[Turn, ...] = ()
        cited = EarlierFootnotes()
        if conversation_id:
            turns, cited = store.load(conversation_id).turns, store.cited(conversation_id)
        again = again if any(turn.number == again for turn in turns) else 0
        before = tuple(turn for turn in turns if not again or turn.number < again)
        turn = self._looked_up(Turn(len(before) + 1, question, time_now()), before)
        new_id = conversation_id or uuid.uuid4().hex
        asking = _Asking(new_id, turn, before, cited)
        try:
            with self._work.transaction():
                if not conversation_id:
                    store.create(new_id, question.text)
                asking.turn = store.start(new_id, turn, again)
        except StorageError as error:
            # Where nothing can be kept, there is an answer all the same.
            asking.warn(not_kept(error))
            asking.is_kept = False
        if asking.turn.number > MOST_TURNS:
            asking.warn(_TRIMMED)
        return asking

    def _looked_up(self, turn: Turn, turns: Sequence[Turn]) -> Turn:
        """Return ``turn`` with how it is looked up: a question with those before it in ``turns``,
        what an agent drafts by a template alone."""
        question = turn.question
        drafts = bool(question.agent and self.agent(question.agent).template)
        before = () if drafts else questions_before(turns, question, MOST_BEFORE)
        return replace(turn, rewritten=looked_up_as(question, before), before=before)

    def _answered(self, asking: _Asking, should_stop: Callable[[], bool]) -> Job[Turn]:
        turn = asking.turn
        if is_greeting(turn.question.text):
            nothing = Confidence(ConfidenceLevel.VERY_LOW, 0.0)
            return replace(
                turn,
                status=TurnStatus.COMPLETE,
                text=GREETING_ANSWER,
                confidence=nothing,
                band=nothing.level.value,
                total_ms=asking.elapsed_ms(),
            )
        question = turn.question
        agent = self.agent(question.agent) if question.agent else None
        template = agent.template if agent is not None else ""
        earlier = earlier_passages(asking.before, self._index.documents())
        last = next((t.footnotes for t in reversed(asking.before) if t.footnotes), ())
        made = self.plan(
            as_question(question.rewritten or question.text),
            asks=not template,
            before=turn.before,
            cited_before=[(note.file, note.start, note.end) for note in last],
            profile=question.profile,
            filters=question.filters,
            is_fast=question.is_fast,
            earlier=earlier,
            agent=agent,
            should_stop=should_stop,
        )
        asking.plan = made
        # The first one first: what a prompt begins with is read once.
        composing = Composing(
            persona=agent.persona if agent is not None else "",
            maximum_tokens=agent.maximum_tokens if agent is not None else 0,
            earlier=earlier[::-1],
            before=turn.before,
        )
        result = yield from self._drafted(
            made, should_stop, question.uses_model, asking.cited, None if template else composing
        )
        bands = self.engines.get(made.profile).profile.confidence
        return answered(turn, result, bands.band(result.confidence.score))

    def _finish(self, asking: _Asking) -> None:
        """Keep and log what became of the turn: all or nothing."""
        try:
            with self._work.transaction():
                if asking.is_kept:
                    self._settle_numbers(asking)
                    self._conversations.finish(asking.conversation_id, asking.turn)
                self.activity.append(self._entry(asking))
        except StorageError as error:
            if asking.is_kept:
                asking.warn(not_kept(error))

    def _settle_numbers(self, asking: _Asking) -> None:
        """Give the sources of an answer other numbers, where another window gave away theirs in the
        same conversation meanwhile. Inside of the transaction that keeps them."""
        turn, now = asking.turn, self._conversations.cited(asking.conversation_id)
        if turn.result is None or not turn.footnotes or now.highest == asking.cited.highest:
            return
        new = numbers_behind(turn.footnotes, asking.cited, now)
        result = self._renumbered(turn.result, new)
        asking.turn = replace(
            turn,
            text=result.text,
            sentences=result.sentences,
            footnotes=result.footnotes,
            result=result,
        )

    def _entry(self, asking: _Asking) -> Activity:
        turn = asking.turn
        if turn.result is not None:
            paid = turn.result.metrics
            cost = self._models.cost(paid.model, paid.prompt_tokens, paid.completion_tokens)
            entry = activity_of(ActivityKind.ASK, turn.result, self.project.name, "", cost)
        elif asking.plan is not None and asking.failure is not None:
            agent = self.agent(asking.plan.agent) if asking.plan.agent else None
            model = self._models_of(agent).name if turn.question.uses_model else ""
            entry = replace(
                failure_of(ActivityKind.ASK, asking.plan, asking.failure, self.project.name, model),
                confidence=0.0,
                total_ms=asking.elapsed_ms(),
            )
        else:
            entry = Activity(
                ActivityKind.ASK,
                answer=turn.text,
                status=turn.status.value,
                confidence=0.0,
                total_ms=asking.elapsed_ms(),
                profile=turn.question.profile,
                project=self.project.name,
                errors=(turn.error,) if turn.error else (),
            )
        return replace(
            entry,
            prompt=turn.question.text,
            agent=turn.question.agent,
            conversation_id=asking.conversation_id,
        )


@dataclass(slots=True)
class _Asking:
    """A question while it is answered. ``before`` are the turns before it, ``cited`` the sources
    that have a number. ``is_kept``: the turn is in the database. ``plan`` is what was found for it,
    ``failure`` what ended it."""

    conversation_id: str
    turn: Turn
    before: tuple[Turn, ...]
    cited: EarlierFootnotes
    is_kept: bool = True
    plan: Plan | None = None
    failure: PhaserGunError | None = None
    started: float = field(default_factory=time.perf_counter)

    def elapsed_ms(self) -> float:
        """Return the milliseconds since the question came."""
        return (time.perf_counter() - self.started) * 1000

    def warn(self, sentence: str) -> None:
        """Add a warning to the turn."""
        self.turn = replace(self.turn, warnings=(*self.turn.warnings, sentence))

    def ends(self, status: TurnStatus, error: str = "") -> None:
        """Note that the turn has no answer, and why."""
        self.turn = replace(self.turn, status=status, error=error, total_ms=self.elapsed_ms())
