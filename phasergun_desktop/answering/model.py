"""The plan of a draft, the events while it is written, and the finished result."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import DraftSentence, Footnote, SourcePlace
from phasergun_desktop.jobs import Event
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.references.model import (
    Problem,
    QuestionAnswer,
    ResolvedReference,
    SourceValue,
)
from phasergun_desktop.retrieval.model import Passage, Place, SearchScope

# A table as the rows of one document share it: the file, the headings above, the header.
Table = tuple[str, tuple[str, ...], tuple[str, ...]]


class PointKind(StrEnum):
    """How a point of the outline is written."""

    DESCRIBE = "describe"
    PROCEDURE = "procedure"
    VALUE = "value"
    COMPARE = "compare"
    VERBATIM = "verbatim"


@dataclass(frozen=True, slots=True)
class PlannedPoint:
    """One step of a section: what is asked, where it may look, what it will read.

    For ``COMPARE`` there is one point per attribute and device (``attribute``, ``device``).
    ``pairs`` and ``value`` are used word for word. ``relevance`` is the best cosine of what was
    found, 0 where nothing was searched. ``is_required``: the template asks for it, and a draft
    without it says so. ``helps`` names the kind of document that would state it, with its folder.
    ``denial`` is the passage that denies what the point takes for granted: it is quoted, and
    nothing is written. ``is_supplement``: stated values or a table answer it in part, and
    ``is_covered``: the evidence of another need does, so that it is no gap where nothing more is
    found. ``evidence`` are the units that were selected for it, each a passage of its own: they
    stand in the text word for word. ``referred`` is what a ``value`` like "Same" refers to: the
    other device's. ``need_id`` is the need that it is written for. ``is_by_hand``: a writer has
    selected the evidence, so that all of it is stated, said before or not.
    """

    kind: PointKind
    heading: str
    query: str
    instruction: str
    scope: SearchScope
    passages: tuple[Passage, ...] = ()
    attribute: str = ""
    device: str = ""
    pairs: tuple[QuestionAnswer, ...] = ()
    value: SourceValue | None = None
    relevance: float = 0.0
    is_required: bool = False
    helps: str = ""
    denial: SourceValue | None = None
    is_supplement: bool = False
    evidence: tuple[Passage, ...] = ()
    referred: SourceValue | None = None
    is_covered: bool = False
    need_id: str = ""
    is_by_hand: bool = False

    @property
    def may_be_empty(self) -> bool:
        """Whether it is no gap where nothing is found for it."""
        return self.is_supplement or self.is_covered


class DiscrepancyKind(StrEnum):
    """What does not agree, or is not there."""

    GAP = "gap"
    VALUES = "values"
    BOOTSTRAP = "bootstrap"
    SUPERSEDED = "superseded"
    SCOPE = "scope"
    NOT_COVERED = "not_covered"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Passages that disagree, or a gap in the sources; ``message`` is one or two sentences.

    ``sides`` are the passages in question (two, shown beside each other; none for a gap).
    """

    kind: DiscrepancyKind
    message: str
    sides: tuple[SourcePlace, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """The first words of a document that the plan uses: tier 2 of the prompt, never cited."""

    file: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class PlannedUnit:
    """A unit that was looked at for a need, and whether it is selected. ``score`` is the
    probability that it answers the need (1 for what was put in by hand or stands in a comparison),
    ``similarity`` its cosine to the need. ``table`` is what it is a row of; ``is_cell``: it stands
    in a comparison's table or for a value; ``can_stand``: a draft can state it word for word."""

    passage: Passage
    selected: bool
    score: float = 0.0
    similarity: float = 0.0
    table: Table | None = None
    is_cell: bool = False
    can_stand: bool = True

    @property
    def place(self) -> Place:
        """Where it stands: no other unit has this place."""
        return self.passage.place


@dataclass(frozen=True, slots=True)
class PlannedNeed:
    """What the prompt asks for and its units, best first; a gap where none is selected. ``chance``
    is how probable it is that some unit answers, 0..1; 1 where that was not looked at.
    ``covered_by`` are the places of units under any need that go best with it and were selected.
    ``is_ordered``: the writer has put the units in order, so that the text follows it."""

    need: Need
    units: tuple[PlannedUnit, ...] = ()
    chance: float = 1.0
    covered_by: tuple[Place, ...] = ()
    is_ordered: bool = False

    @property
    def chosen(self) -> tuple[PlannedUnit, ...]:
        """The units that the text should state, in the writer's order or that of the documents."""
        chosen = [unit for unit in self.units if unit.selected]
        if not self.is_ordered:
            chosen.sort(key=lambda unit: (unit.passage.file, unit.passage.start))
        return tuple(chosen)

    @property
    def selected(self) -> tuple[Passage, ...]:
        """The passages of the units that the text should state, in its order."""
        return tuple(unit.passage for unit in self.chosen)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a draft will use, complete before the model is loaded.

    ``tokens`` counts the prompts of all steps; ``problems`` are those of the prompt.
    ``discrepancies`` are those between the sources, known before a word is written. ``template``
    is the template's name, ``maximum_words`` its length (0: none). ``summaries`` are of documents
    that the points read, cut to the profile's budget. ``warnings`` are sentences on what of the
    sources is not read, and on the prompt's language. ``needs`` are what the prompt asks for with
    their evidence, from which a draft can be made word for word. ``words`` is the length that the
    prompt asks for. ``is_settled``: tokens, summaries and discrepancies are of these points; what
    a writer has changed since is drafted all the same.
    """

    prompt: str
    task: str
    title: str
    profile: str
    references: tuple[ResolvedReference, ...]
    problems: tuple[Problem, ...]
    points: tuple[PlannedPoint, ...]
    tokens: int
    standards: tuple[tuple[str, str], ...] = ()
    retrieval_ms: float = 0.0
    template: str = ""
    maximum_words: int = 0
    summaries: tuple[DocumentSummary, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    warnings: tuple[str, ...] = ()
    needs: tuple[PlannedNeed, ...] = ()
    words: int = 0
    is_settled: bool = True

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage once, in the order of use."""
        seen: dict[Place, Passage] = {}
        for point in self.points:
            for passage in point.passages:
                seen.setdefault(passage.place, passage)
        return tuple(seen.values())

    @property
    def is_blocked(self) -> bool:
        """Whether a problem stops generation."""
        return any(problem.severity == "blocks" for problem in self.problems)


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
    """Milliseconds and tokens of one draft or answer."""

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
    prompt_tokens: int = 0


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
