"""Which rows of a table a question asks for."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.model import Block, BlockKind, RowLocator
from phasergun_desktop.planning.row_conditions import fulfilling

HEADS = ("Risk ID", "Hazard", "Severity (1-5)", "Odds before", "Odds after", "Verified by", "Class")
ROWS = (
    ("R-1", "Thermal", "4", "2", "1", "TR-1", "S"),
    ("R-2", "Use", "5", "4", "3", "open", "M"),
    ("R-3", "Thermal", "2", "4", "", "TR-2 (open)", "S"),
    ("R-4", "Battery", "3", "1", "1", "not open", "S"),
)
BLOCKS = [
    Block(
        at,
        BlockKind.TABLE_ROW,
        0,
        1,
        RowLocator(at),
        cells=tuple(pair for pair in zip(HEADS, row, strict=True) if pair[1]),
    )
    for at, row in enumerate(ROWS)
]


@pytest.mark.parametrize(
    ("question", "kept", "said"),
    [
        ("List all risks with severity ≥ 4", "12", "“Severity (1-5)” is ≥ 4"),
        ("all risks with severity of 3 or less", "34", "“Severity (1-5)” is ≤ 3"),
        ("Which risks are open?", "23", "“Verified by” is “open”"),
        ("Which risks have an odds after above 2?", "2", "“Odds after” is > 2"),
        ("List all thermal risks of class S", "13", "“Hazard” is “Thermal” and “Class” is “S”"),
        ("List all use and battery risks", "24", "“Hazard” is “Use” or “Battery”"),
        # Which column, is it denied, what is counted: it is not certain.
        ("List all risks with odds ≥ 4", "1234", ""),
        ("Which risks are not open?", "1234", ""),
        ("List all risks of the 2 pumps", "1234", ""),
        ("List all batteries that may burn in use", "1234", ""),
        ("How many risks are there?", "1234", ""),
    ],
)
def test_rows_are_kept_that_fulfil_what_is_certain(question: str, kept: str, said: str) -> None:
    rows, words = fulfilling(question, "Risk table", BLOCKS)
    assert "".join(row.cells[0][1][-1] for row in rows) == kept
    assert words == said


def test_of_two_columns_of_one_name_nothing_is_certain() -> None:
    cells = (("ID", "R-1"), ("Severity", "5"), ("Severity", "1"))
    rows = [Block(0, BlockKind.TABLE_ROW, 0, 1, RowLocator(0), cells=cells), *BLOCKS]
    assert fulfilling("List all risks with severity ≥ 4", "Risks", rows) == (rows, "")
