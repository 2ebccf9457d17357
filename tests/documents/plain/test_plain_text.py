"""Plain text: paragraphs, and the line each stands in."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import LineLocator
from phasergun_desktop.documents.plain.plain_text import MAX_PARAGRAPH_LINES, read_text

LINE = st.sampled_from(["", "  ", "Words of a line.", "1.2 Scope", "- item", "a\fb", "\f", "é\v "])


def read(content: str | bytes) -> DocumentBuilder:
    builder = DocumentBuilder()
    read_text(content.encode() if isinstance(content, str) else content, builder)
    return builder


def placed(builder: DocumentBuilder) -> list[tuple[int, str]]:
    found = []
    for block in builder.blocks:
        assert isinstance(block.locator, LineLocator)
        found.append((block.locator.line, builder.text[block.start : block.end]))
    return found


@given(st.lists(LINE, max_size=30), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=150, deadline=None)
def test_a_block_begins_in_the_line_it_names(lines: list[str], end: str) -> None:
    builder = read(end.join(lines))
    for line, text in placed(builder):
        first = text.split("\n")[0]
        assert first.split()[0] in lines[line - 1]
    assert builder.text.split() == " ".join(lines).split()


def test_a_form_feed_parts_paragraphs_but_not_lines() -> None:
    assert placed(read("End of page one.\n\fPage two\ngoes on.\fThird\n")) == [
        (1, "End of page one."),
        (2, "Page two\ngoes on."),
        (3, "Third"),
    ]


def test_a_text_without_empty_lines_is_cut() -> None:
    found = placed(read("word\n" * (MAX_PARAGRAPH_LINES + 1)))
    assert [line for line, _ in found] == [1, MAX_PARAGRAPH_LINES + 1]


def test_one_very_long_line_is_one_block() -> None:
    assert placed(read("word " * 400_000)) == [(1, ("word " * 400_000).strip())]


def test_a_book_takes_seconds() -> None:
    content = "Some words of a long book, one line of it.\n" * 70_000
    start = time.monotonic()
    read(content)
    # 0.7 s alone; a loaded machine is given time.
    assert time.monotonic() - start < 20
