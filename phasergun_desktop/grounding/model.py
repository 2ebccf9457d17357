"""A sentence of a draft, what carries it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from phasergun_desktop.documents.model import Locator
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer


class Support(StrEnum):
    """How far a sentence is carried by its sources."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


class ProblemCode(StrEnum):
    """What can be wrong with a sentence (product contract)."""

    VALUE_MISSING = "value_missing"
    # Of drafts that were kept before; what turns a copied sentence round is CONTRADICTED now.
    NEGATION = "negation"
    MODALITY = "modality"
    NO_SOURCE = "no_source"
    CONTRADICTED = "contradicted"
    SOURCE_CHANGED = "source_changed"
    INSTRUCTION_LIKE = "instruction_like"


@dataclass(frozen=True, slots=True)
class SentenceProblem:
    """A mark on a sentence; ``value`` is the number, date or name concerned."""

    code: ProblemCode
    value: str
    message: str


@dataclass(frozen=True, slots=True)
class Footnote:
    """A numbered source. ``quote`` is exactly ``start``..``end`` of the document's text.

    ``kind`` is procedure, context or standard; a standard has no file and no quote.
    ``rendered`` is the line of the Sources list, ``mark`` what stands for it in an answer, as its
    profile says (in a draft it is the number, and ``mark`` empty). ``document_number`` (of a
    submission: its K-number) and ``revision`` are the document's, where it says one.
    """

    number: int
    kind: str
    rendered: str
    title: str
    file: str = ""
    sha256: str = ""
    layer: Layer | None = None
    chunk_id: ChunkId | None = None
    block_id: str = ""
    score: float = 0.0
    heading_path: tuple[str, ...] = ()
    locator: Locator | None = None
    quote: str = ""
    start: int = 0
    end: int = 0
    revision: str = ""
    document_number: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A passage to show beside another: ``quote`` is exactly ``start``..``end`` of the text.

    ``value`` are the words of the quote that are in question ("" where it is all of it).
    """

    file: str
    title: str
    quote: str
    start: int
    end: int
    sha256: str = ""
    layer: Layer | None = None
    heading_path: tuple[str, ...] = ()
    locator: Locator | None = None
    block_id: str = ""
    value: str = ""


class UnitKind(StrEnum):
    """What a piece of a draft is; only sentences, items and rows state something."""

    HEADING = "heading"
    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    TODO = "todo"


STATEMENTS = (UnitKind.SENTENCE, UnitKind.LIST_ITEM, UnitKind.TABLE_ROW)


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A unit of a draft with its footnotes (numbers, best first), support and marks.

    ``cells`` is set for rows of a table (with ``citations_per_cell``); a table's first row is
    its header (``is_header``), and so is what stands above statements or before them in their
    paragraph and states nothing ("Force limits:"). ``score`` is the support in 0..1.
    ``starts_paragraph`` says that the unit opens a new paragraph, or a new item of a list.
    ``point`` is the place in the plan of the point that it was written for, -1 where there is
    none. ``accepted`` is when the writer answered for its words (ISO 8601 in UTC), empty if not;
    what was found about it stays beside that. ``needs_check``:
    the words are not those that were checked. ``is_own``: the writer's own statement, which no
    draft was written with.
    """

    text: str
    kind: UnitKind = UnitKind.SENTENCE
    citations: tuple[int, ...] = ()
    support: Support = Support.SUPPORTED
    score: float = 0.0
    problems: tuple[SentenceProblem, ...] = ()
    starts_paragraph: bool = False
    level: int = 0
    cells: tuple[str, ...] = ()
    citations_per_cell: tuple[tuple[int, ...], ...] = ()
    is_header: bool = False
    point: int = -1
    accepted: str = ""
    needs_check: bool = False
    is_own: bool = False

    def renumbered(self, new: Mapping[int, int]) -> DraftSentence:
        """Return the unit with the ``new`` numbers of its footnotes, without those that have
        none."""
        cited, *cells = (
            tuple(new[n] for n in numbers if n in new)
            for numbers in (self.citations, *self.citations_per_cell)
        )
        return replace(self, citations=cited, citations_per_cell=tuple(cells))

    @property
    def cited(self) -> tuple[int, ...]:
        """The numbers of its footnotes, and of those in its cells."""
        return (*self.citations, *(n for cell in self.citations_per_cell for n in cell))

    @property
    def is_accepted(self) -> bool:
        """Whether the writer answers for the words as they stand."""
        return bool(self.accepted)
