"""One request to a model server and its answer; the only room that sends text off this machine.

A thread waits for the server; the caller waits for the thread, a moment at a time, so that Stop
works while nothing comes. Redirections are never followed, and certificates are verified.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.language_models.endpoint_address import EndpointAddress, is_private

if TYPE_CHECKING:
    import socket
    from http.client import HTTPConnection, HTTPResponse

_BLOCK_BYTES = 65_536
# The thread never runs further ahead of its reader than this many blocks.
_WAITING_BLOCKS = 32
_TICK_S = 0.05
_JOIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds: for the connection, for the first word, between words."""

    connect_s: float = 10.0
    first_s: float = 120.0
    between_s: float = 60.0


class FaultKind(StrEnum):
    """Why nothing more comes from a server."""

    NAME = "name"
    REFUSED = "refused"
    CERTIFICATE = "certificate"
    NOT_PRIVATE = "not_private"
    CONNECT_SLOW = "connect_slow"
    SLOW = "slow"
    CUT = "cut"
    NONSENSE = "nonsense"


class ExchangeFault(Exception):  # noqa: N818 - turned into the user's sentence by the adapter
    """The exchange failed; ``kind`` says how. The text never holds what was sent."""

    def __init__(self, kind: FaultKind) -> None:
        super().__init__(kind.value)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class AnswerHead:
    """What comes before the text; ``retry_after`` as the server wrote it."""

    status: int
    content_type: str
    retry_after: str


class HttpExchange:
    """Sends one POST and reads its answer. Close it, also when the answer is not wanted."""

    def __init__(
        self,
        address: EndpointAddress,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
        patience: Patience,
    ) -> None:
        self._address = address
        self._path = path
        self._body = body
        self._headers = dict(headers)
        self._patience = patience
        self._came: queue.Queue[AnswerHead | bytes | ExchangeFault] = queue.Queue(_WAITING_BLOCKS)
        self._closed = threading.Event()
        self._connected = threading.Event()
        self._connection: HTTPConnection | None = None
        # Kept apart: the connection lets go of it while the answer is still being read.
        self._socket: socket.socket | None = None
        self._started = time.monotonic()
        # A daemon: a system call that cannot be woken must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="model-server", daemon=True)
        self._thread.start()

    def head(self, should_stop: Callable[[], bool]) -> AnswerHead:
        """Wait for the answer to begin. Raises ``Cancelled`` or ``ExchangeFault``."""
        while not self._connected.is_set() and self._came.empty():
            if should_stop():
                raise Cancelled
            if time.monotonic() - self._started > self._patience.connect_s + _JOIN_S:
                raise ExchangeFault(FaultKind.CONNECT_SLOW)
            self._connected.wait(_TICK_S)
        found = self._next(time.monotonic() + self._patience.first_s, should_stop)
        if not isinstance(found, AnswerHead):
            raise ExchangeFault(FaultKind.NONSENSE)
        return found

    def block(self, until: float, should_stop: Callable[[], bool]) -> bytes:
        """Return what came next, ``b""`` at the end; wait until ``until`` (``time.monotonic``).

        Raises ``Cancelled`` or ``ExchangeFault``.
        """
        found = self._next(until, should_stop)
        return found if isinstance(found, bytes) else b""

    def close(self) -> None:
        """Hang up; what has not been read is lost."""
        self._closed.set()
        if self._socket is not None:
            import socket  # noqa: PLC0415 - imported already by whoever made the socket

            with suppress(OSError):
                # Of the class below TLS: that one would take itself apart under the reader.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        self._thread.join(_JOIN_S)

    def _next(self, until: float, should_stop: Callable[[], bool]) -> AnswerHead | bytes:
        while True:
            if should_stop():
                raise Cancelled
            try:
                found = self._came.get(timeout=_TICK_S)
            except queue.Empty:
                if time.monotonic() > until:
                    raise ExchangeFault(FaultKind.SLOW) from None
                continue
            if isinstance(found, ExchangeFault):
                raise found
            return found

    # ------------------------------------------------------------ on the thread

    def _run(self) -> None:
        try:
            response = self._ask()
            self._put(
                AnswerHead(
                    response.status,
                    (response.getheader("Content-Type") or "").lower(),
                    response.getheader("Retry-After") or "",
                )
            )
            while block := response.read1(_BLOCK_BYTES):
                self._put(block)
            if response.length:
                raise ExchangeFault(FaultKind.CUT)
            self._put(b"")
        except ExchangeFault as fault:
            self._put(fault)
        except Exception as error:  # noqa: BLE001 - a server can make the libraries raise anything
            self._put(ExchangeFault(_kind_of(error, is_connected=self._connected.is_set())))
        finally:
            if self._connection is not None:
                self._connection.close()

    def _ask(self) -> HTTPResponse:
        # 30 ms that every start of the product would wait for.
        import http.client  # noqa: PLC0415
        import ssl  # noqa: PLC0415

        address, seconds = self._address, self._patience.connect_s
        connection: HTTPConnection
        if address.is_encrypted:
            connection = http.client.HTTPSConnection(
                address.host, address.port, timeout=seconds, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(address.host, address.port, timeout=seconds)
        self._connection = connection
        connection.connect()
        self._socket = connection.sock
        # A name may lead anywhere: without encryption, where it has led decides.
        if not address.is_encrypted and not is_private(str(connection.sock.getpeername()[0])):
            raise ExchangeFault(FaultKind.NOT_PRIVATE)
        # The caller keeps the time; this ends a thread that nobody waits for any more.
        connection.sock.settimeout(self._patience.first_s + self._patience.between_s)
        self._connected.set()
        if self._closed.is_set():
            raise ExchangeFault(FaultKind.CUT)
        connection.request("POST", self._path, self._body, self._headers)
        return connection.getresponse()

    def _put(self, item: AnswerHead | bytes | ExchangeFault) -> None:
        while not self._closed.is_set():
            try:
                self._came.put(item, timeout=_TICK_S)
            except queue.Full:
                continue
            return


def _kind_of(error: Exception, *, is_connected: bool) -> FaultKind:
    import http.client  # noqa: PLC0415
    import socket  # noqa: PLC0415
    import ssl  # noqa: PLC0415

    if isinstance(error, socket.gaierror | UnicodeError):
        return FaultKind.NAME
    # An SSLError is an OSError too, and the end of a stream inside TLS is one of its kinds.
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return FaultKind.CUT
    if isinstance(error, ssl.SSLError):
        return FaultKind.CERTIFICATE if not is_connected else FaultKind.CUT
    if isinstance(error, TimeoutError):
        return FaultKind.SLOW if is_connected else FaultKind.CONNECT_SLOW
    # RemoteDisconnected is both a ConnectionError and a BadStatusLine.
    if isinstance(error, OSError):
        return FaultKind.CUT if is_connected else FaultKind.REFUSED
    if isinstance(error, http.client.IncompleteRead):
        return FaultKind.CUT
    return FaultKind.NONSENSE
