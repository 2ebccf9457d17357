"""DOC, PPT and RTF: which reader reads them, and what happens when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.formats import Format
from phasergun_desktop.documents.office.old_office import BUILT_IN, read_old_office
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.errors import DocumentError
from tests.documents.office.compound_file import compound_file

DATA = Path(__file__).parents[2] / "data" / "documents"


def test_our_own_readers_come_first(tmp_path: Path) -> None:
    for name, found in (("records.doc", "doc"), ("review.ppt", "ppt")):
        document = parse_file(DATA / name)
        assert document.format == found
        assert document.metadata.read_with == BUILT_IN
    path = tmp_path / "memo.doc"
    path.write_bytes(rb"{\rtf1\ansi\pard Memo text\par}")
    memo = parse_file(path)
    assert (memo.text, memo.metadata.read_with) == ("Memo text", BUILT_IN)
    assert memo.warnings


def test_the_library_reads_what_is_too_damaged_for_us() -> None:
    text = b"The text of a file whose tables of pieces and styles are lost. " * 4
    head = bytearray(0x400)
    head[:2] = b"\xec\xa5"
    head[2:4] = b"\xc1\x00"
    head[0x4C:0x50] = len(text).to_bytes(4, "little")
    data = compound_file({"WordDocument": bytes(head) + text})
    builder = DocumentBuilder()
    properties = read_old_office(data, Format.DOC, Reading(builder))
    assert "tables of pieces and styles are lost" in builder.text
    assert properties.read_with.startswith("sharepoint-to-text ")
    assert "damaged" in builder.warnings[0]


@pytest.mark.parametrize("found", [Format.DOC, Format.PPT, Format.RTF])
def test_what_none_can_read_is_called_damaged(found: Format) -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_old_office(b"\x00\x01 not a file of any kind", found, Reading(DocumentBuilder()))
