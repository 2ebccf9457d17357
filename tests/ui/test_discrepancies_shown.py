"""What the sources disagree in is listed, shown side by side, and leads to each source."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QToolTip

from phasergun_desktop.documents.model import Block, BlockKind
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from tests.fakes.ui_documents import DEVICE, PREDICATE
from tests.ui.conftest import OpenDesk


def _place(desk: OpenDesk, file: str) -> SourcePlace:
    """The last words of a paragraph, so that something stands before them."""
    source = desk.session.source(file)
    block = max((b for b in source.document.blocks if b.kind is BlockKind.PARAGRAPH), key=_length)
    start = block.start + _length(block) // 2
    quote = source.document.text[start : block.end]
    return SourcePlace(
        file, source.record.title, quote, start, block.end, source.record.sha256,
        source.record.layer, block.heading_path, block.locator, block.block_id, quote.split()[-1],
    )  # fmt: skip


def _length(block: Block) -> int:
    return block.end - block.start


def _listed(desk: OpenDesk) -> Discrepancy:
    sides = (_place(desk, DEVICE), _place(desk, PREDICATE))
    made = Discrepancy(DiscrepancyKind.VALUES, "The range is 1 m in one and 2 m in two.", sides)
    gap = Discrepancy(DiscrepancyKind.GAP, "Not found in the sources: the weight.")
    desk.window.parts.problems_panel.show_problems([], ("A note.",), (gap, made))
    return made


def test_enter_shows_both_passages_beside_each_other(desk: OpenDesk) -> None:
    made = _listed(desk)
    panel, dialog = desk.window.parts.problems_panel, desk.window.discrepancy_flow.dialog
    assert [panel.list.item(row).text().partition("\n")[0] for row in range(3)] == [
        "Not found in the sources: the weight.",
        made.message,
        "A note.",
    ]
    desk.window.show_dock("problems")
    panel.list.setCurrentRow(0)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    panel.list.setCurrentRow(1)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.message.text() == made.message
    for card, side in zip(dialog.cards, made.sides, strict=True):
        text = card.text.toPlainText()
        assert " ".join(side.quote.split()) in " ".join(text.split())
        assert side.value in card.text.accessibleDescription()
        assert "background-color" in card.text.toHtml()
        assert side.file in card.file_label.toolTip()
        assert all(heading in card.place_label.text() for heading in side.heading_path[-1:])


def test_the_text_around_a_passage_follows(desk: OpenDesk) -> None:
    made = _listed(desk)
    flow = desk.window.discrepancy_flow
    flow.show_chosen()
    document = desk.session.source(DEVICE).document
    side = made.sides[0]
    block = next(b for b in document.blocks if b.block_id == side.block_id)
    before = document.text[block.start : side.start].split()[0]
    desk.wait(lambda: flow.dialog.cards[0].text.toPlainText().startswith(before))


def test_each_button_and_key_opens_its_source(desk: OpenDesk) -> None:
    made = _listed(desk)
    desk.window.actions_table["show-passages"].trigger()
    dialog = desk.window.discrepancy_flow.dialog
    panel = desk.window.parts.source_panel
    dialog.cards[1].button.click()
    desk.wait(lambda: panel.target is not None and panel.target.file == PREDICATE)
    assert panel.target is not None
    assert (panel.target.start, panel.target.quote) == (made.sides[1].start, made.sides[1].quote)
    first = dialog.cards[0].button
    assert first.shortcut().toString() == "Alt+1"
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    desk.wait(lambda: panel.target is not None and panel.target.file == DEVICE)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_without_any_the_status_bar_says_so(desk: OpenDesk) -> None:
    desk.window.actions_table["show-passages"].trigger()
    assert not desk.window.discrepancy_flow.dialog.isVisible()
    assert "No sources disagree" in desk.window.parts.status_bar.work_label.text()


def test_a_kept_draft_still_lists_them(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.problems_panel
    texts = [panel.list.item(row).text() for row in range(panel.list.count())]
    assert any("Two different ranges are given." in text for text in texts)
    kept = desk.window.parts.draft_panel.draft
    assert kept is not None
    desk.window.draft_flow.shelf.show_draft(kept)
    texts = [panel.list.item(row).text() for row in range(panel.list.count())]
    assert any("Two different ranges are given." in text for text in texts)


def test_the_parts_of_the_confidence_have_a_line_each_and_a_key(desk: OpenDesk) -> None:
    bar = desk.window.parts.status_bar
    desk.window.actions_table["confidence"].trigger()
    assert "no confidence yet" in bar.work_label.text()
    desk.generate()
    tip = bar.confidence_label.toolTip()
    assert "have a source" in tip
    assert "Selection 1.00: all of it answers" in tip
    assert "Selection 1.00" in bar.confidence_label.accessibleDescription()
    desk.window.actions_table["confidence"].trigger()
    assert QToolTip.text() == tip
    QToolTip.hideText()


def test_the_confidence_is_that_of_the_page_as_it_stands(desk: OpenDesk) -> None:
    desk.generate()
    label = desk.window.parts.status_bar.confidence_label
    panel = desk.window.parts.draft_panel
    assert label.text() == "Draft confidence: low"
    desk.window.actions_table["keep-supported"].trigger()
    assert label.text() == "Draft confidence: medium"
    cursor = panel.editor.textCursor()
    cursor.select(cursor.SelectionType.Document)
    cursor.removeSelectedText()
    panel.refresh()
    # Nothing is stated, so there is nothing to trust.
    assert label.isHidden()
    desk.window.actions_table["keep-supported"].trigger()
    assert desk.window.parts.status_bar.work_label.text() == "There is no text in this draft"


def test_a_settled_one_is_no_problem_any_more_and_its_reason_is_kept(desk: OpenDesk) -> None:
    desk.generate()
    parts, flow = desk.window.parts, desk.window.discrepancy_flow
    panel = parts.problems_panel
    row = next(r for r in range(panel.list.count()) if "ranges" in panel.list.item(r).text())
    panel.list.setCurrentRow(row)
    chosen, open_before = panel.discrepancy_to_settle(), panel.total
    assert chosen is not None
    desk.window.actions_table["settle"].trigger()
    dialog = next(iter(desk.window.findChildren(QInputDialog)))
    dialog.setTextValue("The device's own range holds.")
    dialog.accept()
    assert panel.total == open_before - 1
    last = panel.list.item(panel.list.count() - 1).text()
    assert last == f"Settled: The device's own range holds.\n{chosen.message}"
    told = {chosen.message: "The device's own range holds."}
    desk.wait(lambda: (kept := desk.session.drafts.latest()) is not None and kept.settled == told)
    kept = desk.session.drafts.latest()
    assert kept is not None
    desk.window.draft_flow.shelf.new_draft()
    desk.window.draft_flow.shelf.show_draft(kept)
    assert panel.total == open_before - 1
    flow.settle(chosen, " ")
    assert panel.total == open_before
    assert parts.draft_panel.text.edit_log.settled == {}
