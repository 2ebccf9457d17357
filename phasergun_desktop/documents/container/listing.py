"""Lists what ZIP and OLE files hold by their directories; nothing is unpacked."""

from __future__ import annotations

import struct
import zlib
from typing import BinaryIO

ZIP_MAGIC = b"PK\x03\x04"
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_HEAD_BYTES = 65_536
_TAIL_BYTES = 262_144
_MAX_NAMES = 20_000
_CENTRAL = b"PK\x01\x02"
_MAX_INFLATED = 262_144
# A directory of 4,096 entries; the streams that tell what a file is are among the first.
_MAX_DIRECTORY_BYTES = 524_288
_MAX_SECTORS = 65_536
_NO_ENTRY = 0xFFFFFFFF


def zip_names(file: BinaryIO, size: int) -> tuple[str, ...]:
    """Return the names in the directory of a ZIP file of ``size`` bytes, as far as its last bytes
    hold it; none where the file is cut off."""
    tail_start = max(0, size - _TAIL_BYTES)
    tail = _read(file, tail_start, _TAIL_BYTES)
    names: list[str] = []
    position = tail.find(_CENTRAL, _directory_start(tail, tail_start))
    while 0 <= position <= len(tail) - 46 and len(names) < _MAX_NAMES:
        if tail[position : position + 4] != _CENTRAL:
            break
        name, extra, comment = struct.unpack_from("<HHH", tail, position + 28)
        names.append(_zip_name(tail[position + 46 : position + 46 + name]))
        position += 46 + name + extra + comment
    return tuple(names)


def first_zip_member(file: BinaryIO, name: str) -> bytes:
    """Return the start (at most 256 KB) of the member ``name`` if it stands early in the file.

    Empty where it does not, or where it cannot be inflated.
    """
    head = _read(file, 0, _HEAD_BYTES)
    wanted = name.encode("ascii")
    position = head.find(ZIP_MAGIC)
    while 0 <= position <= len(head) - 30:
        method, length, extra = (
            struct.unpack_from("<H", head, position + offset)[0] for offset in (8, 26, 28)
        )
        start = position + 30 + length
        if head[position + 30 : start] == wanted:
            data = head[start + extra :]
            if method == 0:
                return data[:_MAX_INFLATED]
            try:
                return zlib.decompressobj(-15).decompress(data, _MAX_INFLATED)
            except zlib.error:
                return b""
        position = head.find(ZIP_MAGIC, start)
    return b""


def ole_names(file: BinaryIO, size: int) -> tuple[str, ...]:
    """Return the names at the top level of an OLE file (DOC, PPT, XLS, MSG) of ``size`` bytes.

    Empty where its directory is damaged.
    """
    header = _read(file, 0, 512)
    if len(header) < 512:
        return ()
    shift = struct.unpack_from("<H", header, 30)[0]
    if shift not in (9, 12):
        return ()
    sector = 1 << shift
    entries = _ole_directory(file, size, header, sector)
    if len(entries) < 128:
        return ()
    names: list[str] = []
    pending = [struct.unpack_from("<I", entries, 76)[0]]
    seen: set[int] = set()
    while pending:
        number = pending.pop()
        if number in seen or number == _NO_ENTRY or (number + 1) * 128 > len(entries):
            continue
        seen.add(number)
        entry = entries[number * 128 : (number + 1) * 128]
        length = min(64, struct.unpack_from("<H", entry, 64)[0])
        names.append(entry[: max(0, length - 2)].decode("utf-16-le", errors="replace"))
        pending.extend(struct.unpack_from("<II", entry, 68))
    return tuple(names)


def _ole_directory(file: BinaryIO, size: int, header: bytes, sector: int) -> bytes:
    """Return the directory's bytes: its chain of sectors is followed through the FAT."""
    tables = [each for each in struct.unpack_from("<109I", header, 76) if each < _MAX_SECTORS * 64]
    number = struct.unpack_from("<I", header, 48)[0]
    per_table = sector // 4
    parts: list[bytes] = []
    seen: set[int] = set()
    while number not in seen and (number + 1) * sector < size:
        seen.add(number)
        parts.append(_read(file, (number + 1) * sector, sector))
        if len(parts) * sector >= _MAX_DIRECTORY_BYTES or number // per_table >= len(tables):
            break
        place = (tables[number // per_table] + 1) * sector + number % per_table * 4
        following = _read(file, place, 4)
        if len(following) < 4:
            break
        number = struct.unpack("<I", following)[0]
    return b"".join(parts)


def _directory_start(tail: bytes, tail_start: int) -> int:
    """Return where in ``tail`` the central directory begins, or the first place to look for it."""
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) - end < 22:
        return 0
    offset = struct.unpack_from("<I", tail, end + 16)[0] - tail_start
    return offset if 0 <= offset < end and tail[offset : offset + 4] == _CENTRAL else 0


def _zip_name(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace").replace("\\", "/").lstrip("/")


def _read(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)
