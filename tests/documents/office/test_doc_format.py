"""DOC without another program: structure, tables, hidden text, damage.

``records.doc`` was written from our own text: two levels of headings, two lists, a table with cells
merged both ways, a header, a Russian paragraph and a hidden word.
"""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.office.doc_format import read_doc
from phasergun_desktop.documents.office.word_styles import read_styles
from phasergun_desktop.documents.word.styles import Styles
from tests.documents.office.compound_file import compound_file

RECORDS = Path(__file__).parents[2] / "data" / "documents" / "records.doc"


@pytest.fixture
def records() -> DocumentBuilder:
    builder = DocumentBuilder()
    read_doc(CompoundFile(RECORDS.read_bytes()), builder)
    return builder


def texts(builder: DocumentBuilder, kind: BlockKind) -> list[str]:
    return [builder.text[b.start : b.end] for b in builder.blocks if b.kind is kind]


def test_headings_lists_and_paragraphs_are_told_apart(records: DocumentBuilder) -> None:
    headings = [block for block in records.blocks if block.kind is BlockKind.HEADING]
    assert [block.level for block in headings] == [1, 2, 2]
    assert texts(records, BlockKind.HEADING) == ["Glucose meter records", "Scope", "Retention"]
    assert [text.lstrip("•- ") for text in texts(records, BlockKind.LIST_ITEM)] == [
        "design records",
        "training records",
        "1. name the record",
        "2. store the record",
    ]
    scope = records.blocks[2]
    assert scope.locator == ParagraphLocator(("Glucose meter records", "Scope"), paragraph=3)
    assert texts(records, BlockKind.PARAGRAPH)[0].endswith(
        "every record of the meter – 5 ± 0.1 mmol/L."
    )


def test_other_scripts_are_read_and_hidden_text_is_not(records: DocumentBuilder) -> None:
    assert texts(records, BlockKind.PARAGRAPH)[1:] == [
        "Журнал хранится десять лет.",
        "Kept in the archive.",
    ]


def test_exponents_are_kept() -> None:
    hidden, is_raised = b"\x3c\x08\x01", b"\x48\x2a\x01"
    old, new = (text.encode("utf-16-le") for text in ("Kept secret ", "SAL10-6     "))
    data = RECORDS.read_bytes().replace(hidden, is_raised).replace(old, new)
    assert texts(read(data), BlockKind.PARAGRAPH)[-1] == "SAL10⁻⁶ in the archive."


def test_rows_carry_headers_and_repeat_merged_cells(records: DocumentBuilder) -> None:
    rows = [block for block in records.blocks if block.kind is BlockKind.TABLE_ROW]
    assert rows[0].is_table_header
    owner = "Development\nQuality"
    assert [row.cells for row in rows[1:]] == [
        (("Record", "Design history"), ("Years", "15"), ("Owner", owner)),
        (("Record", "Complaints"), ("Years", "10"), ("Owner", owner)),
        (("Record", "Both kinds"), ("Years", "Both kinds"), ("Owner", "Archive")),
    ]
    path = ("Glucose meter records", "Retention")
    assert rows[2].locator == ParagraphLocator(path, table=1, row=3)


def test_headers_of_pages_are_kept_apart(records: DocumentBuilder) -> None:
    assert texts(records, BlockKind.HEADER_FOOTER) == ["SOP-017 Control of records"]


def old_word(text: bytes, language: int = 0x0409) -> bytes:
    """A Word 95 file that holds ``text`` and nothing else."""
    head = bytearray(0x200)
    struct.pack_into("<HHHH", head, 0, 0xA5DC, 0x68, 0, language)
    struct.pack_into("<II", head, 0x18, len(head), len(head) + len(text))
    struct.pack_into("<I", head, 0x34, len(text))
    return compound_file({"WordDocument": bytes(head) + text})


def read(data: bytes) -> DocumentBuilder:
    builder = DocumentBuilder()
    read_doc(CompoundFile(data), builder)
    return builder


def test_word_95_is_read_with_the_code_page_of_its_language() -> None:
    builder = read(old_word("Журнал\rзаписей\r".encode("cp1251"), language=0x0419))
    assert texts(builder, BlockKind.PARAGRAPH) == ["Журнал", "записей"]


def test_word_95_in_another_script_than_its_language_is_recognised() -> None:
    sentence = "Распоряжение на выдачу информации из реестра акционеров, подпись получателя"
    builder = read(old_word(f"{sentence}\r".encode("cp1251")))
    assert texts(builder, BlockKind.PARAGRAPH) == [sentence]


def test_tables_of_word_95_are_told_by_their_marks() -> None:
    builder = read(old_word(b"before\rTest\x07Result\x07\x07Drop\x071 m\x07\x07after\r"))
    rows = [block for block in builder.blocks if block.kind is BlockKind.TABLE_ROW]
    assert rows[1].cells == (("Test", "Drop"), ("Result", "1 m"))
    assert texts(builder, BlockKind.PARAGRAPH) == ["before", "after"]


def test_codes_of_fields_are_left_out() -> None:
    raw = b"see \x13 REF \x13 PAGE \x14 9 \x15 \\h \x14Section 4\x15 and \x13 MACRO x \x15done\r"
    assert texts(read(old_word(raw)), BlockKind.PARAGRAPH) == ["see Section 4 and done"]


@pytest.mark.parametrize("cut", range(0, 6_000, 500))
def test_damage_ends_in_errors_that_are_expected(cut: int) -> None:
    data = bytearray(RECORDS.read_bytes())
    data[cut : cut + 400] = b"\xff" * 400
    try:
        read(bytes(data))
    except (ValueError, OSError, struct.error, IndexError, OverflowError):
        return


def style_sheet(*characters: bytes) -> bytes:
    """A sheet of unnamed paragraph styles that say something of their characters alone."""
    sheet = struct.pack("<HHH", 4, len(characters), 10)
    for changes in characters:
        style = struct.pack("<HH6xHH", 0x0FFE, 0xFFF1, 0, 0) + struct.pack("<HH", 2, 0)
        style += struct.pack("<H", len(changes)) + changes
        sheet += struct.pack("<H", len(style)) + style.ljust(len(style) + len(style) % 2, b"\0")
    return sheet


def test_a_style_may_set_its_paragraphs_in_bold() -> None:
    bold, plain = (struct.pack("<HB", 0x0835, value) for value in (1, 0))
    styles = Styles(read_styles(style_sheet(bold, plain, b"")))
    assert [styles.paragraph(name).is_bold for name in "012"] == [True, False, False]


def test_quotation_marks_of_one_byte_are_those_of_windows(test_data: Path) -> None:
    builder = read((test_data / "nasty" / "doc" / "real-forms__legacy_sample.doc").read_bytes())
    assert "Let’s swim!" in texts(builder, BlockKind.HEADING)


def test_rows_that_a_style_sets_in_bold_are_headers(test_data: Path) -> None:
    builder = read((test_data / "nasty" / "doc" / "real-forms__53379.doc").read_bytes())
    rows = texts(builder, BlockKind.TABLE_ROW)
    assert any(
        row.startswith("Storage Condition: Initial; Storage Time (Months): 0") for row in rows
    )


def test_a_comment_names_its_author(test_data: Path) -> None:
    builder = read((test_data / "nasty" / "doc" / "headers-notes__footnote.doc").read_bytes())
    assert "Comment by Maxim Valyanskiy: TestComment" in texts(builder, BlockKind.NOTE)


def test_a_page_break_does_not_end_its_paragraph(test_data: Path) -> None:
    name = "headers-notes__HeaderFooterUnicode.doc"
    builder = read((test_data / "nasty" / "doc" / name).read_bytes())
    last = next(b for b in builder.blocks if builder.text[b.start :].startswith("This is page two"))
    # As in Word, and as LibreOffice counts the paragraphs of its DOCX.
    assert isinstance(last.locator, ParagraphLocator)
    assert last.locator.paragraph == 12
