"""Recognised lines as blocks: paragraphs, hyphens, words with their places, rows of tables."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.images.recognised_blocks import add_recognised_page
from phasergun_desktop.documents.images.recognition import (
    RecognisedLine,
    RecognisedPage,
)
from phasergun_desktop.documents.images.tesseract import RecognisedWord
from phasergun_desktop.documents.model import BlockKind, PageLocator, Rect

HEIGHT = 10.0


def line(
    text: str, y: float, paragraph: int, *, gap: float = 5.0, height: float = HEIGHT
) -> RecognisedLine:
    """A line of words, five points a letter, ``gap`` between words; ``|`` is a wide gap."""
    words, x = [], 50.0
    for part in text.split():
        if part == "|":
            x += 60
            continue
        words.append(
            RecognisedWord(part, Rect(x, y, x + 5 * len(part), y + height), 0.5 + len(part) / 100)
        )
        x += 5 * len(part) + gap
    return RecognisedLine(tuple(words), paragraph)


def built(*lines: RecognisedLine) -> DocumentBuilder:
    builder = DocumentBuilder()
    add_recognised_page(builder, 3, RecognisedPage(lines, 0.9))
    return builder


def test_lines_become_paragraphs_and_words_keep_their_places() -> None:
    builder = built(
        line("The meter was", 100, 0), line("dropped.", 112, 0), line("It held.", 140, 1)
    )
    assert builder.text == "The meter was dropped.\n\nIt held."
    first, second = builder.blocks
    assert first.kind is second.kind is BlockKind.PARAGRAPH
    assert first.locator == PageLocator(3, (Rect(50, 100, 115, 110), Rect(50, 112, 90, 122)))
    assert [builder.text[s.start : s.end] for s in first.segments] == [
        "The",
        "meter",
        "was",
        "dropped.",
    ]
    assert first.segments[1].rect == Rect(70, 100, 95, 110)
    assert all(segment.page == 3 for segment in first.segments)
    assert [builder.text[s.start : s.end] for s in second.segments] == ["It", "held."]


@pytest.mark.parametrize(
    ("first", "second", "paragraphs"),
    [
        ("at 50 mg/dL. All other conditions", "were within 5.1 percent.", 1),
        ("at 50 mg/dL. No other was above it.", "were within 5.1 percent.", 2),
        ("at 50 mg/dL. All other conditions", "Were within 5.1 percent.", 2),
        ("at 50 mg/dL. All other conditions", "e were within 5.1 percent.", 2),
        ("Reagents", "sodium chloride", 2),
        ("SUMMARY OF WHAT WAS MEASURED", "were within 5.1 percent.", 2),
    ],
)
def test_a_sentence_that_goes_on_in_the_next_paragraph_is_one(
    first: str, second: str, paragraphs: int
) -> None:
    builder = built(
        line("The mean bias was 7.8 percent, here", 100, 0),
        line(first, 112, 0),
        line(second, 124, 1),
    )
    assert len(builder.blocks) == paragraphs


def test_what_stands_far_below_is_a_paragraph_of_its_own() -> None:
    full = line("The mean bias was found in all", 100, 0)
    assert len(built(full, line("page 4 of 12", 700, 1)).blocks) == 2


def test_the_confidence_is_the_mean_by_length() -> None:
    block = built(line("ab abcd", 100, 0)).blocks[0]
    assert block.ocr_confidence is not None
    assert abs(block.ocr_confidence - (2 * 0.52 + 4 * 0.54) / 6) < 1e-9


def test_a_hyphen_at_the_end_of_a_line_is_undone_and_both_halves_are_marked() -> None:
    builder = built(line("The monitor-", 100, 0), line("ing of glucose", 112, 0))
    assert builder.text == "The monitoring of glucose"
    block = builder.blocks[0]
    assert [builder.text[s.start : s.end] for s in block.segments] == [
        "The",
        "monitor",
        "ing",
        "of",
        "glucose",
    ]


def test_a_hyphen_that_belongs_to_the_word_stays() -> None:
    builder = built(
        line("see TR-", 100, 0), line("0147 and pre-", 112, 0), line("EU rules", 124, 0)
    )
    assert builder.text == "see TR- 0147 and pre- EU rules"


def test_rows_of_a_table_have_the_cells_of_its_columns() -> None:
    builder = built(
        line("The results are these:", 80, 0),
        line("Bias | 7.8 % | 10 %", 100, 0),
        line("Weight | 48 g | 60 g", 112, 0),
    )
    assert builder.text == "The results are these:\n\nBias | 7.8 % | 10 %\nWeight | 48 g | 60 g"
    _, first, second = builder.blocks
    assert first.kind is second.kind is BlockKind.TABLE_ROW
    assert [cell for _, cell in second.cells] == ["Weight", "48 g", "60 g"]
    assert second.locator == PageLocator(3, (Rect(50, 112, 250, 122),))
    assert second.ocr_confidence is not None
    words = [builder.text[s.start : s.end] for s in second.segments]
    assert words == ["Weight", "48", "g", "60", "g"]


def test_a_gap_alone_is_no_table() -> None:
    builder = built(line("Name | Date", 100, 0), line("The meter was dropped.", 112, 0))
    assert [block.kind for block in builder.blocks] == [BlockKind.PARAGRAPH] * 2
    # What goes on across the gap shows that there are no columns.
    crossed = built(
        line("a wide | gap", 100, 0), line("no gap where that one | was in the line", 112, 0)
    )
    assert crossed.text == "a wide gap\n\nno gap where that one was in the line"


def test_marks_alone_are_no_block() -> None:
    builder = built(line("~ |-", 80, 0), line("Bias: 7.8 %", 100, 1), line("'", 120, 2))
    assert builder.text == "Bias: 7.8 %"


def test_nothing_recognised_gives_no_block() -> None:
    assert built(RecognisedLine((), 0)).blocks == ()


@pytest.mark.parametrize(
    ("text", "height", "is_heading"),
    [
        ("TEST REPORT TR-0147", HEIGHT, True),
        ("Test report", 1.4 * HEIGHT, True),
        ("Test report", HEIGHT, False),
        ("TEST REPORT TR-0147.", HEIGHT, False),
        ("TR-0147", HEIGHT, False),
        ("NAME | DATE | SIGNATURE", HEIGHT, False),
        (" ".join(["LONG"] * 13), HEIGHT, False),
    ],
)
def test_a_short_line_in_capitals_or_large_letters_is_a_heading(
    text: str, height: float, is_heading: bool
) -> None:
    first, second = built(
        line(text, 100, 0, height=height),
        line("The meter was dropped.", 140, 1),
        line("It held.", 152, 1),
    ).blocks
    assert (first.kind is BlockKind.HEADING) is is_heading
    assert second.heading_path == ((text,) if is_heading else ())
