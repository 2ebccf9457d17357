"""A profile: the settings that make the one pipeline behave like one of its references."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum


class ChunkStrategy(StrEnum):
    """How a document is cut."""

    SECTIONS = "sections"
    PARAGRAPHS = "paragraphs"
    SEPARATORS = "separators"
    TRANSCRIPTS = "transcripts"


class TextUnit(StrEnum):
    """What the sizes of chunks count."""

    CHARS = "chars"
    TOKENS = "tokens"


class FusionMethod(StrEnum):
    """How the keyword and the vector search are mixed."""

    CONVEX = "convex"
    RECIPROCAL_RANK = "reciprocal_rank"


class ModelMarks(StrEnum):
    """The marks that the model is told to write; they are checked, never trusted."""

    NONE = "none"
    CITATION_NUMBER = "citation_number"  # [Citation 2]
    SOURCE_TITLE = "source_title"  # [source: title, page 3]
    SOURCE_ID = "source_id"  # [PMC12345]
    CHUNK_ID = "chunk_id"  # [cite:abc]


@dataclass(frozen=True, slots=True)
class ChunkRules:
    """Sizes in ``unit``; 0 where the strategy has no such rule. ``separators`` are tried in order
    in the last ``search_share`` of a chunk; ``pause_s`` is the silence that parts two chunks of a
    transcript."""

    strategy: ChunkStrategy
    target: int = 0
    minimum: int = 0
    maximum: int = 0
    overlap: int = 0
    unit: TextUnit = TextUnit.CHARS
    separators: tuple[str, ...] = ()
    search_share: float = 0.0
    pause_s: float = 0.0


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """How each group of layers is cut."""

    procedures: ChunkRules
    context: ChunkRules
    transcripts: ChunkRules


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """``keyword_weight`` (0..1) is the share of the keyword score in a convex mix;
    ``rank_constant`` is the k of reciprocal rank fusion."""

    method: FusionMethod = FusionMethod.CONVEX
    keyword_weight: float = 0.6
    rank_constant: int = 10


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Late interaction over the best ``candidates``; ``keep`` of them stay. ``weight`` (0..1)
    is its share beside the fused score."""

    enabled: bool = False
    candidates: int = 20
    keep: int = 8
    weight: float = 0.5


@dataclass(frozen=True, slots=True)
class VectorGraphSettings:
    """The HNSW graph that stands in for exact search in very large projects."""

    m: int = 16
    ef_construction: int = 200
    ef_search: int = 200


@dataclass(frozen=True, slots=True)
class SectionWeight:
    """Chunks under a heading that contains ``heading`` count ``weight`` times."""

    heading: str
    weight: float


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """What is searched and how much of it is used.

    ``limit`` is how many chunks a search gives; of those that a question retrieves, procedures and
    other documents give at most ``…_passages``, where the question names its sources or not. The
    units that a text is made of are bounded by none of them. ``threshold`` is on cosine similarity,
    -1 for none. ``earlier_passages`` are those cited before in a conversation. A query is cut at
    ``query_max_chars``.
    """

    procedure_passages: int
    context_passages: int
    procedure_passages_unreferenced: int
    context_passages_unreferenced: int
    limit: int
    keyword_candidates: int = 50
    vector_candidates: int = 50
    threshold: float = -1.0
    earlier_passages: int = 0
    clean_query: bool = False
    query_max_chars: int = 2000
    fusion: FusionSettings = field(default_factory=FusionSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    graph: VectorGraphSettings = field(default_factory=VectorGraphSettings)
    section_weights: tuple[SectionWeight, ...] = ()

    def given(self, *, reranks: bool) -> int:
        """Return how many chunks a search gives that is to be reranked, or is not."""
        return min(self.limit, self.rerank.keep) if reranks and self.rerank.enabled else self.limit


@dataclass(frozen=True, slots=True)
class AbstentionSettings:
    """When a question is left without an answer, whatever the selector says: fewer than
    ``min_chunks`` of its chunks have a cosine (-1..1) of ``min_score``, or the mean of the best,
    weighted by 1/rank, is below ``min_overall``."""

    min_score: float = 0.0
    min_chunks: int = 1
    min_overall: float = 0.0


class ConfidenceMeasure(StrEnum):
    """What the confidence of an answer to a question is."""

    ANSWER = "answer"  # the probability that it is right
    RETRIEVAL = "retrieval"  # the mean of the cosines of what was found, weighted by 1/rank


class BandAction(StrEnum):
    """What becomes of an answer whose confidence is in a band."""

    ANSWER = "answer"
    CAVEAT = "caveat"  # it is given with a caveat
    WARNING = "warning"  # it is given with a warning
    FALLBACK = "fallback"  # the question is left without an answer


@dataclass(frozen=True, slots=True)
class BandActions:
    """The action of each band."""

    high: BandAction = BandAction.ANSWER
    medium: BandAction = BandAction.ANSWER
    low: BandAction = BandAction.ANSWER
    very_low: BandAction = BandAction.ANSWER


@dataclass(frozen=True, slots=True)
class ConfidenceSettings:
    """Lower ends of the bands (0..1), and what each band does. ``counted`` unfiltered results enter
    the mean that is weighted by 1/rank. Only with the measure ``RETRIEVAL``, which is known before
    anything is written, may a band fall back."""

    high: float = 0.8
    medium: float = 0.6
    low: float = 0.4
    counted: int = 5
    measure: ConfidenceMeasure = ConfidenceMeasure.ANSWER
    actions: BandActions = field(default_factory=BandActions)

    def band(self, score: float) -> str:
        """Return ``high``, ``medium``, ``low`` or ``very_low`` for a score in 0..1."""
        if score >= self.high:
            return "high"
        if score >= self.medium:
            return "medium"
        return "low" if score >= self.low else "very_low"

    def action(self, score: float) -> BandAction:
        """Return what becomes of an answer with a score in 0..1."""
        action: BandAction = getattr(self.actions, self.band(score))
        return action

    def falls_back(self, retrieval_score: float) -> bool:
        """Whether a question for which this was retrieved is left without an answer."""
        is_measure = self.measure is ConfidenceMeasure.RETRIEVAL
        return is_measure and self.action(retrieval_score) is BandAction.FALLBACK


@dataclass(frozen=True, slots=True)
class ContextTemplate:
    """How passages are laid out in a prompt. ``passage`` has places for the passage's data."""

    heading: str
    passage: str
    separator: str = "\n\n"
    closing: str = ""


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """What the model reads beside the passages. Budgets are tokens of one step."""

    instructions: str
    context: ContextTemplate
    use_primary_context: bool = False
    reading_budget_tokens: int = 1000
    remote_budget_tokens: int = 12_000
    compress_above_tokens: int = 6000
    summary_words: int = 250
    summary_budget_tokens: int = 0


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How the answer is written and what is said where there is none: ``{wanted}`` is what was
    asked for, ``{documents}`` what kind of document would help. ``heading`` stands above answers to
    questions."""

    fallback: str
    not_in_documents: str
    ingest_hint: str
    temperature: float = 0.0
    maximum_tokens: int = 700
    heading: str = ""


@dataclass(frozen=True, slots=True)
class CitationSettings:
    """How citations look. ``inline`` stands in the text; the lines stand under
    ``sources_heading``, one for each kind of source."""

    inline: str
    sources_heading: str
    procedure_line: str
    context_line: str
    standard_line: str
    model_marks: ModelMarks = ModelMarks.NONE


@dataclass(frozen=True, slots=True)
class Profile:
    """All settings of a profile. ``warnings`` name keys outside their usual range."""

    name: str
    title: str
    description: str
    chunking: ChunkingSettings
    retrieval: RetrievalSettings
    abstention: AbstentionSettings
    confidence: ConfidenceSettings
    prompt: PromptSettings
    answer: AnswerSettings
    citation: CitationSettings
    warnings: tuple[str, ...] = ()

    def digest(self) -> str:
        """Return a name of all settings: equal for profiles that work alike."""
        return hashlib.sha256(repr(self).encode("utf-8")).hexdigest()[:16]
