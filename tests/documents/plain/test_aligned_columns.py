from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.documents.plain.plain_text import read_text


def _read(text: str) -> list[tuple[BlockKind, int, str]]:
    builder = DocumentBuilder()
    read_text(text.encode(), builder)
    return [
        (block.kind, block.locator.line, builder.text[block.start : block.end])  # type: ignore[union-attr]
        for block in builder.blocks
    ]


def test_columns_of_spaces_are_a_table_between_its_lines_of_text() -> None:
    blocks = _read(
        "Three lots were coated.\n"
        "   lot     mean ug/cm   min    max\n"
        "   -----   ----------   ---    ---\n"
        "   0606      284        251    322\n"
        "   0619      291        260    331\n"
        "Acceptance was met in all.\n"
    )
    assert blocks == [
        (BlockKind.PARAGRAPH, 1, "Three lots were coated."),
        (BlockKind.TABLE_ROW, 2, "lot | mean ug/cm | min | max"),
        (BlockKind.TABLE_ROW, 4, "lot: 0606; mean ug/cm: 284; min: 251; max: 322"),
        (BlockKind.TABLE_ROW, 5, "lot: 0619; mean ug/cm: 291; min: 260; max: 331"),
        (BlockKind.PARAGRAPH, 6, "Acceptance was met in all."),
    ]


def test_a_cell_goes_on_in_the_next_line() -> None:
    blocks = _read(
        "Req    Text                        Result\n"
        "R-01   two dips, else the batch    PASS\n"
        "       is blocked\n"
        "R-02   alarm and hold              PASS\n"
    )
    assert blocks[1][2] == "Req: R-01; Text: two dips, else the batch is blocked; Result: PASS"


def test_tabs_set_columns_too() -> None:
    rows = _read("Part\tNumber\tState\nHub\tFX-20\tnew\nCuff\tFX-21\tnew\n")
    assert rows[1][2] == "Part: Hub; Number: FX-20; State: new"


def test_a_first_row_that_is_numbered_like_the_next_is_no_header() -> None:
    rows = _read(
        "A4-01 SRS rev D      IK   30 May\nA4-02 firmware 3.2   PV   28 May\n"
        "A4-03 RMF-0031       AR   20 June\n"
    )
    assert rows[0][2] == "A4-01 SRS rev D | IK | 30 May"


def test_sentences_are_no_table() -> None:
    text = (
        "The pump stops.  It sounds an alarm.\nThe nurse confirms it.  Then it starts.\n"
        "A log is kept of all of it.  It has a date.\n\nOne line   with gaps   alone\n"
    )
    assert {kind for kind, _, _ in _read(text)} == {BlockKind.PARAGRAPH}


def test_the_lines_of_a_form_are_rows_of_their_own() -> None:
    rows = _read("Date:      22 May 2025\nRoom:      Superior\nMinutes:   M. Lind\n")
    assert [text for _, _, text in rows] == [
        "Date: 22 May 2025",
        "Room: Superior",
        "Minutes: M. Lind",
    ]
