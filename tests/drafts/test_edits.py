"""What the writer did is found by comparing two states of the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.drafts.edits import OWN_TEXT, KeyedUnit, edits_between
from phasergun_desktop.drafts.model import EditKind
from phasergun_desktop.grounding.model import DraftSentence, UnitKind

NOW = "2026-01-02T03:04:05+00:00"


def keyed(*texts: str, first: int = 0) -> list[KeyedUnit]:
    return [KeyedUnit(first + i, DraftSentence(text)) for i, text in enumerate(texts)]


def kinds(before: list[KeyedUnit], after: list[KeyedUnit], **more: object) -> list[tuple[str, ...]]:
    found = edits_between(before, after, NOW, **more)  # type: ignore[arg-type]
    return [(one.kind.value, one.before, one.after) for one in found]


def test_edited_dropped_and_added() -> None:
    before = keyed("One.", "Two.", "Three.")
    after = [before[0], KeyedUnit(2, DraftSentence("Three, changed.")), *keyed("New.", first=9)]
    assert kinds(before, after) == [
        ("dropped", "Two.", ""),
        ("added", "", "New."),
        ("edited", "Three.", "Three, changed."),
    ]


def test_a_sentence_that_only_moved_is_no_edit() -> None:
    before = keyed("One.", "Two.", "Three.")
    assert kinds(before, [before[2], before[0], before[1]]) == []


def test_what_stands_in_the_place_of_others_names_them() -> None:
    before = keyed("One.", "Two.", "Three.")
    after = [before[0], *keyed("Both at once.", first=7), before[2]]
    assert kinds(before, after, successors={7: EditKind.REGENERATED}) == [
        ("regenerated", "Two.", "Both at once.")
    ]
    todo = KeyedUnit(8, DraftSentence("[TODO: two]", UnitKind.TODO))
    assert kinds(before, [before[0], todo, before[2]], successors={8: EditKind.TODO}) == [
        ("todo", "Two.", "[TODO: two]")
    ]


def test_accepting_and_changing_what_was_accepted() -> None:
    plain = keyed("One.")
    accepted = [KeyedUnit(0, DraftSentence("One.", accepted=NOW))]
    assert kinds(plain, accepted) == [("accepted", "One.", "One.")]
    changed = keyed("One, changed.")
    assert kinds(accepted, changed) == [
        ("edited", "One.", "One, changed."),
        ("withdrawn", "One.", "One, changed."),
    ]


def test_text_of_the_writers_own_has_no_key() -> None:
    own = [KeyedUnit(OWN_TEXT, DraftSentence(text)) for text in ("Mine.", "Mine too.")]
    changed = [own[0], KeyedUnit(OWN_TEXT, DraftSentence("Mine as well."))]
    assert kinds([], own) == [("added", "", "Mine. Mine too.")]
    assert kinds(own, changed) == [("edited", "Mine too.", "Mine as well.")]
    assert kinds(own, []) == [("dropped", "Mine. Mine too.", "")]


units = st.lists(
    st.builds(
        KeyedUnit,
        st.integers(-1, 6),
        st.builds(
            DraftSentence, st.sampled_from(["a", "b", "c"]), accepted=st.sampled_from(["", NOW])
        ),
    ),
    max_size=6,
    unique_by=lambda one: one.key if one.key >= 0 else object(),
)


@given(units, units)
def test_every_change_of_words_leaves_a_trace(
    before: list[KeyedUnit], after: list[KeyedUnit]
) -> None:
    assert edits_between(before, before, NOW) == ()
    words = [sorted((one.key, one.unit.text) for one in each) for each in (before, after)]
    if words[0] != words[1]:
        assert edits_between(before, after, NOW)
