"""Fields and sections of the master record, with places that reproduce their text."""

from __future__ import annotations

from phasergun_desktop.references.master_record import is_title_case, parse_master_record
from tests.fakes.fake_documents import fake_document

LINES = [
    "Prepared By: Regulatory",
    "Project Overview:",
    "Device Name: GlucoTrace G2: the second",
    "The following is true:",
    "Intended Use:\u00a0Measurement at home\nTest_Time: 5 seconds",
    "# Regulatory Information",
    "Field | Value",
    "Predicate Device | K231192",
    "Device Class | Class II",
    "a | b | c",
    "Home Page: https://example.com",
    "Empty Part:",
]


def test_fields_of_lines_and_rows() -> None:
    document = fake_document(LINES)
    record = parse_master_record(document, "m.docx")
    found = [(each.section, each.name, each.value.text) for each in record.fields]
    assert found == [
        ("", "Prepared By", "Regulatory"),
        ("Project Overview", "Device Name", "GlucoTrace G2: the second"),
        ("Project Overview", "Intended Use", "Measurement at home"),
        ("Project Overview", "Test_Time", "5 seconds"),
        ("Regulatory Information", "Field", "Value"),
        ("Regulatory Information", "Predicate Device", "K231192"),
        ("Regulatory Information", "Device Class", "Class II"),
        ("Regulatory Information", "Home Page", "https://example.com"),
    ]
    for each in record.fields:
        assert document.text[each.value.start : each.value.end] == each.value.text


def test_sections_and_their_content() -> None:
    document = fake_document(LINES)
    record = parse_master_record(document, "m.docx")
    names = [each.name for each in record.sections]
    assert names == ["Project Overview", "Regulatory Information", "Empty Part"]
    content = record.sections[0].content
    assert content is not None
    assert content.text.startswith("Device Name:")
    assert content.text.endswith("5 seconds")
    assert document.text[content.start : content.end] == content.text
    assert record.sections[2].content is None


def test_names_ignore_case_spaces_and_underscores() -> None:
    record = parse_master_record(fake_document(LINES), "m.docx")
    assert record.find_fields("TEST TIME")[0].value.text == "5 seconds"
    assert record.find_fields("device_name", "PROJECT_OVERVIEW")
    assert record.find_fields("device_name", "Regulatory Information") == ()


def test_title_case() -> None:
    assert is_title_case("Conditions of Use and the Environment")
    assert not is_title_case("The following is true")
