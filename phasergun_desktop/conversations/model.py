"""A conversation: questions to a project, and their answers with citations."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.jobs import Event
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.model import AnswerResult, Confidence


class TurnStatus(StrEnum):
    """What became of a question. ``started``: its answer was not finished, in this window or in
    one that was killed."""

    STARTED = "started"
    COMPLETE = "complete"
    ABSTAINED = "abstained"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how. Empty ``profile``: the project's; empty ``agent``: none.

    ``is_fast`` leaves out reranking. ``uses_model``: the language model words the answer; without
    it the answer stands in the words of its sources. ``rewritten`` is the whole question that the
    writer gave, which is looked up alone; empty: it is looked up with the questions before it.
    """

    text: str
    profile: str = ""
    agent: str = ""
    filters: tuple[Filter, ...] = ()
    is_fast: bool = False
    uses_model: bool = False
    rewritten: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer. ``number`` counts from 1 in its conversation.

    ``rewritten`` is the question as it was looked up, for people to read, empty where that is the
    question itself; ``before`` are the questions before it that it was looked up with, the first
    one first.
    ``text`` is Markdown, its citations rendered as the profile says. The numbers of ``footnotes``
    are those of the whole conversation. ``band`` is the profile's (``high`` to ``very_low``),
    ``unused`` are passages that were retrieved and not cited, best first. ``asked`` is ISO 8601 in
    UTC. ``error`` is a sentence with a remedy. ``result`` is what the answer was made of; one that
    is read back has none.
    """

    number: int
    question: Question
    asked: str
    status: TurnStatus = TurnStatus.STARTED
    rewritten: str = ""
    before: tuple[str, ...] = ()
    text: str = ""
    sentences: tuple[DraftSentence, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    confidence: Confidence | None = None
    band: str = ""
    unused: tuple[Passage, ...] = ()
    warnings: tuple[str, ...] = ()
    model: str = ""
    total_ms: float = 0.0
    error: str = ""
    result: AnswerResult | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its turns in order. ``created`` and ``modified`` are ISO 8601 in UTC.
    ``left_out`` counts the first turns of a long one, which are kept and not read back."""

    conversation_id: str
    title: str
    created: str
    modified: str
    turns: tuple[Turn, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation in a list."""

    conversation_id: str
    title: str
    modified: str
    turns: int


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """The question is kept; its answer begins. ``turn`` has status ``started`` and says how it is
    looked up; the events of writing follow."""

    conversation_id: str
    turn: Turn
