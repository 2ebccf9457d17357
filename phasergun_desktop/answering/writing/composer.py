"""Writes the points of a plan one after another and binds each sentence as it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator

from phasergun_desktop.answering.model import (
    AnswerMetrics,
    PlannedPoint,
    PointKind,
    StreamDiscarded,
    UnitBound,
)
from phasergun_desktop.answering.writing.copied_rows import copied_row
from phasergun_desktop.answering.writing.extractive import evidence_of, table_of
from phasergun_desktop.answering.writing.from_sources import add_span, not_said
from phasergun_desktop.answering.writing.grammars import pair_grammar
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
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.pair_sentences import labelled_pair, sentence_of_pair
from phasergun_desktop.answering.writing.repetition import loops
from phasergun_desktop.answering.writing.sifting import Progress, Sifter
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import overlap
from phasergun_desktop.grounding.words import fold
from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.references.model import QuestionAnswer
from phasergun_desktop.text.sentences import (
    sentences,
)

_MAX_REPEATS = 2
_MAX_POINT_TOKENS = 220
_MAX_LINE_TOKENS = 90


class Composer:
    """Writes with a language model. It belongs to one draft: it owns page and metrics.

    ``task`` says for which section and in which language it writes. With ``completes`` what the
    model left out of a point's evidence stands in the draft word for word.
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
        completes: bool = False,
        started: float | None = None,
        temperature: float = 0.0,
    ) -> None:
        start = time.perf_counter() if started is None else started
        self._calls = ModelCalls(model, metrics, should_stop, start, temperature)
        self._page = page
        self._system = system
        self._task = task
        self._completes = completes and not task.is_translation
        self._sifter = Sifter(page, task, completes=self._completes)
        self._step = ""

    def begin(self, index: int) -> None:
        """Name the calls that follow after the point at ``index`` of the plan."""
        self._step = f"point {index + 1}"

    def write_point(self, point: PlannedPoint) -> Generator[Event, None, bool]:
        """Write one descriptive or value point; return whether it is dealt with:
        it says something, or all that it would say stands in the draft already.

        A sentence of a value point is kept only if a passage answers with it: a wrong answer to
        a question is worse than none.
        """
        before = len(self._page.units)
        progress = Progress()
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
        is_text = point.kind is not PointKind.VALUE
        if self._completes and is_text and progress.has_spoken:
            best = evidence_of(self._page, point)
            progress.repeats += sum(self._page.repeats(span.text) for span in best)
            for span in not_said(self._page, before, best):
                units = add_span(self._page, span)
                progress.stated += len(units)
                yield from units
        return bool(progress.stated) or bool(progress.repeats) or self._page.is_full

    def _take(self, raw: str, point: PlannedPoint, progress: Progress) -> list[Event]:
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
        kept = self._sifter.kept(sentence, point, progress)
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
        return events or [StreamDiscarded()]

    def _state(self, text: str, bound: Binding, point: PlannedPoint) -> list[UnitBound]:
        """Add ``text``; where it tells of a row of a table, the rows that stand in the draft
        anyway come in its place, together and in their order."""
        table = table_of(bound.spans[0]) if bound.spans else None
        if not self._completes or table is None:
            return self._page.state(text, bound)
        rows = [span for span in evidence_of(self._page, point) if table_of(span) == table]
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

    def _limit(self, point: PlannedPoint) -> int:
        """Return how many tokens a point may take: a text longer than its sources adds to them."""
        if point.kind is PointKind.VALUE:
            return 80
        read = sum(self._calls.count_tokens(passage.text) for passage in point.passages)
        return max(60, min(_MAX_POINT_TOKENS, int(1.3 * read) + 30))

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


def _holds(sentence: str, answer: str) -> bool:
    return bool(sentence) and fold(answer).rstrip(". ") in fold(sentence)
