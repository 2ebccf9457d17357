"""The proof of a draft stays true while it is edited: checked again, accepted, written again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support, UnitKind
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.editor.marks import find_marks
from phasergun_desktop.ui.editor.problem_steps import is_accepted
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_units import footnote
from tests.ui.conftest import OpenDesk

FIRST = "The α-Sense meter measures glucose amperometrically."
HOSPITAL = "It is intended for a hospital setting."


def go_to(desk: OpenDesk, words: str) -> None:
    """Put the cursor behind the first letter of ``words``."""
    text = desk.text()
    start = len(text[: text.index(words)].encode("utf-16-le")) // 2
    desk.window.parts.draft_panel.editor.move_cursor(start + 1)


def snapshot(desk: OpenDesk) -> Draft:
    draft = desk.window.parts.draft_panel.snapshot()
    assert draft is not None
    return draft


def unit_of(desk: OpenDesk, words: str) -> DraftSentence:
    return next(unit for unit in snapshot(desk).units if words in unit.text)


def type_after(desk: OpenDesk, words: str, typed: str) -> None:
    go_to(desk, words)
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(editor.textCursor().position() + len(words) - 1)
    QTest.keyClicks(editor, typed)


def edit_kinds(desk: OpenDesk) -> list[str]:
    return [edit.kind.value for edit in snapshot(desk).edits]


# Checked again ------------------------------------------------------------------------------


def test_changed_words_are_checked_when_typing_stops(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    type_after(desk, "glucose", " in an ambulance")
    changed = FIRST.replace("glucose", "glucose in an ambulance")
    assert unit_of(desk, "ambulance").needs_check
    panel.refresh()
    key = next(place.key for place in desk.window.proof_flow.revision.places() if "ambulance"
               in place.text)  # fmt: skip
    assert key in panel.book.stale
    assert "Not checked again yet" in hover_html(
        replace(panel.book.units[key], needs_check=key in panel.book.stale)
    )
    with desk.qtbot.waitSignal(desk.window.proof_flow.checked, timeout=10_000):
        pass
    assert desk.session.checks == [(changed,)]
    unit = unit_of(desk, "ambulance")
    assert (unit.support, unit.needs_check) == (Support.UNSUPPORTED, False)
    assert any(changed in one.text for one in panel.sentences)
    assert edit_kinds(desk) == ["edited"]
    assert [(edit.before, edit.after) for edit in snapshot(desk).edits] == [(FIRST, changed)]
    desk.wait(lambda: len(desk.session.edits) == 1)
    # Undone, it is known what carries it: nothing needs to be checked.
    while "ambulance" in desk.text():
        desk.window.actions_table["undo"].trigger()
    desk.window.proof_flow.settle()
    assert unit_of(desk, FIRST).support is Support.SUPPORTED
    assert len(desk.session.checks) == 1
    assert edit_kinds(desk) == ["edited", "edited"]


def test_a_check_under_way_does_not_touch_newer_words(desk: OpenDesk) -> None:
    desk.generate()
    type_after(desk, "glucose", " in an ambulance")
    with desk.qtbot.waitSignal(desk.window.proof_flow.checked, timeout=10_000):
        desk.window.proof_flow.settle()
        type_after(desk, "ambulance", " or a train")
    unit = unit_of(desk, "or a train")
    assert unit.needs_check
    with desk.qtbot.waitSignal(desk.window.proof_flow.checked, timeout=10_000):
        pass
    assert not unit_of(desk, "or a train").needs_check


def test_a_typed_paragraph_does_not_stop_the_checking(desk: OpenDesk) -> None:
    desk.session.unsupported = ("63 g", "ambulance")
    desk.generate()
    panel = desk.window.parts.draft_panel
    go_to(desk, HOSPITAL)
    panel.editor.move_cursor(panel.editor.textCursor().position() + len(HOSPITAL) - 1)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "The meter weighs 63 g.")
    type_after(desk, "glucose", " in an ambulance")
    desk.wait(lambda: {"63 g", "ambulance"} <= {
        word for one in panel.sentences for word in ("63 g", "ambulance") if word in one.text
    })  # fmt: skip
    own = unit_of(desk, "63 g")
    assert (own.is_own, own.citations, own.support) == (True, (), Support.UNSUPPORTED)
    assert unit_of(desk, HOSPITAL).problems
    # The checking has ended: nothing changes any more, and nothing is left to check.
    changes: list[None] = []
    panel.changed.connect(lambda: changes.append(None))
    desk.qtbot.wait(600)
    assert not changes
    assert not any(one.needs_check for one in snapshot(desk).units)
    # A line of the writer's own is theirs: what clears the page of unsupported text leaves it.
    desk.window.actions_table["keep-supported"].trigger()
    assert "63 g" in desk.text()
    assert "ambulance" not in desk.text()
    # They may answer for it.
    go_to(desk, "The meter weighs")
    desk.window.actions_table["mark-checked"].trigger()
    assert unit_of(desk, "63 g").is_accepted
    assert not any("63 g" in one.text for one in panel.sentences)
    desk.window.proof_flow.settle()
    assert edit_kinds(desk)[-1] == "accepted"


def test_a_pasted_page_is_checked_in_parts_to_its_end(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    panel.editor.move_cursor(panel.editor.document().characterCount() - 1)
    panel.editor.insertPlainText("\n" + "\n".join(f"Line {n} is mine." for n in range(30)))
    desk.wait(lambda: sum(map(len, desk.session.checks)) == 30)
    desk.wait(lambda: not any(one.needs_check for one in snapshot(desk).units))
    assert max(map(len, desk.session.checks)) == 12


def test_a_statement_without_a_source_has_a_line_of_its_own(desk: OpenDesk) -> None:
    desk.session.unsupported = ("proud",)
    desk.generate()
    panel = desk.window.parts.draft_panel
    panel.editor.move_cursor(panel.editor.document().characterCount() - 1)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return)
    QTest.keyClicks(panel.editor, "We are proud.")
    desk.wait(lambda: any("proud" in one.text for one in panel.sentences))
    block = panel.editor.textCursor().block()
    styles = {one.format.underlineStyle() for one in block.layout().formats()}
    assert QTextCharFormat.UnderlineStyle.DashUnderline in styles


def test_words_that_were_not_checked_are_checked_after_a_restart(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    desk.generate()
    type_after(desk, "glucose", " in an ambulance")
    desk.window.close()
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert [unit.needs_check for unit in kept.units if "ambulance" in unit.text] == [True]
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    with again.qtbot.waitSignal(again.window.proof_flow.checked, timeout=10_000):
        pass
    assert unit_of(again, "ambulance").support is Support.UNSUPPORTED


def test_the_standards_stay_with_an_edited_draft(desk: OpenDesk) -> None:
    standard = Footnote(1, "standard", "[1] Regulatory Standard: ISO 15197", "ISO 15197")
    draft = Draft("d", "T", "", "", "complete", (DraftSentence("It follows ISO 15197."),),
                  (standard,), "2026-01-01", "2026-01-01")  # fmt: skip
    panel = desk.window.parts.draft_panel
    panel.open_draft(draft)
    QTest.keyClicks(panel.editor, "Own. ")
    assert snapshot(desk).footnotes == (standard,)


# Accepted -----------------------------------------------------------------------------------


def test_accepting_holds_for_the_words_and_comes_back(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.generate()
    table = desk.window.actions_table
    go_to(desk, HOSPITAL)
    table["mark-checked"].trigger()
    unit = unit_of(desk, "hospital")
    assert unit.is_accepted
    assert unit.support is Support.UNSUPPORTED
    assert unit.problems
    assert edit_kinds(desk) == ["accepted"]
    problems = [one.text for one in desk.window.parts.draft_panel.sentences]
    assert HOSPITAL not in problems
    tip = hover_html(unit)
    assert "Checked by you on" in tip
    assert "No source of the plan states this." in tip
    # It is kept where nothing else without a source is.
    table["keep-supported"].trigger()
    assert HOSPITAL in desk.text()
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: HOSPITAL in again.text())
    assert unit_of(again, "hospital").accepted == unit.accepted
    # An acceptance is of these words, not of others.
    type_after(again, "hospital", " or home")
    assert not unit_of(again, "or home").is_accepted
    panel = again.window.parts.draft_panel
    panel.refresh()
    place = next(p for p in again.window.proof_flow.revision.places() if "or home" in p.text)
    assert not is_accepted(place, panel.book)
    again.window.proof_flow.settle()
    assert edit_kinds(again) == ["accepted", "edited", "withdrawn"]


def test_any_sentence_and_row_can_be_accepted_and_taken_back(desk: OpenDesk) -> None:
    desk.generate()
    accept = desk.window.actions_table["mark-checked"]
    for words in (FIRST, "GS-100"):
        go_to(desk, words)
        accept.trigger()
        assert unit_of(desk, words).is_accepted
        accept.trigger()
        assert not unit_of(desk, words).is_accepted
    go_to(desk, "Device Description")
    accept.trigger()
    assert not any(unit.is_accepted for unit in snapshot(desk).units)
    desk.window.actions_table["undo"].trigger()
    assert unit_of(desk, "GS-100").is_accepted


# Keep only supported, TODOs -----------------------------------------------------------------


def _draft(*units: DraftSentence) -> Draft:
    return Draft("d", "T", "", "", "complete", units, (), "2026-01-01", "2026-01-01")


def _bad(text: str, **more: object) -> DraftSentence:
    return DraftSentence(text, support=Support.UNSUPPORTED, **more)  # type: ignore[arg-type]


def test_headings_and_tables_of_which_nothing_is_left_go_too(desk: OpenDesk) -> None:
    heading = UnitKind.HEADING
    row = UnitKind.TABLE_ROW
    draft = _draft(
        DraftSentence("Title", heading, level=1),
        DraftSentence("Empty soon", heading, level=2),
        _bad("Nothing carries this.", starts_paragraph=True),
        _bad("Nor this."),
        DraftSentence("Kept", heading, level=2),
        DraftSentence("Carried.", starts_paragraph=True),
        _bad("Not carried."),
        DraftSentence("Denied.", support=Support.CONTRADICTED),
        DraftSentence("A | B", row, cells=("A", "B"), is_header=True),
        _bad("1 | 2", kind=row, cells=("1", "2")),
        DraftSentence("Gap", heading, level=2),
        DraftSentence("[TODO: the shelf life]", UnitKind.TODO, starts_paragraph=True),
        DraftSentence("Never had text", heading, level=2),
    )
    panel = desk.window.parts.draft_panel
    panel.open_draft(draft)
    before = [(unit.kind, unit.text) for unit in snapshot(desk).units]
    desk.window.actions_table["keep-supported"].trigger()
    assert [unit.text for unit in snapshot(desk).units] == [
        "Title",
        "Kept",
        "Carried.",
        "Gap",
        "[TODO: the shelf life]",
        "Never had text",
    ]
    panel.editor.setFocus()
    desk.window.actions_table["undo"].trigger()
    assert [(unit.kind, unit.text) for unit in snapshot(desk).units] == before


def test_of_a_table_only_the_rows_without_a_source_go(desk: OpenDesk) -> None:
    row = UnitKind.TABLE_ROW
    desk.window.parts.draft_panel.open_draft(
        _draft(
            DraftSentence("A | B", row, cells=("A", "B"), is_header=True),
            DraftSentence("1 | 2", row, cells=("1", "2")),
            _bad("3 | 4", kind=row, cells=("3", "4")),
        )
    )
    desk.window.actions_table["keep-supported"].trigger()
    assert [unit.cells for unit in snapshot(desk).units] == [("A", "B"), ("1", "2")]


def test_every_gap_becomes_a_todo_in_one_step(desk: OpenDesk) -> None:
    row = UnitKind.TABLE_ROW
    draft = _draft(
        DraftSentence("[TODO: the documents searched say nothing on the shelf life]",
                      UnitKind.TODO, starts_paragraph=True),
        _bad("It is sterile.", starts_paragraph=True),
        DraftSentence("Carried."),
        _bad("Accepted.", accepted="2026-01-01T00:00:00+00:00"),
        DraftSentence("A | B", row, cells=("A", "B"), is_header=True),
        _bad("Weight | not stated", kind=row, cells=("Weight", "not stated")),
    )  # fmt: skip
    desk.window.parts.draft_panel.open_draft(draft)
    before = desk.text()
    where = "; a document that states it belongs in Context/Ongoing]"
    desk.window.actions_table["todo-all"].trigger()
    units = snapshot(desk).units
    assert [unit.text for unit in units] == [
        f"[TODO: the shelf life{where}",
        f"[TODO: a source for “It is sterile”{where}",
        "Carried.",
        "Accepted.",
        "A | B",
        f"Weight | [TODO: a source for “Weight | not stated”{where}",
    ]
    assert [unit.kind for unit in units[:2]] == [UnitKind.TODO] * 2
    assert edit_kinds(desk)[:2] == ["todo", "todo"]
    text = desk.text()
    desk.window.actions_table["todo-all"].trigger()
    assert desk.text() == text
    desk.window.parts.draft_panel.editor.setFocus()
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


# Written again ------------------------------------------------------------------------------


def rewriting(desk: OpenDesk, action: str) -> None:
    with desk.qtbot.waitSignal(desk.window.proof_flow.running_changed, timeout=10_000):
        desk.window.actions_table[action].trigger()
    desk.wait(lambda: not desk.window.proof_flow.is_running)


def test_a_sentence_is_written_again_and_footnotes_keep_their_identity(desk: OpenDesk) -> None:
    desk.generate()
    note = footnote(9, desk.session.sources[DEVICE], "A measurement takes 5 s")
    desk.session.new_notes = (note,)
    desk.session.rewritten = (DraftSentence("A measurement takes 5 s.", citations=(9, 1), point=0),)
    before, marks = desk.text(), [one.footnote for one in find_marks(
        desk.window.parts.draft_panel.editor.document())]  # fmt: skip
    go_to(desk, "A measurement takes 7 s")
    rewriting(desk, "rewrite-sentence")
    assert "7 s" not in desk.text()
    units = snapshot(desk).units
    unit = next(one for one in units if "5 s" in one.text)
    notes = {one.number: one for one in snapshot(desk).footnotes}
    assert [notes[n].quote for n in unit.citations] == [note.quote, notes[1].quote]
    others = find_marks(desk.window.parts.draft_panel.editor.document())
    new = max(one.footnote for one in others)
    assert [one.footnote for one in others if one.footnote != new] == marks
    assert edit_kinds(desk) == ["regenerated"]
    assert (snapshot(desk).edits[0].before, snapshot(desk).edits[0].after) == (
        "A measurement takes 7 s.",
        "A measurement takes 5 s.",
    )
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


def test_a_paragraph_is_written_again_as_one_step(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.rewritten = (
        DraftSentence("One new sentence.", citations=(1,), starts_paragraph=True),
        DraftSentence("And another.", citations=(2,)),
    )
    before = desk.text()
    go_to(desk, HOSPITAL)
    rewriting(desk, "rewrite-paragraph")
    assert "One new sentence." in desk.text()
    for gone in (FIRST, "like range", HOSPITAL, "7 s"):
        assert gone not in desk.text()
    assert "GS-100" in desk.text()
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


def test_what_is_worse_is_told_and_nothing_changes(desk: OpenDesk) -> None:
    desk.generate()
    before = desk.text()
    go_to(desk, FIRST)
    rewriting(desk, "rewrite-sentence")
    assert desk.text() == before
    assert "wrote the same" in desk.window.parts.status_bar.work_label.text()


def test_words_that_changed_meanwhile_are_left(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.rewritten = (DraftSentence("Other words.", citations=(1,)),)
    desk.session.rewrite_gate = threading.Event()
    go_to(desk, FIRST)
    desk.window.actions_table["rewrite-sentence"].trigger()
    type_after(desk, "glucose", " and more")
    desk.session.rewrite_gate.set()
    desk.wait(lambda: not desk.window.proof_flow.is_running)
    assert "glucose and more" in desk.text()
    assert "Other words." not in desk.text()
    assert "changed meanwhile" in desk.window.parts.status_bar.work_label.text()


def test_writing_again_can_be_stopped(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.rewrite_gate = threading.Event()
    before = desk.text()
    table = desk.window.actions_table
    go_to(desk, FIRST)
    table["rewrite-sentence"].trigger()
    assert table["stop"].isEnabled()
    assert not table["generate"].isEnabled()
    desk.wait(lambda: "Writing again" in desk.window.parts.status_bar.work_label.text())
    table["stop"].trigger()
    desk.wait(lambda: not desk.window.proof_flow.is_running)
    assert desk.text() == before
    assert table["generate"].isEnabled()
    assert not table["stop"].isEnabled()


@pytest.mark.parametrize("words", ["Device Description", "GS-100"])
def test_headings_and_rows_are_not_written_again(desk: OpenDesk, words: str) -> None:
    desk.generate()
    go_to(desk, words)
    desk.window.actions_table["rewrite-sentence"].trigger()
    assert not desk.window.proof_flow.is_running
    assert "no sentence of the sources" in desk.window.parts.status_bar.work_label.text()


def test_the_quiet_line_is_not_a_wave(desk: OpenDesk) -> None:
    desk.generate()
    go_to(desk, HOSPITAL)
    desk.window.actions_table["mark-checked"].trigger()
    block = desk.window.parts.draft_panel.editor.textCursor().block()
    styles = {one.format.underlineStyle() for one in block.layout().formats()}
    assert QTextCharFormat.UnderlineStyle.SingleUnderline in styles


def test_a_project_that_is_left_stops_writing_again(
    desk: OpenDesk, open_desk: Callable[..., OpenDesk]
) -> None:
    del open_desk
    desk.generate()
    desk.session.rewrite_gate = threading.Event()
    go_to(desk, FIRST)
    desk.window.actions_table["rewrite-sentence"].trigger()
    desk.window.proof_flow.set_session(None)
    desk.wait(lambda: not desk.window.proof_flow.is_running)
