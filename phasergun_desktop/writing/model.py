"""The events while a draft is written, and the finished result."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.jobs import Event
from phasergun_desktop.planning.model import Discrepancy, Plan, PlannedPoint

# What stands above the passages that are listed where nothing answers.
NEAREST = "The passages that come nearest:"


class AnswerStatus(StrEnum):
    """How generation ended."""

    COMPLETE = "complete"
    ABSTAINED = "abstained"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"
    ERROR = "error"


class ConfidenceLevel(StrEnum):
    """The bands of confidence."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    VERY_LOW = "very_low"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One part of the confidence; ``score`` in 0..1."""

    name: str
    score: float
    explanation: str


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far the result can be trusted; ``score`` in 0..1."""

    level: ConfidenceLevel
    score: float
    criteria: tuple[Criterion, ...] = ()
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One call of the model or one pass over the draft, in the order in which they ran.

    ``step`` names it ("point 2", "again"); ``note`` says what came of it.
    Times in milliseconds.
    """

    step: str
    model: str = ""
    ms: float = 0.0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptCall:
    """The SHA-256 of one prompt: whole (as the model got it), and of each of its three tiers."""

    prompt_sha256: str
    system_sha256: str
    shared_sha256: str
    task_sha256: str


@dataclass(slots=True)
class AnswerMetrics:
    """Milliseconds and tokens of one draft or answer; ``chunk_ids`` are those of the passages that
    a model has read for it, once a prompt."""

    retrieval_ms: float = 0.0
    first_token_ms: float = 0.0
    generation_ms: float = 0.0
    total_ms: float = 0.0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    chunks_retrieved: int = 0
    model: str = ""
    model_digest: str = ""
    prompt_sha256: list[str] = field(default_factory=list)
    chunk_ids: list[str] = field(default_factory=list)
    trace: list[TraceStep] = field(default_factory=list)
    calls: list[PromptCall] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """A finished draft or answer. ``text`` is Markdown with ``[n]`` marks and Sources list.

    ``error`` is set with status ``error``: what ended the writing of what stands here.
    """

    status: AnswerStatus
    text: str
    sentences: tuple[DraftSentence, ...]
    footnotes: tuple[Footnote, ...]
    confidence: Confidence
    plan: Plan
    metrics: AnswerMetrics
    discrepancies: tuple[Discrepancy, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: str = ""
    error: PhaserGunError | None = None


@dataclass(frozen=True, slots=True)
class PlanReady(Event):
    """The plan is complete; nothing has been generated."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class PointStarted(Event):
    """The model starts on a point (``index`` of ``total``, from 0)."""

    index: int
    total: int
    point: PlannedPoint


@dataclass(frozen=True, slots=True)
class TextStreamed(Event):
    """Raw text of the model, as it comes; replaced by bound units at the sentence's end."""

    text: str
    tokens_per_second: float = 0.0


@dataclass(frozen=True, slots=True)
class UnitBound(Event):
    """A sentence, row or heading is complete and checked; ``footnotes`` are new ones."""

    unit: DraftSentence
    footnotes: tuple[Footnote, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamDiscarded(Event):
    """The text streamed since the last bound unit is not kept (a repetition, NOT FOUND)."""


@dataclass(frozen=True, slots=True)
class FirstToken(Event):
    """The first token has come; milliseconds since the request."""

    first_token_ms: float = field(default=0.0)
