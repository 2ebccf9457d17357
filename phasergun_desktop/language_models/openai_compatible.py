"""A language model behind any server with the OpenAI interface: vLLM, llama-server, Ollama."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.answer_reading import (
    AnswerReading,
    streamed_pieces,
    whole_pieces,
)
from phasergun_desktop.language_models.endpoint_address import parse_address
from phasergun_desktop.language_models.endpoint_problems import (
    empty_error,
    failed_midway_error,
    fault_error,
    nonsense_error,
    status_error,
    web_page_error,
)
from phasergun_desktop.language_models.event_stream import NonsenseError, ServerError, error_text
from phasergun_desktop.language_models.http_exchange import (
    AnswerHead,
    ExchangeFault,
    FaultKind,
    HttpExchange,
    Patience,
)
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.settings.model_choice import GrammarField, RemoteEndpoint

# English has about four bytes a token, tables and numbers fewer: rather too many than too few.
_BYTES_PER_TOKEN = 3
_ERROR_BYTES = 100_000
_LONGEST_RETRY_S = 30.0
_TICK_S = 0.05
# Servers that are strict about unknown fields refuse these; all of them can be done without.
_OPTIONAL_FIELDS = ("stream_options", "seed", "stop")


class OpenAICompatibleModel:
    """A remote model. Nothing is opened before the first prompt is sent.

    ``key`` is asked for at every call and used in the Authorization header alone. Not
    thread-safe. Raises ``ModelError`` for an address that cannot be used.
    """

    is_remote = True

    def __init__(
        self, endpoint: RemoteEndpoint, key: Callable[[], str], patience: Patience | None = None
    ) -> None:
        self._endpoint = endpoint
        self._address = parse_address(endpoint.address)
        self._key = key
        self._patience = patience or Patience()
        self._left_out: tuple[str, ...] = ()
        self._limit_field = "max_tokens"
        self._has_estimated = False

    @property
    def name(self) -> str:
        """The server's name for the model, and where it is."""
        return f"{self._endpoint.model} at {self._address.place}"

    @property
    def digest(self) -> str:
        """The endpoint and its model: a remote model has no digest that could be checked."""
        return f"{self._address} {self._endpoint.model}"

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together, as the user entered it."""
        return self._endpoint.context_tokens

    @property
    def has_estimated(self) -> bool:
        """Whether the server gave no token counts for a call, so that they are estimates."""
        return self._has_estimated

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens of ``text``, rather too many than too few; the server's way of
        counting is not known here."""
        return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN)

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield text as it comes; see ``LanguageModel.generate``.

        When the server fails midway, what came has been yielded before ``ModelError`` is raised.
        """
        messages = _messages(prompt)
        sent = json.dumps(messages, ensure_ascii=False).encode("utf-8", "replace")
        metrics.prompt_tokens = self.count_tokens(sent.decode("utf-8"))
        metrics.prompt_sha256 = hashlib.sha256(sent).hexdigest()
        self._check_room(metrics.prompt_tokens, settings.max_tokens)
        started = time.perf_counter()
        try:
            exchange, head = self._send(messages, settings, should_stop)
            with closing(exchange):
                reading = AnswerReading(settings, metrics, started, self._patience)
                yield from self._read(exchange, head, reading, should_stop)
        except ExchangeFault as fault:
            raise fault_error(fault.kind, self._address.place) from None
        except NonsenseError:
            raise nonsense_error(self._address.place) from None
        except ServerError:
            raise failed_midway_error(self._address.place) from None
        finally:
            metrics.total_ms = (time.perf_counter() - started) * 1000

    def yes_odds(
        self, prompt: ModelPrompt, metrics: GenerationMetrics, should_stop: Callable[[], bool]
    ) -> float | None:
        """None: few servers give the odds of their first token, and none in the same form."""
        del prompt, metrics, should_stop
        return None

    def close(self) -> None:
        """Nothing is open between calls."""

    # ------------------------------------------------------------ asking

    def _check_room(self, prompt_tokens: int, room: int) -> None:
        if prompt_tokens + room > self.context_tokens:
            raise ModelError(
                "The prompt is too long",
                f"It has about {prompt_tokens} tokens; the model takes "
                f"{self.context_tokens - room} beside the answer.",
                "Refer to fewer sources, or enter the model's real context size in the settings.",
            )

    def _send(
        self,
        messages: list[dict[str, str]],
        settings: GenerationSettings,
        should_stop: Callable[[], bool],
    ) -> tuple[HttpExchange, AnswerHead]:
        """Return the accepted exchange, open, and the head of its answer; ask once more where the
        server says how to be asked."""
        has_waited = False
        has_adapted = False
        while True:
            exchange = self._exchange(messages, settings)
            try:
                head = exchange.head(should_stop)
                if head.status == 200:
                    return exchange, head
                body = _short_body(exchange, self._patience.first_s, should_stop)
            except BaseException:
                exchange.close()
                raise
            exchange.close()
            said = self._without_key(error_text(body))
            if head.status == 429 and not has_waited and _wait_s(head) is not None:
                has_waited = True
                _wait(_wait_s(head) or 0.0, should_stop)
            elif head.status in (400, 422) and not has_adapted:
                has_adapted = True
                if "max_completion_tokens" in said:
                    self._limit_field = "max_completion_tokens"
                else:
                    self._left_out = _OPTIONAL_FIELDS
            else:
                if _is_web_page(head, body) and head.status not in (401, 403):
                    raise web_page_error(self._address.place)
                raise status_error(head, self._address.place, self._endpoint.model, said)

    def _exchange(
        self, messages: list[dict[str, str]], settings: GenerationSettings
    ) -> HttpExchange:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": settings.temperature,
            self._limit_field: settings.max_tokens,
            "seed": settings.seed,
        }
        if settings.stop:
            # More than four are refused by some; all are looked for here as well.
            body["stop"] = list(settings.stop[:4])
        if settings.grammar and self._endpoint.grammar_field is not GrammarField.NONE:
            body[self._endpoint.grammar_field.value] = settings.grammar
        for name in self._left_out:
            body.pop(name, None)
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",
            "Connection": "close",
            "User-Agent": "phasergun-desktop",
        }
        key = self._usable_key()
        if key:
            headers["Authorization"] = f"Bearer {key}"
        return HttpExchange(
            self._address,
            f"{self._address.path}/chat/completions",
            json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
            headers,
            self._patience,
        )

    def _usable_key(self) -> str:
        key = self._key().strip()
        if not all("!" <= character <= "~" for character in key):
            raise ModelError(
                "The key cannot be used",
                f"The key for {self._address.place} holds characters that no key has.",
                "Copy it again from where it was issued, and enter it anew.",
            )
        return key

    def _without_key(self, text: str) -> str:
        key = self._key().strip()
        return text.replace(key, "•••") if key else text

    # ------------------------------------------------------------ reading

    def _read(
        self,
        exchange: HttpExchange,
        head: AnswerHead,
        reading: AnswerReading,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        place = self._address.place
        if _is_web_page(head, b""):
            raise web_page_error(place)
        is_stream = "json" not in head.content_type
        pieces = (
            streamed_pieces(exchange, reading, should_stop)
            if is_stream
            else whole_pieces(exchange, reading, should_stop)
        )
        try:
            for piece in pieces:
                text = reading.take(piece)
                if text:
                    yield text
                if reading.is_ended:
                    break
            rest = reading.rest()
            if rest:
                yield rest
        finally:
            # Whoever has read enough hangs up here; what came was written all the same.
            self._count(reading)
        if reading.is_ended:
            return
        if not reading.finish and is_stream and not reading.is_done:
            raise fault_error(FaultKind.CUT, place)
        if not reading.characters:
            raise empty_error(place, reading.finish)

    def _count(self, reading: AnswerReading) -> None:
        metrics, usage = reading.metrics, reading.usage
        if usage is None:
            self._has_estimated = True
            estimate = math.ceil(reading.bytes_written / _BYTES_PER_TOKEN)
            # As many as were allowed says that the last sentence is cut off: an estimate, which
            # is rather too high, must not say so of an answer that ended by itself.
            is_cut = reading.finish == "length" or reading.is_cut_short
            most = reading.max_tokens
            metrics.completion_tokens = most if is_cut else min(estimate, most - 1)
            return
        metrics.prompt_tokens = usage.prompt_tokens
        metrics.cached_tokens = usage.cached_tokens
        metrics.completion_tokens = usage.completion_tokens


def _messages(prompt: ModelPrompt) -> list[dict[str, str]]:
    user = "\n\n".join(part for part in (prompt.shared, prompt.task) if part)
    system = [{"role": "system", "content": prompt.system}] if prompt.system else []
    return [*system, {"role": "user", "content": user}]


def _short_body(exchange: HttpExchange, seconds: float, should_stop: Callable[[], bool]) -> bytes:
    body = b""
    until = time.monotonic() + seconds
    try:
        while len(body) < _ERROR_BYTES and (block := exchange.block(until, should_stop)):
            body += block
    except ExchangeFault:
        pass
    return body


def _is_web_page(head: AnswerHead, body: bytes) -> bool:
    return "text/html" in head.content_type or body.lstrip()[:1] == b"<"


def _wait_s(head: AnswerHead) -> float | None:
    """Return how long to wait before the one retry; None where that is too long."""
    text = head.retry_after.strip()
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return None
    seconds = float(text)
    return seconds if seconds <= _LONGEST_RETRY_S else None


def _wait(seconds: float, should_stop: Callable[[], bool]) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if should_stop():
            raise Cancelled
        time.sleep(_TICK_S)
