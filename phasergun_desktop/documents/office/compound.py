"""The streams of a compound file, in which Office of before 2007 keeps its documents."""

from __future__ import annotations

import io


class CompoundFile:
    """The compound file in ``data``. Raises OSError where it is none."""

    def __init__(self, data: bytes) -> None:
        import olefile  # noqa: PLC0415

        self._file = olefile.OleFileIO(io.BytesIO(data))

    def stream(self, name: str) -> bytes:
        """Return the content of a stream, empty where there is none. Raises OSError."""
        return bytes(self._file.openstream(name).read()) if self._file.exists(name) else b""
