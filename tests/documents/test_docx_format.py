"""Word files: structure by style, tables, tracked changes, notes, damage."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document
from docx.oxml.ns import qn

from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError
from tests.documents.sample_files import word_file


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
        "Parts",
        "Part | No | Use",
        "Part: Meter; No: G-1; Use: read",
        "Part: Meter; No: G-2; Use: G-2",
        "Device Name: G2",
        "Volume: 0.6",
        "nested a: nested b",
        "SOP-1 Rev 3",
    ]
    row = document.blocks[7]
    assert row.cells == (("Part", "Meter"), ("No", "G-1"), ("Use", "read"))
    assert row.heading_path == ("Scope", "Parts")
    assert row.locator == ParagraphLocator(("Scope", "Parts"), table=1, row=2)
    assert document.blocks[6].is_table_header
    assert document.blocks[9].cells == (("", "Device Name"), ("", "G2"))
    assert document.blocks[2].locator == ParagraphLocator(("Scope",), paragraph=3)
    assert document.blocks[-1].kind is BlockKind.HEADER_FOOTER
    assert (document.metadata.title, document.metadata.author) == (
        "Device description",
        "R. Writer",
    )
    assert document.metadata.revision == ""


def test_tracked_changes_are_read_as_accepted(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>The limit is </w:t></w:r>"
        '<w:del w:id="1"><w:r><w:delText>5</w:delText></w:r></w:del>'
        '<w:ins w:id="2"><w:r><w:t>6</w:t></w:r></w:ins><w:r><w:t> mL.</w:t></w:r></w:p>'
        "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Joined</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>line</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr>"
        "<w:t>hidden</w:t></w:r></w:p>"
    )
    assert texts(parse_file(word_file(tmp_path / "a.docx", body))) == [
        "The limit is 6 mL.",
        "Joined line",
    ]


def test_notes_comments_and_text_boxes(tmp_path: Path) -> None:
    box = (
        "<w:p><w:r><w:t>Before</w:t></w:r><w:r><w:pict><w:txbxContent>"
        "<w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>"
    )
    notes = (
        '<w:footnotes @W><w:footnote w:type="separator"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    document = parse_file(word_file(tmp_path / "a.docx", box, footnotes=notes))
    assert texts(document) == ["Before", "In the box", "Footnote: A note."]
    assert document.blocks[2].kind is BlockKind.NOTE


def test_every_cell_of_real_forms_is_in_the_text(test_data: Path) -> None:
    def cells(element: object) -> list[str]:
        found = []
        seen = (qn("w:t"), qn("w:tab"), qn("w:br"))
        for cell in element.iter(qn("w:tc")):  # type: ignore[attr-defined]
            for paragraph in cell.findall(qn("w:p")):
                marks = (mark for run in paragraph.iter(qn("w:r")) for mark in run)
                found.append("".join(mark.text or " " for mark in marks if mark.tag in seen))
        return [text for text in found if text.strip()]

    paths = sorted((test_data / "regulatory" / "qms_mdn").glob("*.docx"))
    assert paths
    for path in paths:
        text = " ".join(parse_file(path).text.split())
        for cell in cells(Document(str(path)).element.body):
            assert " ".join(cell.split()) in text, path.name


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\x03\x04word/document.xml and then nothing", "damaged"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "password protected",
        ),
    ],
)
def test_bad_files_have_a_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(content)
    with pytest.raises(DocumentError, match=sentence) as caught:
        parse_file(path)
    assert caught.value.remedy


def test_entity_definitions_are_refused(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", "<w:p/>")
    path.write_bytes(path.read_bytes().replace(b"<w:document", b"<!DOCTYPE a><w:", 1))
    with pytest.raises(DocumentError, match="damaged"):
        parse_file(path)
