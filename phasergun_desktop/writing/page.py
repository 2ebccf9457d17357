"""The draft while it grows: units are bound, checked and numbered as they are completed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, whole_span
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support, UnitKind
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.verbatim import as_written, word_for_word
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.cited_documents import naming_its_document
from phasergun_desktop.writing.model import UnitBound
from phasergun_desktop.writing.said import Said

# Marks that a model writes by itself; footnotes are bound after writing (product contract).
_OWN_MARKS = re.compile(
    r"\s*(?:\[(?:\d+(?:\s*,\s*\d+)*|citation \d+|cite:[^\]]*|source[^\]]*)\]|\(source:[^)]*\))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|(?<!_)__(?!_)|^#+\s+|^>\s+|`")


class Page:
    """Units and footnotes of one draft. ``given`` is text that needs no source (device names)."""

    def __init__(
        self,
        binder: SpanBinder,
        numbers: FootnoteNumbers,
        documents: IndexedDocuments,
        given: str,
    ) -> None:
        self._binder = binder
        self._documents = documents
        self._numbers = numbers
        self._given = given
        self._units: list[DraftSentence] = []
        self._known: set[int] = set()
        self._said = Said()
        self._next_starts_paragraph = True
        self._table: tuple[str, tuple[str, ...]] | None = None
        self._point = -1
        self._pending: list[DraftSentence] = []
        self._announced: list[UnitBound] = []
        self.discrepancies: list[Discrepancy] = []
        self.gaps: list[str] = []
        self.rows: list[CandidateSpan] = []

    @property
    def binder(self) -> SpanBinder:
        """What finds the spans that carry a sentence."""
        return self._binder

    def parsed(self, document_id: int) -> ParsedDocument:
        """Return a document that is read for this draft."""
        return self._documents.parsed(document_id)

    @property
    def units(self) -> tuple[DraftSentence, ...]:
        """The units so far."""
        return tuple(self._units)

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """The footnotes so far, by number."""
        return self._numbers.footnotes

    def new_paragraph(self) -> None:
        """Let the next sentence open a paragraph."""
        self._next_starts_paragraph = True
        self._table = None

    def heading(self, text: str, level: int = 1) -> UnitBound:
        """Add a heading that the prompt asked for."""
        self.new_paragraph()
        return self._add(_heading(text, level))

    def open_point(self, index: int, heading: str = "", level: int = 1) -> None:
        """Let the next unit open the point at ``index`` of the plan with a paragraph.

        The heading stands only once the point says something, or the next one without a heading
        of its own, which it is of as well: one that repeats an earlier point leaves none behind.
        """
        self.new_paragraph()
        self._point = index
        if heading:
            self._pending = [_heading(heading, level)]

    def announced(self) -> list[UnitBound]:
        """Return the headings that units since the last call have brought with them."""
        announced, self._announced = self._announced, []
        return announced

    def gap(self, text: str, belongs: str = "", searched: str = "") -> UnitBound:
        """Add a visible gap: something asked for that was not found in the sources. (It does not
        say that they lack it: most gaps that readers checked were stated somewhere.)

        ``belongs`` is the kind of document that would state it, with its folder; ``searched``
        names the documents that were looked at.
        """
        self.gaps.append(text)
        where = f"; add {belongs}" if belongs else ""
        looked_at = f" ({searched})" if searched else ""
        found = f"was not found in the documents searched{looked_at}"
        message = f"[TODO: {text} {found}{where}]"
        unit = DraftSentence(message, UnitKind.TODO, starts_paragraph=True)
        self.discrepancies.append(
            Discrepancy(DiscrepancyKind.GAP, f"Not found in the sources: {text}.")
        )
        return self._add(unit)

    def awaits(self, text: str) -> None:
        """Count ``text``, which is to be joined, as said."""
        self._said.add(text)

    def cleaned(self, sentence: str) -> str:
        """Return ``sentence`` without marks and markup of the model's own."""
        return " ".join(_MARKUP.sub("", _OWN_MARKS.sub("", sentence)).split())

    def repeats(self, sentence: str, *, is_row: bool = False) -> bool:
        """Whether the draft says this already: see ``Said.has``."""
        return self._said.has(sentence, is_row=is_row)

    def bind(self, sentence: str, passages: Sequence[Passage]) -> Binding:
        """Return what carries ``sentence`` without adding it."""
        return self._binder.bind(sentence, passages, self._given)

    def bind_to(self, sentence: str, spans: Sequence[CandidateSpan]) -> Binding:
        """Return which of ``spans`` carry ``sentence``, and how well."""
        return self._binder.bind_to(sentence, spans, self._given)

    def label(
        self, text: str, span: CandidateSpan, kind: UnitKind, *, goes_on: bool = False
    ) -> UnitBound:
        """Add what stands above others or before them in their paragraph and states nothing: it is
        the heading of ``span``, or what that says what they are on. It has a footnote only where
        it could be read as a statement: what ends in a colon is none."""
        self._table = None
        cited = () if text.endswith(":") else (self._numbers.number(span, 1.0).number,)
        unit = DraftSentence(text, kind, cited, score=1.0, is_header=True)
        return self.add_unit(unit, goes_on=goes_on)

    def item(
        self,
        text: str,
        binding: Binding,
        kind: UnitKind = UnitKind.LIST_ITEM,
        *,
        goes_on: bool = False,
    ) -> UnitBound:
        """Add an item of a list, which ``goes_on`` in this where the one before is of the same, or
        a sentence, with the footnotes of its binding; a table above it ends."""
        self._table = None
        notes = tuple(self._numbers.number(span, binding.score) for span in binding.spans)
        unit = DraftSentence(
            text=naming_its_document(text, binding),
            kind=kind,
            citations=tuple(dict.fromkeys(note.number for note in notes)),
            support=binding.support,
            score=round(binding.score, 4),
            problems=binding.problems,
        )
        return self.add_unit(unit, goes_on=goes_on)

    def row(self, span: CandidateSpan, columns: Sequence[str]) -> list[UnitBound]:
        """Add a row of a table of ``columns`` (none: its own), under their names where another
        table stood before it; a row without headers is an item."""
        binding = word_for_word(span)
        header = tuple(columns or (name for name, _ in span.block.cells))
        if len(header) < 2 or not any(header[1:]):
            return [self.item(as_written(span)[0], binding)]
        self.rows.append(span)
        added = []
        table = (span.passage.file, header)
        if table != self._table:
            self._table = table
            head = DraftSentence(
                " | ".join(header),
                UnitKind.TABLE_ROW,
                cells=header,
                citations_per_cell=tuple(() for _ in header),
                is_header=True,
            )
            added.append(self.add_unit(head))
        stated = dict(span.block.cells)
        cells = tuple(stated.get(name, "") for name in columns)
        cells = cells or tuple(cell for _, cell in span.block.cells)
        number = self._numbers.number(span, binding.score).number
        unit = DraftSentence(
            " | ".join(cells),
            UnitKind.TABLE_ROW,
            citations=(number,),
            support=Support.SUPPORTED,
            score=1.0,
            cells=cells,
            citations_per_cell=(*(() for _ in cells[1:]), (number,)),
        )
        return [*added, self.add_unit(unit, said=span.text)]

    def number_value(self, value: SourceValue) -> Footnote:
        """Return the footnote of a value that is used word for word."""
        record = next(r for r in self._documents.documents() if r.file == value.file)
        passage = Passage.of(record, value.start, value.end, value.text)
        return self._numbers.number_value(whole_span(passage, self.parsed(record.document_id)))

    def quoted(self, text: str, value: SourceValue) -> UnitBound:
        """Add a sentence that uses a source word for word."""
        note = self.number_value(value)
        return self.add_unit(
            DraftSentence(text, citations=(note.number,), support=Support.SUPPORTED, score=1.0)
        )

    def add_unit(self, unit: DraftSentence, said: str = "", *, goes_on: bool = False) -> UnitBound:
        """Add ``unit``; it opens a paragraph if one was asked for, and an item of a list always,
        unless it ``goes_on`` from the one before. ``said`` is all that it says where that is more
        than its text: a row has its headers above it."""
        is_after_item = bool(self._units) and self._units[-1].kind is unit.kind
        opens = self._next_starts_paragraph or unit.kind is not UnitKind.SENTENCE
        starts = opens and not (goes_on and is_after_item)
        self._next_starts_paragraph = unit.kind is not UnitKind.SENTENCE
        if not unit.is_header:
            self._said.add(unit.text, said)
        return self._add(replace(unit, starts_paragraph=starts))

    def settle(self) -> None:
        """Number the footnotes anew by first use and let go those that no unit cites any more."""
        new = self._numbers.keep(n for unit in self._units for n in unit.cited)
        self._units = [unit.renumbered(new) for unit in self._units]

    def _new_footnotes(self) -> tuple[Footnote, ...]:
        new = tuple(note for note in self.footnotes if note.number not in self._known)
        self._known.update(note.number for note in new)
        return new

    def _add(self, unit: DraftSentence) -> UnitBound:
        for each in self._pending:
            heading = replace(each, point=self._point)
            self._units.append(heading)
            self._announced.append(UnitBound(heading))
        self._pending = []
        unit = replace(unit, point=self._point)
        self._units.append(unit)
        return UnitBound(unit, self._new_footnotes())


def _heading(text: str, level: int) -> DraftSentence:
    return DraftSentence(text, UnitKind.HEADING, starts_paragraph=True, level=level)
