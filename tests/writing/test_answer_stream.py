"""An answer is shown the same however its stream is chopped."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phasergun_desktop.writing.answer_stream import AnswerStream, shown_text

BODY = "The alarm sounds at 42.5 °C [PMC12345]. It lasts ten seconds."
PIECES = st.lists(
    st.sampled_from(
        [
            "## Answer", "##Answer:", "**Answer:**", "Answer:", "answer", "## Answers", "#", "*",
            "\n", "\n\n", " ", "  ", "## References", "**References**", "References:", "references",
            "Sources", "NOT FOUND", "not found", "The alarm", " sounds at 42.5 °C.", "word " * 30,
            ".", ":", "[Citation 1]", "x",
        ]
    ),
    max_size=14,
)  # fmt: skip


def _streamed(text: str, cuts: list[int], *, expects: bool) -> str:
    stream = AnswerStream(expects_heading=expects)
    at = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    shown = "".join(stream.feed(text[a:b]) for a, b in pairwise(at))
    return shown + stream.finish()


@settings(max_examples=600, deadline=None)
@given(PIECES, st.lists(st.integers(0, 10_000), max_size=40), st.booleans())
@example(["## Ans"], [3], True)
@example(["#", "not found", "\n", "**References**"], [], False)
def test_any_chopping_gives_the_same(pieces: list[str], cuts: list[int], expects: bool) -> None:
    text = "".join(pieces)
    whole = shown_text(text, expects_heading=expects)
    assert _streamed(text, cuts, expects=expects) == whole
    assert _streamed(text, list(range(len(text))), expects=expects) == whole


@pytest.mark.parametrize(
    "heading",
    ["## Answer\n", "##Answer:\n", "## Answer: ", "**Answer**\n", "**Answer:** ", "Answer:\n",
     "\n\n# ANSWER\n\n", "Here you are.\n\n### Answer :\n"],
)  # fmt: skip
@pytest.mark.parametrize(
    "references",
    ["", "\n\n## References\n[PMC1] A", "\n##References:", "\n**References**\n", "\nReferences: A"],
)
def test_headings_are_not_shown(heading: str, references: str) -> None:
    assert shown_text(heading + BODY + references, expects_heading=True) == BODY


def test_without_a_heading_it_streams_after_a_hundred_words() -> None:
    stream = AnswerStream(expects_heading=True)
    words = [f"word{at} " for at in range(130)]
    shown = [stream.feed(word) for word in words]
    assert not any(shown[:100])
    assert shown[100].startswith("word0 ")
    assert "".join(shown) + stream.finish() == "".join(words).strip()
    # A heading that comes later than that is text.
    late = "".join(words) + "\n## Answer\nLate."
    assert "## Answer" in shown_text(late, expects_heading=True)


@pytest.mark.parametrize(
    "text", ["NOT FOUND", "## Answer\nNOT FOUND.", "“Not found”", "NOT FOUND: a"]
)
def test_not_found_is_not_shown(text: str) -> None:
    assert shown_text(text, expects_heading=False) == ""
    assert not re.search("found", _streamed(text, [4], expects=True), re.IGNORECASE)


def test_a_line_streams_while_it_is_written() -> None:
    stream = AnswerStream(expects_heading=False)
    assert stream.feed(f"{BODY}\n\nThe") == BODY
    assert stream.feed(" weight is 3 kg.") == "\n\nThe weight is 3 kg."
    assert stream.feed("\n\n## Ref") == ""
    assert stream.feed("erences\n[1] A") == ""
    assert stream.finish() == ""
