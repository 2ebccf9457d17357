"""What is on the clipboard for word processors: headings, lists, tables and real footnotes.

That LibreOffice makes footnotes of its own of both forms was seen in a real one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given, settings

from phasergun_desktop.drafts.draft_html import from_html
from phasergun_desktop.drafts.draft_shape import DraftShape, Paragraph, ParagraphKind, Run
from phasergun_desktop.drafts.rich_text import rich_text
from phasergun_desktop.drafts.word_html import word_html
from tests.drafts.strategies import text
from tests.drafts.test_word_export import EDITED, PDF, SOP

NOTES = {
    1: replace(PDF, quote="20 to 600 mg/dL – {wide} \\ “x” 𝒳"),
    2: replace(SOP, quote="Users test & <b>home</b>."),
}
SHAPE = from_html(EDITED.edited_html)
WORDS: DraftShape = (Paragraph(ParagraphKind.TEXT, (Run("only words"),)),)


class _Tags(HTMLParser):
    """The opening and closing tags of a page, and the ids that its footnotes have."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.marks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag != "meta":
            self.open.append(tag)
        if values.get("style") == "mso-element:footnote":
            self.ids.append(values.get("id") or "")
        if values.get("class") == "sdfootnoteanc":
            self.marks.append((values.get("style") or "").removeprefix("mso-footnote-id:"))
            assert values["href"] == f"#{self.marks[-1]}sym"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _parsed(html: str) -> _Tags:
    parser = _Tags()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def _balanced(rtf: str) -> bool:
    bare = rtf.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
    depth = 0
    for one in bare:
        depth += (one == "{") - (one == "}")
        if depth < 0:
            return False
    return depth == 0


def test_html_has_a_footnote_for_every_mark() -> None:
    html = word_html(SHAPE, NOTES)
    found = _parsed(html)
    assert found.marks == found.ids == ["sdfootnote1", "sdfootnote2"]
    assert "<h1>My own heading</h1>" in html
    assert "<p>The <b>range</b> is wide<a " in html
    assert "<li>one</li>\n<ul>\n<li>deeper</li>\n</ul>\n</ul>" in html
    assert "<tr><th><b>A</b></th><th>B</th></tr>" in html
    assert "revision C, Scope, paragraph 3: “Users test &amp; &lt;b&gt;home&lt;/b&gt;.”" in html


def test_rtf_has_a_footnote_for_every_mark() -> None:
    rtf = rich_text(SHAPE, NOTES)
    assert rtf.isascii()
    assert _balanced(rtf)
    assert rtf.count("\\footnote\\pard") == rtf.count("\\chftn{\\footnote") == 2
    assert re.search(r"\\s1\S* My own heading\\par", rtf)
    assert "The {\\b range} is wide{\\cs16" in rtf
    assert re.search(r"\\ilvl1\\ls1\S* \{\\listtext[^}]*\}deeper\\par", rtf)
    assert rtf.count("\\cell\n") == 4
    assert rtf.count("\\trhdr") == 1
    assert "\\{wide\\} \\\\ \\u8220?x\\u8221? \\u-10187?\\u-9037?" in rtf


def test_words_alone_bring_no_paragraph_and_no_footnote() -> None:
    html, rtf = word_html(WORDS, NOTES), rich_text(WORDS, NOTES)
    assert "<p" not in html
    assert "<!--StartFragment-->\nonly words\n<!--EndFragment-->" in html
    assert "mso-element" not in html
    assert "\\par\n" not in rtf
    assert "\\footnote\\" not in rtf


def test_a_mark_without_a_footnote_is_left_out() -> None:
    assert "sdfootnote" not in word_html(SHAPE, {})
    assert "\\chftn" not in rich_text(SHAPE, {})


@settings(max_examples=60, deadline=None)
@given(text)
def test_any_text_makes_sound_forms(words: str) -> None:
    shape: DraftShape = (
        Paragraph(ParagraphKind.HEADING, (Run(words), Run("", footnote=1), Run("", footnote=2)), 2),
        Paragraph(ParagraphKind.LIST_ITEM, (Run(words, is_bold=True, is_italic=True),), 3),
    )
    notes = {1: replace(PDF, title=words, quote=words), 2: replace(SOP, document_number=words)}
    assert _parsed(word_html(shape, notes)).ids == ["sdfootnote1", "sdfootnote2"]
    rtf = rich_text(shape, notes)
    assert rtf.isascii()
    assert _balanced(rtf)
