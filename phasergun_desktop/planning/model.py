"""The plan of a draft: what the prompt asks for, the evidence for it, and its points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.references.model import (
    Problem,
    QuestionAnswer,
    ResolvedReference,
    SourceValue,
)
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Passage, Place, SearchResult, SearchScope

# A table as its rows share it: the file, the headings above, the header (its place without one).
Table = tuple[str, tuple[str, ...], tuple[str, ...] | int]


class PointKind(StrEnum):
    """How a point of the outline is written."""

    DESCRIBE = "describe"
    PROCEDURE = "procedure"
    VALUE = "value"
    FIELD = "field"
    COMPARE = "compare"
    VERBATIM = "verbatim"


@dataclass(frozen=True, slots=True)
class PlannedPoint:
    """One step of a section: what is asked, where it may look, what it will read.

    ``VALUE`` is the answer to a question, ``FIELD`` that of a form, under its name. For
    ``COMPARE`` there is one point per attribute and device (``attribute``, ``device``).
    ``pairs`` and ``value`` are used word for word. ``relevance`` is the best cosine of what was
    found, 0 where nothing was searched. ``is_required``: the template asks for it, and a draft
    without it says so. ``helps`` names the kind of document that would state it, with its folder.
    ``is_supplement``: stated values or a table answer it in part, and ``may_be_stated``: a unit
    that was not selected for it may, so that it is no gap where nothing more is found.
    ``evidence`` are the units that were selected for it, each a passage of its own: they stand in
    the text word for word. ``referred`` is what a ``value`` like "Same" refers to: the other
    device's. ``need_id`` is the need that it is written for. ``is_by_hand``: a writer has selected
    the evidence, so that all of it is stated, said before or not.
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
    is_supplement: bool = False
    evidence: tuple[Passage, ...] = ()
    referred: SourceValue | None = None
    may_be_stated: bool = False
    need_id: str = ""
    is_by_hand: bool = False

    @property
    def may_be_empty(self) -> bool:
        """Whether it is no gap where nothing is found for it."""
        return self.is_supplement or self.may_be_stated


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
    """The first words of a document that the plan uses, which a remote model reads; never cited."""

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
class FoundUnits:
    """Units, best first, and the search whose hits they are of."""

    units: tuple[PlannedUnit, ...]
    search: SearchResult


@dataclass(frozen=True, slots=True)
class PlannedNeed:
    """What the prompt asks for and its units, best first; a gap where none is selected. ``chance``
    is how probable it is that some unit answers, 0..1; 1 where that was not looked at.
    ``may_be_stated``: where none is selected, it cannot be said that no document states it.
    ``is_ordered``: the writer has put the units in order, so that the text follows it. Of a
    question ``retrieval_score`` is the mean of the cosines of the best chunks that the profile
    found for it, weighted by 1/rank."""

    need: Need
    units: tuple[PlannedUnit, ...] = ()
    chance: float = 1.0
    may_be_stated: bool = False
    is_ordered: bool = False
    retrieval_score: float = 0.0

    @property
    def is_by_itself(self) -> bool:
        """Whether its units stand under it and nowhere else."""
        return self.is_ordered or self.need.is_field

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

    ``tokens`` counts what is stated; ``problems`` are those of the prompt. ``discrepancies`` are
    those between the sources, known before a word is written; ``consistency`` finds them.
    ``template`` is the template's name, ``maximum_words`` its length (0: none). ``summaries`` are
    of documents that the points read, cut to the profile's budget. ``warnings`` are sentences on
    what of the sources is not read, and on the prompt's language. ``needs`` are what the prompt
    asks for with their evidence, from which a draft can be made word for word. ``words`` is the
    length that the prompt asks for. ``is_settled``: tokens and summaries are of these points; what
    a writer has changed since is drafted all the same. ``filters`` bound what it was made from.
    ``by_words``: the embedder failed, and words alone were compared; a warning says so. ``agent``
    is the name of the agent that writes, empty for none.

    Of a question ``retrieved`` are the chunks that the profile retrieves for it, best first, and
    ``retrieval_score`` (-1..1) is the mean of the cosines of the best that were found before the
    profile's threshold, weighted by 1/rank.
    """

    prompt: str
    task: str
    title: str
    profile: str
    references: tuple[ResolvedReference, ...]
    problems: tuple[Problem, ...]
    points: tuple[PlannedPoint, ...]
    tokens: int
    retrieval_ms: float = 0.0
    template: str = ""
    maximum_words: int = 0
    summaries: tuple[DocumentSummary, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    warnings: tuple[str, ...] = ()
    needs: tuple[PlannedNeed, ...] = ()
    words: int = 0
    is_settled: bool = True
    filters: tuple[Filter, ...] = ()
    retrieved: tuple[Passage, ...] = ()
    retrieval_score: float = 0.0
    by_words: bool = False
    agent: str = ""

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
