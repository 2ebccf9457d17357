"""Writes a sentence or a paragraph of a draft again, from the passages of its point."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, overlap
from phasergun_desktop.grounding.footnotes import EarlierFootnotes, FootnoteNumbers
from phasergun_desktop.grounding.judge import Judge
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support, UnitKind
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.planning.evidence_points import unit_passage
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.verbatim import as_written, is_statement, word_for_word
from phasergun_desktop.text.values import missing_values
from phasergun_desktop.text.words import fold
from phasergun_desktop.writing.instructions import again_prompt, wish_prompt, with_persona
from phasergun_desktop.writing.joining import Joiner, Statement
from phasergun_desktop.writing.model import AnswerMetrics
from phasergun_desktop.writing.model_calls import ModelCalls
from phasergun_desktop.writing.model_sentences import as_sentence, says_nothing
from phasergun_desktop.writing.page import Page

# The first try is the surest wording; only where it comes out the same, or worse, a freer one.
_TEMPERATURES = (0.0, 0.4)
_TOKENS_PER_SENTENCE = 90
_MIN_RELEVANCE = 0.2
_SAME_SECTION = 0.25
_RANK = {Support.CONTRADICTED: 0, Support.UNSUPPORTED: 1, Support.PARTLY: 2, Support.SUPPORTED: 3}
SAME_AGAIN = "The model wrote the same again."
NOTHING_ELSE = "The passages have nothing further to say here."
WORSE = "What was written again is carried less well by the sources."
UNREADABLE = (
    "A source of this paragraph has changed or may not be sent; check its footnotes, then write it "
    "again."
)
NEEDS_MODEL = "Only a language model can rewrite a text as it is told."
NOTHING_USABLE = "The model wrote nothing that could stand here."
WORD_FOR_WORD = "This sentence says an answer or a value word for word; it is not written anew."


@dataclass(frozen=True, slots=True)
class RewriteTask:
    """The units ``old`` of one paragraph, to be written again from the passages of ``point``.

    ``others`` are the other units of the draft, ``footnotes`` all of its footnotes (they keep
    their numbers); ``given`` is text that needs no source, ``quotes`` are answers that are used
    word for word; what stands in the files ``withheld`` may not be sent to the model. ``wish`` is
    what the writer wants changed (``""``: just other words); nothing that it names is a fact.
    ``persona`` is an agent's (``""``: none).
    """

    point: PlannedPoint
    old: tuple[DraftSentence, ...]
    others: tuple[DraftSentence, ...]
    footnotes: tuple[Footnote, ...]
    title: str = ""
    given: str = ""
    quotes: tuple[str, ...] = ()
    withheld: frozenset[str] = frozenset()
    wish: str = ""
    persona: str = ""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What came of it: the new ``units`` (empty where the old ones stay, then ``why_kept`` says
    why in a sentence) and the footnotes that they need beside those of the draft. ``lost`` are
    values and names of the old units that the new ones do not state; told only of a wish."""

    units: tuple[DraftSentence, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    why_kept: str = ""
    metrics: AnswerMetrics = field(default_factory=AnswerMetrics)
    lost: tuple[str, ...] = ()


class Regenerator:
    """Writes again with the model, or with the next best spans. ``system`` is tier 1."""

    def __init__(
        self,
        documents: IndexedDocuments,
        embedder: Embedder,
        new_judge: Callable[[], Judge],
        *,
        system: str,
    ) -> None:
        self._documents = documents
        self._embedder = embedder
        self._new_judge = new_judge
        self._system = system

    def rewrite(
        self, task: RewriteTask, model: LanguageModel | None, should_stop: Callable[[], bool]
    ) -> Job[Rewriting]:
        """Write ``task.old`` again; yields ``FirstToken`` and ``TextStreamed``.

        The old units stay where the new ones say the same or are carried less well; what is
        written to a wish the writer judges beside the old, so that it comes back marked. Raises
        ``Cancelled`` when stopped, and the errors of the model.
        """
        if task.point.kind is PointKind.VERBATIM or _holds_quote(task):
            return Rewriting(why_kept=WORD_FOR_WORD)
        binder = SpanBinder(self._new_judge(), self._documents.parsed)
        if model is None:
            return Rewriting(why_kept=NEEDS_MODEL) if task.wish else self._extracted(task, binder)
        is_paragraph = len(task.old) > 1 and not task.wish
        cited = self._cited(task, binder) if is_paragraph else []
        if cited is None:
            return Rewriting(why_kept=UNREADABLE)
        metrics = AnswerMetrics(model=model.name, model_digest=model.digest)
        page = self._page(task, binder)
        why = NOTHING_USABLE if task.wish else NOTHING_ELSE
        for temperature in _TEMPERATURES:
            if should_stop():
                raise Cancelled
            calls = ModelCalls(model, metrics, should_stop, time.perf_counter(), temperature)
            if is_paragraph:
                joiner = Joiner(calls, page, system=with_persona(self._system, task.persona))
                found = yield from joiner.joined("again", cited)
            else:
                found = yield from self._written(task, page, calls)
            if not found:
                continue
            if _says_the_same([text for text, _ in found], task.old):
                why = SAME_AGAIN
            elif not task.wish and _is_worse([binding for _, binding in found], task.old):
                why = WORSE
            else:
                made = _numbered(task, found, page, metrics)
                return _as_wished(made, task) if task.wish else made
        return Rewriting(why_kept=why, metrics=metrics)

    def _cited(self, task: RewriteTask, binder: SpanBinder) -> list[CandidateSpan] | None:
        """Return the passages that the paragraph cites, in its order; None where one of them has
        changed since, is gone, or may not be sent."""
        records = {(each.file, each.sha256): each for each in self._documents.documents()}
        notes = {note.number: note for note in task.footnotes}
        spans: list[CandidateSpan] = []
        for number in dict.fromkeys(number for unit in task.old for number in unit.citations):
            note = notes[number]
            record = records.get((note.file, note.sha256))
            if record is None or note.file in task.withheld:
                return None
            passage = unit_passage(self._documents, record, note.start, note.end, note.score)
            spans.append(binder.span_of(passage))
        return spans

    def _written(
        self, task: RewriteTask, page: Page, calls: ModelCalls
    ) -> Generator[Event, None, list[Statement]]:
        """Return what the model writes to a wish, every sentence of it bound and judged; without
        one, and for an item, which is one statement, the first sentence that is another."""
        said = [unit for unit in task.old if task.wish or unit.kind is not UnitKind.TODO]
        old = " ".join(unit.text for unit in said)
        system = with_persona(self._system, task.persona)
        if task.wish:
            prompt = wish_prompt(system, task.point, task.title, old, task.wish)
            limit = 2 * calls.count_tokens(old) + _TOKENS_PER_SENTENCE
        else:
            prompt = again_prompt(system, task.point, task.title, old)
            limit = 2 * _TOKENS_PER_SENTENCE
        is_one = not task.wish or task.old[0].kind is UnitKind.LIST_ITEM
        found: list[Statement] = []
        with closing(calls.sentences("again", prompt, limit)) as stream:
            for item in stream:
                if isinstance(item, Event):
                    yield item
                    continue
                text = as_sentence(_unquoted(page.cleaned(item)))
                if not text or says_nothing(text) or page.repeats(text):
                    continue
                statement = (text, page.bind(text, task.point.passages))
                found = [statement] if is_one else [*found, statement]
                # It often begins with the old sentence; the next one may be another.
                if is_one and not _says_the_same([text], task.old):
                    break
        return found

    def _extracted(self, task: RewriteTask, binder: SpanBinder) -> Rewriting:
        """Return the next best spans that the draft does not say yet, word for word."""
        page = self._page(task, binder)
        for unit in task.old:
            page.add_unit(unit)
        spans = [
            span
            for span in binder.spans_of(task.point.passages)
            if is_statement(span)
            and not any(_is_cited(span, note) for note in task.footnotes)
            and not page.repeats(span.text, is_row=span.block.kind is BlockKind.TABLE_ROW)
        ]
        numbers = {number for unit in task.old for number in unit.citations}
        before = [note for note in task.footnotes if note.number in numbers]
        chosen = self._most_relevant(task.point.query, spans, before, len(task.old))
        if not chosen:
            return Rewriting(why_kept=NOTHING_ELSE)
        found = [(page.cleaned(as_written(span)[0]), word_for_word(span)) for span in chosen]
        return _numbered(task, found, page, AnswerMetrics(model="extractive"))

    def _most_relevant(
        self, query: str, spans: Sequence[CandidateSpan], before: Sequence[Footnote], wanted: int
    ) -> list[CandidateSpan]:
        """Return at most ``wanted`` spans that answer ``query``, in the order of the document;
        what stands in a section of the footnotes ``before`` goes first."""
        if not spans:
            return []
        [asked] = self._embedder.embed([query])
        vectors = self._embedder.embed([f"{span.context} : {span.text}" for span in spans])
        places = {(note.file, note.heading_path) for note in before}
        scores = [
            float(vector @ asked)
            + _SAME_SECTION * ((span.passage.file, span.block.heading_path) in places)
            for vector, span in zip(vectors, spans, strict=True)
        ]
        chosen: list[CandidateSpan] = []
        for index in np.argsort(-np.asarray(scores), kind="stable"):
            span = spans[int(index)]
            if scores[int(index)] < _MIN_RELEVANCE or len(chosen) == wanted:
                break
            if not any(overlap(span, other) for other in chosen):
                chosen.append(span)
        return sorted(chosen, key=lambda span: (span.passage.file, span.start))

    def _page(self, task: RewriteTask, binder: SpanBinder) -> Page:
        """Return a page on which the rest of the draft stands already, with its footnotes."""
        highest = max((note.number for note in task.footnotes), default=0)
        earlier = EarlierFootnotes(task.footnotes, highest)
        numbers = FootnoteNumbers(self._documents.parsed, earlier)
        page = Page(binder, numbers, self._documents, task.given)
        for unit in task.others:
            if unit.kind not in (UnitKind.HEADING, UnitKind.TODO):
                page.add_unit(unit)
        return page


def _numbered(
    task: RewriteTask, found: Sequence[Statement], page: Page, metrics: AnswerMetrics
) -> Rewriting:
    """Return ``found`` as units; a passage that the draft cites already keeps its footnote."""
    first = task.old[0]
    is_item = first.kind is UnitKind.LIST_ITEM
    kind = UnitKind.LIST_ITEM if is_item else UnitKind.SENTENCE
    units = tuple(
        replace(
            page.item(text, binding, kind).unit,
            starts_paragraph=first.starts_paragraph and index == 0,
            level=first.level,
            point=first.point,
        )
        for index, (text, binding) in enumerate(found)
    )
    added = tuple(note for note in page.footnotes if note not in task.footnotes)
    return Rewriting(units, added, "", metrics)


def _as_wished(made: Rewriting, task: RewriteTask) -> Rewriting:
    """Return ``made`` with the values of the old text that it has lost; where nothing carries any
    of it, with the footnotes of the old text: the writer sees from them what was cited. Words of
    the writer's own stay theirs."""
    old = " ".join(unit.text for unit in task.old)
    values = missing_values(old, " ".join(unit.text for unit in made.units))
    lost = tuple(dict.fromkeys(value.text for value in values))
    if any(unit.citations for unit in made.units):
        return replace(made, lost=lost)
    notes = tuple(dict.fromkeys(number for unit in task.old for number in unit.citations))
    is_own = all(unit.is_own for unit in task.old)
    *before, last = (replace(unit, is_own=is_own) for unit in made.units)
    return replace(made, units=(*before, replace(last, citations=notes)), lost=lost)


def _unquoted(text: str) -> str:
    """Return ``text`` without the quotation marks that the old text had in the prompt."""
    return text.removeprefix("“").removesuffix("”").strip('"').strip()


def _holds_quote(task: RewriteTask) -> bool:
    texts = [fold(unit.text) for unit in task.old]
    return any(
        (bare := fold(quote).strip().rstrip(". ")) and any(bare in text for text in texts)
        for quote in task.quotes
    )


def _says_the_same(texts: Sequence[str], old: Sequence[DraftSentence]) -> bool:
    left = fold(" ".join(" ".join(texts).split())).rstrip(". ")
    right = fold(" ".join(" ".join(unit.text for unit in old).split())).rstrip(". ")
    return left == right


def _is_worse(found: Sequence[Binding], old: Sequence[DraftSentence]) -> bool:
    """Whether ``found`` is carried less well: a lower mean class of support, or the same with
    more problems a sentence. A gap is carried by nothing."""
    new_rank = sum(_RANK[one.support] for one in found) / len(found)
    old_rank = sum(0 if u.kind is UnitKind.TODO else _RANK[u.support] for u in old) / len(old)
    if new_rank != old_rank:
        return new_rank < old_rank
    new_problems = sum(len(one.problems) for one in found) / len(found)
    return new_problems > sum(len(unit.problems) for unit in old) / len(old)


def _is_cited(span: CandidateSpan, note: Footnote) -> bool:
    # The places of a file that has changed since say nothing about what stands there now.
    same = (note.file, note.sha256) == (span.passage.file, span.passage.sha256)
    return same and note.start < span.end and span.start < note.end
