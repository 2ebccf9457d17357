"""Writes the points of a plan one after another and binds each sentence as it ends."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from phasergun_desktop.answering.model import (
    AnswerMetrics,
    PlannedPoint,
    PointKind,
    StreamDiscarded,
)
from phasergun_desktop.answering.writing.grammars import SLOT_GRAMMAR, pair_grammar
from phasergun_desktop.answering.writing.instructions import (
    NOT_FOUND,
    Task,
    pair_prompt,
    step_prompt,
)
from phasergun_desktop.answering.writing.model_calls import ModelCalls
from phasergun_desktop.answering.writing.named_records import with_its_records
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.repetition import loops
from phasergun_desktop.answering.writing.verbatim import (
    own_sentence,
    under_its_heading,
    word_for_word,
)
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.text_units import sentences, without_list_mark
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.references.model import QuestionAnswer

_NO_STATEMENT = r"(?:state|mention|contain|provide|specify|give|include|say|describe|indicate)"
_SAYS_NOTHING = re.compile(
    rf"\b(?:passages?|sources?|documents?|texts?)\b.{{0,40}}\b(?:do(?:es)? not|did not)\s+"
    rf"(?:explicitly |directly )?{_NO_STATEMENT}"
    r"|\bnot (?:explicitly |directly )?(?:stated|specified|mentioned|provided|given) "
    r"(?:in|by) the (?:given )?(?:passages?|sources?|documents?|texts?)\b"
    r"|\bno (?:specific )?(?:information|mention) (?:about|on|of|is)\b",
    re.IGNORECASE,
)
# The line above a passage, repeated by the model as if it were text.
_PASSAGE_HEADER = re.compile(r"^.*›\s*")
_STEP_MARK = re.compile(r"^step \d+\s*[:.)]\s*", re.IGNORECASE)
# What a form leaves to be filled in; a model that has no value writes such a place.
_PLACEHOLDER = re.compile(r"\[(?!TODO)[A-Za-z][^\[\]\d|]*\]|<[A-Z][A-Za-z ]+>|\bX{3,}\b")
_A_WORD = re.compile(r"[^\W\d_]{2}")
_MAX_REPEATS = 2
_MAX_POINT_TOKENS = 220
_MAX_LINE_TOKENS = 90
_MAX_UNSUPPORTED = 2
# The share of its words from which a sentence without a source retells a summary.
_RETOLD = 0.7
_MIN_WORDS = 4


@dataclass(slots=True)
class _Progress:
    """What has come of one point so far."""

    repeats: int = 0
    unsupported: int = 0
    stated: int = 0
    is_over: bool = False


class Composer:
    """Writes with a language model. It belongs to one draft: it owns page and metrics.

    ``task`` says for which section and in which language it writes.
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
        started: float | None = None,
        temperature: float = 0.0,
    ) -> None:
        start = time.perf_counter() if started is None else started
        self._calls = ModelCalls(model, metrics, should_stop, start, temperature)
        self._page = page
        self._system = system
        self._task = task
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
            written = self._page.listed(point)
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
            yield from self._page.complete(before, point.passages)
        return bool(progress.stated) or bool(progress.repeats) or self._page.is_full

    def _take(self, raw: str, point: PlannedPoint, progress: _Progress) -> list[Event]:
        """Return the events of one sentence of the model: what is kept of it, or nothing."""
        sentence = as_sentence(self._page.cleaned(raw))
        if not sentence or loops(sentence) or echoes_heading(sentence, point):
            return [StreamDiscarded()]
        if has_placeholder(sentence, point):
            return [StreamDiscarded()]
        if self._page.repeats(sentence):
            progress.repeats += 1
            progress.is_over = progress.repeats >= _MAX_REPEATS
            return [StreamDiscarded()]
        binding = self._page.bind(sentence, point.passages)
        if point.kind is PointKind.VALUE:
            kept = self._page.answers(point.query, sentence, binding, point.passages)
        elif self._only_introduces(sentence, binding) or self._has_left_its_sources(
            sentence, binding, progress
        ):
            kept = []
        elif binding.support is Support.CONTRADICTED:
            kept = self._as_the_source_says(binding)
        elif point.kind is PointKind.PROCEDURE:
            text, bound = with_its_records(sentence, binding)
            kept = [(self._page.cleaned(text), bound)]
        else:
            kept = [(under_its_heading(sentence, binding), binding)]
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
                events.extend(self._page.state(text, bound))
            progress.stated += 1
        return events or [StreamDiscarded()]

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
        progress.is_over = is_lost or says_nothing(sentence)
        return progress.is_over

    def _as_the_source_says(self, binding: Binding) -> list[tuple[str, Binding]]:
        """Return the source's own sentence instead of one that says the opposite."""
        for span in binding.spans:
            text = own_sentence(span)
            if text:
                return [(self._page.cleaned(text), word_for_word(span))]
        return []

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


def as_sentence(text: str) -> str:
    """Return ``text`` as a sentence, or ``""`` where it states nothing (a heading, a lead-in)."""
    if text.startswith("---"):
        return ""  # a line that separates passages, repeated
    text = _STEP_MARK.sub("", without_list_mark(_PASSAGE_HEADER.sub("", text)))
    if not _A_WORD.search(text) or not content_words(text) or text.endswith(":"):
        return ""
    if text.endswith((".", "!", "?")):
        return text
    return f"{text.rstrip(';,')}." if len(text.split()) >= _MIN_WORDS else ""


def has_placeholder(sentence: str, point: PlannedPoint) -> bool:
    """Whether ``sentence`` has a place to be filled in ("[lot number]") that no passage has."""
    read = "\n".join(passage.text for passage in point.passages)
    return any(match.group() not in read for match in _PLACEHOLDER.finditer(sentence))


def echoes_heading(sentence: str, point: PlannedPoint) -> bool:
    """Whether ``sentence`` only repeats the title or a heading of what the point read."""
    bare = content_words(sentence)
    return any(
        bare == content_words(heading)
        for passage in point.passages
        for heading in (passage.title, *passage.heading_path)
    )


def sentence_of_pair(question: str, answer: str) -> str:
    """Return the answer as a sentence by rule, or ``""`` where a rule would read badly."""
    without_yes = re.sub(r"^(?:yes|no)[.,;:]\s+", "", answer, flags=re.IGNORECASE)
    if without_yes != answer and len(without_yes.split()) >= 4:
        return without_yes
    match = re.match(
        r"^what (?P<verb>is|are) (?P<subject>.+?)\?*$", question.strip(), re.IGNORECASE
    )
    if match:
        subject = match["subject"]
        return f"{subject[:1].upper()}{subject[1:]} {match['verb'].lower()}: {_ended(answer)}"
    return ""


def labelled_pair(question: str, answer: str) -> str:
    """Return question and answer side by side, the answer word for word."""
    return f"{question.strip().rstrip('?')}: {_ended(answer)}"


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _holds(sentence: str, answer: str) -> bool:
    return bool(sentence) and fold(answer).rstrip(". ") in fold(sentence)


def says_nothing(sentence: str) -> bool:
    """Whether ``sentence`` only says that the passages do not state something."""
    return NOT_FOUND.lower() in sentence.lower() or bool(_SAYS_NOTHING.search(sentence))
