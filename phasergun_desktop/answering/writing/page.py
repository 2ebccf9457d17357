"""The draft while it grows: units are bound, checked and numbered as they are completed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from phasergun_desktop.answering.model import (
    Discrepancy,
    DiscrepancyKind,
    PlannedPoint,
    UnitBound,
)
from phasergun_desktop.answering.questions.answer_check import AnswerCheck, Statement
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.answering.writing.copied_rows import copied_row
from phasergun_desktop.answering.writing.listed_steps import is_lead_in, listed_step
from phasergun_desktop.answering.writing.named_records import names_more, unnamed_records
from phasergun_desktop.answering.writing.self_reference import naming_its_document
from phasergun_desktop.answering.writing.verbatim import (
    as_written,
    goes_on,
    is_item,
    is_statement,
    word_for_word,
)
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan, sentences_of
from phasergun_desktop.grounding.footnotes import FootnoteNumbers
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    Support,
    UnitKind,
)
from phasergun_desktop.grounding.text_units import without_list_mark
from phasergun_desktop.grounding.turning_words import turning_words
from phasergun_desktop.grounding.values import extract_values
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Passage

# Marks that a model writes by itself; footnotes are bound after writing (product contract).
_OWN_MARKS = re.compile(
    r"\s*(?:\[(?:\d+(?:\s*,\s*\d+)*|citation \d+|cite:[^\]]*|source[^\]]*)\]|\(source:[^)]*\))",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|(?<!_)__(?!_)|^#+\s+|^>\s+|`")
_SAME_WORDS = 0.85
_UNCOUNTED = (UnitKind.HEADING, UnitKind.TODO)


class Page:
    """Units and footnotes of one draft. ``given`` is text that needs no source (device names);
    ``maximum_words`` (0: none) is how long the draft may become, headings and gaps apart."""

    def __init__(
        self,
        binder: SpanBinder,
        numbers: FootnoteNumbers,
        documents: IndexedDocuments,
        given: str,
        maximum_words: int = 0,
    ) -> None:
        self._binder = binder
        self._check = AnswerCheck(binder, given)
        self._maximum_words = maximum_words
        self._documents = documents
        self._numbers = numbers
        self._given = given
        self._units: list[DraftSentence] = []
        self._known: set[int] = set()
        self._said: list[tuple[frozenset[str], frozenset[str], frozenset[str]]] = []
        self._next_starts_paragraph = True
        self._table: tuple[str, tuple[str, ...]] | None = None
        self._point = -1
        self._pending: DraftSentence | None = None
        self._announced: list[UnitBound] = []
        self._dropped = 0
        self.is_full = False
        self.is_revised = False
        self.left_out: list[str] = []
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

    def open_point(self, index: int, heading: str = "", level: int = 1) -> None:
        """Let the next unit open the point at ``index`` of the plan with a paragraph.

        The heading stands only once the point says something: one that repeats an earlier
        point leaves none behind.
        """
        self.new_paragraph()
        self._point = index
        self._pending = (
            DraftSentence(heading, UnitKind.HEADING, starts_paragraph=True, level=level)
            if heading
            else None
        )

    def announced(self) -> list[UnitBound]:
        """Return the headings that units since the last call have brought with them."""
        announced, self._announced = self._announced, []
        return announced

    def gap(self, text: str, belongs: str = "") -> UnitBound:
        """Add a visible gap: something asked for that the sources do not state.

        ``belongs`` is the kind of document that would state it, with its folder.
        """
        self.gaps.append(text)
        where = f"; add {belongs}" if belongs else ""
        message = f"[TODO: the documents searched do not state {text}{where}]"
        unit = DraftSentence(message, UnitKind.TODO, starts_paragraph=True)
        self.discrepancies.append(
            Discrepancy(DiscrepancyKind.GAP, f"Not found in the sources: {text}.")
        )
        return self._add(unit)

    def has_room_for(self, text: str) -> bool:
        """Whether the draft may still take ``text``; once it may not, it is full."""
        if self._maximum_words and not self.is_full:
            words = sum(len(u.text.split()) for u in self._units if u.kind not in _UNCOUNTED)
            self.is_full = words + len(text.split()) > self._maximum_words
        return not self.is_full

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the writer must know about the draft's length and about what is not in it."""
        said = self._dropped_in_words()
        if not self.is_full:
            return said
        left = "; ".join(dict.fromkeys(self.left_out)) or "the rest of the last point"
        return (*said, f"Stopped at {self._maximum_words} words. Left out: {left}.")

    def count_dropped(self) -> None:
        """Note that a sentence of the model was left out because no passage carries it."""
        self._dropped += 1

    def _dropped_in_words(self) -> tuple[str, ...]:
        if not self._dropped:
            return ()
        if self._dropped == 1:
            return ("A sentence of the model was left out: no passage carries it.",)
        return (f"{self._dropped} sentences of the model were left out: no passage carries them.",)

    def cleaned(self, sentence: str) -> str:
        """Return ``sentence`` without marks and markup of the model's own."""
        return " ".join(_MARKUP.sub("", _OWN_MARKS.sub("", sentence)).split())

    def repeats(self, sentence: str) -> bool:
        """Whether the draft says this already; the number of an item does not tell it apart."""
        sentence = without_list_mark(sentence)
        words = frozenset(content_words(sentence))
        values = frozenset(value.key for value in extract_values(sentence))
        turning = turning_words(sentence)
        for said, said_values, said_turning in self._said:
            shared = len(words & said)
            union = len(words | said)
            if (
                values <= said_values
                # "It is not indicated for …" repeats no sentence that says what it is for.
                and turning == said_turning
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
    ) -> list[Statement]:
        """Return what may be stated in answer to ``question``: ``AnswerCheck.statements``."""
        return self._check.statements(question, sentence, binding, passages)

    def sentence(
        self,
        text: str,
        binding: Binding,
        kind: UnitKind = UnitKind.SENTENCE,
        level: int = 0,
    ) -> UnitBound:
        """Add a sentence with the footnotes of its binding; ``level`` is that of a list item."""
        notes = tuple(self._numbers.number(span, binding.score) for span in binding.spans)
        unit = DraftSentence(
            text=naming_its_document(text, binding),
            kind=kind,
            citations=tuple(dict.fromkeys(note.number for note in notes)),
            support=binding.support,
            score=round(binding.score, 4),
            problems=binding.problems,
            level=level,
        )
        return self.add_unit(unit)

    def state(self, text: str, binding: Binding) -> list[UnitBound]:
        """Add a sentence; where it copies a table row, add the row of that table instead.

        A model that reads rows writes them out as "Part: …; Number: …"; a reader wants the table.
        """
        row = copied_row(text, binding)
        if row is None:
            self._table = None
            kind = UnitKind.LIST_ITEM if _is_copied_item(text, binding) else UnitKind.SENTENCE
            return [self.sentence(text, binding, kind)]
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
        return [*added, self.add_unit(unit, said=row.text)]

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
        """Add, word for word, the sentences that name a record no sentence has named.

        ``point_units`` is how many units there were before the step.
        """
        said = "\n".join(unit.text for unit in self._units[point_units:])
        added: list[UnitBound] = []
        for span in unnamed_records(said, passages, self._binder):
            if self.has_room_for(span.text) and not self.repeats(span.text):
                added.extend(self.verbatim(span))
        return added

    def not_said(self, point_units: int, spans: Sequence[CandidateSpan]) -> Iterator[CandidateSpan]:
        """Yield those of ``spans`` that the draft has room for and does not say yet, as it grows.

        ``point_units`` is how many units there were before the point: a span that one of its
        sentences cites was read and put in other words, unless they leave a record out.
        """
        for span in spans:
            written = self._units[point_units:]
            cited = {number for unit in written for number in unit.citations}
            said = "\n".join(unit.text for unit in written)
            is_used = any(
                note.number in cited
                and note.file == span.passage.file
                and note.start < span.end
                and span.start < note.end
                for note in self.footnotes
            )
            is_told = is_used and not names_more(span.text, said)
            if not is_told and not self.repeats(span.text) and self.has_room_for(span.text):
                yield span

    def verbatim(self, span: CandidateSpan) -> list[UnitBound]:
        """Add ``span`` word for word: its sentences, an item, or a row of its table."""
        added: list[UnitBound] = []
        parts = sentences_of(span)
        has_said = False
        for part in parts:
            if self.repeats(part.text):
                has_said = True
                continue
            # "It must be …" is understood behind the sentence before it alone.
            may_stand = len(parts) == 1 or is_statement(part) or (has_said and goes_on(part.text))
            units = self._verbatim(part) if may_stand else []
            has_said = bool(units)
            added.extend(units)
        return added

    def _verbatim(self, span: CandidateSpan) -> list[UnitBound]:
        written, kind = as_written(span)
        text = self.cleaned(written)
        if not text:
            return []
        if span.block.kind is BlockKind.TABLE_ROW or kind is UnitKind.SENTENCE:
            return self.state(text, word_for_word(span))
        self._table = None
        return [self.sentence(text, word_for_word(span), kind)]

    def listed(self, point: PlannedPoint) -> list[UnitBound]:
        """Add a step that its procedure writes as a list, word for word under its own heading;
        nothing where the step is prose, is said already, or has no room."""
        step = listed_step(point.passages, self._documents.parsed)
        if step is None or not self.has_room_for(" ".join(span.text for span in step.spans)):
            return []
        if all(self.repeats(span.text) for span in step.spans):
            return []
        first, *others = step.spans
        title = step.title or point.instruction.partition(". ")[0].strip()
        if is_lead_in(first):
            text = self.cleaned(first.text)
            added = [self.sentence(f"{title}: {text[:1].lower()}{text[1:]}", word_for_word(first))]
        else:
            added = []
            if step.heading is not None:
                added.append(self.sentence(f"{title}:", word_for_word(step.heading)))
            others = [first, *others]
        for span in others:
            added.extend(self._item(span))
        return added

    def _item(self, span: CandidateSpan) -> list[UnitBound]:
        text = self.cleaned(without_list_mark(" ".join(span.text.split())).rstrip(";, "))
        if span.block.kind is BlockKind.TABLE_ROW:
            return self.state(text, word_for_word(span))
        self._table = None
        kind = UnitKind.LIST_ITEM if span.block.kind is BlockKind.LIST_ITEM else UnitKind.SENTENCE
        return [self.sentence(text, word_for_word(span), kind, level=span.block.level)]

    def quoted(self, text: str, value: SourceValue) -> UnitBound:
        """Add a sentence that uses a source word for word."""
        note = self.number_value(value)
        return self.add_unit(
            DraftSentence(text, citations=(note.number,), support=Support.SUPPORTED, score=1.0)
        )

    def add_unit(self, unit: DraftSentence, said: str = "") -> UnitBound:
        """Add ``unit``; it opens a paragraph if one was asked for. ``said`` is all that it says
        where that is more than its text: a row has its headers above it."""
        starts = self._next_starts_paragraph or unit.kind is not UnitKind.SENTENCE
        self._next_starts_paragraph = unit.kind is not UnitKind.SENTENCE
        text = f"{unit.text} {said}"
        words = frozenset(content_words(text))
        values = frozenset(v.key for v in extract_values(text))
        self._said.append((words, values, turning_words(unit.text)))
        return self._add(replace(unit, starts_paragraph=starts))

    def note(self, binding: Binding) -> tuple[int, ...]:
        """Return the numbers of the footnotes of ``binding``."""
        return tuple(
            dict.fromkeys(
                self._numbers.number(span, binding.score).number for span in binding.spans
            )
        )

    def exchange(self, place: int, unit: DraftSentence) -> tuple[Footnote, ...]:
        """Put ``unit`` where the unit at ``place`` stood; return the footnotes that are new."""
        self._units[place] = unit
        self.is_revised = True
        return self._new_footnotes()

    def settle(self) -> None:
        """Number the footnotes anew by first use and let go those that no unit cites any more."""
        new = self._numbers.keep(n for unit in self._units for n in unit.citations)
        self._units = [
            replace(
                unit,
                citations=tuple(new[n] for n in unit.citations),
                citations_per_cell=tuple(
                    tuple(new[n] for n in numbers) for numbers in unit.citations_per_cell
                ),
            )
            for unit in self._units
        ]

    def _new_footnotes(self) -> tuple[Footnote, ...]:
        new = tuple(note for note in self.footnotes if note.number not in self._known)
        self._known.update(note.number for note in new)
        return new

    def _add(self, unit: DraftSentence) -> UnitBound:
        if self._pending is not None:
            heading, self._pending = replace(self._pending, point=self._point), None
            self._units.append(heading)
            self._announced.append(UnitBound(heading))
        unit = replace(unit, point=self._point)
        self._units.append(unit)
        return UnitBound(unit, self._new_footnotes())


def _is_copied_item(text: str, binding: Binding) -> bool:
    """Whether ``text`` is an item of a list word for word: without its list it reads as one."""
    if len(binding.spans) != 1 or not is_item(binding.spans[0]):
        return False
    own = without_list_mark(" ".join(binding.spans[0].text.split()))
    return fold(own).rstrip(".;, ") == fold(text).rstrip(".;, ")
