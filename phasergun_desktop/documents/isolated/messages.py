"""Messages between the window's process and the child: a JSON header and bytes."""

from __future__ import annotations

import struct
from typing import BinaryIO

from phasergun_desktop.documents.document_codec import Json, dumps, loads

_SIZES = struct.Struct(">IQ")
MAX_HEADER_BYTES = 1024 * 1024
MAX_PAYLOAD_BYTES = 1024 * 1024 * 1024


def write_frame(stream: BinaryIO, header: Json, payload: bytes = b"") -> None:
    """Write one message. Raises OSError where the other side is gone."""
    encoded = dumps(header)
    stream.write(_SIZES.pack(len(encoded), len(payload)))
    stream.write(encoded)
    stream.write(payload)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[Json, bytes] | None:
    """Read one message; None at the end of the stream.

    Raises ValueError where the message is malformed or larger than any of ours.
    """
    sizes = _read_exactly(stream, _SIZES.size)
    if sizes is None:
        return None
    header_size, payload_size = _SIZES.unpack(sizes)
    if header_size > MAX_HEADER_BYTES or payload_size > MAX_PAYLOAD_BYTES:
        raise ValueError("a message is too large")
    header = _read_exactly(stream, header_size)
    payload = _read_exactly(stream, payload_size)
    if header is None or payload is None:
        return None
    return loads(header), payload


def _read_exactly(stream: BinaryIO, size: int) -> bytes | None:
    pieces: list[bytes] = []
    while size:
        piece = stream.read(min(size, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
