"""A text is rewritten as the writer says: asked under the draft, shown beside the old, taken."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from phasergun_desktop.drafts.differences import Change
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
)
from phasergun_desktop.ui.editor.rewrite_bar import RewriteBar
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_units import footnote
from tests.ui.conftest import OpenDesk

FIRST = "The α-Sense meter measures glucose amperometrically."
HOSPITAL = "It is intended for a hospital setting."
SEVEN = "A measurement takes 7 s."


def go_to(desk: OpenDesk, words: str, end: str = "") -> None:
    """Put the cursor into ``words``, or select from there into ``end``."""
    editor, text = desk.window.parts.draft_panel.editor, desk.text()

    def at(wanted: str) -> int:
        return len(text[: text.index(wanted)].encode("utf-16-le")) // 2 + 1

    editor.move_cursor(at(words))
    if end:
        cursor = editor.textCursor()
        cursor.setPosition(at(end), cursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
    editor.setFocus()


def bar_of(desk: OpenDesk) -> RewriteBar:
    return desk.window.parts.rewrite_bar


def ask(desk: OpenDesk, wish: str) -> RewriteBar:
    """Open the bar with its key and press Return behind a wish."""
    bar = bar_of(desk)
    QTest.keyClick(desk.window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert bar.isVisible()
    assert bar.box.hasFocus()
    QTest.keyClicks(bar.box, wish)
    QTest.keyClick(bar.box, Qt.Key.Key_Return)
    return bar


def proposal(desk: OpenDesk, wish: str = "shorter") -> RewriteBar:
    bar = ask(desk, wish)
    desk.wait(lambda: bar.has_proposal and not desk.window.proof_flow.is_running)
    return bar


def snapshot(desk: OpenDesk) -> Draft:
    draft = desk.window.parts.draft_panel.snapshot()
    assert draft is not None
    return draft


def shown(bar: RewriteBar) -> tuple[str, str]:
    return bar.old.toPlainText(), bar.new.toPlainText()


def write_five_seconds(desk: OpenDesk) -> None:
    """Let the model write another value than the source has, citing a new passage."""
    note = footnote(9, desk.session.sources[DEVICE], "A measurement takes 5 s")
    wrong = SentenceProblem(ProblemCode.VALUE_MISSING, "5 s", "“5 s” is in no cited passage.")
    desk.session.new_notes = (note,)
    desk.session.rewritten = (
        DraftSentence("A measurement takes 5 s.", citations=(9, 1), support=Support.PARTLY,
                      problems=(wrong,), point=0),
    )  # fmt: skip
    desk.session.lost = ("7 s",)


def test_old_and_new_stand_side_by_side_with_what_was_found(desk: OpenDesk) -> None:
    desk.generate()
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    before = desk.text()
    bar = proposal(desk, "say 5 s")
    assert desk.session.wishes == ["say 5 s"]
    old, new = shown(bar)
    assert "7" in old
    assert "5" not in old
    assert "5" in new
    assert "7" not in new
    assert "¹" in new
    assert next(p.text for p in bar.new.pieces if p.change is Change.INSERTED) == "5"
    assert "line-through" in bar.old.toHtml()
    assert "“5 s” is in no cited passage." in bar.verdict.text()
    assert "It no longer says: 7 s." in bar.verdict.text()
    assert desk.text() == before


def test_return_takes_it_as_one_step_marked_and_with_its_footnotes(desk: OpenDesk) -> None:
    desk.generate()
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    before = desk.text()
    bar = proposal(desk)
    QTest.keyClick(bar.accept_button, Qt.Key.Key_Return)
    assert not bar.isVisible()
    assert desk.window.parts.draft_panel.editor.hasFocus()
    unit = next(one for one in snapshot(desk).units if "5 s" in one.text)
    notes = {one.number: one.quote for one in snapshot(desk).footnotes}
    assert notes[unit.citations[0]] == "A measurement takes 5 s"
    assert (unit.support, unit.needs_check) == (Support.PARTLY, False)
    assert any("5 s" in one.text for one in desk.window.parts.draft_panel.sentences)
    assert [edit.kind.value for edit in snapshot(desk).edits] == ["regenerated"]
    desk.wait(lambda: [why for _, why, _ in desk.session.kept] == ["Before a part was rewritten"])
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


def test_escape_and_the_button_leave_everything(desk: OpenDesk) -> None:
    desk.generate()
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    before = desk.text()
    bar = proposal(desk)
    QTest.keyClick(bar.new, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    go_to(desk, SEVEN)
    bar.box.clear()
    bar = proposal(desk)
    QTest.mouseClick(bar.reject_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert desk.text() == before
    assert desk.session.kept == []
    # Return on the button that rejects rejects.
    go_to(desk, SEVEN)
    bar.box.clear()
    bar = proposal(desk)
    bar.reject_button.setFocus()
    QTest.keyClick(bar.reject_button, Qt.Key.Key_Return)
    assert not bar.isVisible()
    assert desk.text() == before


def test_another_wish_can_follow_before_anything_is_taken(desk: OpenDesk) -> None:
    desk.generate()
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    bar = proposal(desk, "longer")
    bar.box.setFocus()
    bar.box.selectAll()
    QTest.keyClicks(bar.box, "shorter")
    QTest.keyClick(bar.box, Qt.Key.Key_Return)
    assert "7 s" in desk.text()
    desk.wait(lambda: bar.has_proposal and not desk.window.proof_flow.is_running)
    assert desk.session.wishes == ["longer", "shorter"]
    assert "7 s" in desk.text()
    QTest.mouseClick(bar.accept_button, Qt.MouseButton.LeftButton)
    assert "5 s" in desk.text()


def test_what_is_selected_and_the_whole_paragraph_are_aimed_at(desk: OpenDesk) -> None:
    desk.generate()
    editor, bar = desk.window.parts.draft_panel.editor, bar_of(desk)
    act = desk.window.actions_table["rewrite-as-asked"]
    go_to(desk, FIRST, HOSPITAL)
    act.trigger()
    assert "sentences" in bar.about.text()
    assert FIRST[:-1] in editor.textCursor().selectedText()
    assert HOSPITAL[:-1] in editor.textCursor().selectedText()
    bar.left.emit()
    go_to(desk, HOSPITAL)
    act.trigger()
    assert "this sentence" in bar.about.text()
    assert FIRST[:10] not in editor.textCursor().selectedText()
    act.trigger()
    assert "this paragraph" in bar.about.text()
    assert FIRST[:10] in editor.textCursor().selectedText()
    act.trigger()
    assert "this sentence" in bar.about.text()
    assert FIRST[:10] not in editor.textCursor().selectedText()


def test_several_paragraphs_are_one_undo_step(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    panel.editor.move_cursor(panel.editor.document().characterCount() - 1)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "The last line is mine.")
    panel.refresh()
    desk.window.proof_flow.settle()
    before = desk.text()
    desk.session.rewritten_each = True
    go_to(desk, SEVEN, "last line")
    bar = proposal(desk)
    assert shown(bar)[1].count("Rewritten") >= 2
    QTest.keyClick(bar.accept_button, Qt.Key.Key_Return)
    assert desk.text().count("Rewritten") >= 2
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


def test_it_can_be_stopped_and_asked_again(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.rewrite_gate = threading.Event()
    before = desk.text()
    go_to(desk, FIRST)
    bar = ask(desk, "shorter")
    assert not bar.box.isEnabled()
    desk.wait(lambda: "Writing again" in desk.window.parts.status_bar.work_label.text())
    QTest.keyClick(desk.window, Qt.Key.Key_Escape)
    desk.wait(lambda: not desk.window.proof_flow.is_running)
    assert desk.text() == before
    assert bar.isVisible()
    assert bar.box.isEnabled()
    assert bar.box.text() == "shorter"
    assert not bar.has_proposal
    QTest.keyClick(bar.box, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_without_a_model_it_says_what_to_do(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk(prepare=lambda session: setattr(session, "model_problem", "Choose one."))
    desk.generate()
    go_to(desk, FIRST)
    desk.window.actions_table["rewrite-as-asked"].trigger()
    assert not bar_of(desk).isVisible()
    assert "needs a language model. Choose one." in desk.window.parts.message_bar.message


def test_what_came_to_nothing_is_told_and_words_that_changed_are_left(desk: OpenDesk) -> None:
    desk.generate()
    go_to(desk, FIRST)
    bar = ask(desk, "shorter")
    work = desk.window.parts.status_bar.work_label
    desk.wait(lambda: "wrote the same" in work.text())
    desk.wait(bar.box.isEnabled)
    assert not bar.has_proposal
    QTest.keyClick(bar.box, Qt.Key.Key_Escape)
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    bar.box.clear()
    bar = proposal(desk)
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(editor.textCursor().selectionStart() + 3)
    QTest.keyClicks(editor, "new")
    QTest.mouseClick(bar.accept_button, Qt.MouseButton.LeftButton)
    assert "5 s" not in desk.text()
    assert "changed meanwhile" in work.text()


def test_headings_are_not_rewritten_and_another_draft_puts_the_bar_away(desk: OpenDesk) -> None:
    desk.generate()
    bar = bar_of(desk)
    go_to(desk, "Device Description")
    desk.window.actions_table["rewrite-as-asked"].trigger()
    assert not bar.isVisible()
    assert "no sentence of the sources" in desk.window.parts.status_bar.work_label.text()
    write_five_seconds(desk)
    go_to(desk, SEVEN)
    bar = proposal(desk)
    desk.window.actions_table["new-draft"].trigger()
    assert not bar.isVisible()
