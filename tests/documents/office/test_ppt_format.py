"""PPT without another program.

``review.ppt`` was written from our own text: a slide with body and notes, a slide with a table
that has merged cells and a text box.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path

import olefile
import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, SlideLocator
from phasergun_desktop.documents.office.ppt_format import read_ppt
from tests.documents.office.compound_file import compound_file

REVIEW = Path(__file__).parents[2] / "data" / "documents" / "review.ppt"


def read(data: bytes) -> tuple[int | None, DocumentBuilder]:
    builder = DocumentBuilder()
    return read_ppt(CompoundFile(data), builder), builder


def test_slides_with_titles_bodies_notes_and_tables() -> None:
    slides, builder = read(REVIEW.read_bytes())
    assert slides == 2
    found = [
        (block.kind, block.locator, builder.text[block.start : block.end])
        for block in builder.blocks
        if block.kind is not BlockKind.TABLE_ROW
    ]
    assert found == [
        (BlockKind.HEADING, SlideLocator(1, 1), "Design review"),
        (BlockKind.LIST_ITEM, SlideLocator(1, 2), "Two findings"),
        (BlockKind.LIST_ITEM, SlideLocator(1, 2), "Оба закрыты"),
        (BlockKind.PARAGRAPH, SlideLocator(1), "Mention the drop test."),
        (BlockKind.HEADING, SlideLocator(2, 1), "Verification"),
        (BlockKind.SLIDE, SlideLocator(2, 32), "Below the table"),
    ]
    assert builder.blocks[3].heading_path == ("Design review", "Speaker notes")
    rows = [block for block in builder.blocks if block.kind is BlockKind.TABLE_ROW]
    assert [row.cells for row in rows[1:]] == [
        (("Test", "Drop"), ("Limit", "1 m"), ("Result", "pass")),
        (("Test", "Leak"), ("Limit", "Leak"), ("Result", "none")),
    ]
    assert {row.heading_path for row in rows} == {("Verification",)}


def streams() -> dict[str, bytes]:
    with olefile.OleFileIO(io.BytesIO(REVIEW.read_bytes())) as container:
        return {
            name: container.openstream(name).read()
            for name in ("PowerPoint Document", "Current User")
        }


def test_slides_are_found_where_the_last_edit_is_lost() -> None:
    parts = streams()
    parts["Current User"] = bytes(4096)
    slides, builder = read(compound_file(parts))
    assert slides == 2
    assert "Below the table" in builder.text


def test_of_powerpoint_95_the_text_is_read_without_slides() -> None:
    text = "Einführung\rSecond line\r".encode("cp1252").ljust(4096, b" ")
    slides, builder = read(compound_file({"PowerPoint Document": b"", "Text_Content": text}))
    assert slides is None
    assert [builder.text[b.start : b.end] for b in builder.blocks] == ["Einführung", "Second line"]
    assert builder.blocks[1].locator == ParagraphLocator(paragraph=2)
    assert builder.warnings


@pytest.mark.parametrize("start", range(0, 20_000, 1_500))
def test_damage_ends_in_errors_that_are_expected(start: int) -> None:
    parts = streams()
    document = bytearray(parts["PowerPoint Document"])
    document[start : start + 300] = b"\xff" * 300
    try:
        read(compound_file({**parts, "PowerPoint Document": bytes(document)}))
    except (ValueError, OSError, struct.error, IndexError):
        return
