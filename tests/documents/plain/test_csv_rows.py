"""CSV: which mark parts the cells, which row is the header, and nothing lost."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import Block, BlockKind, RowLocator
from phasergun_desktop.documents.plain import csv_rows
from phasergun_desktop.documents.plain.csv_rows import read_csv

CELL = st.text("ab, ;\"'\n|5é", max_size=12)
ROW = st.lists(CELL, min_size=1, max_size=5)


def read(content: str | bytes) -> DocumentBuilder:
    builder = DocumentBuilder()
    read_csv(content.encode() if isinstance(content, str) else content, builder)
    return builder


def texts(builder: DocumentBuilder) -> list[str]:
    return [builder.text[block.start : block.end] for block in builder.blocks]


def row_of(block: Block) -> int:
    assert isinstance(block.locator, RowLocator)
    return block.locator.row


@given(st.lists(ROW, min_size=1, max_size=8))
@settings(max_examples=150, deadline=None)
def test_every_cell_stands_in_the_block_of_its_row(rows: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(rows)
    builder = read(buffer.getvalue())
    found: dict[int, str] = {}
    for block in builder.blocks:
        text = " ".join(builder.text[block.start : block.end].split())
        found[row_of(block)] = text
    for number, row in enumerate(rows, start=1):
        for cell in row:
            assert " ".join(cell.split()) in found.get(number, "")


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_mark_between_cells_is_found(mark: str) -> None:
    rows = [["Item", "Value", "Note"], ["Rate", "5,1", f"a{mark}b"], ["Flow", "6,2", "c; d"]]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=mark).writerows(rows)
    assert texts(read(buffer.getvalue())) == [
        "Item | Value | Note",
        f"Item: Rate; Value: 5,1; Note: a{mark}b",
        "Item: Flow; Value: 6,2; Note: c; d",
    ]


def test_a_separator_that_excel_states_is_believed() -> None:
    assert texts(read("sep=;\nA;B\n1,5;2\n")) == ["A | B", "A: 1,5; B: 2"]


def test_rows_count_as_in_a_spreadsheet() -> None:
    builder = read('Name,Text\n"a","one\ntwo\nthree"\n\n"b","four"\n')
    assert [row_of(block) for block in builder.blocks] == [1, 2, 4]


def test_lines_above_the_header_are_the_title() -> None:
    builder = read("Pump test 7,,\n,,\nStep,Force,Unit\n1,20,N\n2,30,N\n")
    assert [block.kind for block in builder.blocks[:2]] == [
        BlockKind.CAPTION,
        BlockKind.TABLE_ROW,
    ]
    assert texts(builder)[2:] == ["Step: 1; Force: 20; Unit: N", "Step: 2; Force: 30; Unit: N"]
    assert builder.blocks[1].is_table_header


def test_commas_in_prose_part_nothing() -> None:
    lines = ["Lorem, ipsum", "dolor sit", "amet", "adipiscing elit", "sed, do"]
    assert texts(read("\n".join(lines))) == lines


@pytest.mark.parametrize(
    ("content", "has_header"),
    [
        ("Item,2024,2025\nSales,3,4\n", True),
        ("A,A,B\n1,2,3\n", True),
        ("1,2\n3,4\n", False),
        ("red,red\nblue,green\n", False),
        ("only,one row", False),
    ],
)
def test_a_header_names_columns(content: str, has_header: bool) -> None:
    assert read(content).blocks[0].is_table_header is has_header


def test_ragged_rows_keep_every_cell() -> None:
    builder = read("A,B\n1,2,3,4\n5\n")
    assert texts(builder)[1:] == ["A: 1; B: 2; 3; 4", "5"]


def test_a_quotation_mark_that_is_never_closed_swallows_nothing() -> None:
    builder = read('Size,Note\n"5 inch,pipe\n' + "7,tube\n" * 300)
    assert len(builder.blocks) == 302
    assert "quotation mark" in builder.warnings[0]


def test_escaped_quotes_and_quotes_after_a_space() -> None:
    assert texts(read('A,B\n"say \\"no\\", now",2\n'))[1] == 'A: say "no", now; B: 2'
    assert texts(read('A, B\n1, "x, y"\n'))[1] == "A: 1; B: x, y"


def test_what_is_too_much_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MAX_ROWS", 3)
    builder = read("1,2\n\n3,4\n5,6\n7,8\n")
    assert len(builder.blocks) == 3
    assert builder.warnings == ("Only the first 4 rows were read.",)
    monkeypatch.setattr(csv_rows, "MAX_ROWS", 99)
    monkeypatch.setattr(csv_rows, "MAX_CHARACTERS", 90)
    builder = read("Column A,Column B\n" + "value,value\n" * 9)
    assert builder.warnings == ("Only the rows up to 2 were read.",)
    monkeypatch.setattr(csv_rows, "MAX_COLUMNS", 2)
    assert "columns" in read("a,b,c\n1,2,3\n").warnings[0]


def test_a_file_of_empty_lines_ends() -> None:
    start = time.monotonic()
    assert read(b"\n" * 3_000_000).blocks == ()
    assert time.monotonic() - start < 30


def test_a_huge_cell_is_kept() -> None:
    assert len(read("x" * 6_000_000).text) == 6_000_000


def test_every_cell_of_the_test_files_is_found(test_data: Path) -> None:
    checked = 0
    for path in sorted(test_data.rglob("*.csv")):
        source = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        builder = read(path.read_bytes())
        found = {
            row_of(block): " ".join(builder.text[block.start : block.end].split())
            for block in builder.blocks
        }
        mark = max(",;\t", key=source.split("\n", maxsplit=1)[0].count)
        rows = csv.reader(io.StringIO(source, newline=""), delimiter=mark)
        for number, row in enumerate(rows, start=1):
            for cell in row:
                checked += 1
                assert " ".join(cell.split()) in found.get(number, "")
    assert checked
