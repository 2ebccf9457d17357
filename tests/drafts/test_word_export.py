"""What a writer typed and made bold reaches Word, with captions, sources by document, RTL text."""

from __future__ import annotations

import io
import pwd
import resource
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn

from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    PageLocator,
    ParagraphLocator,
)
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.drafts import authorship
from phasergun_desktop.drafts.bibliography import bibliography
from phasergun_desktop.drafts.draft_shape import Row, Run
from phasergun_desktop.drafts.export import export_draft
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.word import _shares, draft_to_docx
from phasergun_desktop.errors import ExportError
from phasergun_desktop.grounding.citation_style import CitationStyle
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import ProfileStore

PDF = Footnote(
    1,
    "context",
    "[1] Context: Range.pdf, page 4",
    "Range",
    "Range.pdf",
    locator=PageLocator(4),
    document_number="TR-7",
)
SOP = Footnote(
    2,
    "procedure",
    "[2] Procedure: SOPs/SOP-1.docx, Scope, paragraph 3",
    "SOP-1",
    "SOPs/SOP-1.docx",
    heading_path=("Scope",),
    locator=ParagraphLocator(("Scope",), paragraph=3),
    revision="C",
)
EDITED = Draft(
    draft_id="d",
    title="Device",
    prompt_file="",
    prompt="",
    status="complete",
    units=(
        DraftSentence("The range is wide and long.", citations=(1, 2)),
        DraftSentence("A | B", UnitKind.TABLE_ROW, cells=("A", "B"), is_header=True),
    ),
    footnotes=(PDF, SOP),
    created="2026-01-02T03:04:05+00:00",
    modified="2026-01-02T03:04:05+00:00",
    edited_html=(
        "<h1>My own heading</h1>\n"
        '<p><span data-unit="0">The <b>range</b> is wide</span>'
        '<span data-unit="0"><sup><a href="footnote:1">1</a></sup></span>'
        '<span data-unit="0"> and <i>long</i>.</span>'
        '<span data-unit="0"><sup><a href="footnote:2">2</a></sup></span></p>\n'
        "<p>Table 1: What it has</p>\n"
        "<table>\n<tr><th><b>A</b></th><th>B</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
        '<ul>\n<li>one</li>\n<li data-level="2">deeper</li>\n</ul>\n'
    ),
)


def _styles(draft: Draft) -> list[tuple[str, str]]:
    document = docx.Document(io.BytesIO(draft_to_docx(draft)))
    return [(str(one.style and one.style.name), one.text) for one in document.paragraphs]


def test_what_was_edited_is_exported_as_it_stands() -> None:
    document = docx.Document(io.BytesIO(draft_to_docx(EDITED)))
    assert _styles(EDITED)[:6] == [
        ("Title", "Device"),
        ("Heading 1", "My own heading"),
        ("Normal", "The range is wide and long."),
        ("Caption", "Table 1: What it has"),
        ("List Bullet", "one"),
        ("List Bullet 2", "deeper"),
    ]
    sentence = document.paragraphs[2]
    assert [run.text for run in sentence.runs if run.bold] == ["range"]
    assert [run.text for run in sentence.runs if run.italic] == ["long"]
    # A mark stays where the writer has it, within the sentence.
    children = [
        c.tag.rpartition("}")[2] for run in sentence.runs for c in run._r if c.text or c.attrib
    ]
    assert children == ["t", "t", "t", "footnoteReference", "t", "t", "t", "footnoteReference"]
    assert document.paragraphs[3].paragraph_format.keep_with_next
    (table,) = document.tables
    assert [[run.bold for run in cell.paragraphs[0].runs] for cell in table.rows[0].cells] == [
        [True],
        [None],
    ]


def test_a_table_without_a_title_gets_no_caption() -> None:
    draft = replace(
        EDITED, edited_html=EDITED.edited_html.replace("Table 1: What", "The table of 1")
    )
    assert "Caption" not in dict(_styles(draft))


def test_sources_are_listed_by_document_with_the_numbers_of_the_screen() -> None:
    notes = (
        PDF,
        SOP,
        replace(PDF, number=3, locator=PageLocator(4)),
        replace(PDF, number=4, locator=PageLocator(9)),
        replace(PDF, number=5),
        Footnote(6, "standard", "[6] Regulatory Standard: ISO 15197 - Meters", "ISO 15197"),
    )
    assert bibliography(notes) == (
        "[1] [3]–[5] Context: Range.pdf (TR-7), page 4; page 9",
        "[2] Procedure: SOPs/SOP-1.docx (revision C), Scope",
        "[6] Regulatory Standard: ISO 15197 - Meters",
    )


def test_a_paper_is_listed_as_its_profile_words_it() -> None:
    paper = DocumentMetadata(
        authors=("Lee A", "Ray B"), published="2019-05-31", journal="Burns", doi="10.1016/x"
    )
    profiles = ProfileStore(resources_path(), resources_path() / "no own profiles")

    def listed(profile: str) -> tuple[str, ...]:
        style = CitationStyle(profiles.load(profile).citation, lambda _file: paper)
        place = ParagraphLocator(("Range", "Heat"), 3)
        below = replace(PDF, number=5, title="Range", heading_path=("Range", "Heat"), locator=place)
        first = replace(PDF, title="Range", heading_path=("Range",))
        return bibliography([style.styled(note) for note in (first, SOP, below)])

    (line, _) = listed("literature")
    assert line == (
        '[1] [5] Lee A, Ray B 2019-05-31, "Range", Burns, 10.1016/x, Range, page 4; Range › Heat'
    )
    assert listed("evidence")[0] == "[1] [5] Range.pdf, Range, page 4; Range › Heat"
    assert listed("regulatory")[0].startswith("[1] [5] Context: Range.pdf (TR-7), Range, page 4")


def test_the_author_is_the_account_holder_and_never_the_login(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("phasergun_desktop.drafts.export.account_holder", lambda: "Ada Writer")
    export_draft(EDITED, tmp_path / "a.docx")
    properties = docx.Document(str(tmp_path / "a.docx")).core_properties
    assert (properties.title, properties.author) == ("Device", "Ada Writer")
    assert properties.last_modified_by == "Ada Writer"
    with zipfile.ZipFile(tmp_path / "a.docx") as archive:
        assert "docProps/thumbnail.jpeg" not in archive.namelist()
        assert b"Macintosh" not in archive.read("docProps/app.xml")


@pytest.mark.parametrize(
    ("stated", "shown"), [("Ada Writer,Room 3,,", "Ada Writer"), ("ada", ""), ("", "")]
)
def test_an_account_without_a_full_name_gives_no_author(
    monkeypatch: pytest.MonkeyPatch, stated: str, shown: str
) -> None:

    entry = pwd.struct_passwd(("ada", "x", 1, 1, stated, "/home/ada", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda _id: entry)
    assert authorship.account_holder() == shown


def test_text_from_the_right_runs_from_the_right() -> None:
    hebrew = "המכשיר מודד 20 mg/dL."
    draft = replace(EDITED, title="מכשיר", units=(DraftSentence(hebrew),), edited_html="")
    document = docx.Document(io.BytesIO(draft_to_docx(draft)))
    title, sentence = document.paragraphs[:2]
    for paragraph in (title, sentence):
        assert paragraph._p.pPr is not None
        assert paragraph._p.pPr.find(qn("w:bidi")) is not None
    assert sentence.runs[0].font.rtl
    # Below a table it has a space above as well; Word minds the order.
    html = EDITED.edited_html.partition("<ul>")[0] + f"<p>{hebrew}</p>"
    below = docx.Document(io.BytesIO(draft_to_docx(replace(EDITED, edited_html=html)))).paragraphs
    (found,) = [one._p for one in below if one.text == hebrew]
    assert [one.tag for one in found.xpath("./w:pPr/*")] == [qn("w:bidi"), qn("w:spacing")]
    assert not document.paragraphs[-1]._p.xpath("./w:pPr/w:bidi")


def test_a_table_of_thousands_of_rows_takes_seconds() -> None:
    rows = tuple(
        DraftSentence("", UnitKind.TABLE_ROW, cells=(f"row {at}", "value", "1"))
        for at in range(3000)
    )
    began = time.monotonic()
    content = draft_to_docx(replace(EDITED, units=rows, edited_html="", footnotes=()))
    assert time.monotonic() - began < 20
    (table,) = docx.Document(io.BytesIO(content)).tables
    assert len(table._tbl.tr_lst) == 3000


@pytest.mark.parametrize("title", ["", "  ", "\x00\x0b", "../../a/b", "a" * 5000, "<w:p>&\u202e"])
def test_odd_titles_make_a_file(title: str) -> None:
    document = docx.Document(io.BytesIO(draft_to_docx(replace(EDITED, title=title))))
    assert len(document.core_properties.title) <= 255


def test_a_file_that_does_not_fit_on_the_disk_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_text("the file from before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(ExportError) as caught:
            export_draft(EDITED, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.title == "Disk full"
    assert [one.name for one in tmp_path.iterdir()] == ["a.docx"]
    assert path.read_text() == "the file from before"


def test_an_exported_file_is_read_as_a_source_with_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(draft_to_docx(EDITED))
    document = parse_file(path)
    texts = {document.block_text(one): one.kind for one in document.blocks}
    assert texts["My own heading"] is BlockKind.HEADING
    assert texts["A: 1; B: 2"] is BlockKind.TABLE_ROW
    notes = [text for text, kind in texts.items() if kind is BlockKind.NOTE]
    assert any("TR-7" in one and "page 4" in one for one in notes)


def test_a_column_has_room_for_its_longest_word() -> None:
    texts = (("Technology", "Sensor of dehydrogenase " * 9), ("x", "y"))
    rows = [Row(tuple((Run(text),) for text in cells)) for cells in texts]
    shares = _shares(rows, 2)
    assert sum(shares) == pytest.approx(1)
    # Of the 64 letters that a line has at least.
    assert 64 * shares[0] >= len("Technology") + 3
    assert shares[1] > shares[0]
    too_long = Row(tuple((Run("w" * 40),) for _ in range(3)))
    assert _shares([too_long], 3) == pytest.approx([1 / 3] * 3)
