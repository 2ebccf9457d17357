"""Windows: within the model's reach, within a section, nothing lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.chunking.windows import heading_prefix, pack_windows
from phasergun_desktop.documents.model import ParsedDocument
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.paragraph_reader import parse_paragraphs

EMBEDDER = HashEmbedder()
WORD = st.text("abcdefgh.,;: -0123456789é", min_size=1, max_size=12)
PARAGRAPH = st.one_of(
    st.lists(WORD, min_size=1, max_size=60).map(" ".join),
    st.sampled_from(["# One", "## Two", "### Three", "~ footer", "| cell | cell"]),
    st.just("x" * 700),
)
DOCUMENT = st.lists(PARAGRAPH, max_size=30).map("\n\n".join).map(parse_paragraphs)


@given(DOCUMENT, st.sampled_from([12, 40, 254]))
@settings(max_examples=80, deadline=None)
def test_every_visible_body_character_is_in_exactly_one_window(
    document: ParsedDocument, max_tokens: int
) -> None:
    windows = pack_windows(document, EMBEDDER, max_tokens)
    covered = [0] * len(document.text)
    for window in windows:
        for place in range(window.start, window.end):
            covered[place] += 1
    for block in document.blocks:
        for place in range(block.start, block.end):
            if not document.text[place].isspace():
                assert covered[place] == (1 if block.kind.is_body else 0)


@given(DOCUMENT)
@settings(max_examples=80, deadline=None)
def test_no_window_is_longer_than_the_model_reads(document: ParsedDocument) -> None:
    for window in pack_windows(document, EMBEDDER, 120):
        text = window.embedded_text(document.text)
        assert EMBEDDER.count_tokens(text) <= 120


def test_a_window_stays_within_its_section() -> None:
    document = parse_paragraphs("# A\n\nFirst.\n\nSecond.\n\n# B\n\nThird.")
    texts = [document.text[each.start : each.end] for each in pack_windows(document, EMBEDDER, 254)]
    assert texts == ["# A\n\nFirst.\n\nSecond.", "# B\n\nThird."]


def test_a_heading_with_nothing_under_it_goes_with_its_subsection() -> None:
    document = parse_paragraphs("# 3 Design\n\n## 3.1 Plan\n\nText.\n\n# 4 Bare\n\n# 5 Other")
    windows = pack_windows(document, EMBEDDER, 254)
    texts = [document.text[each.start : each.end] for each in windows]
    assert texts == ["# 3 Design\n\n## 3.1 Plan\n\nText.", "# 4 Bare", "# 5 Other"]
    assert windows[0].heading_path == ("# 3 Design", "## 3.1 Plan")


def test_a_footer_is_in_no_window_and_parts_the_text_around_it() -> None:
    document = parse_paragraphs("Before the page ends.\n\n~ Page 1 of 2\n\nAfter it.")
    texts = [document.text[each.start : each.end] for each in pack_windows(document, EMBEDDER, 254)]
    assert texts == ["Before the page ends.", "After it."]


def test_a_long_paragraph_is_cut_after_sentences() -> None:
    sentence = "The meter reads 0.6 µL of blood in 5 s."
    document = parse_paragraphs(" ".join([sentence] * 12))
    windows = pack_windows(document, EMBEDDER, 40)
    assert len(windows) > 1
    assert all(document.text[each.start : each.end].endswith("5 s.") for each in windows)


def test_only_windows_after_the_first_repeat_their_heading() -> None:
    document = parse_paragraphs("# Scope\n\n" + "\n\n".join(["word " * 30] * 5))
    windows = pack_windows(document, EMBEDDER, 80)
    assert windows[0].prefix == ""
    assert {each.prefix for each in windows[1:]} == {"# Scope"}


def test_an_edit_changes_the_windows_of_its_section_only() -> None:
    sections = [f"# Section {n}\n\n" + f"Sentence number {n}. " * 60 for n in range(5)]
    before = parse_paragraphs("\n\n".join(sections))
    sections[2] += " Added at the end."
    after = parse_paragraphs("\n\n".join(sections))
    old = {each.embedded_text(before.text) for each in pack_windows(before, EMBEDDER, 100)}
    new = {each.embedded_text(after.text) for each in pack_windows(after, EMBEDDER, 100)}
    assert new - old
    assert all("number 2" in text for text in new - old)


def test_a_deep_path_keeps_its_innermost_headings() -> None:
    prefix = heading_prefix(("Outer " * 30, "Middle " * 10, "Inner heading"))
    assert prefix.endswith("Inner heading")
    assert "Outer" not in prefix
    assert len(prefix) <= 160
