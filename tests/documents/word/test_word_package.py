"""Damaged and hostile Word files: read as far as they go, or a sentence that fits."""

from __future__ import annotations

import zipfile

import pytest

from phasergun_desktop.documents.container import zip_parts
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.word.word_samples import (
    Read,
    packed,
    paragraph,
    part,
    read,
    relations,
    word_bytes,
)

LINES = "".join(paragraph(f"Line {number} of the text.") for number in range(2_000))


def nested(opening: str, closing: str, depth: int, inside: str) -> str:
    return opening * depth + inside + closing * depth


def test_a_file_without_directory_is_read() -> None:
    data = word_bytes(paragraph("whole"), {"docProps/core.xml": part("x", "")})
    cut = data[: data.index(b"PK\x01\x02")]
    found = Read(cut)
    assert found.texts() == ["whole"]
    assert found.warnings


def test_a_file_that_ends_early_is_read_as_far_as_it_goes() -> None:
    data = word_bytes(LINES)
    found = Read(data[: len(data) // 2])
    texts = found.texts()
    assert 100 < len(texts) < 2_000
    assert texts == [f"Line {number} of the text." for number in range(len(texts))]
    assert any("damaged" in warning for warning in found.warnings)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"PK\x03\x04 and nothing else", "archive cannot be opened"),
        (packed({"word/styles.xml": part("styles", "")}), "main part is missing"),
        (packed({"word/document.xml": "this is no XML"}), "main part is missing"),
        (packed({"word/document.xml": part("document", "<w:body><")}), "no readable text"),
    ],
)
def test_damage_beyond_reading_is_named(data: bytes, sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence) as caught:
        Read(data)
    assert caught.value.problem is DocumentProblem.DAMAGED
    assert caught.value.remedy


def test_an_archive_with_a_password_is_named() -> None:
    data = bytearray(word_bytes(paragraph("x")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(DocumentError, match="password") as caught:
        Read(bytes(data))
    assert caught.value.problem is DocumentProblem.PASSWORD


def test_the_main_part_is_found_by_reference_type_name_or_content() -> None:
    document = part("document", f"<w:body>{paragraph('found')}</w:body>")
    package = relations({"r1": ("officeDocument", "/Custom%20Folder/Main.XML")})
    types = (
        '<Types><Override PartName="/odd.part" ContentType="application/vnd.openxmlformats-'
        'officedocument.wordprocessingml.document.main+xml"/></Types>'
    )
    for parts in (
        {"_rels/.rels": package, "custom folder/main.xml": document},
        {"[Content_Types].xml": types, "odd.part": document},
        {"WORD\\Document.xml": document},
        {"word/other.xml": document},
    ):
        assert Read(packed(parts)).texts() == ["found"]


def test_strict_files_and_other_encodings() -> None:
    strict = part("document", f"<w:body>{paragraph('Größe')}</w:body>").replace(
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    assert Read(packed({"word/document.xml": strict})).texts() == ["Größe"]
    for codec in ("utf-16", "cp1252"):
        other = strict.replace("UTF-8", codec).encode(codec)
        assert Read(packed({"word/document.xml": other})).texts() == ["Größe"]


def test_no_entity_is_resolved() -> None:
    declared = (
        '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY a "lol">'
        '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    )
    xml = part("document", f"<w:body>{paragraph('A&x;&b;&amp;B')}</w:body>")
    for text in (xml, xml.replace("UTF-8", "UTF-16")):
        hostile = text.replace("?><w:", f"?>{declared}<w:")
        codec = "utf-16" if "UTF-16" in text else "utf-8"
        found = Read(packed({"word/document.xml": hostile.encode(codec)}))
        assert found.texts() == ["A&B"]
        assert any("entities" in warning for warning in found.warnings)


def test_characters_that_xml_forbids_do_no_harm() -> None:
    assert read(paragraph("a\x0bb&#0;c&#x1F;d & e&nbsp;f")).texts() == ["abcd & e f"]


def test_what_bursts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = word_bytes(paragraph(" " * 3_000_000))
    monkeypatch.setattr(zip_parts, "_RATIO_FROM_BYTES", 1_000_000)
    with pytest.raises(DocumentError, match="unreasonable size") as caught:
        Read(data)
    assert caught.value.problem is DocumentProblem.TOO_LARGE
    monkeypatch.undo()
    monkeypatch.setattr(zip_parts, "MAX_PART_BYTES", 1_000_000)
    with pytest.raises(DocumentError, match="unreasonable size"):
        Read(packed({"word/document.xml": part("document", " " * 3_000_000)}, zipfile.ZIP_STORED))


@pytest.mark.parametrize(
    ("opening", "closing", "inside"),
    [
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", paragraph("x")),
        ("<w:p>", "</w:p>", "<w:r><w:t>x</w:t></w:r>"),
        (f"<w:tbl><w:tr><w:tc>{paragraph('x')}", "</w:tc></w:tr></w:tbl>", ""),
        (
            "<w:p><w:r><w:t>x</w:t><w:pict><w:txbxContent>",
            "</w:txbxContent></w:pict></w:r></w:p>",
            "",
        ),
        ("<w:unknown>", "</w:unknown>", ""),
    ],
)
def test_deep_nesting_is_no_recursion(opening: str, closing: str, inside: str) -> None:
    texts = read(paragraph("first") + nested(opening, closing, 3_000, inside)).texts()
    assert texts[0] == "first"
    assert set(texts[1:]) <= {"x"}


def test_parts_that_are_broken_or_outside_do_no_harm() -> None:
    parts: dict[str, str | bytes] = {
        "word/styles.xml": "<w:styles",
        "word/numbering.xml": b"\x00\x01",
        "word/comments.xml": "",
        "docProps/core.xml": "<a>",
        "word/_rels/document.xml.rels": relations(
            {"r1": ("header", "https://example.org/h.xml"), "r2": ("styles", "../../../styles.xml")}
        ).replace('Id="r1"', 'Id="r1" TargetMode="External"'),
    }
    assert read(paragraph("text", '<w:pStyle w:val="Heading2"/>'), parts).blocks[0].level == 2


def test_files_that_are_embedded_are_named() -> None:
    targets = {"r1": ("package", "embeddings/Sheet.xlsx"), "r2": ("oleObject", "absent.bin")}
    found = read(
        paragraph("x"),
        {"word/_rels/document.xml.rels": relations(targets), "word/embeddings/Sheet.xlsx": b"PK"},
    )
    assert found.warnings == ("Files inside of this one were not read: Sheet.xlsx.",)
