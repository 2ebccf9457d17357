"""Marks of a model are found in any text, taken out, and looked up among what it was given."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.profiles.model import ModelMarks
from phasergun_desktop.text.sentences import sentences
from phasergun_desktop.writing.citation_marks import (
    held_together,
    let_go,
    looked_up,
    without_marks,
)

WRITTEN = {
    ModelMarks.CITATION_NUMBER: ("[Citation {}]", ("1", "23")),
    ModelMarks.CHUNK_ID: ("[cite:{}]", ("abc", "f00d")),
    ModelMarks.SOURCE_TITLE: ("[source: {}]", ("risk plan, page 3", "a talk, t=12:34")),
    ModelMarks.SOURCE_ID: ("[{}]", ("pmc12345", "pmc9")),
}


@pytest.mark.parametrize("marks", WRITTEN)
def test_marks_are_taken_out_of_a_sentence(marks: ModelMarks) -> None:
    form, (one, other) = WRITTEN[marks]
    text = f"It lasts {form.format(one)} ten seconds {form.format(other)}{form.format(one)}."
    assert without_marks(text, marks) == ("It lasts ten seconds.", (one, other))
    assert without_marks(text, ModelMarks.NONE) == (text, ())


@pytest.mark.parametrize(
    ("marks", "text", "named"),
    [
        (ModelMarks.CITATION_NUMBER, "A [Citation 1, 2 and 3].", ("1", "2", "3")),
        (ModelMarks.CITATION_NUMBER, "A [citations 4]", ("4",)),
        (ModelMarks.CITATION_NUMBER, "A [Citation x] [1]", ()),
        (ModelMarks.CHUNK_ID, "A [chunk: a1] [cite:b2, c3]", ("a1", "b2", "c3")),
        (ModelMarks.SOURCE_ID, "A [PMC1; PMC2] [sic]", ("pmc1", "pmc2")),
        (ModelMarks.SOURCE_ID, "A [SOP-QA-012, M-26-1] [see 2]", ("sop-qa-012", "m-26-1")),
    ],
)
def test_spellings(marks: ModelMarks, text: str, named: tuple[str, ...]) -> None:
    assert without_marks(text, marks)[1] == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("In 10 s. [Citation 1] Then it stops.", ["In 10 s [Citation 1].", "Then it stops."]),
        ("At 5 °C.[Citation 2] See the manual.", ["At 5 °C [Citation 2].", "See the manual."]),
        ("It stops. [cite:a] [cite:b] It starts.", ["It stops [cite:a] [cite:b].", "It starts."]),
        (
            "By [source: ISO 14971:2019. Ed. 3, page 4]. It stops.",
            ["By [source: ISO 14971:2019. Ed. 3, page 4].", "It stops."],
        ),
        ("It weighs 3.2 kg [1]. It stops.", ["It weighs 3.2 kg [1].", "It stops."]),
        ("It stops. [see", ["It stops.", "[see"]),
    ],
)
def test_a_mark_stays_with_its_sentence(text: str, said: list[str]) -> None:
    assert [let_go(one) for one in sentences(held_together(text))] == said


def test_a_mark_names_a_passage_that_was_given() -> None:
    assert looked_up(("2", "9"), ("1", "2"), ModelMarks.CITATION_NUMBER) == (1,)
    assert looked_up(("f00d",), ("F00D", ""), ModelMarks.CHUNK_ID) == (0,)
    titles = ("Risk plan", "Risk plan, annex", "Talk")
    found = looked_up(("risk plan, annex, page 3",), titles, ModelMarks.SOURCE_TITLE)
    assert found == (1,)
    assert looked_up(("risk planning",), titles, ModelMarks.SOURCE_TITLE) == ()


@given(st.text(max_size=200), st.sampled_from(ModelMarks))
def test_any_text_is_read(text: str, marks: ModelMarks) -> None:
    bare, named = without_marks(text, marks)
    again, none = without_marks(bare, marks)
    assert len(again) <= len(bare) <= len(text)
    assert looked_up(named, (), marks) == ()
    assert isinstance(none, tuple)


@given(st.sampled_from([*WRITTEN]), st.lists(st.sampled_from(["word", "and", "["]), max_size=9))
def test_what_is_no_mark_stays(marks: ModelMarks, words: list[str]) -> None:
    text = " ".join(words)
    assert without_marks(text, marks) == (text, ())


@pytest.mark.parametrize("text", ["[Citation " + "1," * 50_000, "[source: " * 20_000, "[" * 90_000,
                                  "[cite:" + "a" * 90_000, "[A1" + ", b" * 30_000])  # fmt: skip
def test_hostile_text_costs_little(text: str) -> None:
    started = time.perf_counter()
    for marks in ModelMarks:
        without_marks(text, marks)
    assert time.perf_counter() - started < 2.0
