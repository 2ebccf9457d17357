"""categories.yaml and what a document says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.projects.categories import (
    CategoryEntry,
    load_categories,
    parse_categories,
)
from phasergun_desktop.projects.document_kinds import derive_category, derive_kind

SOUND = """
documents:
  Procedures/SOPs/a.docx: {category: Risk Management, tags: [x, y], confidentiality: internal}
  Context/General/b.md: {kind: regulation}
"""


def test_entries_are_found_whatever_the_case() -> None:
    categories = parse_categories(SOUND)
    assert categories.problems == ()
    assert categories.entry("procedures/sops/A.docx") == CategoryEntry(
        "risk_management", "", ("x", "y"), "internal"
    )
    assert categories.entry("Context/General/b.md").kind == "regulation"
    assert categories.entry("absent.md") == CategoryEntry()


def test_gaps_are_filled_from_the_document() -> None:
    described = parse_categories(SOUND).describe("Procedures/SOPs/a.docx", "SOP-1: Training", [])
    assert (described.category, described.kind) == ("risk_management", "procedure")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("documents:\n  a.md: {category: x\n", 3, ""),
        ("documents:\n  a.md: {categry: x}\n", 2, "categry"),
        ("documents:\n  a.md: x\n", 2, "key: value"),
        ("documents:\n  ../a.md: {kind: x}\n", 2, "inside the project"),
        ("document:\n  a.md: {kind: x}\n", 1, "document"),
        ("documents:\n  a.md: {kind: x}\n  a.md: {kind: y}\n", 3, "twice"),
        ("documents: &a [x]\nb: *a\n", 2, "aliases"),
        ("- a\n", 1, "documents"),
        ("documents:\n  a.md: {kind: !!python/object:os.system x}\n", 2, ""),
        ("[" * 5000, 1, "levels"),
        ("a: \x01", 1, ""),
    ],
)
def test_damage_is_reported_with_its_line(text: str, line: int, words: str) -> None:
    problems = parse_categories(text).problems
    assert len(problems) == 1
    assert problems[0].line == line
    assert words in problems[0].message
    assert problems[0].remedy


def test_one_bad_entry_does_not_spoil_the_others() -> None:
    text = "documents:\n  a.md: {kind: [x]}\n  b.md: {kind: standard, tags: one}\n"
    categories = parse_categories(text)
    assert len(categories.problems) == 1
    assert categories.entry("b.md") == CategoryEntry("", "standard", ("one",))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert load_categories(tmp_path / "absent.yaml").problems == ()
    (tmp_path / "latin.yaml").write_bytes(b"documents: {\xe9: {kind: x}}")
    assert load_categories(tmp_path / "latin.yaml").problems[0].line == 1
    (tmp_path / "empty.yaml").write_bytes(b"")
    assert load_categories(tmp_path / "empty.yaml").problems == ()


def test_the_glucose_project(test_data: Path) -> None:
    path = test_data / "project-glucose" / "Procedures" / "categories.yaml"
    categories = load_categories(path)
    assert categories.problems == ()
    assert len(categories.files) == 10
    entry = categories.entry("Context/General/K231652.pdf")
    assert (entry.kind, entry.tags) == ("decision_summary", ("other-device",))


@pytest.mark.parametrize(
    ("title", "headings", "category"),
    [
        ("Risk Management", ["SOP-003: Risk Management"], "risk_management"),
        ("", ["Corrective and Preventive Action (CAPA)", "General"], "capa"),
        ("SOP-015: Change Control", [], "change_control"),
        ("Design and Development Procedure", [], "design_control"),
        ("Medical Device Reporting and Recall Process", [], "vigilance"),
        ("Computer System Validation", [], "computer_system_validation"),
        ("SOP-013: Software Lifecycle", [], "software_lifecycle"),
        ("Minutes", ["Attendees"], ""),
    ],
)
def test_category_from_title_and_headings(title: str, headings: list[str], category: str) -> None:
    assert derive_category(title, headings, ()) == category


def test_front_matter_comes_first() -> None:
    front = (("source.category", "Supplier Control"), ("title", "Training"))
    assert derive_category("Risk Management", [], front) == "supplier_control"


@pytest.mark.parametrize(
    ("title", "headings", "kind"),
    [
        ("PART 820—QUALITY SYSTEM REGULATION", [], "regulation"),
        ("21 CFR Part 807 - Establishment registration", [], "regulation"),
        ("Title 21 — Food and Drugs, Chapter I", [], "regulation"),
        ("ISO 14971:2019 Application of risk management", [], "standard"),
        ("BS EN ISO 13485:2016", [], "standard"),
        ("ANSI/AAMI/IEC 62304:2006", [], "standard"),
        ("Content of Premarket Submissions: Guidance for Industry and FDA Staff", [], "guidance"),
        ("", ["Contains Nonbinding Recommendations"], "guidance"),
        ("510(k) SUBSTANTIAL EQUIVALENCE DETERMINATION", [], "decision_summary"),
        ("SOP-003: Risk Management", ["Risk management per ISO 14971:2019"], "procedure"),
        ("Risk management according to ISO 14971", [], ""),
        ("ISO 14971 Risk Management Procedure", [], "procedure"),
        ("ISO 13485 gap analysis", [], ""),
        ("Part numbers", [], ""),
        ("Verification and Validation Plan", [], "plan"),
        ("Device description", ["Principle of operation", "21 CFR 862.1345"], ""),
    ],
)
def test_kind_is_told_by_the_title_not_by_a_mention(
    title: str, headings: list[str], kind: str
) -> None:
    assert derive_kind(title, headings, ()) == kind


def test_kind_from_nested_front_matter() -> None:
    assert derive_kind("", [], (("source.family", "GUIDANCE"),)) == "guidance"
    assert derive_kind("", [], (("source.instrument", "21 CFR"),)) == "regulation"
