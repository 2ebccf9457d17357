"""Unpacks the entries of a ZIP archive, whole or damaged, within limits of size.

The entries are taken from the archive's directory; where that is missing (a file that was cut
off in transfer) they are found by their own headers.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import BinaryIO

MAX_PART_BYTES = 400_000_000
MAX_TOTAL_BYTES = 1_600_000_000
_MAX_ENTRIES = 20_000
# A part of repetitive XML shrinks to a fiftieth, one that was made to burst to a thousandth.
_MAX_RATIO = 250
_RATIO_FROM_BYTES = 32_000_000
_CHUNK_BYTES = 1 << 13
_LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
ZIP_MAGIC = b"PK\x03\x04"
# What an entry may be packed with: not at all, deflated, or encrypted.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 99)
# What a directory of an archive raises that cannot be read.
_DAMAGE = (
    zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError, IndexError
)  # fmt: skip
# The checksum of an entry whose header does not state it.
_UNKNOWN = -1
_ENCRYPTED, _SIZES_FOLLOW, _UTF8_NAME = 0x1, 0x8, 0x800


class PartError(Exception):
    """A part of an archive cannot be read to its end; its text completes "is damaged: "."""


class PartTooLargeError(PartError):
    """What a part unpacks to is beyond all reason."""


class ZipParts:
    """The entries of one archive by name. Names are compared without regard to case.

    ``is_recovered`` says that the archive has no directory; ``is_encrypted`` that at least one
    entry is. Raises PartError where no entry can be found.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._unpacked = 0
        self.is_recovered = False
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                entries = archive.infolist()
        except _DAMAGE:
            self.is_recovered = True
            entries = self._from_headers()
        if len(entries) > _MAX_ENTRIES:
            raise PartTooLargeError("it has too many parts")
        self.is_encrypted = any(entry.flag_bits & _ENCRYPTED for entry in entries)
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            # The first of several wins: a later one may belong to an archive inside of this one.
            if self._start(entry):
                self._entries.setdefault(part_key(entry.filename), entry)
        if not self._entries and not self.is_encrypted:
            raise PartError("its archive cannot be opened")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entries as spelled in the archive, with ``/``, in its order."""
        return tuple(_plain_name(entry.filename) for entry in self._entries.values())

    def __contains__(self, name: str) -> bool:
        return part_key(name) in self._entries

    def read(self, name: str, max_bytes: int | None = None) -> tuple[bytes, PartError | None]:
        """Return the bytes of the entry ``name`` as far as they can be unpacked, and its damage.

        Of an entry with more than ``max_bytes`` (all that is allowed) nothing is returned.
        """
        entry = self._entries.get(part_key(name))
        if entry is None:
            return b"", PartError("one of its parts is missing")
        start = self._start(entry)
        packed = memoryview(self._data)[start : start + entry.compress_size]
        most = min(
            MAX_PART_BYTES if max_bytes is None else max_bytes,
            max(0, MAX_TOTAL_BYTES - self._unpacked),
            max(_RATIO_FROM_BYTES, len(packed) * _MAX_RATIO),
        )
        found, damage = _unpacked(packed, entry.compress_type, most)
        self._unpacked += len(found)
        if len(found) > most:
            return b"", PartTooLargeError("it unpacks to an unreasonable size")
        if damage is None and entry.CRC not in (_UNKNOWN, zlib.crc32(found)):
            damage = PartError("one of its parts is not as it was written")
        return found, damage

    def _start(self, entry: zipfile.ZipInfo) -> int:
        """Return where the packed bytes of ``entry`` start, 0 where its own header is damaged."""
        fields = self._header(entry.header_offset)
        return entry.header_offset + _LOCAL_HEADER.size + sum(fields[9:11]) if fields else 0

    def _header(self, position: int) -> tuple[int, ...]:
        """Return the fields of the header at ``position``, none where there is no header."""
        raw = self._data[position : position + _LOCAL_HEADER.size]
        if len(raw) < _LOCAL_HEADER.size or not raw.startswith(ZIP_MAGIC):
            return ()
        return _LOCAL_HEADER.unpack(raw)

    def _from_headers(self) -> list[zipfile.ZipInfo]:
        """Find the entries by their local headers, as far as the file goes."""
        entries: list[zipfile.ZipInfo] = []
        position = self._data.find(ZIP_MAGIC)
        while position >= 0 and len(entries) < _MAX_ENTRIES:
            following = position + len(ZIP_MAGIC)
            if fields := self._header(position):
                at = position + _LOCAL_HEADER.size
                flags, method, packed_size = fields[2], fields[3], fields[7]
                codec = "utf-8" if flags & _UTF8_NAME else "cp437"
                entry = zipfile.ZipInfo(self._data[at : at + fields[9]].decode(codec, "replace"))
                entry.header_offset, entry.flag_bits, entry.compress_type = position, flags, method
                entry.CRC, entry.compress_size = fields[6], packed_size
                following = max(following, self._start(entry) + packed_size)
                if flags & _SIZES_FOLLOW and not packed_size:
                    entry.CRC, entry.compress_size = _UNKNOWN, len(self._data)
                if not entry.is_dir() and method in _METHODS:
                    entries.append(entry)
            position = self._data.find(ZIP_MAGIC, following)
        return entries


def zip_names(file: BinaryIO) -> tuple[str, ...]:
    """Return the names in the directory of an archive, none where it has none."""
    try:
        with zipfile.ZipFile(file) as archive:
            return tuple(map(_plain_name, archive.namelist()))
    except _DAMAGE:
        return ()


def part_key(name: str) -> str:
    """Return ``name`` as part names are compared: ``/``, no leading one, lower case."""
    return _plain_name(name).lower()


def _plain_name(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _unpacked(packed: memoryview, method: int, most: int) -> tuple[bytes, PartError | None]:
    """Return what is unpacked up to a damage, and the damage; at most one byte above ``most``."""
    if method == zipfile.ZIP_STORED:
        return bytes(packed[: most + 1]), None
    if method != zipfile.ZIP_DEFLATED:
        return b"", PartError("its archive is packed in an unknown way")
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    found = bytearray()
    try:
        for first in range(0, len(packed), _CHUNK_BYTES):
            chunk = packed[first : first + _CHUNK_BYTES]
            found += inflater.decompress(chunk, most + 1 - len(found))
            if inflater.eof or len(found) > most:
                return bytes(found), None
    except zlib.error:
        return bytes(found), PartError("its archive cannot be unpacked")
    return bytes(found), PartError("it ends too early")
