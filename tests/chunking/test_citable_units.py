"""Units: what can be cited by itself, exactly as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.text.sentences import sentence_spans
from tests.chunking.test_windows import DOCUMENT


@given(DOCUMENT)
@settings(max_examples=80, deadline=None)
def test_units_lie_in_order_and_leave_out_no_statement(document: ParsedDocument) -> None:
    units = split_units(document)
    ends = 0
    for unit in units:
        block = document.blocks[unit.block]
        assert ends <= unit.start < unit.end <= block.end
        assert block.start <= unit.start
        ends = unit.end
    said = {(unit.start, unit.end) for unit in units}
    for block in document.blocks:
        if not block.kind.is_body or block.kind is BlockKind.HEADING or block.is_table_header:
            continue
        text = document.block_text(block)
        for start, end in sentence_spans(text):
            is_stated = len(re.findall(r"\w+", text[start:end])) >= 3
            is_whole = block.kind is BlockKind.TABLE_ROW
            assert is_whole or not is_stated or (block.start + start, block.start + end) in said


def test_a_unit_knows_what_introduces_it_and_what_its_paragraph_is_on(tmp_path: Path) -> None:
    path = tmp_path / "alarms.md"
    path.write_text(
        "# Monitor\n\n## Alarms\n\nThe alarm sounds when:\n\n- the battery is low\n- air is found"
        "\n\n"
        "It stops by itself after ten seconds. A key ends it.\n\n"
        "Age of children. Draft B said one month. Who asked? The clinic asked for it.\n\n"
        "| ID | Limit |\n| --- | --- |\n| AL-03 | 150 |\n",
        "utf-8",
    )
    units = split_units(parse_file(path))
    told = {unit.text: unit.context for unit in units}
    assert told["the battery is low"] == "Monitor > Alarms > The alarm sounds when:"
    assert told["air is found"].endswith("The alarm sounds when:")
    assert told["A key ends it."] == "Monitor > Alarms"
    assert told["Age of children."] == "Monitor > Alarms"
    assert told["Draft B said one month."] == "Monitor > Alarms > Age of children."
    assert told["The clinic asked for it."] == "Monitor > Alarms > Who asked?"
    assert told["ID: AL-03 | Limit: 150"] == "Monitor > Alarms"
    assert "ID | Limit" not in told


def test_one_endless_word_is_no_topic(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text(
        f"{'a' * 300}. The pump is blue and small.\n\n{'b' * 300}? It is so.\n", "utf-8"
    )
    assert [unit.context for unit in split_units(parse_file(path))] == ["", ""]


def test_a_row_without_end_is_cut() -> None:
    text = "A sentence of a cell. " * 200
    block = Block(0, BlockKind.TABLE_ROW, 0, len(text), LineLocator(1), (), cells=(("", text),))
    document = ParsedDocument("md", "text/markdown", text, (block,), DocumentMetadata(), "1")
    assert len(split_units(document)) == 200


def test_a_word_or_two_are_a_unit_where_they_state_something(tmp_path: Path) -> None:
    path = tmp_path / "limits.md"
    path.write_text(
        "# Contraindications\n\nNot for persons with:\n\n- Haemophilia\n- Cardiac pacemaker\n- 7\n"
        "- Others:\n\nDecided: 220. Rings.\n\nPage 3\n\nTable 1.\n\n12:30\n",
        "utf-8",
    )
    units = split_units(parse_file(path))
    assert [unit.text for unit in units] == [
        "Not for persons with:",
        "Haemophilia",
        "Cardiac pacemaker",
    ]
    assert units[1].context == "Contraindications > Not for persons with:"
