"""RTF: paragraphs, styles, scripts, tables, notes, what is no text."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.documents.office.rtf_format import read_rtf

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}"
    rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s5 caption;}}"
)


def read(body: bytes) -> tuple[FileProperties, DocumentBuilder]:
    builder = DocumentBuilder()
    return read_rtf(HEAD + body + b"}", builder), builder


def found(body: bytes) -> list[tuple[BlockKind, str]]:
    builder = read(body)[1]
    return [(block.kind, builder.text[block.start : block.end]) for block in builder.blocks]


def test_styles_make_headings_and_captions() -> None:
    body = rb"\pard\s1 Scope\par\pard Text \b bold\b0 .\par\pard\s5 Table 1\par"
    assert found(body) == [
        (BlockKind.HEADING, "Scope"),
        (BlockKind.PARAGRAPH, "Text bold."),
        (BlockKind.CAPTION, "Table 1"),
    ]
    assert read(body)[1].blocks[1].heading_path == ("Scope",)


def test_characters_of_every_spelling_are_read() -> None:
    body = (
        rb"\pard {\f1 \'c6\'f3\'f0} caf\'e9 5\u177\'b1 0.1 \u-10179?\u-8704? a\~b\_c \{\}"
        rb"\emdash\par"
    )
    assert found(body) == [(BlockKind.PARAGRAPH, "Жур café 5± 0.1 😀 a b-c {}—")]


def test_exponents_are_kept() -> None:
    body = rb"\pard 10{\super -6} SAL, 5 cm\super 2\nosupersub  on CO{\sub 2} 10\up6 6\up0 /mL\par"
    assert found(body) == [(BlockKind.PARAGRAPH, "10⁻⁶ SAL, 5 cm² on CO2 10⁶/mL")]


def test_what_is_no_text_is_left_out() -> None:
    body = (
        rb"\pard kept{\*\unknown hidden}{\pict\pngblip 89504e47}{\v hidden}{\deleted gone}"
        rb"\bin5 }}{{{ {\field{\*\fldinst HYPERLINK x}{\fldrslt shown}}\par"
    )
    assert found(body) == [(BlockKind.PARAGRAPH, "kept shown")]


def test_rows_and_merged_cells() -> None:
    row = rb"\trowd\cellx1000\cellx2000\cellx3000 "
    merged = rb"\trowd\cellx2000\cellx3000 "
    below = rb"\trowd\cellx1000\cellx2000\clvmrg\cellx3000 "
    body = (
        rb"\pard\intbl " + row + rb"Test\cell Limit\cell Result\cell\row "
        rb"\pard\intbl " + merged + rb"Drop\cell pass\cell\row "
        rb"\pard\intbl " + below + rb"Leak\cell 5\cell\cell\row\pard after\par"
    )
    builder = read(body)[1]
    rows = [block.cells for block in builder.blocks if block.kind is BlockKind.TABLE_ROW]
    assert rows[1:] == [
        (("Test", "Drop"), ("Limit", "Drop"), ("Result", "pass")),
        (("Test", "Leak"), ("Limit", "5"), ("Result", "pass")),
    ]
    assert builder.blocks[-1].kind is BlockKind.PARAGRAPH


def test_notes_and_margins_are_kept_apart() -> None:
    body = (
        rb"{\info{\title Records}{\author R. Writer}}{\header \pard SOP-017\par}"
        rb"\pard Text{\footnote \pard a note}{\*\annotation \pard check}.\par"
    )
    info, builder = read(body)
    assert info == FileProperties(title="Records", author="R. Writer")
    assert sorted(found(body)) == [
        (BlockKind.HEADER_FOOTER, "SOP-017"),
        (BlockKind.NOTE, "Comment: check"),
        (BlockKind.NOTE, "Footnote: a note"),
        (BlockKind.PARAGRAPH, "Text."),
    ]
    assert builder.blocks[-1].kind is BlockKind.HEADER_FOOTER


def test_list_items_are_told() -> None:
    body = rb"\pard\ls1{\listtext\bullet}one\par\ilvl1 two\par\pard end\par"
    assert [kind for kind, _ in found(body)] == [BlockKind.LIST_ITEM] * 2 + [BlockKind.PARAGRAPH]


def test_deep_nesting_and_other_content_are_refused() -> None:
    with pytest.raises(ValueError, match="deeply"):
        read(b"{" * 100_000)
    with pytest.raises(ValueError, match="RTF"):
        read_rtf(b"PK\x03\x04", DocumentBuilder())


def test_a_file_that_is_cut_off_gives_what_is_there() -> None:
    assert found(rb"\pard first\par second \'c") == [
        (BlockKind.PARAGRAPH, "first"),
        (BlockKind.PARAGRAPH, "second 'c"),
    ]
