"""What a fake session does about questions: it answers as it is told and keeps conversations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.conversations.model import (
    Conversation,
    ConversationSummary,
    Question,
    Turn,
    TurnStarted,
    TurnStatus,
)
from phasergun_desktop.conversations.turns import looked_up_as, questions_before
from phasergun_desktop.errors import ProfileError, StorageError
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.grounding.citation_style import CitationStyle
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.planning.questions_before import MOST_BEFORE
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.retrieval.filters import FilterKey, filter_values
from phasergun_desktop.workspace.engines import ProfileEntry
from phasergun_desktop.workspace.session import SourceDocument
from phasergun_desktop.writing.model import (
    Confidence,
    ConfidenceLevel,
    Criterion,
    FirstToken,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)
from tests.fakes.ui_documents import DEVICE, PREDICATE
from tests.fakes.ui_units import draft_units, passage

ASKED = "2026-01-05T10:30:00+00:00"
CONFIDENCE = Confidence(
    ConfidenceLevel.HIGH,
    0.86,
    (Criterion("support", 0.9, "4 of 4 statements are carried."),),
    "Everything is carried.",
)
MISTAKE = "mine.yaml, line 3, column 8: no number. Mend it."
NOTHING = "None of the documents says what the price of the device is."


def answered_turn(
    number: int, text: str, sources: dict[str, SourceDocument], question: Question | None = None
) -> Turn:
    """Return a turn with sentences, a table, marks, footnotes and passages that were not used."""
    units = draft_units(sources)
    return Turn(
        number,
        question or Question(text),
        ASKED,
        TurnStatus.COMPLETE,
        text="\n".join(unit.text for unit, _notes in units),
        sentences=tuple(unit for unit, _notes in units),
        footnotes=tuple(note for _unit, notes in units for note in notes),
        confidence=CONFIDENCE,
        band="high",
        unused=(
            passage(sources[PREDICATE], "Page 2, paragraph 3"),
            passage(sources[DEVICE], "A measurement takes 5 s"),
        ),
        total_ms=3200.0,
    )


def abstained_turn(number: int, text: str, sources: dict[str, SourceDocument]) -> Turn:
    """Return a turn that no document answers."""
    return Turn(
        number,
        Question(text),
        ASKED,
        TurnStatus.ABSTAINED,
        text=NOTHING,
        confidence=replace(CONFIDENCE, level=ConfidenceLevel.VERY_LOW, score=0.0),
        band="very_low",
        unused=(passage(sources[DEVICE], "The strip carries glucose dehydrogenase"),),
        warnings=("No document matches the filters.",),
    )


class FakeAsking:
    """``ask_gate`` (if set) holds an answer after its first sentence until it is opened or stopped,
    ``ask_deaf`` after its question until it is opened;
    a question with ``price`` is answered by nothing, one with ``broken`` fails. ``asked`` are the
    questions with conversation and ``again``; ``citations`` says how sources look."""

    sources: dict[str, SourceDocument]

    def __init__(self) -> None:
        self.kept_conversations: dict[str, Conversation] = {}
        self.asked: list[tuple[Question, str, int]] = []
        self.ask_gate: threading.Event | None = None
        self.ask_deaf: threading.Event | None = None
        self.ask_failure: Exception | None = None
        self.citations = CitationStyle()
        self.exported: list[tuple[str, Path]] = []
        self.own_profiles: dict[str, str] = {}
        self.project_profile = "regulatory"
        self.kept_questions: list[JudgedQuestion] = []

    def keep_conversation(self, name: str, turns: Sequence[Turn], left_out: int = 0) -> None:
        """Put a conversation there."""
        self.kept_conversations[name] = Conversation(
            name, f"About {name}", ASKED, ASKED, tuple(turns), left_out
        )

    def conversations(self) -> tuple[ConversationSummary, ...]:
        return tuple(_summary(one) for one in reversed(self.kept_conversations.values()))

    def conversation(self, conversation_id: str) -> Conversation:
        if conversation_id not in self.kept_conversations:
            raise StorageError("Not there", "The conversation is not there.", "Choose another.")
        return self.kept_conversations[conversation_id]

    def search_conversations(self, words: str) -> tuple[ConversationSummary, ...]:
        return tuple(
            _summary(one)
            for one in self.kept_conversations.values()
            if any(words.lower() in turn.question.text.lower() for turn in one.turns)
        )

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        one = self.conversation(conversation_id)
        self.kept_conversations[conversation_id] = replace(one, title=title)

    def delete_conversation(self, conversation_id: str) -> None:
        del self.kept_conversations[conversation_id]

    def export_conversation(self, conversation_id: str, path: Path) -> None:
        self.exported.append((conversation_id, path))

    @property
    def profile_name(self) -> str:
        return self.project_profile

    def set_profile(self, name: str) -> None:
        self.project_profile = name

    def profiles(self) -> tuple[ProfileEntry, ...]:
        own = [
            ProfileEntry(name, name, "Mine", True, MISTAKE if "limit: x" in text else "")
            for name, text in self.own_profiles.items()
        ]
        return (
            ProfileEntry("regulatory", "Regulatory", "Sections of submissions", False),
            ProfileEntry("evidence", "Evidence & proof", "Short answers", False),
            *own,
        )

    def agents(self) -> tuple[Agent, ...]:
        return (
            Agent("general", "General", "You answer a colleague."),
            Agent("reviewer", "Reviewer", "You are <b>strict</b>."),
            Agent("planner", "Planner", "You write blueprints.", output="blueprint"),
        )

    def agent(self, name: str) -> Agent:
        return next(one for one in self.agents() if one.name == name)

    def profile_text(self, name: str) -> str:
        return self.own_profiles.get(name, f"name: {name}\ntitle: {name}\nlimit: 5\n")

    def save_profile(self, name: str, text: str) -> None:
        if "limit: x" in text:
            raise ProfileError(
                "Not valid", f"{name}.yaml, line 3, column 8: no number.", "Mend it."
            )
        self.own_profiles[name] = text

    def add_question(self, question: JudgedQuestion) -> JudgedQuestion:
        self.kept_questions.append(question)
        return question

    def filter_values(self) -> dict[FilterKey, tuple[str, ...]]:
        return filter_values([one.record for one in tuple(self.sources.values())])

    def ask(
        self,
        question: Question,
        conversation_id: str = "",
        *,
        should_stop: Callable[[], bool],
        again: int = 0,
    ) -> Job[Turn]:
        self.asked.append((question, conversation_id, again))
        if self.ask_failure is not None:
            raise self.ask_failure
        name = conversation_id or f"conversation-{len(self.kept_conversations) + 1}"
        if name not in self.kept_conversations:
            self.kept_conversations[name] = Conversation(name, question.text[:60], ASKED, ASKED)
        before = self.kept_conversations[name].turns
        before = before[: again - 1] if again else before
        others = questions_before(before, question, MOST_BEFORE)
        whole = looked_up_as(question, others)
        turn = Turn(len(before) + 1, question, ASKED, rewritten=whole, before=others)
        yield TurnStarted(name, turn)
        done = yield from self._answer(turn, should_stop)
        one = self.kept_conversations[name]
        self.kept_conversations[name] = replace(one, turns=(*before, done))
        return done

    def _answer(self, turn: Turn, should_stop: Callable[[], bool]) -> Job[Turn]:
        text = turn.question.text
        yield Progress("Looking through the documents")
        if self.ask_deaf is not None:
            self.ask_deaf.wait(10)
        if "price" in text:
            nothing = abstained_turn(turn.number, text, self.sources)
            return replace(
                nothing, question=turn.question, rewritten=turn.rewritten, before=turn.before
            )
        if "broken" in text:
            return replace(
                turn, status=TurnStatus.ERROR, error="The model ended. Ask the question again."
            )
        whole = answered_turn(turn.number, text, self.sources, turn.question)
        styled = self.citations.styled
        notes_of_all = tuple(map(styled, whole.footnotes))
        whole = replace(whole, rewritten=turn.rewritten, before=turn.before, footnotes=notes_of_all)
        units: list[DraftSentence] = []
        notes: list[Footnote] = []
        yield FirstToken(400.0)
        for index, (unit, new) in enumerate(draft_units(self.sources)):
            if index == 1 and self.ask_gate is not None:
                while not should_stop() and not self.ask_gate.wait(0.02):
                    yield TextStreamed("still ", 11.2)
                yield StreamDiscarded()
            if should_stop():
                return replace(
                    whole,
                    status=TurnStatus.CANCELLED,
                    sentences=tuple(units),
                    footnotes=tuple(notes),
                    unused=(),
                )
            if unit.kind is UnitKind.SENTENCE:
                for word in unit.text.split():
                    yield TextStreamed(word + " ", 11.2)
            new_notes = tuple(map(styled, new))
            yield UnitBound(unit, new_notes)
            units.append(unit)
            notes += new_notes
        return whole


def _summary(one: Conversation) -> ConversationSummary:
    return ConversationSummary(one.conversation_id, one.title, one.modified, len(one.turns))
