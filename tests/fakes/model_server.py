"""A model server on this machine that answers as it is told, badly if need be."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Conversation"], None]


class Conversation:
    """One request of the product, and the means to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, server: ModelServer, body: bytes) -> None:
        self.path = handler.path
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.raw = body
        self.body: dict[str, Any] = json.loads(body)
        self._handler = handler
        self._server = server

    def start(
        self, status: int = 200, content_type: str = "text/event-stream", **more: str
    ) -> None:
        """Send status and headers; ``retry_after="3"`` is Retry-After."""
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", content_type)
        for name, value in more.items():
            self._handler.send_header(name.replace("_", "-").title(), value)
        self._handler.end_headers()

    def raw_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def event(self, found: object) -> None:
        """Send one event of a stream."""
        data = found if isinstance(found, str) else json.dumps(found)
        self.raw_bytes(f"data: {data}\n\n".encode())

    def say(self, *words: str, finish: str = "stop", usage: dict[str, Any] | None = None) -> None:
        """Send a whole, sound answer as a stream."""
        self.start()
        self.event({"choices": [{"delta": {"role": "assistant"}}]})
        for word in words:
            self.event(delta(word))
        self.event({"choices": [{"delta": {}, "finish_reason": finish}]})
        if usage is not None:
            self.event({"choices": [], "usage": usage})
        self.event("[DONE]")

    def fail(self, status: int, text: str = "", **more: str) -> None:
        """Send an error as servers of this interface do."""
        self.start(status, "application/json", **more)
        self.raw_bytes(json.dumps({"error": {"message": text}}).encode())

    def wait(self, seconds: float = 30.0) -> None:
        """Say nothing, until the server is closed."""
        self._server.closing.wait(seconds)

    @property
    def is_closing(self) -> bool:
        """Whether the test is over."""
        return self._server.closing.is_set()


def delta(text: str) -> dict[str, Any]:
    """The event for a piece of text."""
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}


class ModelServer:
    """Listens on 127.0.0.1; ``requests`` keeps what was asked. Close it."""

    def __init__(self, behaviour: Behaviour, certificate: ssl.SSLContext | None = None) -> None:
        self.requests: list[Conversation] = []
        self.closing = threading.Event()
        self._behaviour = behaviour
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                conversation = Conversation(self, owner, self.rfile.read(length))
                owner.requests.append(conversation)
                # The product may hang up.
                with contextlib.suppress(ConnectionError, ssl.SSLError):
                    owner._behaviour(conversation)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                del format, args

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False
        if certificate is not None:
            self._server.socket = certificate.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def answer_with(self, behaviour: Behaviour) -> None:
        """Answer otherwise from the next request on."""
        self._behaviour = behaviour

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def address(self) -> str:
        """What a user would enter."""
        return f"http://127.0.0.1:{self.port}/v1"

    def close(self) -> None:
        """End every conversation."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def drip(conversation: Conversation, data: bytes, pause_s: float) -> None:
    """Send ``data`` byte by byte until the test ends."""
    for byte in data:
        if conversation.is_closing:
            return
        conversation.raw_bytes(bytes([byte]))
        time.sleep(pause_s)
