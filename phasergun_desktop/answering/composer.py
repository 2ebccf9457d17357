"""Writes the points of a plan one after another and binds each sentence as it ends."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator

from phasergun_desktop.answering.instructions import NOT_FOUND, pair_prompt, step_prompt
from phasergun_desktop.answering.model import (
    AnswerMetrics,
    FirstToken,
    PlannedPoint,
    PointKind,
    StreamDiscarded,
    TextStreamed,
)
from phasergun_desktop.answering.page import Page
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.text_units import complete_sentences, sentences, without_list_mark
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.protocol import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)
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
_WHAT_IS = re.compile(r"^what (?P<verb>is|are) (?P<subject>.+?)\?*$", re.IGNORECASE)
_MAX_REPEATS = 2
_MAX_POINT_TOKENS = 220
_MAX_UNSUPPORTED = 2
_MIN_WORDS = 4
_STOPS = ("\n---", "--- ")


class Composer:
    """Writes with a language model. It belongs to one draft: it owns page and metrics."""

    def __init__(
        self,
        model: LanguageModel,
        page: Page,
        metrics: AnswerMetrics,
        *,
        system: str,
        title: str,
        should_stop: Callable[[], bool],
        started: float,
        temperature: float = 0.0,
    ) -> None:
        self._model = model
        self._page = page
        self._metrics = metrics
        self._system = system
        self._title = title
        self._should_stop = should_stop
        self._started = started
        self._temperature = temperature

    def write_point(self, point: PlannedPoint) -> Generator[Event, None, bool]:
        """Write one descriptive, procedural or value point; return whether it says anything.

        A sentence of a value point is kept only if a passage answers with it: a wrong answer to
        a question is worse than none.
        """
        before = len(self._page.units)
        repeats = unsupported = 0
        prompt = step_prompt(self._system, point, self._title)
        stream = self._sentences(prompt, self._limit(point))
        try:
            for item in stream:
                if isinstance(item, Event):
                    yield item
                    continue
                sentence = as_sentence(self._page.cleaned(item))
                if not sentence or echoes_heading(sentence, point):
                    yield StreamDiscarded()
                    continue
                if self._page.repeats(sentence):
                    repeats += 1
                    yield StreamDiscarded()
                    if repeats >= _MAX_REPEATS:
                        break
                    continue
                binding = self._page.bind(sentence, point.passages)
                is_unsupported = binding.support is Support.UNSUPPORTED
                unsupported = unsupported + 1 if is_unsupported else 0
                if unsupported >= _MAX_UNSUPPORTED or (is_unsupported and says_nothing(sentence)):
                    # The model has left its sources; what follows would be worse.
                    yield StreamDiscarded()
                    break
                if point.kind is not PointKind.VALUE:
                    yield from self._page.state(sentence, binding)
                elif self._page.answers(point.query, sentence, binding, point.passages):
                    yield self._page.sentence(sentence, binding)
                else:
                    yield StreamDiscarded()
        finally:
            stream.close()
        written = len(self._page.units) > before
        if point.kind is PointKind.PROCEDURE and written:
            yield from self._page.complete(before, point.passages)
        return written

    def _limit(self, point: PlannedPoint) -> int:
        """Return how many tokens a point may take: a text longer than its sources adds to them."""
        if point.kind is PointKind.VALUE:
            return 80
        read = sum(self._model.count_tokens(passage.text) for passage in point.passages)
        return max(60, min(_MAX_POINT_TOKENS, int(1.3 * read) + 30))

    def slot(self, point: PlannedPoint) -> Generator[Event, None, str]:
        """Return the value of one attribute of one device as the passages state it, or ``""``."""
        prompt = step_prompt(self._system, point, self._title)
        text = yield from self._whole(prompt, 90)
        text = text.split("\n\n")[0].strip().strip("\"“”'`").strip()
        text = self._page.cleaned(text)
        return "" if not content_words(text) or says_nothing(text) else text

    def pair_sentence(self, pair: QuestionAnswer) -> Generator[Event, None, str]:
        """Return a sentence that holds the answer word for word."""
        answer = pair.answer.text.strip()
        by_rule = sentence_of_pair(pair.question, answer)
        if by_rule:
            return by_rule
        text = yield from self._whole(pair_prompt(self._system, pair.question, answer), 90)
        found = sentences(" ".join(text.split()))
        sentence = self._page.cleaned(found[0]) if found else ""
        return sentence if _holds(sentence, answer) else labelled_pair(pair.question, answer)

    def _whole(self, prompt: ModelPrompt, limit: int) -> Generator[Event, None, str]:
        text = ""
        for piece in self._pieces(prompt, limit):
            if isinstance(piece, Event):
                yield piece
            else:
                text += piece
        return text

    def _sentences(self, prompt: ModelPrompt, limit: int) -> Generator[Event | str, None, None]:
        """Yield sentences as they are completed; the text goes out as it streams."""
        text = ""
        for piece in self._pieces(prompt, limit):
            if isinstance(piece, Event):
                yield piece
                continue
            text += piece
            yield TextStreamed(piece, self._speed())
            # A small model ends a line where it should end a sentence.
            finished, rest = complete_sentences(text.replace("\n", "\n\n"))
            yield from finished
            if finished:
                text = rest
                yield TextStreamed(rest, self._speed())
        if not self._cut_off:
            yield from sentences(text.replace("\n", "\n\n"))
        elif text.strip():
            # Half a sentence at the length limit states nothing that could be checked.
            yield StreamDiscarded()

    def _pieces(self, prompt: ModelPrompt, limit: int) -> Generator[Event | str, None, None]:
        metrics = GenerationMetrics()
        settings = GenerationSettings(limit, self._temperature, _STOPS)
        self._current = metrics
        stream = self._model.generate(prompt, settings, metrics, self._should_stop)
        try:
            for piece in stream:
                if self._metrics.first_token_ms == 0.0:
                    now = (time.perf_counter() - self._started) * 1000
                    self._metrics.first_token_ms = now
                    yield FirstToken(now)
                yield piece
        finally:
            self._cut_off = metrics.completion_tokens >= limit
            self._metrics.prompt_sha256.append(metrics.prompt_sha256)
            self._metrics.prompt_tokens += metrics.prompt_tokens
            self._metrics.cached_tokens += metrics.cached_tokens
            self._metrics.completion_tokens += metrics.completion_tokens
            self._metrics.generation_ms += metrics.total_ms

    def _speed(self) -> float:
        seconds = time.perf_counter() - self._started - self._metrics.first_token_ms / 1000
        tokens = self._metrics.completion_tokens + self._current.completion_tokens
        return tokens / seconds if seconds > 0.2 else 0.0


def as_sentence(text: str) -> str:
    """Return ``text`` as a sentence, or ``""`` where it states nothing (a heading, a lead-in)."""
    text = _STEP_MARK.sub("", without_list_mark(_PASSAGE_HEADER.sub("", text)))
    if not content_words(text) or text.endswith(":"):
        return ""
    if text.endswith((".", "!", "?")):
        return text
    return f"{text.rstrip(';,')}." if len(text.split()) >= _MIN_WORDS else ""


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
