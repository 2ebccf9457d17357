from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.documents.model import (
    DocumentMetadata,
    LineLocator,
    Locator,
    PageLocator,
    ParagraphLocator,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.drafts.renumbering import renumbered_line
from phasergun_desktop.grounding.citation_style import CitationStyle, marks_of
from phasergun_desktop.grounding.footnotes import rendered_line
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.grounding.rendering import render_markdown, source_line
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import ProfileStore

STORE = ProfileStore(resources_path(), resources_path() / "no own profiles")
PAPER = DocumentMetadata(
    authors=("Li A", "Ma B", "Wu C", "Xu D"), published="2021", journal="Heat", doi="10.1/x",
    pmcid="PMC12",
)  # fmt: skip
LOCATORS: list[Locator] = [
    PageLocator(4, ()),
    ParagraphLocator(("A",), 3),
    ParagraphLocator(("A",), None, 2, 5),
    SlideLocator(2),
    LineLocator(7),
    RowLocator(9),
    TimeLocator(754.0, 760.0, ""),
]


def _style(name: str) -> CitationStyle:
    return CitationStyle(STORE.load(name).citation, lambda file: PAPER)


def _note(
    locator: Locator | None = None, headings: tuple[str, ...] = (), kind: str = "context"
) -> Footnote:
    chunk = ChunkId("abc")
    return Footnote(
        3, kind, "", "The title", "a/b.pdf", heading_path=headings, locator=locator, chunk_id=chunk
    )


@pytest.mark.parametrize(
    ("profile", "mark", "line"),
    [
        ("regulatory", "", "[3] Context: a/b.pdf, A › B, page 4"),
        (
            "knowledge-base",
            "[source: The title, page 4]",
            "[3] The title: a/b.pdf, A › B, page 4",
        ),
        ("disclosure", "[Citation 3]", "[Citation 3] The title, page 4"),
        ("literature", "", '[3] Li A et al. 2021, "The title", Heat, 10.1/x, page 4'),
        ("evidence", "[cite:abc]", "[3] a/b.pdf, A › B, page 4, abc"),
    ],
)
def test_each_profile_has_its_own(profile: str, mark: str, line: str) -> None:
    style = _style(profile)
    note = style.styled(_note(PageLocator(4, ()), ("A", "B")))
    assert note.mark == mark
    assert note.rendered == line
    assert source_line(note) == line
    assert renumbered_line(line, 12) == line.replace("3]", "12]", 1)


@pytest.mark.parametrize(
    ("locator", "headings", "shown"),
    [
        (PageLocator(4, ()), ("A",), "page 4"),
        (TimeLocator(754.0, 760.0, "Ann"), (), "t=12:34"),
        (SlideLocator(2), ("A",), "slide 2"),
        (RowLocator(9), ("A",), "row 9"),
        (ParagraphLocator(("A", "B"), 3), ("A", "B"), "A › B"),
        (ParagraphLocator((), 3), (), "paragraph 3"),
        (LineLocator(7), (), "line 7"),
    ],
)
def test_where_a_format_has_no_page(
    locator: Locator, headings: tuple[str, ...], shown: str
) -> None:
    assert (
        _style("knowledge-base").styled(_note(locator, headings)).mark
        == f"[source: The title, {shown}]"
    )


@given(
    locator=st.sampled_from(LOCATORS),
    headings=st.lists(st.text("AB ,:;›-é1", min_size=1, max_size=6), max_size=3).map(tuple),
    kind=st.sampled_from(["procedure", "context"]),
    file=st.text("ab ,:;/.-[]", min_size=1, max_size=12),
)
def test_the_lines_of_drafts_are_what_they_were(
    locator: Locator, headings: tuple[str, ...], kind: str, file: str
) -> None:
    note = Footnote(3, kind, "", "T", file, heading_path=headings, locator=locator)
    wanted = rendered_line(3, kind, file, headings, locator)
    for style in (CitationStyle(), _style("regulatory")):
        assert style.styled(note).rendered == wanted
        assert style.styled(note).mark == ""


def test_what_a_source_lacks_leaves_no_marks_behind() -> None:
    bare = CitationStyle(STORE.load("literature").citation)
    assert bare.styled(_note()).rendered == '[3] "The title"'
    value = Footnote(3, "context", "", "T", "a.docx")
    assert _style("evidence").styled(value).mark == ""
    assert marks_of((3, 8), {3: value}) == "[3][8]"
    standard = Footnote(5, "standard", "", "ISO 1 - Risk")
    assert _style("disclosure").styled(standard).rendered == "[Citation 5] ISO 1 - Risk"
    unnamed = Footnote(5, "standard", "", "ISO 1")
    assert _style("regulatory").styled(unnamed).rendered == "[5] Regulatory Standard: ISO 1"


def test_a_text_has_the_marks_and_the_heading_of_its_profile() -> None:
    style = _style("evidence")
    notes = tuple(style.styled(note) for note in (_note(PageLocator(4, ()), ("A",)),))
    text = render_markdown([DraftSentence("It is 3 kg.", citations=(3,))], notes)
    assert text == "It is 3 kg.[cite:abc]\n\n---\n## Sources\n\n[3] a/b.pdf, A, page 4, abc\n"
    shown = render_markdown([], notes, heading="## References")
    assert "## References\n" in shown
