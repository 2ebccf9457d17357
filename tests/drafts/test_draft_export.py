"""Export: genuine Word footnotes, comments, tables, Markdown, JSON, and errors as sentences."""

from __future__ import annotations

import errno
import io
import json
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import docx
import pytest
from hypothesis import given, settings

from phasergun_desktop.documents.model import PageLocator, ParagraphLocator
from phasergun_desktop.drafts.export import ExportFormat, export_draft, with_export_ending
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.word import draft_to_docx
from phasergun_desktop.drafts.word_notes import LONGEST_QUOTE, note_text, quoted
from phasergun_desktop.errors import ExportError
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.writing.model import Criterion
from tests.drafts.strategies import drafts

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
NS = {"w": W[1:-1]}
RANGE = Footnote(
    1,
    "context",
    "[1] Context: Initiation/Range.pdf, page 4",
    "Range Study",
    file="Initiation/Range.pdf",
    locator=PageLocator(4),
    quote="The range is 20 to\n600 mg/dL & more.",
    revision="C",
    document_number="TR-0147",
)
SOP = Footnote(
    2,
    "procedure",
    "[2] Procedure: SOP-1.docx, Scope",
    "SOP-1",
    file="SOPs/SOP-1.docx",
    heading_path=("3 Scope", "3.1 Use"),
    locator=ParagraphLocator(("3 Scope", "3.1 Use"), table=2, row=3),
    quote="Users test at home.",
)
ISO = Footnote(3, "standard", "[3] Regulatory Standard: ISO 15197 - Meters", "ISO 15197 - Meters")
MISSING = SentenceProblem(ProblemCode.VALUE_MISSING, "700 mg/dL", "700 mg/dL is not in its source.")
DRAFT = Draft(
    draft_id="d1",
    title="Performance",
    prompt_file="p.md",
    prompt="Describe.",
    status="complete",
    units=(
        DraftSentence("Range", UnitKind.HEADING, level=2),
        DraftSentence("The range is wide.", citations=(1, 2), starts_paragraph=True),
        DraftSentence("It reaches 700 mg/dL.", citations=(1,), problems=(MISSING,)),
        DraftSentence("Nobody knows.", support=Support.UNSUPPORTED, starts_paragraph=True),
        DraftSentence("Tested at home", UnitKind.LIST_ITEM, (2,), starts_paragraph=True),
        DraftSentence("", UnitKind.TABLE_ROW, cells=("Attribute", "Ours"), is_header=True),
        DraftSentence(
            "Range",
            UnitKind.TABLE_ROW,
            citations=(1,),
            cells=("Range", "20"),
            citations_per_cell=((), (1,)),
        ),
        DraftSentence("TODO: check.", UnitKind.TODO, citations=(3,)),
    ),
    footnotes=(RANGE, SOP, ISO),
    created="2026-01-02T03:04:05+00:00",
    modified="2026-01-02T03:04:05+00:00",
    model="m",
    confidence_level="high",
    confidence_score=0.9,
    plan_json='{"points": 2}',
)


def _part(content: bytes, name: str) -> Element:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return ElementTree.fromstring(archive.read(name))


def _notes(content: bytes) -> dict[int, str]:
    notes = _part(content, "word/footnotes.xml").findall("w:footnote", NS)
    return {
        int(note.attrib[f"{W}id"]): "".join(each.text or "" for each in note.iter(f"{W}t"))
        for note in notes
        if note.get(f"{W}type") is None
    }


def _ids(root: Element, tag: str) -> list[int]:
    return [int(each.attrib[f"{W}id"]) for each in root.iter(f"{W}{tag}")]


def _assert_sound(content: bytes) -> None:
    """What Word checks when it opens a file: parts declared, ids paired, styles defined."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
        relations = archive.read("word/_rels/document.xml.rels").decode()
    assert len(names) == len(set(names))
    body = _part(content, "word/document.xml")
    styles = {each.get(f"{W}styleId") for each in _part(content, "word/styles.xml")}
    roots = [body]
    references = _ids(body, "footnoteReference")
    assert references == list(range(1, len(references) + 1))
    if references:
        notes = _part(content, "word/footnotes.xml")
        roots.append(notes)
        assert _ids(notes, "footnote") == [-1, 0, *references]
        kinds = [each.get(f"{W}type") for each in notes][:2]
        assert kinds == ["separator", "continuationSeparator"]
        declared = {each.get("PartName"): each.get("ContentType") for each in types}
        declared_type = declared["/word/footnotes.xml"] or ""
        assert declared_type.endswith("wordprocessingml.footnotes+xml")
        assert "relationships/footnotes" in relations
        settings_tags = [each.tag for each in _part(content, "word/settings.xml")]
        assert settings_tags.index(f"{W}footnotePr") < settings_tags.index(f"{W}compat")
        fields = [(each.text or "").split()[1] for each in notes.iter(f"{W}instrText")]
        marks = {each.get(f"{W}name") for each in body.iter(f"{W}bookmarkStart")}
        assert set(fields) <= marks
    if "word/comments.xml" in names:
        comments = _part(content, "word/comments.xml")
        roots.append(comments)
        made = _ids(comments, "comment")
        for tag in ("commentRangeStart", "commentRangeEnd", "commentReference"):
            assert sorted(_ids(body, tag)) == sorted(made)
    assert _ids(body, "bookmarkStart") == _ids(body, "bookmarkEnd")
    for root in roots:
        for tag in ("pStyle", "rStyle", "tblStyle"):
            assert {each.get(f"{W}val") for each in root.iter(f"{W}{tag}")} <= styles
    assert [each.tag for each in body[0]][-2:] in ([f"{W}p", f"{W}sectPr"], [f"{W}sectPr"])


def test_word_footnotes_are_genuine_and_in_order() -> None:
    content = draft_to_docx(DRAFT)
    _assert_sound(content)
    notes = _notes(content)
    assert list(notes) == [1, 2, 3, 4, 5, 6]
    assert notes[1] == (
        " TR-0147, Range Study (Range.pdf), revision C, page 4: "
        "“The range is 20 to 600 mg/dL & more.” [Source 1]"
    )
    assert notes[2] == (
        " SOP-1.docx, 3 Scope › 3.1 Use, table 2, row 3: “Users test at home.” [Source 2]"
    )
    # A repeated source names itself in full and refers to where it is quoted.
    assert notes[3] == (
        " TR-0147, Range Study (Range.pdf), revision C, page 4; quoted in footnote 1 [Source 1]"
    )
    assert "quoted in footnote 2" in notes[4]
    assert notes[6] == " Regulatory Standard: ISO 15197 - Meters [Source 3]"


def test_marks_stand_behind_their_text_and_apart() -> None:
    body = _part(draft_to_docx(DRAFT), "word/document.xml")
    paragraph = next(
        each for each in body.iter(f"{W}p") if "The range is wide." in "".join(each.itertext())
    )
    shown: list[object] = []
    for run in paragraph.iter(f"{W}r"):
        for child in run:
            if child.tag == f"{W}t":
                shown.append(child.text)
            elif child.tag == f"{W}footnoteReference":
                shown.append(int(child.attrib[f"{W}id"]))
    assert shown == ["The range is wide.", 1, ",", 2, " ", "It reaches 700 mg/dL.", 3]


def test_word_has_styles_tables_and_the_sources() -> None:
    document = docx.Document(io.BytesIO(draft_to_docx(DRAFT)))
    lines = [
        (each.style.name if each.style else None, each.text)
        for each in document.paragraphs
        if each.text
    ]
    assert lines == [
        ("Title", "Performance"),
        ("Heading 2", "Range"),
        ("Normal", "The range is wide., It reaches 700 mg/dL."),
        ("Normal", "Nobody knows."),
        ("List Bullet", "Tested at home"),
        ("Normal", "TODO: check."),
        ("Heading 2", "Sources"),
        ("Bibliography", "[1] Context: Initiation/Range.pdf (TR-0147, revision C), page 4"),
        ("Bibliography", "[2] Procedure: SOPs/SOP-1.docx, 3 Scope › 3.1 Use"),
        ("Bibliography", "[3] Regulatory Standard: ISO 15197 - Meters"),
    ]
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Attribute", "Ours"],
        ["Range", "20"],
    ]
    assert table.cell(1, 1)._tc.xpath(".//w:footnoteReference/@w:id") == ["5"]
    assert table.rows[0]._tr.xpath("./w:trPr/w:tblHeader")
    assert document.core_properties.title == "Performance"
    assert document.core_properties.author == ""
    mode = document.settings.element.xpath(".//w:compatSetting[@w:name='compatibilityMode']")
    assert [each.get(f"{W}val") for each in mode] == ["15"]


def test_what_needs_a_look_is_a_comment_on_its_words() -> None:
    document = docx.Document(io.BytesIO(draft_to_docx(DRAFT)))
    comments = {each.text: each for each in document.comments}
    assert set(comments) == {"700 mg/dL is not in its source.", "No source carries this statement."}
    number = comments["No source carries this statement."].comment_id
    (paragraph,) = [each for each in document.paragraphs if each.text == "Nobody knows."]
    assert paragraph._p.xpath("./w:commentRangeStart/@w:id") == [str(number)]


@given(drafts)
@settings(max_examples=12, deadline=None)
def test_any_draft_makes_a_sound_word_file(draft: Draft) -> None:
    content = draft_to_docx(draft)
    _assert_sound(content)
    docx.Document(io.BytesIO(content))


def test_an_empty_draft_is_a_document_without_notes() -> None:
    content = draft_to_docx(replace(DRAFT, title="", units=(), footnotes=()))
    assert docx.Document(io.BytesIO(content)).paragraphs == []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "word/footnotes.xml" not in archive.namelist()


def test_a_title_that_the_text_starts_with_is_said_once(tmp_path: Path) -> None:
    draft = replace(DRAFT, title="Range")
    document = docx.Document(io.BytesIO(draft_to_docx(draft)))
    assert [each.text for each in document.paragraphs].count("Range") == 1
    export_draft(draft, tmp_path / "a.md")
    assert (tmp_path / "a.md").read_text("utf-8").startswith("### Range\n")


def test_a_long_quote_is_cut_in_the_middle() -> None:
    quote = quoted(replace(RANGE, quote="first " + "word " * 400 + "last"))
    assert quote.startswith("“first")
    assert quote.endswith("last”")
    assert "[…]" in quote
    assert len(quote) < LONGEST_QUOTE + 20


@pytest.mark.parametrize("revision", ["Rev C", "rev. C", "Revision C"])
def test_a_revision_is_not_said_twice(revision: str) -> None:
    assert f"(Range.pdf), {revision}, page 4" in note_text(replace(RANGE, revision=revision))


def test_markdown_has_marks_remarks_and_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.MD"
    export_draft(DRAFT, path)
    text = path.read_text("utf-8")
    assert text.startswith("# Performance\n\n### Range\n\nThe range is wide.[1][2] It reaches")
    assert "700 mg/dL.[1] **[check: 700 mg/dL is not in its source.]**\n" in text
    assert "Nobody knows. **[check: No source carries this statement.]**\n" in text
    assert "| Range | 20[1] |\n" in text
    assert text.endswith(
        "\n---\n## Sources\n\n[1] Context: Initiation/Range.pdf, page 4  \n"
        "[2] Procedure: SOP-1.docx, Scope  \n[3] Regulatory Standard: ISO 15197 - Meters  \n"
    )


def test_json_has_the_names_of_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    export_draft(replace(DRAFT, edited_html="<p>private</p>"), path)
    stored = json.loads(path.read_text("utf-8"))
    assert {"status", "text", "sentences", "footnotes", "confidence", "plan"} <= set(stored)
    assert {"text", "citations", "support", "problems"} <= set(stored["sentences"][0])
    assert stored["footnotes"][0]["page"] == 4
    assert stored["footnotes"][1]["locator"]["table"] == 2
    assert stored["confidence"] == {
        "level": "high",
        "score": 0.9,
        "criteria": [],
        "rationale": "",
    }
    assert stored["plan"] == {"points": 2}
    assert "edited_html" not in stored


def test_the_confidence_that_leaves_is_that_of_the_page(tmp_path: Path) -> None:
    made = (Criterion("selection", 0.95, "as asked"), Criterion("support", 1.0, "all"))
    wrong = replace(
        DRAFT.units[0],
        kind=UnitKind.SENTENCE,
        support=Support.CONTRADICTED,
        problems=(SentenceProblem(ProblemCode.CONTRADICTED, "5", "The source says 4."),),
    )
    draft = replace(
        DRAFT, confidence_score=0.95, confidence_criteria=made, units=(wrong, *DRAFT.units)
    )
    path = tmp_path / "a.json"
    export_draft(draft, path)
    assert json.loads(path.read_text("utf-8"))["confidence"]["level"] != "high"
    assert draft.confidence_level == "high"


def test_an_unknown_ending_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ExportError) as caught:
        export_draft(DRAFT, tmp_path / "a.odt")
    assert ".docx" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".docx", ".md", ".json"])
@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EACCES])
def test_a_full_or_closed_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, trouble: int
) -> None:
    path = tmp_path / f"a{ending}"
    path.write_text("old")

    def fail(handle: int) -> None:
        raise OSError(trouble, os.strerror(trouble))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ExportError) as caught:
        export_draft(DRAFT, path)
    assert caught.value.remedy
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_the_writer_accepted_has_no_check_mark_and_a_todo_stays_visible(
    tmp_path: Path,
) -> None:
    accepted = tuple(
        replace(unit, accepted="2026-01-02T03:04:05+00:00") for unit in DRAFT.units[:-1]
    )
    draft = replace(DRAFT, units=(*accepted, DRAFT.units[-1]))
    export_draft(draft, tmp_path / "a.md")
    text = (tmp_path / "a.md").read_text("utf-8")
    assert "[check" not in text
    assert "TODO: check." in text
    assert "[3] Regulatory Standard: ISO 15197 - Meters" in text
    export_draft(draft, tmp_path / "a.docx")
    document = docx.Document(str(tmp_path / "a.docx"))
    assert len(list(document.comments)) == 0
    todo = next(p for p in document.paragraphs if "TODO: check." in p.text)
    assert todo.runs[0].font.highlight_color is not None
    assert any("ISO 15197 - Meters" in p.text for p in document.paragraphs)
    export_draft(draft, tmp_path / "a.json")
    stored = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert stored["sentences"][0]["accepted"] == "2026-01-02T03:04:05+00:00"
    # Changed words that were not checked again are told.
    changed = replace(DRAFT, units=(replace(DRAFT.units[1], needs_check=True),))
    export_draft(changed, tmp_path / "b.md")
    assert "Not checked again yet" in (tmp_path / "b.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("Device", "Device.docx"),
        ("Device v1.2", "Device v1.2.docx"),
        ("Device.odt", "Device.odt.docx"),
        ("Device.DOCX", "Device.DOCX"),
        ("Device.md", "Device.md"),
    ],
)
def test_a_name_without_an_ending_of_an_export_gets_one(typed: str, made: str) -> None:
    assert with_export_ending(Path("a") / typed, ExportFormat.WORD) == Path("a") / made
