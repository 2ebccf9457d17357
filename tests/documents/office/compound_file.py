"""Writes small compound files (the container of DOC and PPT) for the tests of this room."""

from __future__ import annotations

import struct
from collections.abc import Mapping

SECTOR = 512
# Shorter streams would need a second kind of sector.
SHORTEST_STREAM = 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file with ``streams`` in its root, padded with zeros to 4096 bytes."""
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    contents = [streams[name].ljust(SHORTEST_STREAM, b"\0") for name in names]
    lengths = [-(-len(content) // SECTOR) for content in contents]
    directory_sectors = -(-(len(names) + 1) // 4)
    fat_sectors = 1
    while fat_sectors * 128 < fat_sectors + directory_sectors + sum(lengths):
        fat_sectors += 1
    table = [_FAT] * fat_sectors + _chain(fat_sectors, directory_sectors)
    starts = []
    for length in lengths:
        starts.append(len(table))
        table += _chain(len(table), length)
    table += [_FREE] * (fat_sectors * 128 - len(table))
    entries = [_entry("Root Entry", 5, 1 if names else _FREE, _FREE, _END, 0)]
    for index, name in enumerate(names):
        following = index + 2 if index + 1 < len(names) else _FREE
        entries.append(_entry(name, 2, _FREE, following, starts[index], len(contents[index])))
    while len(entries) % 4:
        entries.append(bytes(128))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, fat_sectors, fat_sectors, 0, 4096, _END, 0, _END, 0)
    head += struct.pack("<109I", *range(fat_sectors), *[_FREE] * (109 - fat_sectors))
    padded = (
        content.ljust(length * SECTOR, b"\0")
        for content, length in zip(contents, lengths, strict=True)
    )
    return head + struct.pack(f"<{len(table)}I", *table) + b"".join(entries) + b"".join(padded)


def _chain(first: int, length: int) -> list[int]:
    return [*range(first + 1, first + length), _END]


def _entry(name: str, kind: int, child: int, following: int, start: int, size: int) -> bytes:
    spelled = name.encode("utf-16-le") + b"\0\0"
    head = spelled.ljust(64, b"\0") + struct.pack("<HBB", len(spelled), kind, 1)
    links = struct.pack("<III", _FREE, following, child)
    return head + links + bytes(36) + struct.pack("<IQ", start, size)
