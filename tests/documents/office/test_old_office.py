"""DOC, PPT and RTF are told apart by their content, and called damaged where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.formats import Format
from phasergun_desktop.documents.office.old_office import read_old_office
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError

DATA = Path(__file__).parents[2] / "data" / "documents"


def test_old_files_are_read_as_what_they_are(tmp_path: Path) -> None:
    for name, found in (("records.doc", "doc"), ("review.ppt", "ppt")):
        document = parse_file(DATA / name)
        assert document.format == found
    path = tmp_path / "memo.doc"
    path.write_bytes(rb"{\rtf1\ansi\pard Memo text\par}")
    memo = parse_file(path)
    assert memo.text == "Memo text"
    assert memo.warnings


@pytest.mark.parametrize("found", [Format.DOC, Format.PPT, Format.RTF])
def test_what_cannot_be_read_is_called_damaged(found: Format) -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_old_office(b"\x00\x01 not a file of any kind", found, Reading(DocumentBuilder()))
