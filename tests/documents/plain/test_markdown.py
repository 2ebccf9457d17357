"""Markdown: nothing is lost, each block begins in the line that its locator names."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decode_text
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.markdown import read_markdown

Found = list[tuple[str, int, int, str]]


def blocks(source: str) -> Found:
    """Return (kind, level, line, text) of each block."""
    builder = DocumentBuilder()
    read_markdown(source.encode(), builder)
    found: Found = []
    for block in builder.blocks:
        assert isinstance(block.locator, LineLocator)
        text = builder.text[block.start : block.end]
        found.append((block.kind.value, block.level, block.locator.line, text))
    return found


def test_footnotes_are_notes_and_their_marks_no_text() -> None:
    source = (
        "Limit[^1] and range[^b].\n\n[^1]: http://example.org/limit\n[^b]: As *agreed*,\n"
        "    twice.\n\n```\n[^1]: code\n```\n\nArray[^2] stays.\n\n[link]: http://example.org\n"
    )
    assert blocks(source) == [
        ("paragraph", 0, 1, "Limit and range."),
        ("note", 0, 3, "Footnote: http://example.org/limit"),
        ("note", 0, 4, "Footnote: As agreed, twice."),
        ("code", 0, 7, "[^1]: code"),
        ("paragraph", 0, 11, "Array[^2] stays."),
    ]


def test_html_is_stripped_and_its_text_kept() -> None:
    source = (
        '<h1 align="center">Plan</h1>\n\n<details>\n<summary>More</summary>\n\ninner **text**\n\n'
        '</details>\n\nIn <span class="x">a span</span>, a < b &amp; `</b>`<br>next\n'
        "<!-- not\nthis -->\n"
    )
    assert blocks(source) == [
        ("heading", 1, 1, "Plan"),
        ("paragraph", 0, 4, "More"),
        ("paragraph", 0, 6, "inner text"),
        ("paragraph", 0, 10, "In a span, a < b & </b>\nnext"),
    ]


def test_exponents_are_kept() -> None:
    source = "1.6 x 10<sup>6</sup> spores on 5 cm^2^, SAL 10^-6^, `10^6^`.[^1]\n"
    assert blocks(source)[0][3] == "1.6 x 10⁶ spores on 5 cm², SAL 10⁻⁶, 10^6^.[^1]"


def test_rules_around_text_are_no_front_matter() -> None:
    assert [each[3] for each in blocks("---\n\nIntroduction.\n\n---\n\nMore.\n")] == [
        "Introduction.",
        "More.",
    ]


def test_front_matter_without_spaces() -> None:
    builder = DocumentBuilder()
    source = b"---\n# remark\nsop_version:2.0.2\nhome: http://example.org\n---\n\nText\n"
    front = read_markdown(source.replace(b"# remark\n", b""), builder)
    assert front == (("sop_version", "2.0.2"), ("home", "http://example.org"))
    assert builder.text == "Text"


def test_cells_beyond_the_header_are_kept() -> None:
    found = blocks("| A | B |\n|---|---|\n| a \\| b | `c|d` | *e* |\n| x<br>y | z |\n")
    assert [each[3] for each in found] == ["A | B", "A: a | b; B: `c; d`; e", "A: x\ny; B: z"]
    assert [each[2] for each in found] == [1, 3, 4]


def test_definitions_and_fields_keep_their_lines() -> None:
    found = blocks("Term\n: What it means\n\nOwner: Quality\nStatus: Draft\nand more\n")
    assert [each[3] for each in found] == [
        "Term\n: What it means",
        "Owner: Quality\nStatus: Draft and more",
    ]


def test_lists_in_lists_with_tables_and_code() -> None:
    source = (
        "3. three\n   - [x] done\n\n     | A | B |\n     |---|---|\n     | 1 | 2 |\n\n"
        "   second paragraph\n4. four\n"
    )
    assert blocks(source) == [
        ("list_item", 1, 1, "3. three"),
        ("list_item", 2, 2, "[x] done"),
        ("table_row", 0, 4, "A | B"),
        ("table_row", 0, 6, "A: 1; B: 2"),
        ("list_item", 1, 8, "second paragraph"),
        ("list_item", 1, 9, "4. four"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "> " * 50 + "deepest",
        "> " * 5_000 + "deepest",
        "".join(f"{'  ' * depth}- level {depth}\n" for depth in range(25)) + "\ndeepest",
        "".join(f"{'  ' * depth}- level {depth}\n" for depth in range(500)) + "\ndeepest",
    ],
)
def test_deep_nesting_loses_nothing(source: str) -> None:
    found = "\n".join(text for _, _, _, text in blocks(source))
    assert "deepest" in found
    for level in re.findall(r"level \d+", source):
        assert level in found


def test_a_table_of_many_rows() -> None:
    rows = "".join(f"| name {row} | {row} |\n" for row in range(2_000))
    found = blocks(f"| Name | Value |\n|---|---|\n{rows}")
    assert len(found) == 2_001
    assert found[-1] == ("table_row", 0, 2_002, "Name: name 1999; Value: 1999")


def test_every_block_begins_in_its_line(test_data: Path) -> None:
    paths = sorted((test_data / "regulatory").glob("qms_*/*.md"))
    assert paths
    for path in paths:
        data = path.read_bytes()
        lines = decode_text(data).text.split("\n")
        builder = DocumentBuilder()
        read_markdown(data, builder)
        for block in builder.blocks:
            assert isinstance(block.locator, LineLocator)
            if block.kind is BlockKind.CODE:
                continue
            text = builder.text[block.start : block.end].removeprefix("Footnote: ")
            texts = [cell for _, cell in block.cells] or [text]
            here = lines[block.locator.line - 1 : block.locator.line + 5]
            starts = [_letters(each)[:9] for each in texts]
            seen = _letters(" ".join(here))
            first = len(_letters(here[0]))
            assert any(0 <= seen.find(start) <= first for start in starts), (path.name, text)


def _letters(text: str) -> str:
    plain = re.sub(r"<[^>]*>|\]\([^)]*\)", "", text)
    return "".join(letter for letter in unescape(plain) if letter.isalnum())
