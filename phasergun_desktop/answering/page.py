"""The draft while it grows: units are bound, checked and numbered as they are completed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.answering.model import Discrepancy, DiscrepancyKind, UnitBound
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    Support,
    UnitKind,
)
from phasergun_desktop.grounding.values import ValueKind, extract_values, missing_values
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Passage

# Marks that a model writes by itself; footnotes are bound after writing (product contract).
_OWN_MARKS = re.compile(
    r"\s*(?:\[(?:\d+(?:\s*,\s*\d+)*|citation \d+|cite:[^\]]*|source[^\]]*)\]|\(source:[^)]*\))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__|^#+\s+|^>\s+|`")
_SAME_WORDS = 0.85
_COPIED_ROW = 0.75
_MIN_ADDRESSED = 0.5


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
        self._said: list[tuple[frozenset[str], frozenset[str]]] = []
        self._next_starts_paragraph = True
        self._table: tuple[str, tuple[str, ...]] | None = None
        self.discrepancies: list[Discrepancy] = []
        self.gaps: list[str] = []

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
        unit = DraftSentence(text, UnitKind.HEADING, starts_paragraph=True, level=level)
        return self._add(unit)

    def gap(self, text: str) -> UnitBound:
        """Add a visible gap: something asked for that the sources do not state."""
        self.gaps.append(text)
        message = f"[TODO: the documents searched do not state {text}]"
        unit = DraftSentence(message, UnitKind.TODO, starts_paragraph=True)
        self.discrepancies.append(
            Discrepancy(DiscrepancyKind.GAP, f"Not found in the sources: {text}.")
        )
        return self._add(unit)

    def cleaned(self, sentence: str) -> str:
        """Return ``sentence`` without marks and markup of the model's own."""
        return " ".join(_MARKUP.sub("", _OWN_MARKS.sub("", sentence)).split())

    def repeats(self, sentence: str) -> bool:
        """Whether the draft says this already."""
        words = frozenset(content_words(sentence))
        values = frozenset(value.key for value in extract_values(sentence))
        for said, said_values in self._said:
            shared = len(words & said)
            union = len(words | said)
            if (
                values <= said_values
                and union
                and (shared / union >= _SAME_WORDS or (words and words <= said))
            ):
                return True
        return False

    def bind(self, sentence: str, passages: Sequence[Passage]) -> Binding:
        """Return what carries ``sentence`` without adding it."""
        return self._binder.bind(sentence, passages, self._given)

    def answers(
        self, question: str, sentence: str, binding: Binding, passages: Sequence[Passage]
    ) -> bool:
        """Whether ``sentence`` answers ``question`` from its sources.

        A small model answers whatever it is asked. An answer is kept when a span carries it with
        all its values, when that span speaks of what was asked, and when it says more than the
        question did.
        """
        if binding.support is Support.UNSUPPORTED or any(
            problem.code is ProblemCode.VALUE_MISSING for problem in binding.problems
        ):
            return False
        if not set(content_words(sentence)) - set(content_words(question)):
            return False
        addressed = self._binder.addresses(question, binding, passages, self._given)
        return addressed >= _MIN_ADDRESSED

    def sentence(
        self, text: str, binding: Binding, kind: UnitKind = UnitKind.SENTENCE
    ) -> UnitBound:
        """Add a sentence with the footnotes of its binding."""
        notes = tuple(self._numbers.number(span, binding.score) for span in binding.spans)
        unit = DraftSentence(
            text=text,
            kind=kind,
            citations=tuple(dict.fromkeys(note.number for note in notes)),
            support=binding.support,
            score=round(binding.score, 4),
            problems=binding.problems,
        )
        return self.add_unit(unit)

    def state(self, text: str, binding: Binding) -> list[UnitBound]:
        """Add a sentence; where it copies a table row, add the row of that table instead.

        A model that reads rows writes them out as "Part: …; Number: …"; a reader wants the table.
        """
        row = copied_row(text, binding)
        if row is None:
            self._table = None
            return [self.sentence(text, binding)]
        added = []
        header = tuple(name for name, _ in row.block.cells)
        table = (row.passage.file, header)
        if table != self._table:
            self._table = table
            added.append(
                self.add_unit(
                    DraftSentence(
                        " | ".join(header),
                        UnitKind.TABLE_ROW,
                        cells=header,
                        citations_per_cell=tuple(() for _ in header),
                        is_header=True,
                    )
                )
            )
        cells = tuple(cell for _, cell in row.block.cells)
        number = self._numbers.number(row, binding.score).number
        unit = DraftSentence(
            " | ".join(cells),
            UnitKind.TABLE_ROW,
            citations=(number,),
            support=Support.SUPPORTED,
            score=1.0,
            cells=cells,
            citations_per_cell=(*(() for _ in cells[1:]), (number,)),
        )
        return [*added, self.add_unit(unit)]

    def number_value(self, value: SourceValue) -> Footnote:
        """Return the footnote of a value that is used word for word."""
        record = next(r for r in self._documents.documents() if r.file == value.file)
        return self._numbers.number_value(
            value,
            self._documents.parsed(record.document_id),
            sha256=record.sha256,
            title=record.title,
            layer=record.layer,
        )

    def complete(self, point_units: int, passages: Sequence[Passage]) -> list[UnitBound]:
        """Add, word for word, the items of a step that name a record no sentence has named.

        ``point_units`` is how many units there were before the step. A model that summarises
        leaves identifiers out; a procedure's records are what its reader looks for.
        """
        said = "\n".join(unit.text for unit in self._units[point_units:])
        added: list[UnitBound] = []
        for span in self._binder.spans_of(passages):
            if not any(
                value.kind is ValueKind.IDENTIFIER for value in missing_values(span.text, said)
            ):
                continue
            text = self.cleaned(span.text).rstrip(":;, ")
            said += f"\n{text}"
            text = text if text.endswith((".", "!", "?")) else f"{text}."
            added.append(self.sentence(text, Binding((span,), Support.SUPPORTED, 1.0, ())))
        return added

    def quoted(self, text: str, value: SourceValue) -> UnitBound:
        """Add a sentence that uses a source word for word."""
        note = self.number_value(value)
        return self.add_unit(
            DraftSentence(text, citations=(note.number,), support=Support.SUPPORTED, score=1.0)
        )

    def add_unit(self, unit: DraftSentence) -> UnitBound:
        """Add ``unit``; it opens a paragraph if one was asked for."""
        starts = self._next_starts_paragraph or unit.kind is not UnitKind.SENTENCE
        self._next_starts_paragraph = unit.kind is not UnitKind.SENTENCE
        words = frozenset(content_words(unit.text))
        self._said.append((words, frozenset(v.key for v in extract_values(unit.text))))
        return self._add(replace(unit, starts_paragraph=starts))

    def note(self, binding: Binding) -> tuple[int, ...]:
        """Return the numbers of the footnotes of ``binding``."""
        return tuple(
            dict.fromkeys(
                self._numbers.number(span, binding.score).number for span in binding.spans
            )
        )

    def _add(self, unit: DraftSentence) -> UnitBound:
        self._units.append(unit)
        new = tuple(note for note in self.footnotes if note.number not in self._known)
        self._known.update(note.number for note in new)
        return UnitBound(unit, new)


def copied_row(text: str, binding: Binding) -> CandidateSpan | None:
    """Return the table row that ``text`` copies, if it does: the same words, little else."""
    if not binding.spans:
        return None
    span = binding.spans[0]
    headers = [name for name, _ in span.block.cells]
    if span.block.kind is not BlockKind.TABLE_ROW or len(headers) < 2 or not all(headers):
        return None
    said, row = set(content_words(text)), set(content_words(span.text))
    return span if row and len(said & row) / len(said | row) >= _COPIED_ROW else None
