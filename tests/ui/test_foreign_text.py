"""What is pasted from Word, LibreOffice or a browser keeps its headings, lists and tables."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from phasergun_desktop.drafts.draft_shape import Paragraph, ParagraphKind, Table, text_of_runs
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.foreign_text import MOST_TAGS, shape_of_foreign
from phasergun_desktop.ui.editor.marks import find_marks
from tests.ui.conftest import OpenDesk

# As LibreOffice 7.4 copies it.
LIBREOFFICE = """<!DOCTYPE html><html><head><title></title><style type="text/css">
h1.western { font-family: "Calibri", serif; font-size: 14pt }</style></head>
<body lang="en-US" link="#000080" dir="ltr"><h1 class="western">My own heading</h1>
<p style="margin-bottom: 0.14in"><a name="_RefSource1"></a>
The <b>range</b> is wide<a class="sdfootnoteanc" name="sdfootnote1anc"
href="#sdfootnote1sym"><sup>1</sup></a>
and <i>long</i>.</p>
<table width="624" cellpadding="7"><col width="297"/><thead><tr valign="top">
<td width="297"><p align="left"><font size="2"><b>A</b></font></p></td>
<td width="297"><p align="left">B</p></td></tr></thead><tbody><tr>
<td><p>1</p></td><td><p>20 to 600</p></td></tr></tbody></table>
<ul><li><p>one</p></ul><ul><li><p>two</p></ul>
<div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym"
href="#sdfootnote1anc">1</a> Range.pdf, page 4</p></div></body></html>"""
WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<link rel=File-List href="file:///C:/clip_filelist.xml">
<!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--></head><body><!--StartFragment-->
<h2>Alarm<o:p></o:p></h2><p class=MsoNormal>It sounds at 78 dB.<a style='mso-footnote-id:ftn1'
href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference><span
style='mso-special-character:footnote'>[1]</span></span></a></p>
<div style='mso-element:footnote-list'><div style='mso-element:footnote' id=ftn1>
<p class=MsoFootnoteText>TR-9</p></div></div><!--EndFragment--></body></html>"""

# As Word copies a list of two levels, numbers and a paragraph that goes on without a bullet.
WORD_LIST = """<html><body><!--StartFragment-->
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'>
<![if !supportLists]><span style='font-family:Symbol;mso-bidi-font-family:Symbol'><span
style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;
</span></span></span><![endif]>The <b>meter</b><o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:
l0 level2 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>o<span>&nbsp;</span></span>
<!--[endif]-->Its case</p>
<p class=MsoListParagraphCxSpMiddle>Without a bullet</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><span lang=EN-US><span
style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>
</span>The strips</p>
<p class=MsoNormal>After it<o:p></o:p></p><!--EndFragment--></body></html>"""


def _lines(html: str) -> list[tuple[str, str]]:
    return [
        (piece.kind.value, text_of_runs(piece.runs))
        for piece in shape_of_foreign(html)
        if isinstance(piece, Paragraph)
    ]


def test_structure_stays_and_foreign_footnotes_go(qapp: QApplication) -> None:
    assert _lines(LIBREOFFICE) == [
        ("heading", "My own heading"),
        ("text", "The range is wide and long."),
        ("list_item", "one"),
        ("list_item", "two"),
    ]
    sentence, table = shape_of_foreign(LIBREOFFICE)[1:3]
    assert isinstance(sentence, Paragraph)
    assert [run.text for run in sentence.runs if run.is_bold] == ["range"]
    assert [run.text for run in sentence.runs if run.is_italic] == ["long"]
    assert isinstance(table, Table)
    cells = [[text_of_runs(cell) for cell in row.cells] for row in table.rows]
    assert cells == [["A", "B"], ["1", "20 to 600"]]
    assert table.rows[0].is_header
    assert _lines(WORD) == [("heading", "Alarm"), ("text", "It sounds at 78 dB.")]


def test_a_list_of_word_is_a_list(qapp: QApplication) -> None:
    assert _lines(WORD_LIST) == [
        ("list_item", "The meter"),
        ("list_item", "Its case"),
        ("text", "Without a bullet"),
        ("list_item", "The strips"),
        ("text", "After it"),
    ]
    first, second = shape_of_foreign(WORD_LIST)[:2]
    assert isinstance(first, Paragraph)
    assert isinstance(second, Paragraph)
    assert [run.text for run in first.runs if run.is_bold] == ["meter"]
    own = "<ul><li>The meter<ul><li>Its case</li></ul></li></ul>"
    assert [one.level for one in (first, second)] == [
        one.level for one in shape_of_foreign(own) if isinstance(one, Paragraph)
    ]
    numbered = "<p class=MsoListParagraph><![if !supportLists]>2) <![endif]>Two</p><p>more"
    assert _lines(numbered) == [("list_item", "Two"), ("text", "more")]


@pytest.mark.parametrize(
    "html",
    [
        "<p>only <b>words</b></p>",
        "<table><tr><td><table><tr><td>1</td></tr></table></td></tr></table>",
        "<ul>" + "<li>x" * MOST_TAGS,
        "",
    ],
    ids=["paragraphs", "nested", "large", "empty"],
)
def test_what_has_no_structure_to_keep_is_plain_text(qapp: QApplication, html: str) -> None:
    assert shape_of_foreign(html) == ()


def test_nothing_is_fetched_obeyed_or_taken_for_a_footnote(
    qapp: QApplication, tmp_path: Path
) -> None:
    sheet = tmp_path / "a.css"
    sheet.write_text("li { font-weight: bold }")
    html = (
        f'<link rel="stylesheet" type="text/css" href="file://{sheet}"><script>x()</script>'
        f'<ul><li>one<a href="footnote:1">1</a><img src="file://{sheet}"></li></ul>'
    )
    (item,) = shape_of_foreign(html)
    assert isinstance(item, Paragraph)
    assert [(run.text, run.is_bold, run.footnote) for run in item.runs] == [("one", False, 0)]


def test_a_pasted_page_is_one_undo_step_and_the_writers_own(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    editor = panel.editor
    before, marks = desk.text(), len(find_marks(editor.document()))
    data = QMimeData()
    data.setHtml(LIBREOFFICE)
    data.setText("plain")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    editor.insertFromMimeData(data)
    shape = read_shape(editor.document())
    kinds = [piece.kind if isinstance(piece, Paragraph) else "table" for piece in shape[-5:]]
    kind = ParagraphKind
    assert kinds == [kind.HEADING, kind.TEXT, "table", kind.LIST_ITEM, kind.LIST_ITEM]
    assert len(find_marks(editor.document())) == marks
    panel.refresh()
    assert panel.text.statements()[-1].unit.is_own
    editor.undo()
    assert desk.text() == before


def test_tags_that_never_close_take_no_time(qapp: QApplication) -> None:
    half = MOST_TAGS // 2 - 1
    lists = "<p mso-list:l0 level9" + "x" * 90
    for hostile in (
        "<ul><li>" + "<a sdfootnote>" * half + "<div mso-element:footnote>" * half,
        "<ul><li>" + "<span mso-list:Ignore>" * half + lists * half,
        "<p mso-list:l0 level9>x</p>" * half,
    ):
        began = time.monotonic()
        shape_of_foreign(hostile)
        assert time.monotonic() - began < 20


def _cells(html: str) -> list[list[str]]:
    (table,) = shape_of_foreign(html)
    assert isinstance(table, Table)
    assert not table.rows[0].is_header
    return [[text_of_runs(cell) for cell in row.cells] for row in table.rows]


def test_a_merged_cell_comes_once(qapp: QApplication) -> None:
    html = (
        "<table><tr><td colspan=2>wide</td></tr><tr><td rowspan=2>tall</td><td>b</td></tr>"
        "<tr><td>c</td></tr></table>"
    )
    assert _cells(html) == [["wide", ""], ["tall", "b"], ["", "c"]]


def test_a_tab_parts_words_and_deleted_text_stays_out(qapp: QApplication) -> None:
    tab = '<span style="white-space:pre">\t</span>'
    html = f"<h2>Dose{tab}5{tab}mg</h2><ul><li><DEL cite=x>5 mg</DEL><ins>7 mg</ins></ul>"
    assert _lines(html) == [("heading", "Dose 5 mg"), ("list_item", "7 mg")]
    bullet = "<h2>A</h2><p><![if !supportLists]><span>·  </span><![endif]>one</p>"
    assert _lines(bullet) == [("heading", "A"), ("text", "one")]


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td colspan=2000>x</td></tr>" * 20 + "</table>",
        "<table>" + "<tr><td colspan=60>x</td></tr>" * 100 + "</table>",
        "<h2>x</h2>" + "y" * 2_000_000,
    ],
    ids=["wide", "many", "long"],
)
def test_a_huge_table_or_text_is_plain_text(qapp: QApplication, html: str) -> None:
    assert shape_of_foreign(html) == ()
