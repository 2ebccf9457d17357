"""A Word file as a library writes it: structure by style, tables, lists, margins, metadata."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document

from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, ParsedDocument
from phasergun_desktop.documents.parser import parse_file


def texts(document: ParsedDocument, kind: BlockKind | None = None) -> list[str]:
    return [
        document.block_text(block)
        for block in document.blocks
        if kind is None or block.kind is kind
    ]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A file as Word writes it: title, headings, list, tables with merged cells, margins."""
    word = Document()
    word.core_properties.title = "Device description"
    word.core_properties.author = "R. Writer"
    word.add_heading("Device description", 0)
    word.add_heading("Scope", 1)
    paragraph = word.add_paragraph("First")
    paragraph.add_run().add_break()
    paragraph.add_run("second line")
    word.add_paragraph("an item", style="List Bullet")
    word.add_paragraph("another", style="List Bullet")
    word.add_paragraph("a step", style="List Number")
    word.add_paragraph("the next", style="List Number")
    word.add_heading("Parts", 2)
    table = word.add_table(rows=3, cols=3)
    for row, cells in enumerate((("Part", "No", "Use"), ("Meter", "G-1", "read"), ("", "G-2", ""))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(2, 1).merge(table.cell(2, 2))
    pair = word.add_table(rows=2, cols=2)
    for row, cells2 in enumerate((("Device Name", "G2"), ("Volume:", "0.6"))):
        for column, text in enumerate(cells2):
            pair.cell(row, column).text = text
    inner = pair.cell(1, 1).add_table(rows=1, cols=2)
    inner.cell(0, 0).text = "nested a"
    inner.cell(0, 1).text = "nested b"
    word.sections[0].header.paragraphs[0].text = "SOP-1 Rev 3"
    path = tmp_path / "written.docx"
    word.save(str(path))
    return path


def test_structure_in_body_order(written: Path) -> None:
    document = parse_file(written)
    assert texts(document) == [
        "Device description",
        "Scope",
        "First\nsecond line",
        "an item",
        "another",
        "1. a step",
        "2. the next",
        "Parts",
        "Part | No | Use",
        "Part: Meter; No: G-1; Use: read",
        "Part: Meter; No: G-2; Use: G-2",
        "Device Name: G2",
        "Volume: 0.6",
        "nested a: nested b",
        "SOP-1 Rev 3",
    ]
    row = document.blocks[9]
    assert row.cells == (("Part", "Meter"), ("No", "G-1"), ("Use", "read"))
    assert row.heading_path == ("Scope", "Parts")
    assert row.locator == ParagraphLocator(("Scope", "Parts"), table=1, row=2)
    assert document.blocks[8].is_table_header
    assert document.blocks[11].cells == (("", "Device Name"), ("", "G2"))
    assert document.blocks[2].locator == ParagraphLocator(("Scope",), paragraph=3)
    assert document.blocks[-1].kind is BlockKind.HEADER_FOOTER
    assert (document.metadata.title, document.metadata.author) == (
        "Device description",
        "R. Writer",
    )
    assert document.metadata.revision == "3"
