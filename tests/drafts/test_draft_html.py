"""What the editor keeps comes back as it was."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.drafts.draft_html import from_html, to_html
from phasergun_desktop.drafts.draft_shape import (
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
)

_texts = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029"),
    min_size=1,
    max_size=20,
)
_runs = st.one_of(
    st.builds(
        Run,
        _texts,
        st.integers(-1, 9),
        is_bold=st.booleans(),
        is_italic=st.booleans(),
    ),
    st.builds(Run, st.just(""), st.integers(-1, 9), st.integers(1, 9)),
)


def _apart(runs: list[Run]) -> tuple[Run, ...]:
    """Runs that look alike and stand side by side are one run to any reader."""
    kept: list[Run] = []
    for run in runs:
        if not kept or kept[-1].unit != run.unit or kept[-1].footnote or run.footnote:
            kept.append(run)
    return tuple(kept)


_lines = st.lists(_runs, max_size=5).map(_apart)
_paragraphs = st.one_of(
    st.builds(Paragraph, st.just(ParagraphKind.TEXT), _lines),
    st.builds(Paragraph, st.just(ParagraphKind.LIST_ITEM), _lines, st.sampled_from((0, 2, 3))),
    st.builds(Paragraph, st.just(ParagraphKind.HEADING), _lines, st.integers(1, 6)),
)
_tables = st.lists(
    st.builds(Row, st.lists(_lines, min_size=2, max_size=2).map(tuple), st.booleans()),
    min_size=1,
    max_size=3,
).map(lambda rows: Table(tuple(rows)))


def _key(value: int) -> int:
    return value


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(_paragraphs, _tables), max_size=5).map(tuple))
def test_html_round_trip(shape: DraftShape) -> None:
    assert from_html(to_html(shape, _key, _key)) == shape


def test_markup_in_the_text_stays_text() -> None:
    shape: DraftShape = (Paragraph(ParagraphKind.TEXT, (Run("<script>alert(1)</script> & <b>"),)),)
    html = to_html(shape, _key, _key)
    assert "<script>" not in html
    assert from_html(html) == shape


def test_marks_without_a_footnote_are_left_out() -> None:
    shape: DraftShape = (Paragraph(ParagraphKind.TEXT, (Run("a"), Run("", -1, 4))),)
    assert to_html(shape, lambda _key: 0, _key) == "<p>a</p>\n"
