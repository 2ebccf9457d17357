"""Plain text: paragraphs, and the line each stands in."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import BlockKind, LineLocator
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


PROSE = (
    "Ten devices per lot were tested by the method of USP 85, and all\n"
    "of them were below the limit."
)


@pytest.mark.parametrize(
    "title", ["Endotoxin", "What was done", "4.2 Endotoxin", "ENDOTOXIN (LAL)"]
)
def test_a_short_title_over_a_paragraph_is_its_heading(title: str) -> None:
    builder = read(f"Before.\n\n{title}\n{PROSE}\n\nAfter it.\n")
    assert placed(builder) == [(1, "Before."), (3, title), (4, PROSE), (7, "After it.")]
    assert [block.kind for block in builder.blocks][1] is BlockKind.HEADING
    assert builder.blocks[2].heading_path == (title,)


@pytest.mark.parametrize(
    "below", ["- first\n- second of the two", "part    limit   unit\nshaft   15      N\n"]
)
def test_a_title_over_a_list_or_a_table_is_a_heading(below: str) -> None:
    assert read(f"RESULTS\n{below}").blocks[0].kind is BlockKind.HEADING


def test_an_underlined_title_is_a_heading_without_its_rule() -> None:
    builder = read("Use environment\n---------------\nHome and clinic.\n")
    assert placed(builder) == [(1, "Use environment"), (3, "Home and clinic.")]


def test_a_title_without_a_number_stands_under_the_number_above_it_and_an_annex_does_not() -> None:
    builder = read(f"2. Tests\n\nEndotoxin\n{PROSE}\n\nANNEX A\n{PROSE}\n")
    assert [
        block.heading_path for block in builder.blocks if block.kind is BlockKind.PARAGRAPH
    ] == [
        ("2. Tests", "Endotoxin"),
        ("ANNEX A",),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The samples of both lots were sent to\nHalvorsen Access, and all\nof them were lost.",
        "Halvorsen Access\n1200 West Lake Street, Suite 4\nDuluth, MN 55802",
        "Best regards\nWei Jun",
        "From: Walt Keller\nThe new lots are inside of our calibration spread, as we said.",
        "ERROR 12\n2026-03-01 12:00:01 pump stopped\n2026-03-01 12:00:02 pump started",
        "Name    Value\nMass    12 kg\nForce   30 N",
        "The limit is\ngiven in the protocol, which was signed before the first test.",
    ],
)
def test_other_first_lines_are_no_headings(text: str) -> None:
    assert BlockKind.HEADING not in {block.kind for block in read(text).blocks}


def test_where_a_long_text_is_cut_no_heading_begins() -> None:
    lines = ["a line of a text without any empty one, which goes on."] * MAX_PARAGRAPH_LINES
    assert BlockKind.HEADING not in {
        block.kind for block in read("\n".join([*lines, "Title", PROSE])).blocks
    }


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


def test_entries_with_numbers_of_one_series_are_items() -> None:
    text = "Actions\nAI-31 labelling check, 15 Nov - OPEN\nAI-32 heater,\nby Sand - closed\n"
    builder = read(text + "\nThe report on\nTR-014 and the one on\nREQ-002 are signed.\n")
    assert placed(builder) == [
        (1, "Actions"),
        (2, "AI-31 labelling check, 15 Nov - OPEN"),
        (3, "AI-32 heater,\nby Sand - closed"),
        (6, "The report on\nTR-014 and the one on\nREQ-002 are signed."),
    ]
    assert [block.kind for block in builder.blocks[1:3]] == [BlockKind.LIST_ITEM] * 2
    gas = "The alarm is set to\nCO2 of 5 % and the\nCO2 of 6 % is ended.\n"
    assert placed(read(gas)) == [(1, gas.rstrip())]


def test_a_long_rule_takes_no_time() -> None:
    start = time.monotonic()
    read("=" * 60_000 + "x\n\nEnd.\n")
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    "begins",
    [
        "From: Tom\nSent: Tue 21 Jan\nSubject: dating\n\n",
        "> Von: Tom\n> Datum: 21. Januar\n\n",
        "-----Original message-----\nFrom: Tom\n\n",
        "==========\nNotes\n\n",
    ],
)
def test_a_mail_or_a_rule_leaves_the_sections_above(begins: str) -> None:
    builder = read(f"5. Sterilization\nEO was chosen.\n\n{begins}It is 24 months.\n")
    assert builder.blocks[1].heading_path == ("5. Sterilization",)
    assert builder.blocks[-1].heading_path == ()


@pytest.mark.parametrize(
    "between",
    [
        "3.1 Table\n-----\nSample 1 passed.\n\n",
        "-----\n\n3.1 Noise\n\n",
        "From: the list of parts\nit takes two.\n\n",
        "From: 5 °C\nTo: 40 °C\n\n",
    ],
)
def test_other_lines_go_on_with_their_section(between: str) -> None:
    builder = read(f"3. Results\nAll passed.\n\n{between}It is low.\n")
    assert builder.blocks[-1].heading_path[:1] == ("3. Results",)
