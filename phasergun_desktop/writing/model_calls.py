"""Calls of the language model for one draft: streamed, timed, logged and ended when they loop."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Generator

from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.text.sentences import complete_sentences, sentences
from phasergun_desktop.writing.answer_stream import AnswerStream
from phasergun_desktop.writing.citation_marks import held_together, is_in_a_mark, let_go
from phasergun_desktop.writing.model import (
    AnswerMetrics,
    FirstToken,
    PromptCall,
    StreamDiscarded,
    TextStreamed,
    TraceStep,
)
from phasergun_desktop.writing.repetition import loops

_log = logging.getLogger(__name__)
_STOPS = ("\n---", "--- ")
# Looking for a loop in an unfinished sentence costs little, but not after every token.
_PIECES_BETWEEN_LOOKS = 8


class ModelCalls:
    """The calls of one draft; they are counted in its ``metrics``. ``started`` is the clock's
    time (seconds, ``time.perf_counter``) of the request."""

    def __init__(
        self,
        model: LanguageModel,
        metrics: AnswerMetrics,
        should_stop: Callable[[], bool],
        started: float,
        temperature: float = 0.0,
    ) -> None:
        self._model = model
        self._metrics = metrics
        self._should_stop = should_stop
        self._started = started
        self._temperature = temperature
        self._current = GenerationMetrics()
        self._cut_off = False

    def count_tokens(self, text: str) -> int:
        """Return the tokens of ``text``."""
        return self._model.count_tokens(text)

    def sentences(
        self, step: str, prompt: ModelPrompt, limit: int, answer: AnswerStream | None = None
    ) -> Generator[Event | str, None, None]:
        """Yield sentences as they are completed; the text goes out as it streams, of an ``answer``
        what it shows.

        An unfinished sentence that loops ends the call and is discarded.
        """
        text = rest = ""
        given = 0
        # Only in an answer brackets are marks.
        held = held_together if answer is not None else str

        def told_apart() -> str:
            # A small model ends a line where it should end a sentence.
            return held(text).replace("\n", "\n\n")

        pieces = self._pieces(step, prompt, limit)
        try:
            for number, piece in enumerate(pieces):
                if isinstance(piece, Event):
                    yield piece
                    continue
                shown = answer.feed(piece) if answer is not None else piece
                if not shown:
                    continue
                text += shown
                rest += shown
                yield TextStreamed(shown, self._speed())
                if answer is None or not is_in_a_mark(text):
                    # Of the whole text: where a sentence ends, what stands before it tells too.
                    finished, unfinished = complete_sentences(told_apart())
                    yield from map(let_go, finished[given:])
                    if len(finished) > given:
                        given, rest = len(finished), let_go(unfinished)
                        yield TextStreamed(rest, self._speed())
                if number % _PIECES_BETWEEN_LOOKS == 0 and loops(rest):
                    yield StreamDiscarded()
                    return
        finally:
            pieces.close()
        last = answer.finish() if answer is not None else ""
        text += last
        if not self._cut_off:
            yield from map(let_go, sentences(told_apart())[given:])
        elif (rest + last).strip():
            # Half a sentence at the length limit states nothing that could be checked.
            yield StreamDiscarded()

    def _pieces(
        self, step: str, prompt: ModelPrompt, limit: int
    ) -> Generator[Event | str, None, None]:
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
            # Only a stream that has ended knows its tokens and how long it took.
            if isinstance(stream, Generator):
                stream.close()
            self._cut_off = metrics.completion_tokens >= limit
            self._count(step, prompt, metrics)

    def _count(self, step: str, prompt: ModelPrompt, call: GenerationMetrics) -> None:
        total = self._metrics
        total.prompt_sha256.append(call.prompt_sha256)
        total.chunk_ids.extend(prompt.chunk_ids)
        total.prompt_tokens += call.prompt_tokens
        total.cached_tokens += call.cached_tokens
        total.completion_tokens += call.completion_tokens
        total.generation_ms += call.total_ms
        total.calls.append(
            PromptCall(
                call.prompt_sha256,
                *(_sha256(tier) for tier in (prompt.system, prompt.shared, prompt.task)),
            )
        )
        total.trace.append(
            TraceStep(
                step,
                self._model.name,
                call.total_ms,
                call.prompt_tokens,
                call.cached_tokens,
                call.completion_tokens,
            )
        )
        # Numbers alone: what the documents say is in no log.
        _log.info(
            "%s: %d prompt tokens (%d cached, %d evaluated), %d written, %.0f ms",
            step,
            call.prompt_tokens,
            call.cached_tokens,
            call.prompt_tokens - call.cached_tokens,
            call.completion_tokens,
            call.total_ms,
        )

    def _speed(self) -> float:
        seconds = time.perf_counter() - self._started - self._metrics.first_token_ms / 1000
        tokens = self._metrics.completion_tokens + self._current.completion_tokens
        return tokens / seconds if seconds > 0.2 else 0.0


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
