"""Versions are listed, compared and brought back; changed sources are followed or shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QWidget

from phasergun_desktop.drafts.differences import Change, Piece
from phasergun_desktop.grounding.model import ProblemCode
from phasergun_desktop.ui.dialogs.changed_sources_dialog import ChangedSourcesDialog
from phasergun_desktop.ui.dialogs.versions_dialog import VersionsDialog
from phasergun_desktop.ui.editor.difference_view import DifferenceView
from phasergun_desktop.ui.editor.problem_steps import drop
from phasergun_desktop.ui.theme import colours_for, dark_palette, light_palette
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_session import FakeSession
from tests.ui.colour_contrast import contrast
from tests.ui.conftest import OpenDesk
from tests.ui.test_proof_flow import FIRST, edit_kinds, go_to, snapshot, type_after


def opened(desk: OpenDesk, action: str, kind: type[QWidget]) -> QWidget:
    desk.window.actions_table[action].trigger()
    desk.wait(lambda: any(isinstance(w, kind) for w in desk.window.findChildren(QWidget)))
    return next(w for w in desk.window.findChildren(QWidget) if isinstance(w, kind))


def versions(desk: OpenDesk) -> VersionsDialog:
    dialog = opened(desk, "versions", VersionsDialog)
    assert isinstance(dialog, VersionsDialog)
    return dialog


def sources(desk: OpenDesk) -> ChangedSourcesDialog:
    dialog = opened(desk, "changed-sources", ChangedSourcesDialog)
    assert isinstance(dialog, ChangedSourcesDialog)
    return dialog


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every version that is saved is called “Sent to QA”."""
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args: ("Sent to QA", True))


# Versions -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("named")
def test_a_version_is_compared_and_restored_as_one_step(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["save-version"].trigger()
    desk.wait(lambda: "Sent to QA" in desk.window.parts.status_bar.work_label.text())
    before = desk.text()
    type_after(desk, "glucose", " and ketones")
    edited = desk.text()
    dialog = versions(desk)
    assert dialog.list.count() == 1
    item = dialog.list.item(0)
    assert item is not None
    assert item.text().startswith("“Sent to QA”\n")
    assert "Saved by you, " in item.text()
    desk.wait(lambda: bool(dialog.view.pieces))
    inserted = [p.text for p in dialog.view.pieces if p.change is Change.INSERTED]
    assert "".join(inserted).split() == ["and", "ketones"]
    assert not [p for p in dialog.view.pieces if p.change is Change.DELETED]
    assert dialog.summary.text().startswith("2 words inserted (underlined), 0 words deleted")
    html = dialog.view.toHtml()
    assert "underline" in html
    dialog.restore_button.click()
    desk.wait(lambda: desk.text() == before)
    assert edit_kinds(desk)[-1] == "restored"
    desk.window.parts.draft_panel.editor.setFocus()
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == edited
    desk.window.actions_table["redo"].trigger()
    assert desk.text() == before
    # Footnotes lead to their passages as before.
    for _number, _key, note in desk.window.parts.draft_panel.text.footnotes():
        text = desk.session.sources[note.file].document.text
        assert text[note.start : note.end] == note.quote


@pytest.mark.usefixtures("named")
def test_what_was_struck_is_shown_and_two_versions_can_be_compared(desk: OpenDesk) -> None:
    desk.generate()
    save = desk.window.actions_table["save-version"]
    save.trigger()
    desk.wait(lambda: len(desk.session.kept) == 1)
    go_to(desk, FIRST)
    desk.window.actions_table["keep-supported"].trigger()
    save.trigger()
    desk.wait(lambda: len(desk.session.kept) == 2)
    dialog = versions(desk)
    assert dialog.list.count() == 2
    desk.wait(lambda: dialog.summary.text() == "The words are the same.")
    dialog.list.setCurrentRow(1)
    desk.wait(lambda: any(p.change is Change.DELETED for p in dialog.view.pieces))
    assert "line-through" in dialog.view.toHtml()
    dialog.other.setCurrentIndex(2)
    desk.wait(lambda: dialog.summary.text() == "The words are the same.")
    dialog.reject()


def test_generating_keeps_a_version_of_the_draft_that_goes(desk: OpenDesk) -> None:
    desk.generate()
    first = snapshot(desk)
    type_after(desk, "glucose", " and ketones")
    desk.generate()
    kept = [(draft.draft_id, why) for draft, why, _name in desk.session.kept]
    assert kept == [(first.draft_id, "Before another draft was generated")]
    assert any("ketones" in unit.text for unit in desk.session.kept[0][0].units)


def test_a_difference_far_below_is_in_view(desk: OpenDesk) -> None:
    view = DifferenceView("Difference", desk.window)
    view.resize(300, 200)
    view.show()
    same = Piece(Change.SAME, "The same line.\n" * 200)
    view.show_pieces((same, Piece(Change.INSERTED, "What came.")))
    assert view.verticalScrollBar().value() > view.verticalScrollBar().maximum() / 2


def test_without_versions_it_says_so(desk: OpenDesk) -> None:
    desk.generate()
    dialog = versions(desk)
    assert dialog.summary.text() == "No version of this draft has been kept yet."
    assert not dialog.restore_button.isEnabled()
    dialog.reject()


@pytest.mark.parametrize("palette", [light_palette(), dark_palette()])
def test_differences_are_readable_in_light_and_dark(palette: QPalette) -> None:
    colours = colours_for(palette)
    base = palette.color(QPalette.ColorRole.Base)
    assert contrast(colours.good, base) >= 4.5
    assert contrast(colours.wrong, base) >= 4.5


def test_the_view_follows_the_palette(desk: OpenDesk) -> None:
    from phasergun_desktop.drafts.differences import word_differences

    view = DifferenceView("Difference")
    desk.qtbot.addWidget(view)
    for palette in (light_palette(), dark_palette()):
        view.setPalette(palette)
        view.show_pieces(word_differences("It is old.", "It is new."))
        assert colours_for(palette).good.name() in view.toHtml()


def test_what_is_shown_is_recoloured_where_it_stands(desk: OpenDesk) -> None:
    view = DifferenceView("Difference", desk.window)
    view.resize(300, 200)
    view.show()
    same = Piece(Change.SAME, "The same line.\n" * 200)
    view.setPalette(light_palette())
    view.show_pieces((Piece(Change.INSERTED, "What came."), same))
    view.verticalScrollBar().setValue(500)
    view.setPalette(dark_palette())
    assert colours_for(dark_palette()).good.name() in view.toHtml()
    assert colours_for(light_palette()).good.name() not in view.toHtml()
    assert view.verticalScrollBar().value() == 500


# Sources ------------------------------------------------------------------------------------


def _with_changes(desk: OpenDesk, changed: set[int], moved: set[int] = frozenset()) -> None:  # type: ignore[assignment]
    desk.session.changed, desk.session.moved = frozenset(changed), frozenset(moved)
    with desk.qtbot.waitSignal(desk.window.changed_sources_flow.sources_checked, timeout=10_000):
        desk.window.draft_flow.shelf.check_sources()


def test_a_quote_that_only_moved_is_followed_silently(desk: OpenDesk) -> None:
    desk.generate()
    old = {note.number: note for note in snapshot(desk).footnotes}
    _with_changes(desk, set(), {1})
    new = {note.number: note for note in snapshot(desk).footnotes}
    assert new[1].start == old[1].start + 40
    assert new[1].sha256 == "f" * 64
    assert new[2] == old[2]
    assert edit_kinds(desk) == ["moved"]
    panel = desk.window.parts.draft_panel
    assert panel.editor.highlighter.changed_footnotes == frozenset()
    item = panel.footnotes_box.list.item(0)
    assert item is not None
    assert "source changed" not in item.text()


def test_old_and_new_text_are_shown_and_the_new_place_is_used(desk: OpenDesk) -> None:
    desk.generate()
    _with_changes(desk, {1})
    panel = desk.window.parts.draft_panel
    item = panel.footnotes_box.list.item(0)
    assert item is not None
    assert "(source changed)" in item.text()
    dialog = sources(desk)
    assert dialog.list.count() == 1
    quote = snapshot(desk).footnotes[0].quote
    assert "".join(piece.text for piece in dialog.old.pieces) == quote
    inserted = [p.text for p in dialog.view.pieces if p.change is Change.INSERTED]
    assert "".join(inserted).startswith("Since revision C")
    dialog.use_button.click()
    desk.wait(lambda: dialog.list.count() == 0)
    note = snapshot(desk).footnotes[0]
    assert note.quote == f"Since revision C, {quote}"
    assert edit_kinds(desk) == ["rebound"]
    desk.wait(lambda: panel.editor.highlighter.changed_footnotes == frozenset())
    dialog.reject()


def test_a_sentence_that_the_new_text_does_not_carry_is_marked(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.carries = False
    _with_changes(desk, {3})
    dialog = sources(desk)
    dialog.use_button.click()
    desk.wait(lambda: "does not carry" in dialog.summary.text())
    marked = next(u for u in snapshot(desk).units if "GS-100" in u.text)
    assert [p.code for p in marked.problems] == [ProblemCode.SOURCE_CHANGED]
    assert any("something else now" in one.reason for one in
               desk.window.parts.draft_panel.sentences)  # fmt: skip
    assert desk.window.parts.draft_panel.editor.highlighter.changed_footnotes
    dialog.reject()


def test_of_a_document_that_is_gone_the_dialog_says_so(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.missing = frozenset({1})
    _with_changes(desk, set())
    dialog = sources(desk)
    assert dialog.where.text().endswith("Device-Description.docx: the document is gone.")
    assert "no document of this name any more" in dialog.summary.text()


def test_the_new_place_is_shown_in_the_source(desk: OpenDesk) -> None:
    desk.generate()
    _with_changes(desk, {1})
    dialog = sources(desk)
    with desk.qtbot.waitSignal(desk.window.parts.source_panel.shown, timeout=10_000):
        dialog.source_button.click()
    target = desk.window.parts.source_panel.target
    assert target is not None
    assert target.file == DEVICE
    assert target.quote.startswith("Since revision C")
    dialog.reject()


def test_without_changes_it_says_so(desk: OpenDesk) -> None:
    desk.generate()
    dialog = sources(desk)
    assert "stands where it is cited" in dialog.where.text()
    assert not dialog.use_button.isEnabled()
    dialog.reject()


def test_after_a_restart_the_moved_footnote_stands_at_its_new_place(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    desk.generate()
    _with_changes(desk, set(), {1})
    moved = snapshot(desk).footnotes[0]
    desk.window.close()

    def settled(session: FakeSession) -> None:
        session.moved = frozenset()

    again = open_desk(workspace=desk.workspace, settings=desk.settings, prepare=settled)
    again.wait(lambda: FIRST in again.text())
    assert snapshot(again).footnotes[0] == moved
    QTest.keyClicks(again.window.parts.draft_panel.editor, "Own. ")
    assert replace(snapshot(again).footnotes[0]) == moved


def _drop_first_sentence(desk: OpenDesk) -> None:
    """The footnotes behind it get other numbers."""
    go_to(desk, FIRST)
    desk.window.proof_flow.keep_edits()
    place = desk.window.proof_flow.revision.here()
    assert place is not None
    drop(desk.window.parts.draft_panel.editor.document(), [place])
    desk.wait(lambda: len(snapshot(desk).footnotes) > 0 and FIRST not in desk.text())


def _key_of(desk: OpenDesk, number: int) -> int:
    numbers = desk.window.parts.draft_panel.editor.numbers()
    return next(key for key, one in numbers.items() if one == number)


def test_what_is_found_holds_for_its_footnote_though_the_text_moved(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    moved, changed, gone = _key_of(desk, 2), _key_of(desk, 3), _key_of(desk, 4)
    before = dict(panel.book.footnotes)
    desk.session.moved, desk.session.changed = frozenset({2}), frozenset({3, 4})
    with desk.qtbot.waitSignal(desk.window.changed_sources_flow.sources_checked, timeout=10_000):
        desk.window.draft_flow.shelf.check_sources()
        _drop_first_sentence(desk)
    assert panel.editor.numbers()[changed] != 3 or panel.editor.numbers()[moved] != 2
    assert panel.book.footnotes[moved].start == before[moved].start + 40
    assert panel.editor.highlighter.changed_footnotes == {changed, gone}
    assert all(panel.book.footnotes[key] == before[key] for key in before if key != moved)


def test_the_new_place_is_used_for_its_footnote_though_the_text_moved(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    key = _key_of(desk, 3)
    before = dict(panel.book.footnotes)
    _with_changes(desk, {3})
    dialog = sources(desk)
    _drop_first_sentence(desk)
    today = panel.editor.numbers()[key]
    assert desk.window.changed_sources_flow.changes[key].note.number == today
    desk.session.changed = frozenset({today})
    dialog.use_button.click()
    desk.wait(lambda: dialog.list.count() == 0)
    assert panel.book.footnotes[key].quote == f"Since revision C, {before[key].quote}"
    assert all(panel.book.footnotes[one] == before[one] for one in before if one != key)
    dialog.reject()


def test_a_footnote_that_was_taken_out_cannot_be_bound_anew(desk: OpenDesk) -> None:
    desk.generate()
    _with_changes(desk, {3})
    dialog = sources(desk)
    desk.window.parts.draft_panel.editor.selectAll()
    desk.window.parts.draft_panel.editor.textCursor().removeSelectedText()
    dialog.use_button.click()
    assert "no mark of this footnote" in dialog.summary.text()
    assert desk.window.changed_sources_flow.changes == {}
    dialog.reject()
