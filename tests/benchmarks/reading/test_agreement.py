"""What counts as leading back to a block's text, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.model import Block, BlockKind, LineLocator
from phasergun_desktop.documents.parser import parse_file
from tests.benchmarks.reading.agreement import (
    Agreement,
    agreement,
    cells_agree,
    labelled,
    strings_agree,
)
from tests.benchmarks.reading.locators import sample, visits
from tests.benchmarks.reading.made_files import write_csv, write_deck, write_transcripts
from tests.benchmarks.reading.visits import visit_csv, visit_cues, visit_slides


def _row(*cells: str) -> Block:
    pairs = tuple(("", cell) for cell in cells)
    return Block(0, BlockKind.TABLE_ROW, 0, 1, LineLocator(1), cells=pairs)


def test_texts_agree_after_white_space_folding_only() -> None:
    assert agreement("a  b\nc", " a b c ") is Agreement.EXACT
    assert agreement("\u25a1 yes", "\uf06f yes") is Agreement.EXACT
    assert agreement("x\u25a1 yes", "\uf06f yes") is not Agreement.EXACT
    assert agreement("a b-c", "a bc") is Agreement.LETTERS
    assert agreement("the long quick brown fox", "the long quick brown fix") is Agreement.SIMILAR
    assert agreement("one", "other words") is Agreement.DIFFERENT
    assert agreement("one", " ") is Agreement.NOTHING


def test_a_label_of_our_own_may_stand_before_the_text() -> None:
    assert labelled("2.1 Scope", "Scope") is Agreement.EXACT
    assert labelled("Footnote: See there.", "See there.") is Agreement.EXACT
    assert labelled("Not the Scope", "Scope") is not Agreement.EXACT
    assert labelled("Scope", "") is Agreement.NOTHING


def test_cells_agree_in_order_with_merged_ones_once() -> None:
    assert cells_agree(_row("a", "a", "b"), ["a", "", "b"]) is Agreement.EXACT
    assert cells_agree(_row("1.", "a", "(b) c"), ["", "a", "c"]) is Agreement.EXACT
    assert not cells_agree(_row("a", "b"), ["a", "b", "c"]).leads_back
    assert not cells_agree(_row("b", "a"), ["a", "b"]).leads_back
    assert not cells_agree(_row("lost words", "a"), ["a"]).leads_back


def test_strings_agree_line_by_line() -> None:
    assert strings_agree("one\ntwo", ["two", "one", "three"]) is Agreement.EXACT
    assert strings_agree("Comment: one", ["one"]) is Agreement.EXACT
    assert not strings_agree("four", ["one"]).leads_back


def test_made_files_lead_back(tmp_path: Path) -> None:
    deck, table = tmp_path / "deck.pptx", tmp_path / "table.csv"
    write_deck(deck, 4)
    write_csv(table, 30)
    for path, visitor in ((deck, visit_slides), (table, visit_csv)):
        made = list(visits(sample([path], 30), visitor))
        assert len(made) >= 12
        assert [each for each in made if not each.agreement.leads_back] == []
    for path in write_transcripts(tmp_path, 12):
        made = list(visits(sample([path], 30), visit_cues))
        assert len(made) == 12
        assert all(each.agreement is Agreement.EXACT for each in made)


def test_a_locator_that_is_one_off_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_csv(path, 30)
    document = parse_file(path)
    # Each block is compared with what stands at the place of the one before it.
    shifted = [
        Block(block.ordinal, block.kind, block.start, block.end, before.locator, cells=block.cells)
        for before, block in zip(document.blocks, document.blocks[1:], strict=False)
    ]
    found = [agrees for _, agrees in visit_csv(path, document, shifted)]
    assert found
    assert not any(each.leads_back for each in found)


@pytest.mark.parametrize("empty", ["", "\n\n"])
def test_nothing_is_drawn_from_a_file_that_is_not_read(tmp_path: Path, empty: str) -> None:
    path = tmp_path / "empty.txt"
    path.write_text(empty, encoding="utf-8")
    assert sample([path]) == []
