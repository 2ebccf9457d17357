"""The difference between two texts, word by word."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.drafts.differences import Change, Piece, draft_text, word_differences
from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from tests.drafts.test_draft_store import DRAFT

lines = st.lists(
    st.lists(st.sampled_from(["the", "alarm", "42.5", "°C", "sounds", "at."]), max_size=6)
    .map(" ".join)
    .map(lambda line: line + "\n"),
    max_size=5,
).map("".join)


@given(lines | st.text(), lines | st.text())
def test_the_pieces_are_both_texts(before: str, after: str) -> None:
    pieces = word_differences(before, after)
    assert "".join(p.text for p in pieces if p.change is not Change.INSERTED) == before
    assert "".join(p.text for p in pieces if p.change is not Change.DELETED) == after
    if before == after:
        assert all(piece.change is Change.SAME for piece in pieces)


def test_a_changed_value_is_one_word() -> None:
    assert word_differences("It sounds at 42.5 °C today.", "It sounds at 41.0 °C today.") == (
        Piece(Change.SAME, "It sounds at "),
        Piece(Change.DELETED, "42.5"),
        Piece(Change.INSERTED, "41.0"),
        Piece(Change.SAME, " °C today."),
    )


def test_a_draft_as_text_has_a_line_for_each_paragraph_item_and_row() -> None:
    units = (
        DraftSentence("Alarm", UnitKind.HEADING, level=1),
        DraftSentence("One.", citations=(1,), starts_paragraph=True),
        DraftSentence("Two.", citations=(2,)),
        DraftSentence("An item", UnitKind.LIST_ITEM, starts_paragraph=True),
        DraftSentence("", UnitKind.TABLE_ROW, cells=("A", "B"), is_header=True),
        DraftSentence("", UnitKind.TABLE_ROW, cells=("1", "2"), citations=(1,)),
    )
    text = draft_text(replace(DRAFT, units=units))
    assert text == "Alarm\nOne. Two.\n• An item\nA | B\n1 | 2\n"
