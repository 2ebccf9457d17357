"""The streams of a compound file (OLE), in which Office of before 2007 keeps its documents."""

from __future__ import annotations

import io
import struct
from typing import BinaryIO
from xml.parsers.expat import ExpatError

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What readers of damaged bytes raise.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
    struct.error,
    ExpatError,
)


class CompoundFile:
    """A compound file, or the one in the bytes ``source``. Raises OSError where it is none."""

    def __init__(self, source: bytes | BinaryIO) -> None:
        import olefile  # noqa: PLC0415

        file = io.BytesIO(source) if isinstance(source, bytes) else source
        self._file = olefile.OleFileIO(file)

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the top level."""
        return tuple(each.name for each in self._file.root.kids)

    def stream(self, name: str) -> bytes:
        """Return the content of a stream, empty where there is none. Raises OSError."""
        return bytes(self._file.openstream(name).read()) if self._file.exists(name) else b""
