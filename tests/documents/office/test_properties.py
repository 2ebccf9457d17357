"""What an Office file of old says of itself."""

from __future__ import annotations

import struct
import time
from pathlib import Path

from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.office.properties import ole_properties
from tests.documents.office.compound_file import compound_file

RECORDS = Path(__file__).parents[2] / "data" / "documents" / "records.doc"


def with_properties(*values: tuple[int, bytes], count: int | None = None) -> bytes:
    """A compound file with these (number, typed value) in its property stream."""
    table, body = b"", b""
    for number, value in values:
        table += struct.pack("<II", number, 8 + 8 * len(values) + len(body))
        body += value.ljust(-(-len(value) // 4) * 4, b"\0")
    stated = len(values) if count is None else count
    section = struct.pack("<II", 8 + len(table) + len(body), stated) + table + body
    stream = b"\xfe\xff".ljust(24, b"\0") + struct.pack("<I", 1) + bytes(16)
    return compound_file({"\x05SummaryInformation": stream + struct.pack("<I", 48) + section})


def text(content: bytes) -> bytes:
    return struct.pack("<II", 30, len(content) + 1) + content + b"\0"


def test_texts_are_read_in_the_code_page_of_the_file() -> None:
    data = with_properties(
        (1, struct.pack("<Ih", 2, 1251)),
        (2, text("Журнал".encode("cp1251"))),
        (4, struct.pack("<II", 31, 3) + "Ян\0".encode("utf-16-le")),
        (14, struct.pack("<Ii", 3, 12)),
        (12, struct.pack("<IQ", 64, 125_911_584_000_000_000)),
    )
    assert ole_properties(CompoundFile(data)) == FileProperties(
        title="Журнал", author="Ян", created="2000-01-01T00:00:00Z", pages=12
    )


def test_a_real_file() -> None:
    found = ole_properties(CompoundFile(RECORDS.read_bytes()))
    assert (found.title, found.author) == ("Glucose meter records", "R. Writer")


def test_counts_of_the_file_are_not_believed() -> None:
    vector = struct.pack("<HHI", 0x1003, 0, 0xFFFFFFFF)
    begin = time.monotonic()
    data = with_properties((2, text(b"Title")), (9, vector), count=0xFFFFFFFF)
    found = ole_properties(CompoundFile(data))
    assert time.monotonic() - begin < 5
    assert found in (FileProperties(), FileProperties(title="Title"))


def test_what_has_no_properties_says_nothing() -> None:
    assert ole_properties(CompoundFile(compound_file({"WordDocument": b""}))) == FileProperties()
