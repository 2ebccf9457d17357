"""What a server with the OpenAI interface says, piece by piece; it is not trusted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# A line of a sound stream has some hundred bytes.
LONGEST_LINE_BYTES = 1_000_000
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class NonsenseError(Exception):
    """What came is not what the interface says."""


class ServerError(Exception):
    """The server reports an error of its own in the middle of the stream."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The server's own token counts of a call."""

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One message. ``is_alive``: the model is at work, even where it said nothing for us (it
    reasons); ``finish`` is why it ended, as the server puts it."""

    text: str = ""
    is_alive: bool = False
    finish: str = ""
    usage: Usage | None = None
    is_last: bool = False


class EventStream:
    """Cuts the bytes of a ``text/event-stream`` into pieces; lines may be cut anywhere."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, block: bytes) -> Iterator[Piece]:
        """Yield the messages that ``block`` completes; ``NonsenseError`` or ``ServerError``."""
        lines = (self._rest + block).split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > LONGEST_LINE_BYTES:
            raise NonsenseError
        for line in lines:
            piece = _piece_of_line(line)
            if piece is not None:
                yield piece

    def end(self) -> Iterator[Piece]:
        """Yield what the last line holds when the stream ended without a line break."""
        rest, self._rest = self._rest, b""
        piece = _piece_of_line(rest)
        if piece is not None:
            yield piece


def whole_answer(body: bytes) -> Piece:
    """Return an answer that was not streamed as one piece. Raises as ``EventStream.feed``."""
    return _piece(_object(body), "message")


def error_text(body: bytes) -> str:
    """Return what a server says of an error, in one line of at most 200 characters; else ``""``."""
    try:
        found = _object(body)
    except NonsenseError:
        return ""
    error = found.get("error", found)
    text = error.get("message") if isinstance(error, dict) else error
    return " ".join(cleaned(text).split())[:200] if isinstance(text, str) else ""


def cleaned(text: str) -> str:
    """Return ``text`` without control characters and halves of characters."""
    return _CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")


def _piece_of_line(line: bytes) -> Piece | None:
    line = line.rstrip(b"\r")
    # Empty lines end events, a colon begins a comment; other fields carry nothing for us.
    if not line.startswith(b"data:"):
        if line.lstrip()[:1] in (b"<", b"{"):
            raise NonsenseError
        return None
    data = line[5:].strip()
    if data == b"[DONE]":
        return Piece(is_last=True)
    return _piece(_object(data), "delta") if data else None


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NonsenseError from error
    if not isinstance(found, dict):
        raise NonsenseError
    return found


def _piece(found: dict[str, Any], part: str) -> Piece:
    if found.get("error"):
        raise ServerError
    usage = _usage(found.get("usage"))
    choices = found.get("choices")
    if not isinstance(choices, list) or (choices and not isinstance(choices[0], dict)):
        raise NonsenseError
    if not choices:
        # The last message of a stream has the counts alone.
        return Piece(usage=usage)
    said = choices[0].get(part)
    said = said if isinstance(said, dict) else {}
    text = said.get("content")
    if text is not None and not isinstance(text, str):
        raise NonsenseError
    reasoning = said.get("reasoning_content") or said.get("reasoning")
    finish = choices[0].get("finish_reason")
    return Piece(
        text=cleaned(text or ""),
        is_alive=bool(text or reasoning),
        finish=finish if isinstance(finish, str) else "",
        usage=usage,
    )


def _usage(found: object) -> Usage | None:
    if not isinstance(found, dict):
        return None
    prompt, written = _count(found.get("prompt_tokens")), _count(found.get("completion_tokens"))
    if prompt is None or written is None:
        return None
    details = found.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return Usage(prompt, min(cached or 0, prompt), written)


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9
    return value if is_count and isinstance(value, int) else None
