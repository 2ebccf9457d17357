"""Takes a PowerPoint file of before 2007 apart: its records, and which of them are in force.

Follows [MS-PPT] and [MS-ODRAW]: a record is a head of eight bytes and a body; the body of a
container is further records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.container.compound import CompoundFile

_HEAD = struct.Struct("<HHI")
_MAX_DEPTH = 60
_CONTAINER = 0x0F
DOCUMENT, SLIDE, NOTES, MASTER = 0x03E8, 0x03EE, 0x03F0, 0x03F8
_USER_EDIT, _PERSIST_DIRECTORY = 0x0FF5, 0x1772
_MAX_EDITS = 2_000


class NotAPresentation(ValueError):  # noqa: N818 - said of the bytes, caught in this room
    """The streams are not those of PowerPoint 97-2003, or too damaged to find the slides."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record: ``kind`` is its type, ``instance`` tells several of one type apart."""

    kind: int
    instance: int
    is_container: bool
    body: bytes
    depth: int = 0

    def children(self) -> Iterator[Record]:
        """Yield the records in the body, as far as they are whole."""
        if self.depth < _MAX_DEPTH:
            yield from records(self.body, self.depth + 1)

    def child(self, kind: int, instance: int | None = None) -> Record | None:
        """Return the first record of a type in the body."""
        return next(
            (
                record
                for record in self.children()
                if record.kind == kind and instance in (None, record.instance)
            ),
            None,
        )

    def all_below(self, kind: int) -> Iterator[Record]:
        """Yield every record of a type below this one, at any depth."""
        for record in self.children():
            if record.kind == kind:
                yield record
            elif record.is_container:
                yield from record.all_below(kind)


@dataclass(frozen=True, slots=True)
class Presentation:
    """The document record, and the records that its references lead to."""

    document: Record
    by_reference: dict[int, Record]


def records(data: bytes, depth: int = 0) -> Iterator[Record]:
    """Yield the records in ``data``; the last may be cut off."""
    place = 0
    while place + _HEAD.size <= len(data):
        record = record_at(data, place, depth)
        yield record
        place += _HEAD.size + len(record.body)


def record_at(data: bytes, place: int, depth: int = 0) -> Record:
    """Return the record at ``place``. Raises struct.error where none can be."""
    flags, kind, length = _HEAD.unpack_from(data, place)
    start = place + _HEAD.size
    return Record(kind, flags >> 4, flags & 0x0F == _CONTAINER, data[start : start + length], depth)


def open_presentation(file: CompoundFile) -> Presentation:
    """Open a PowerPoint file.

    Raises NotAPresentation (a ValueError), OSError or struct.error where it cannot be read.
    """
    stream, user = file.stream("PowerPoint Document"), file.stream("Current User")
    if not stream:
        raise NotAPresentation
    last_edit = struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0
    edits, places = edits_and_places(stream, last_edit)
    if not edits or struct.unpack_from("<I", record_at(stream, edits[-1]).body, 8)[0]:
        # The first edit names none before it: others are lost.
        places = {**_searched_places(stream), **places}
    found = {
        reference: record
        for reference, place in places.items()
        if place + _HEAD.size <= len(stream)
        and (record := record_at(stream, place)).kind in (DOCUMENT, SLIDE, NOTES, MASTER)
    }
    document = next((item for item in found.values() if item.kind == DOCUMENT), None)
    if document is None:
        raise NotAPresentation
    return Presentation(document, found)


def edits_and_places(stream: bytes, last_edit: int) -> tuple[list[int], dict[int, int]]:
    """Return where the edits are, the last first, and the parts of the file by their number.

    Each edit names the one before it; the list ends early where one is damaged. A part that was
    edited again counts where it was written last.
    """
    places: dict[int, int] = {}
    edits: list[int] = []
    edit = last_edit
    while 0 < edit < len(stream) - _HEAD.size and edit not in edits and len(edits) < _MAX_EDITS:
        record = record_at(stream, edit)
        if record.kind != _USER_EDIT or len(record.body) < 16:
            break
        edits.append(edit)
        edit, directory = struct.unpack_from("<II", record.body, 8)
        for reference, place in _directory(stream, directory).items():
            places.setdefault(reference, place)
    return edits, places


def _directory(stream: bytes, at: int) -> dict[int, int]:
    found: dict[int, int] = {}
    if at + _HEAD.size > len(stream):
        return found
    record = record_at(stream, at)
    if record.kind != _PERSIST_DIRECTORY:
        return found
    numbers = struct.unpack(f"<{len(record.body) // 4}I", record.body[: len(record.body) // 4 * 4])
    index = 0
    while index < len(numbers):
        first, count = numbers[index] & 0xFFFFF, numbers[index] >> 20
        for number, place in enumerate(numbers[index + 1 : index + 1 + count]):
            found[first + number] = place
        index += 1 + count
    return found


def _searched_places(stream: bytes) -> dict[int, int]:
    """Find the parts by walking the stream, where the list of the last edit is damaged."""
    places: dict[int, int] = {}
    place = 0
    while place + _HEAD.size <= len(stream):
        record = record_at(stream, place)
        if record.kind == _PERSIST_DIRECTORY:
            places.update(_directory(stream, place))
        place += _HEAD.size + len(record.body)
    return places
