"""A profile: the settings that make the one pipeline behave like one of its references."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from phasergun_desktop.profiles.templates import ANSWER_PLACES, CITATION_PLACES, PASSAGE_PLACES

# Reading is what costs time on a laptop: 1,200 tokens are 14 s on two cores.
MOST_READING_TOKENS = 1200


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the file of a profile may say for a number: outside of ``usual`` it is used but warned
    of, outside of ``possible`` it is nonsense."""

    usual: tuple[float, float]
    possible: tuple[float, float] = (0.0, 1.0)


_Passages = Annotated[int, Bounds((1, 20), (0, 50))]
_FewPassages = Annotated[int, Bounds((0, 20), (0, 50))]
_Candidates = Annotated[int, Bounds((10, 200), (1, 2000))]
_Cosine = Annotated[float, Bounds((0.0, 0.7), (-1.0, 1.0))]
# The places that a text with places may have.
_PassageTemplate = Annotated[str, PASSAGE_PLACES]
_AnswerTemplate = Annotated[str, ANSWER_PLACES]
_CitationTemplate = Annotated[str, CITATION_PLACES]


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
    keyword_weight: Annotated[float, Bounds((0.2, 0.9))] = 0.6
    rank_constant: Annotated[int, Bounds((5, 100), (1, 1000))] = 10


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Late interaction over the best ``candidates``; ``keep`` of them stay. ``weight`` (0..1)
    is its share beside the fused score."""

    enabled: bool = False
    candidates: Annotated[int, Bounds((10, 40), (2, 200))] = 20
    keep: Annotated[int, Bounds((3, 20), (1, 200))] = 8
    weight: Annotated[float, Bounds((0.1, 0.9))] = 0.5


@dataclass(frozen=True, slots=True)
class VectorGraphSettings:
    """The HNSW graph that stands in for exact search in very large projects."""

    m: Annotated[int, Bounds((8, 64), (2, 200))] = 16
    ef_construction: Annotated[int, Bounds((40, 800), (2, 10_000))] = 200
    ef_search: Annotated[int, Bounds((20, 800), (1, 10_000))] = 200


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

    procedure_passages: _Passages
    context_passages: _Passages
    procedure_passages_unreferenced: _FewPassages
    context_passages_unreferenced: _FewPassages
    limit: Annotated[int, Bounds((3, 20), (1, 200))]
    keyword_candidates: _Candidates = 50
    vector_candidates: _Candidates = 50
    threshold: Annotated[float, Bounds((-1.0, 0.9), (-1.0, 1.0))] = -1.0
    earlier_passages: Annotated[int, Bounds((0, 15), (0, 100))] = 0
    clean_query: bool = False
    query_max_chars: Annotated[int, Bounds((200, 4000), (20, 100_000))] = 2000
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

    min_score: _Cosine = 0.0
    min_chunks: Annotated[int, Bounds((1, 5), (0, 50))] = 1
    min_overall: _Cosine = 0.0


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

    high: Annotated[float, Bounds((0.5, 0.95))] = 0.8
    medium: Annotated[float, Bounds((0.3, 0.9))] = 0.6
    low: Annotated[float, Bounds((0.1, 0.8))] = 0.4
    counted: Annotated[int, Bounds((1, 20), (1, 200))] = 5
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
    passage: _PassageTemplate
    separator: str = "\n\n"
    closing: _PassageTemplate = ""


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """What the model reads beside the passages. Budgets are tokens of one step."""

    instructions: str
    context: ContextTemplate
    use_primary_context: bool = False
    reading_budget_tokens: Annotated[int, Bounds((300, MOST_READING_TOKENS), (100, 100_000))] = 1000
    remote_budget_tokens: Annotated[int, Bounds((1000, 60_000), (100, 2_000_000))] = 12_000
    compress_above_tokens: Annotated[int, Bounds((1000, 50_000), (100, 2_000_000))] = 6000
    summary_words: Annotated[int, Bounds((50, 500), (0, 5000))] = 250
    summary_budget_tokens: Annotated[int, Bounds((0, 400), (0, 20_000))] = 0


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How the answer is written and what is said where there is none: ``{wanted}`` is what was
    asked for, ``{documents}`` what kind of document would help. ``heading`` stands above answers to
    questions."""

    fallback: _AnswerTemplate
    not_in_documents: _AnswerTemplate
    ingest_hint: _AnswerTemplate
    temperature: Annotated[float, Bounds((0.0, 0.4), (0.0, 2.0))] = 0.0
    maximum_tokens: Annotated[int, Bounds((100, 2000), (10, 100_000))] = 700
    heading: str = ""


@dataclass(frozen=True, slots=True)
class CitationSettings:
    """How citations look. ``inline`` stands in the text; the lines stand under
    ``sources_heading``, one for each kind of source."""

    inline: _CitationTemplate
    # By its name: it may be left out, those after it may not.
    sources_heading: str = field(default="Sources", kw_only=True)
    procedure_line: _CitationTemplate
    context_line: _CitationTemplate
    standard_line: _CitationTemplate
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
