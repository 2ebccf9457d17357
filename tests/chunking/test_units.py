"""Units: what can be cited by itself, exactly as it stands."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings

from phasergun_desktop.chunking.units import split_units
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.documents.parser import parse_file
from tests.chunking.test_windows import DOCUMENT


@given(DOCUMENT)
@settings(max_examples=80, deadline=None)
def test_units_lie_in_body_blocks_in_order_and_leave_no_word_out(document: ParsedDocument) -> None:
    units = split_units(document)
    ends = 0
    for unit in units:
        block = document.blocks[unit.block]
        assert ends <= unit.start < unit.end <= block.end
        assert block.start <= unit.start
        ends = unit.end
    said = "".join("".join(document.text[unit.start : unit.end].split()) for unit in units)
    stated = [b for b in document.blocks if b.kind.is_body and b.kind is not BlockKind.HEADING]
    assert said == "".join("".join(document.block_text(block).split()) for block in stated)


def test_an_item_knows_what_introduces_it_and_a_row_its_headers(tmp_path: Path) -> None:
    path = tmp_path / "alarms.md"
    path.write_text(
        "# Monitor\n\n## Alarms\n\nThe alarm sounds when:\n\n- the battery is low\n- air is found"
        "\n\n"
        "It stops by itself. A key ends it.\n\n"
        "| ID | Limit |\n| --- | --- |\n| AL-03 | 150 |\n",
        "utf-8",
    )
    units = split_units(parse_file(path))
    told = {unit.text: unit.context for unit in units}
    assert told["the battery is low"] == "Monitor > Alarms > The alarm sounds when:"
    assert told["air is found"].endswith("The alarm sounds when:")
    assert told["A key ends it."] == "Monitor > Alarms"
    assert told["ID: AL-03 | Limit: 150"] == "Monitor > Alarms"
    assert "ID | Limit" not in told


def test_a_row_without_end_is_cut() -> None:
    text = "A sentence of a cell. " * 200
    block = Block(0, BlockKind.TABLE_ROW, 0, len(text), LineLocator(1), (), cells=(("", text),))
    document = ParsedDocument("md", "text/markdown", text, (block,), DocumentMetadata(), "1")
    assert len(split_units(document)) == 200
