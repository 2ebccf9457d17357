"""Writes the points of a plan one after another and binds each sentence as it ends."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from phasergun_desktop.answering.model import (
    AnswerMetrics,
    PlannedPoint,
    PointKind,
    StreamDiscarded,
    UnitBound,
)
from phasergun_desktop.answering.questions.answer_check import Statement
from phasergun_desktop.answering.writing.brought_words import brings_words, without_attribution
from phasergun_desktop.answering.writing.copied_rows import copied_row
from phasergun_desktop.answering.writing.extractive import Extractor, table_of
from phasergun_desktop.answering.writing.from_sources import (
    add_list,
    add_span,
    add_unnamed_records,
    not_said,
)
from phasergun_desktop.answering.writing.grammars import SLOT_GRAMMAR, pair_grammar
from phasergun_desktop.answering.writing.instructions import (
    Task,
    pair_prompt,
    step_prompt,
)
from phasergun_desktop.answering.writing.model_calls import ModelCalls
from phasergun_desktop.answering.writing.model_sentences import (
    as_sentence,
    echoes_heading,
    has_placeholder,
    says_nothing,
)
from phasergun_desktop.answering.writing.named_records import with_its_records
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.pair_sentences import labelled_pair, sentence_of_pair
from phasergun_desktop.answering.writing.relevance import is_unasked_field
from phasergun_desktop.answering.writing.repetition import loops
from phasergun_desktop.answering.writing.verbatim import (
    copies,
    goes_on,
    is_of_the_paper,
    is_statement,
    own_sentence,
    whole_sentence,
    word_for_word,
)
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import CandidateSpan, overlap, sentences_of
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.self_reference import speaks_of_another
from phasergun_desktop.grounding.text_units import (
    sentences,
)
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.references.model import QuestionAnswer

# Speaks of what an earlier sentence named.
_GOES_ON = re.compile(r"\b(?:this|that|these|those|such|it|its|they|them|their)\b", re.IGNORECASE)
_MAX_REPEATS = 2
_MAX_POINT_TOKENS = 220
_MAX_LINE_TOKENS = 90
_MAX_UNSUPPORTED = 2
# The share of its words from which a sentence without a source retells a summary.
_RETOLD = 0.7


@dataclass(slots=True)
class _Progress:
    """What has come of one point so far; ``blocks`` are those that its sentences stand on.
    ``has_spoken``: the model found something to say, be it worth nothing; where it did not, there
    may be nothing to be said."""

    repeats: int = 0
    unsupported: int = 0
    stated: int = 0
    is_over: bool = False
    blocks: set[tuple[str, str]] = field(default_factory=set)
    has_spoken: bool = False


class Composer:
    """Writes with a language model. It belongs to one draft: it owns page and metrics.

    ``task`` says for which section and in which language it writes; ``extractor`` knows
    what answers a point best: that stands in the draft word for word where the model left it out,
    and what the model wrote beside the point does not.
    """

    def __init__(
        self,
        model: LanguageModel,
        page: Page,
        metrics: AnswerMetrics,
        *,
        system: str,
        task: Task,
        should_stop: Callable[[], bool],
        extractor: Extractor | None = None,
        started: float | None = None,
        temperature: float = 0.0,
    ) -> None:
        start = time.perf_counter() if started is None else started
        self._calls = ModelCalls(model, metrics, should_stop, start, temperature)
        self._page = page
        self._system = system
        self._task = task
        self._extractor = None if task.is_translation else extractor
        self._step = ""

    def begin(self, index: int) -> None:
        """Name the calls that follow after the point at ``index`` of the plan."""
        self._step = f"point {index + 1}"

    def write_point(self, point: PlannedPoint) -> Generator[Event, None, bool]:
        """Write one descriptive, procedural or value point; return whether it is dealt with:
        it says something, or all that it would say stands in the draft already.

        A sentence of a value point is kept only if a passage answers with it: a wrong answer to
        a question is worse than none.
        """
        if point.kind is PointKind.PROCEDURE and not self._task.is_translation:
            written = add_list(self._page, point)
            if written:
                yield from written
                return True
        before = len(self._page.units)
        progress = _Progress()
        prompt = step_prompt(self._system, point, self._task)
        stream = self._calls.sentences(self._step, prompt, self._limit(point))
        try:
            for item in stream:
                if isinstance(item, Event):
                    yield item
                    continue
                yield from self._take(item, point, progress)
                if progress.is_over:
                    break
        finally:
            stream.close()
        if point.kind is PointKind.PROCEDURE and progress.stated:
            yield from add_unnamed_records(self._page, before, point.passages)
        is_text = point.kind is not PointKind.VALUE
        if self._extractor is not None and is_text and progress.has_spoken:
            for span in not_said(self._page, before, self._extractor.left_out(point)):
                units = add_span(self._page, span)
                progress.stated += len(units)
                yield from units
        return bool(progress.stated) or bool(progress.repeats) or self._page.is_full

    def _take(self, raw: str, point: PlannedPoint, progress: _Progress) -> list[Event]:
        """Return the events of one sentence of the model: what is kept of it, or nothing."""
        sentence = as_sentence(self._page.cleaned(raw))
        if not sentence or loops(sentence) or echoes_heading(sentence, point):
            return [StreamDiscarded()]
        progress.has_spoken = progress.has_spoken or not says_nothing(sentence)
        if has_placeholder(sentence, point):
            return [StreamDiscarded()]
        if self._page.repeats(sentence):
            progress.repeats += 1
            progress.is_over = progress.repeats >= _MAX_REPEATS
            return [StreamDiscarded()]
        kept = self._kept(sentence, point, progress)
        events: list[Event] = []
        for text, bound in kept:
            if not self._page.has_room_for(text):
                progress.is_over = True
                break
            if text != sentence and self._page.repeats(text):
                progress.repeats += 1
                continue
            if point.kind is PointKind.VALUE:
                events.append(self._page.sentence(text, bound))
            else:
                events.extend(self._state(text, bound, point))
            progress.stated += 1
            if bound.spans:
                progress.blocks.add(_block_of(bound))
        return events or [StreamDiscarded()]

    def _state(self, text: str, bound: Binding, point: PlannedPoint) -> list[UnitBound]:
        """Add ``text``; where it tells of a row of a table, the rows that stand in the draft
        anyway come in its place, together and in their order."""
        table = table_of(bound.spans[0]) if bound.spans else None
        if self._extractor is None or table is None:
            return self._page.state(text, bound)
        rows = [span for span in self._extractor.left_out(point) if table_of(span) == table]
        is_among = any(overlap(bound.spans[0], row) for row in rows)
        if not is_among and copied_row(text, bound) is None:
            return self._page.state(text, bound)
        if not is_among:
            rows = sorted([*rows, bound.spans[0]], key=lambda row: row.start)
        added: list[UnitBound] = []
        for row in rows:
            if not self._page.repeats(row.text) and self._page.has_room_for(row.text):
                added.extend(add_span(self._page, row))
        return added

    def _kept(self, sentence: str, point: PlannedPoint, progress: _Progress) -> list[Statement]:
        """Return what of ``sentence`` stands in the draft, or instead of it, each with what
        carries it."""
        if point.kind is not PointKind.VALUE:
            sentence = without_attribution(sentence, point.passages)
        binding = self._page.bind(sentence, point.passages)
        if point.kind is PointKind.VALUE:
            return self._page.answers(point.query, sentence, binding, point.passages)
        if says_nothing(sentence) and binding.support is not Support.SUPPORTED:
            progress.is_over = True
            return []
        if (
            self._only_introduces(sentence, binding)
            or self._has_left_its_sources(sentence, binding, progress)
            or self._is_beside(point, sentence, binding, progress)
            or _is_no_statement(sentence, binding)
            or (self._extractor is not None and is_unasked_field(point, binding.spans))
        ):
            return []
        if self._extractor is not None and binding.support is Support.UNSUPPORTED:
            self._page.count_dropped()
            return []
        is_wrong = binding.support is Support.CONTRADICTED
        is_doubtful = self._extractor is not None and (
            binding.support is not Support.SUPPORTED
            or brings_words(sentence, binding.spans, self._page.given)
        )
        if is_wrong or is_doubtful or _is_said_of_another(sentence, binding):
            own = self._as_the_source_says(point, binding)
            if is_doubtful and not own:
                self._page.count_dropped()
            return own if own or is_wrong or is_doubtful else [(sentence, binding)]
        if point.kind is PointKind.PROCEDURE:
            sentence, binding = with_its_records(sentence, binding)
        text, bound = whole_sentence(sentence, binding)
        return [(self._page.cleaned(text), bound)]

    def _only_introduces(self, sentence: str, binding: Binding) -> bool:
        """Whether ``sentence`` retells the summaries: they tell the model what the documents are
        about and are never cited, so nothing can carry it."""
        if binding.support is not Support.UNSUPPORTED:
            return False
        read = " ".join(f"{each.title} {each.text}" for each in self._task.summaries)
        known, words = set(content_words(read)), content_words(sentence)
        return bool(known) and sum(word in known for word in words) >= _RETOLD * len(words)

    def _has_left_its_sources(self, sentence: str, binding: Binding, progress: _Progress) -> bool:
        """Whether the model goes on without its sources; what follows would be worse."""
        if binding.support is not Support.UNSUPPORTED:
            progress.unsupported = 0
            return False
        progress.unsupported += 1
        is_lost = progress.unsupported >= _MAX_UNSUPPORTED and not self._task.is_translation
        progress.is_over = is_lost
        return is_lost

    def _is_beside(
        self, point: PlannedPoint, sentence: str, binding: Binding, progress: _Progress
    ) -> bool:
        """Whether ``sentence`` is not about the point and does not go on with one that is."""
        if self._extractor is None or not binding.spans:
            return False
        if _block_of(binding) in progress.blocks and _GOES_ON.search(sentence):
            return False
        return self._extractor.is_beside(point, sentence, binding)

    def _as_the_source_says(self, point: PlannedPoint, binding: Binding) -> list[Statement]:
        """Return the source's own sentences and rows instead of what it does not carry; of a
        sentence on several sources those that are about the point."""
        said: list[Statement] = []
        for span in binding.spans:
            for text, bound in self._own_statements(span):
                is_beside = said and self._extractor and self._extractor.is_beside
                if not is_beside or not is_beside(point, text, bound):
                    said.append((text, bound))
        return said

    def _own_statements(self, span: CandidateSpan) -> list[Statement]:
        if is_of_the_paper(span):
            return []
        if span.block.kind is BlockKind.TABLE_ROW:
            return [(span.text, word_for_word(span))]
        parts = sentences_of(span)
        if goes_on(parts[0].text):
            return []
        return [
            (self._page.cleaned(text), word_for_word(part))
            for part in parts
            if is_statement(part) and (text := own_sentence(part))
        ]

    def _limit(self, point: PlannedPoint) -> int:
        """Return how many tokens a point may take: a text longer than its sources adds to them."""
        if point.kind is PointKind.VALUE:
            return 80
        read = sum(self._calls.count_tokens(passage.text) for passage in point.passages)
        return max(60, min(_MAX_POINT_TOKENS, int(1.3 * read) + 30))

    def slot(self, point: PlannedPoint) -> Generator[Event, None, str]:
        """Return the value of one attribute of one device as the passages state it, or ``""``."""
        prompt = step_prompt(self._system, point, self._task)
        text = yield from self._calls.line(self._step, prompt, _MAX_LINE_TOKENS, SLOT_GRAMMAR)
        text = self._page.cleaned(text.strip("\"“”'`").strip())
        return "" if not content_words(text) or says_nothing(text) or loops(text) else text

    def pair_sentence(self, pair: QuestionAnswer) -> Generator[Event, None, str]:
        """Return a sentence that holds the answer word for word."""
        answer = pair.answer.text.strip()
        by_rule = sentence_of_pair(pair.question, answer)
        if by_rule:
            return by_rule
        prompt = pair_prompt(self._system, pair.question, answer)
        text = yield from self._calls.line(
            self._step, prompt, _MAX_LINE_TOKENS, pair_grammar(answer)
        )
        found = sentences(" ".join(text.split()))
        sentence = self._page.cleaned(found[0]) if found else ""
        is_whole = _holds(sentence, answer) and not loops(sentence)
        return sentence if is_whole else labelled_pair(pair.question, answer)


def _block_of(binding: Binding) -> tuple[str, str]:
    first = binding.spans[0]
    return first.passage.file, first.block.block_id


def _is_no_statement(sentence: str, binding: Binding) -> bool:
    """Whether ``sentence`` copies what cannot stand by itself: a name in a list whose beginning is
    missing, the head of a document, a letter's standing text."""
    for span in binding.spans[:1]:
        if is_of_the_paper(span):
            return True
        if copies(sentence, span) and not goes_on(sentence):
            return not is_statement(span)
    return False


def _is_said_of_another(sentence: str, binding: Binding) -> bool:
    """Whether the source says of its own document what ``sentence`` says of another."""
    first = binding.spans[:1]
    return any(speaks_of_another(sentence, span.text, span.context) for span in first)


def _holds(sentence: str, answer: str) -> bool:
    return bool(sentence) and fold(answer).rstrip(". ") in fold(sentence)
