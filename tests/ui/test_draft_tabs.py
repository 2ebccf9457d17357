"""Several drafts are open in tabs; each is where it was left, and none loses a word."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.settings.model import Settings, WindowLayout
from phasergun_desktop.ui.editor.draft_tabs import NARROWEST, NEW, WIDEST, DraftTabs
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import when_in_short
from tests.fakes.ui_desk_stores import FakeSettings
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk

LONG = "Verification and validation of the measuring range under all conditions of use"


def _kept(session: FakeSession, *titles: str) -> None:
    for title in titles:
        words = "".join(f"<p>{title} paragraph {n} says a thing.</p>" for n in range(120))
        session.drafts.save(
            Draft(
                draft_id=title.lower().replace(" ", "-"),
                title=title,
                prompt_file="",
                prompt="",
                status="complete",
                units=(DraftSentence(f"{title} paragraph 0 says a thing."),),
                footnotes=(),
                created="2026-01-01T00:00:00+00:00",
                modified="2026-01-01T00:00:00+00:00",
                edited_html=words,
            )
        )


def _tabs(desk: OpenDesk) -> DraftTabs:
    return desk.window.parts.draft_tabs


def _titles(desk: OpenDesk) -> list[str]:
    return [_tabs(desk).tabText(at) for at in range(_tabs(desk).count())]


def _on_desk(desk: OpenDesk) -> str:
    draft = desk.window.parts.draft_panel.draft
    return draft.title if draft is not None else ""


def _open(desk: OpenDesk, *draft_ids: str) -> None:
    shelf = desk.window.draft_flow.shelf
    for draft_id in draft_ids:
        with desk.qtbot.waitSignal(shelf.settled):
            shelf.open_draft(draft_id)


def _leave_for(desk: OpenDesk, draft_id: str) -> None:
    """Open another draft, and wait until the one before is known to be kept: what the desk holds
    unsaved goes before what is stored."""
    _open(desk, draft_id)
    desk.wait(lambda: not desk.window.draft_flow.shelf.autosave.unsaved_of(desk.session))


def _select_in_list(desk: OpenDesk, title: str) -> None:
    tree = desk.window.parts.project_panel.tree
    model = tree.model()
    tree.setFocus()
    for row in range(model.rowCount()):
        group = model.index(row, 0)
        for below in range(model.rowCount(group) if group.data() == "Drafts" else 0):
            if model.index(below, 0, group).data() == title:
                tree.setCurrentIndex(model.index(below, 0, group))
                return
    raise AssertionError(title)


def _three(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    desk = open_desk(prepare=lambda session: _kept(session, "One", "Two", "Three"))
    desk.wait(lambda: _titles(desk) == ["Three"])
    _open(desk, "one", "two")
    desk.window.parts.draft_panel.editor.setFocus()
    return desk


def _click(desk: OpenDesk, title: str, button: Qt.MouseButton) -> None:
    tabs = _tabs(desk)
    where = tabs.tabRect(_titles(desk).index(title)).center() - QPoint(12, 0)
    QTest.mouseClick(tabs, button, Qt.KeyboardModifier.NoModifier, where)


def test_each_draft_that_is_opened_has_a_tab(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    assert _titles(desk) == ["Three", "One", "Two"]
    assert _tabs(desk).currentIndex() == 2
    _click(desk, "One", Qt.MouseButton.LeftButton)
    desk.wait(lambda: _on_desk(desk) == "One")
    assert desk.text().startswith("One paragraph 0")
    assert desk.window.parts.draft_panel.editor.hasFocus()
    _open(desk, "two")
    assert _titles(desk) == ["Three", "One", "Two"]
    assert _tabs(desk).currentIndex() == 2


def test_one_empty_page_has_no_tab_and_words_give_it_one(desk: OpenDesk) -> None:
    assert not _tabs(desk).isVisible()
    desk.window.parts.draft_panel.editor.setFocus()
    editor = desk.window.parts.draft_panel.editor
    # Its name is its first line, as long as that is being typed.
    QTest.keyClicks(editor, "Scope of it\rMore")
    assert _titles(desk) == ["Scope of it"]
    assert _tabs(desk).isVisible()
    editor.move_cursor(0)
    QTest.keyClicks(editor, "The ")
    assert _titles(desk) == ["Scope of it"]
    desk.window.actions_table["new-draft"].trigger()
    assert _titles(desk) == ["Scope of it", "New draft"]
    # Nothing was written there: leaving it leaves nothing behind.
    desk.window.actions_table["next-draft"].trigger()
    desk.wait(lambda: desk.text() == "The Scope of it\nMore")
    assert _titles(desk) == ["Scope of it"]
    # A name that the writer gave stays.
    desk.window.actions_table["new-draft"].trigger()
    QTest.keyClicks(editor, "Risk")
    desk.window.draft_list_flow.rename(desk.window.draft_tab_flow.on_desk, "Mine")
    QTest.keyClicks(editor, "s of use")
    assert _titles(desk) == ["Scope of it", "Mine"]


def test_many_tabs_can_still_be_told_apart(open_desk: Callable[..., OpenDesk]) -> None:
    titles = [f"{LONG} {n}" for n in range(9)]
    desk = open_desk(prepare=lambda session: _kept(session, *titles))
    desk.wait(lambda: len(_titles(desk)) == 1)
    _open(desk, *(one.lower().replace(" ", "-") for one in titles[:-1]))
    tabs = _tabs(desk)
    assert tabs.count() == 9
    narrowest = NARROWEST * tabs.fontMetrics().averageCharWidth()
    assert {tabs.tabRect(at).width() for at in range(9)} == {narrowest}
    # The one in view is not scrolled out of it.
    assert 0 <= tabs.tabRect(tabs.currentIndex()).left() < tabs.width() - 100


def test_drafts_of_one_name_are_told_by_their_time_as_in_the_list(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = _three(open_desk)
    desk.window.draft_list_flow.rename("one", "Two")

    def shown(draft_id: str) -> str:
        return f"Two, {when_in_short(desk.session.drafts.load(draft_id).modified)}"

    # The one on the desk too.
    desk.wait(lambda: _titles(desk) == ["Three", shown("one"), shown("two")])
    desk.window.draft_list_flow.rename("one", "One")
    desk.wait(lambda: _titles(desk) == ["Three", "One", "Two"])


def test_the_keys_of_a_browser_switch_drafts(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    editor = desk.window.parts.draft_panel.editor
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(editor, Qt.Key.Key_Tab, control)
    desk.wait(lambda: _on_desk(desk) == "Three")
    QTest.keyClick(editor, Qt.Key.Key_Backtab, control | shift)
    desk.wait(lambda: _on_desk(desk) == "Two")
    QTest.keyClick(editor, Qt.Key.Key_W, control)
    desk.wait(lambda: _on_desk(desk) == "One")
    assert _titles(desk) == ["Three", "One"]


def test_cursor_and_view_are_where_they_were(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    editor = desk.window.parts.draft_panel.editor
    # The view is far below the cursor.
    editor.move_cursor(40, anchor=30)
    editor.verticalScrollBar().setValue(1500)
    first = editor.cursorForPosition(QPoint(0, 0)).block().text()
    _open(desk, "one")
    assert editor.verticalScrollBar().value() == 0
    _open(desk, "two")
    cursor = editor.textCursor()
    assert (cursor.position(), cursor.anchor()) == (40, 30)
    assert editor.cursorForPosition(QPoint(0, 0)).block().text() == first


def test_undo_goes_on_in_the_draft_that_one_comes_back_to(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = _three(open_desk)
    editor = desk.window.parts.draft_panel.editor
    QTest.keyClicks(editor, "Kept. ")
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClick(editor, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: _on_desk(desk) == "Three")
    # Undo belongs to the draft in view, and brings nothing of another into it.
    editor.undo()
    assert desk.text().startswith("Three paragraph 0")
    _open(desk, "two")
    assert desk.text().startswith("Kept. wo paragraph 0")
    editor.undo()
    assert desk.text().startswith("Kept. Two paragraph 0")
    editor.undo()
    assert desk.text().startswith("Two paragraph 0")
    editor.redo()
    # What was undone there is saved as it stands.
    _open(desk, "one", "two")
    assert desk.text().startswith("Kept. Two paragraph 0")
    kept = desk.session.drafts.load("two")
    assert kept.edited_html.startswith('<p><span data-unit="0">Kept.</span>')


def test_a_draft_that_changed_elsewhere_is_shown_as_it_is_stored(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = _three(open_desk)
    editor = desk.window.parts.draft_panel.editor
    QTest.keyClicks(editor, "Here. ")
    _leave_for(desk, "one")
    stored = desk.session.drafts.load("two")
    assert "Here." in stored.edited_html
    changed = stored.edited_html.replace("Here.", "Elsewhere.")
    desk.session.drafts.save(replace(stored, edited_html=changed, title="Second"))
    _open(desk, "two")
    assert desk.text().startswith("Elsewhere. Two paragraph 0")
    assert _on_desk(desk) == "Second"
    editor.undo()
    assert desk.text().startswith("Elsewhere. Two paragraph 0")
    # A name alone changes nothing of the text.
    _leave_for(desk, "one")
    desk.session.drafts.save(replace(desk.session.drafts.load("two"), title="Third"))
    editor = desk.window.parts.draft_panel.editor
    _open(desk, "two")
    assert _on_desk(desk) == "Third"


def test_a_draft_wears_the_letters_and_colours_of_now_when_it_is_back(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk(prepare=lambda session: _kept(session, "One"))
    desk.wait(lambda: _titles(desk) == ["One"])
    desk.generate()
    made = desk.window.parts.draft_panel.draft
    assert made is not None
    editor = desk.window.parts.draft_panel.editor
    page = editor.document()
    _open(desk, "one")
    editor.set_points(16)
    desk.window.actions_table["theme-dark"].trigger()
    desk.wait(lambda: colours_for(editor.palette()).is_dark)
    _open(desk, made.draft_id)
    assert editor.document() is page
    assert page.defaultFont().pointSizeF() == 16
    colours = {
        one.format.foreground().color().name() for one in page.findBlock(30).layout().formats()
    }
    assert colours_for(editor.palette()).link.name() in colours
    desk.window.actions_table["theme-system"].trigger()
    desk.wait(lambda: not colours_for(editor.palette()).is_dark)


def test_the_close_button_and_the_middle_button_close(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    _click(desk, "Three", Qt.MouseButton.MiddleButton)
    assert _titles(desk) == ["One", "Two"]
    assert _on_desk(desk) == "Two"
    button = _tabs(desk).tabButton(1, QTabBar.ButtonPosition.RightSide)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: _on_desk(desk) == "One")
    assert _titles(desk) == ["One"]
    desk.window.actions_table["close-draft"].trigger()
    assert _on_desk(desk) == ""
    assert not _tabs(desk).isVisible()
    # They are still in the list.
    assert len(desk.session.drafts.list()) == 3
    desk.window.actions_table["close-draft"].trigger()
    assert _tabs(desk).draft_ids == (NEW,)


def test_tabs_follow_renamed_and_thrown_drafts(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    desk.window.draft_list_flow.rename("two", f"Two & {LONG}")
    assert _titles(desk)[2] == f"Two && {LONG}"
    assert _tabs(desk).tabToolTip(2) == f"<p>Two &amp; {LONG}</p>"
    widest = WIDEST * _tabs(desk).fontMetrics().averageCharWidth()
    assert _tabs(desk).tabRect(2).width() <= widest
    desk.window.draft_list_flow.rename("one", "Eins")
    desk.wait(lambda: _titles(desk)[1] == "Eins")
    # The one on the desk gives way to the one beside it.
    desk.window.actions_table["throw-draft"].trigger()
    desk.wait(lambda: _on_desk(desk) == "Eins")
    assert _titles(desk) == ["Three", "Eins"]
    desk.session.drafts.throw_away("three")
    desk.window.draft_flow.drafts_changed.emit()
    desk.wait(lambda: _titles(desk) == ["Eins"])


def test_keys_mean_the_tab_in_view_not_what_was_selected_in_the_list(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = _three(open_desk)
    editor = desk.window.parts.draft_panel.editor
    _select_in_list(desk, "One")
    editor.setFocus()
    desk.window.actions_table["throw-draft"].trigger()
    desk.wait(lambda: _titles(desk) == ["Three", "One"])
    # With the keyboard in the list it is what is selected there.
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    _select_in_list(desk, "Three")
    desk.window.actions_table["throw-draft"].trigger()
    desk.wait(lambda: _titles(desk) == ["One"])


def test_a_draft_being_written_cannot_be_left(open_desk: Callable[..., OpenDesk]) -> None:
    gate = threading.Event()

    def prepare(session: FakeSession) -> None:
        _kept(session, "One")
        session.gate = gate

    desk = open_desk(prepare=prepare)
    desk.wait(lambda: _titles(desk) == ["One"])
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    panel.generate_button.click()
    # It is a draft of its own, beside the one that was in view.
    assert _titles(desk) == ["One", "Device Description"]
    assert not _tabs(desk).tabIcon(1).isNull()
    assert _tabs(desk).tabToolTip(1).endswith("It is being written</p>")
    _click(desk, "One", Qt.MouseButton.LeftButton)
    assert _tabs(desk).currentIndex() == 1
    said = desk.window.parts.status_bar.work_label
    assert "still being written" in said.text()
    # So does its line in the list of the project.
    said.clear()
    desk.window.parts.project_panel.draft_activated.emit("One")
    assert "still being written" in said.text()
    desk.window.actions_table["close-draft"].trigger()
    assert _titles(desk) == ["One", "Device Description"]
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended):
        gate.set()
    assert _tabs(desk).tabIcon(1).isNull()
    _click(desk, "One", Qt.MouseButton.LeftButton)
    desk.wait(lambda: _on_desk(desk) == "One")


def test_a_draft_that_cannot_be_saved_is_marked(open_desk: Callable[..., OpenDesk]) -> None:
    desk = _three(open_desk)
    desk.session.drafts.fails = True
    desk.window.parts.draft_panel.editor.insertPlainText("More. ")
    _open(desk, "one")
    desk.wait(lambda: _tabs(desk).tabToolTip(2).endswith("Not saved yet</p>"))
    assert not _tabs(desk).tabIcon(2).isNull()
    desk.session.drafts.fails = False
    desk.window.actions_table["save"].trigger()
    desk.wait(lambda: _tabs(desk).tabIcon(2).isNull())


def test_a_draft_that_cannot_be_read_leaves_the_tab_in_view(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = _three(open_desk)
    desk.session.drafts.delete("one")
    with desk.qtbot.waitSignal(desk.window.draft_flow.shelf.settled):
        _click(desk, "One", Qt.MouseButton.LeftButton)
    assert _tabs(desk).currentIndex() == _titles(desk).index("Two")
    assert _on_desk(desk) == "Two"


def test_open_tabs_are_back_at_the_next_start(open_desk: Callable[..., OpenDesk]) -> None:
    settings = FakeSettings()
    of_others = WindowLayout(open_drafts=("of-another-project", "two"))
    settings.settings = Settings(window=of_others)
    desk = open_desk(
        settings=settings, prepare=lambda session: _kept(session, "One", "Two", "Three")
    )
    desk.wait(lambda: _titles(desk) == ["Two", "Three"])
    assert (_on_desk(desk), _tabs(desk).currentIndex()) == ("Three", 1)
    _open(desk, "one")
    _tabs(desk).moveTab(0, 1)
    desk.window.parts.draft_panel.editor.insertPlainText("Last. ")
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=settings)
    again.wait(lambda: _titles(again) == ["Three", "Two", "One"])
    again.wait(lambda: _on_desk(again) == "One")
    assert _tabs(again).currentIndex() == 2
    again.window.actions_table["close-draft"].trigger()
    again.window.close()
    kept = settings.settings.window.open_drafts
    assert kept == ("of-another-project", "three", "two")
