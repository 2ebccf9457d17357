"""Unpacks the entries of a ZIP archive, whole or damaged, within limits of size.

The entries are taken from the archive's directory; where that is missing (a file that was cut
off in transfer) they are found by their own headers. What can be unpacked of an entry is handed
out before its damage is reported.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAX_PART_BYTES = 400_000_000
MAX_TOTAL_BYTES = 1_600_000_000
_MAX_ENTRIES = 20_000
# A part of repetitive XML shrinks to a fiftieth, one that was made to burst to a thousandth.
_MAX_RATIO = 250
_RATIO_FROM_BYTES = 32_000_000
_CHUNK_BYTES = 1 << 18
_LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
_LOCAL_MAGIC = b"PK\x03\x04"
_STORED, _DEFLATED, _AES = 0, 8, 99
_ENCRYPTED, _SIZES_FOLLOW, _UTF8_NAME = 0x1, 0x8, 0x800


class PartError(Exception):
    """A part of an archive cannot be read to its end; its text completes "is damaged: "."""


class PartTooLargeError(PartError):
    """What a part unpacks to is beyond all reason."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where the packed bytes of a part are. ``checksum`` is None where it is not known."""

    name: str
    start: int
    end: int
    method: int
    checksum: int | None


class ZipParts:
    """The entries of one archive by name. Names are compared without regard to case.

    ``is_recovered`` says that the archive has no directory; ``is_encrypted`` that at least one
    entry is. Raises PartError where no entry can be found.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._unpacked = 0
        self.is_recovered = False
        self.is_encrypted = False
        try:
            entries = self._from_directory()
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError, IndexError):
            self.is_recovered = True
            entries = self._from_headers()
        self._entries: dict[str, _Entry] = {}
        for entry in entries:
            # The first of several wins: a later one may belong to an archive inside of this one.
            self._entries.setdefault(part_key(entry.name), entry)
        if not self._entries and not self.is_encrypted:
            raise PartError("its archive cannot be opened")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entries as spelled in the archive, with ``/``, in its order."""
        return tuple(entry.name for entry in self._entries.values())

    def __contains__(self, name: str) -> bool:
        return part_key(name) in self._entries

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the unpacked bytes of the entry ``name`` in pieces of up to 256 kB.

        Raises PartError at the point where the entry is damaged, and at its end where its
        checksum does not fit.
        """
        entry = self._entries.get(part_key(name))
        if entry is None:
            raise PartError("one of its parts is missing")
        size = checksum = 0
        for chunk in self._unpacked_chunks(entry):
            size += len(chunk)
            self._unpacked += len(chunk)
            checksum = zlib.crc32(chunk, checksum)
            packed = max(1, entry.end - entry.start)
            bursting = size > _RATIO_FROM_BYTES and size > packed * _MAX_RATIO
            if size > MAX_PART_BYTES or self._unpacked > MAX_TOTAL_BYTES or bursting:
                raise PartTooLargeError("it unpacks to an unreasonable size")
            yield chunk
        if entry.checksum is not None and checksum != entry.checksum:
            raise PartError("one of its parts is not as it was written")

    def read(self, name: str, max_bytes: int = MAX_PART_BYTES) -> bytes:
        """Return the whole entry ``name``. Raises PartError, also above ``max_bytes``."""
        pieces: list[bytes] = []
        size = 0
        for chunk in self.chunks(name):
            size += len(chunk)
            if size > max_bytes:
                raise PartTooLargeError("it unpacks to an unreasonable size")
            pieces.append(chunk)
        return b"".join(pieces)

    def _unpacked_chunks(self, entry: _Entry) -> Iterator[bytes]:
        packed = memoryview(self._data)[entry.start : entry.end]
        if entry.method == _STORED:
            for first in range(0, len(packed), _CHUNK_BYTES):
                yield bytes(packed[first : first + _CHUNK_BYTES])
            return
        if entry.method != _DEFLATED:
            raise PartError("its archive is packed in an unknown way")
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for first in range(0, len(packed), _CHUNK_BYTES):
                rest: bytes | memoryview = packed[first : first + _CHUNK_BYTES]
                while rest and not inflater.eof:
                    chunk = inflater.decompress(rest, _CHUNK_BYTES)
                    if chunk:
                        yield chunk
                    rest = inflater.unconsumed_tail
            while not inflater.eof and (chunk := inflater.decompress(b"", _CHUNK_BYTES)):
                yield chunk
        except zlib.error as error:
            raise PartError("its archive cannot be unpacked") from error
        if not inflater.eof:
            raise PartError("it ends too early")

    def _from_directory(self) -> list[_Entry]:
        with zipfile.ZipFile(io.BytesIO(self._data)) as archive:
            listed = archive.infolist()
        if len(listed) > _MAX_ENTRIES:
            raise PartTooLargeError("it has too many parts")
        entries: list[_Entry] = []
        for info in listed:
            if info.flag_bits & _ENCRYPTED:
                self.is_encrypted = True
            header = self._local_header(info.header_offset)
            if header is None:
                continue
            start = header[1]
            entries.append(
                _Entry(
                    _plain_name(info.filename),
                    start,
                    start + info.compress_size,
                    info.compress_type,
                    info.CRC,
                )
            )
        return entries

    def _from_headers(self) -> list[_Entry]:
        """Find the entries by their local headers, as far as the file goes."""
        entries: list[_Entry] = []
        position = self._data.find(_LOCAL_MAGIC)
        while position >= 0 and len(entries) < _MAX_ENTRIES:
            header = self._local_header(position)
            following = position + len(_LOCAL_MAGIC)
            if header is not None:
                fields, start = header
                flags, method, checksum, packed_size = fields[2], fields[3], fields[6], fields[7]
                if flags & _ENCRYPTED and method in (_STORED, _DEFLATED, _AES):
                    self.is_encrypted = True
                sizes_follow = bool(flags & _SIZES_FOLLOW) and not packed_size
                end = len(self._data) if sizes_follow else start + packed_size
                if sizes_follow and method == _STORED:
                    found = self._data.find(b"PK", start)
                    end = found if found >= 0 else end
                raw = self._data[position + _LOCAL_HEADER.size :][: fields[9]]
                codec = "utf-8" if flags & _UTF8_NAME else "cp437"
                name = _plain_name(raw.decode(codec, errors="replace"))
                if name and not name.endswith("/") and method in (_STORED, _DEFLATED):
                    known = None if sizes_follow else checksum
                    entries.append(_Entry(name, start, min(end, len(self._data)), method, known))
                following = start if sizes_follow else max(end, following)
            position = self._data.find(_LOCAL_MAGIC, following)
        return entries

    def _local_header(self, position: int) -> tuple[tuple[int, ...], int] | None:
        """Return the fields of the header at ``position`` and where its packed bytes start."""
        raw = self._data[position : position + _LOCAL_HEADER.size]
        if len(raw) < _LOCAL_HEADER.size or not raw.startswith(_LOCAL_MAGIC):
            return None
        fields = _LOCAL_HEADER.unpack(raw)
        return fields, position + _LOCAL_HEADER.size + fields[9] + fields[10]


def part_key(name: str) -> str:
    """Return ``name`` as part names are compared: ``/``, no leading one, lower case."""
    return _plain_name(name).lower()


def _plain_name(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")
