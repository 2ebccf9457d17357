"""What comes of a server's answer, piece by piece, and when it is enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from phasergun_desktop.language_models.event_stream import (
    EventStream,
    NonsenseError,
    Piece,
    Usage,
    whole_answer,
)
from phasergun_desktop.language_models.http_exchange import (
    ExchangeFault,
    FaultKind,
    HttpExchange,
    Patience,
)
from phasergun_desktop.language_models.language_model import GenerationMetrics, GenerationSettings
from phasergun_desktop.language_models.stop_words import StopWords

# No language writes more characters a token than this, seen over a whole text.
_CHARACTERS_PER_TOKEN = 12
# A server that goes on without text for us (reasoning, comments) is cut off here.
_STREAM_BYTES_PER_TOKEN = 8192
_STREAM_BYTES_ALWAYS = 4_000_000


class AnswerReading:
    """What has come of one answer so far, and whether it is enough."""

    def __init__(
        self,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        started: float,
        patience: Patience,
    ) -> None:
        self.metrics = metrics
        self.max_tokens = settings.max_tokens
        self.usage: Usage | None = None
        self.finish = ""
        self.characters = 0
        self.bytes_written = 0
        self.is_done = False
        self.is_ended = False
        self.is_cut_short = False
        self.most_bytes = settings.max_tokens * _STREAM_BYTES_PER_TOKEN + _STREAM_BYTES_ALWAYS
        self._most_characters = settings.max_tokens * _CHARACTERS_PER_TOKEN
        self._stops = StopWords(settings.stop)
        self._started = started
        self._patience = patience
        self.until = time.monotonic() + patience.first_s

    def take(self, piece: Piece) -> str:
        """Note a piece; return the text of it that can be shown."""
        if piece.is_alive:
            self.until = time.monotonic() + self._patience.between_s
        if piece.text and not self.characters:
            self.metrics.first_token_ms = (time.perf_counter() - self._started) * 1000
        self.finish = piece.finish or self.finish
        self.is_done |= piece.is_last
        self.usage = piece.usage or self.usage
        room = self._most_characters - self.characters
        text = self._stops.feed(piece.text[:room])
        self.characters += len(piece.text[:room])
        self.bytes_written += len(piece.text[:room].encode("utf-8", "replace"))
        # A server that does not keep to the limit of tokens, or a stop word.
        self.is_cut_short = len(piece.text) > room
        self.is_ended = self._stops.is_met or self.is_cut_short
        return text

    def rest(self) -> str:
        """Return the text that was held back for a stop word that did not come."""
        return self._stops.rest()


def streamed_pieces(
    exchange: HttpExchange, reading: AnswerReading, should_stop: Callable[[], bool]
) -> Iterator[Piece]:
    """Yield the pieces of a streamed answer as they come. Raises ``NonsenseError`` where it does
    not end, ``ExchangeFault`` where it says nothing for too long."""
    stream = EventStream()
    received = 0
    while block := exchange.block(reading.until, should_stop):
        received += len(block)
        if received > reading.most_bytes:
            raise NonsenseError
        for piece in stream.feed(block):
            yield piece
            if piece.is_last:
                return
        # What keeps talking without a word for us must not keep us for ever.
        if time.monotonic() > reading.until:
            raise ExchangeFault(FaultKind.SLOW)
    yield from stream.end()


def whole_pieces(
    exchange: HttpExchange, reading: AnswerReading, should_stop: Callable[[], bool]
) -> Iterator[Piece]:
    """Yield the one piece of an answer that came at once; raises as ``streamed_pieces``."""
    body = b""
    while block := exchange.block(reading.until, should_stop):
        body += block
        if len(body) > reading.most_bytes:
            raise NonsenseError
    yield whole_answer(body)
