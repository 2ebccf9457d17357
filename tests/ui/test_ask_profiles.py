"""Choosing how a question is asked: profiles, their editor, filters from the project."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.ui.ask.composer import Composer
from phasergun_desktop.ui.dialogs.profile_dialog import ProfileDialog
from phasergun_desktop.ui.profile_flow import FIRST_USE
from tests.fakes.ui_asking import MISTAKE
from tests.fakes.ui_documents import DEVICE
from tests.ui.asking_hands import QUESTION, ask, text_of
from tests.ui.conftest import OpenDesk


def _composer(desk: OpenDesk) -> Composer:
    composer = desk.window.parts.ask_panel.composer
    desk.window.actions_table["go-ask"].trigger()
    desk.wait(lambda: composer.profile.name == "regulatory")
    return composer


def _entry(menu: QMenu, text: str) -> QAction:
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.text().replace("&", "") == text)


def _dialog(desk: OpenDesk) -> ProfileDialog:
    desk.wait(lambda: desk.window.findChild(ProfileDialog) is not None)
    found = desk.window.findChild(ProfileDialog)
    assert found is not None
    return found


def test_a_question_may_choose_another_profile_than_the_projects(desk: OpenDesk) -> None:
    composer = _composer(desk)
    assert composer.profile.text() == "Regulatory"
    assert composer.question().profile == ""
    composer.profile.menu().actions()[1].trigger()
    assert composer.profile.accessibleName() == "Profile: Evidence & proof"
    assert composer.question().profile == "evidence"
    assert composer.notice.text() == FIRST_USE.format(what="question")
    assert desk.session.project_profile == "regulatory"
    _entry(composer.profile.menu(), "Use for the whole project").trigger()
    desk.wait(lambda: composer.profile.usual == "evidence")
    assert desk.session.project_profile == "evidence"
    assert composer.question().profile == ""


def test_a_copy_of_a_profile_is_edited_and_its_mistake_shown_at_its_line(desk: OpenDesk) -> None:
    composer = _composer(desk)
    assert not _entry(composer.profile.menu(), "Edit this profile…").isEnabled()
    _entry(composer.profile.menu(), "Edit a copy of this profile…").trigger()
    dialog = _dialog(desk)
    assert dialog.name.text() == "regulatory-2"
    dialog.name.setText("mine")
    dialog.text.setPlainText(dialog.text.toPlainText().replace("limit: 5", "limit: x"))
    dialog.save_wanted.emit("mine", dialog.text.toPlainText())
    desk.wait(dialog.problem.isVisible)
    assert dialog.problem.text() == "mine.yaml, line 3, column 8: no number. Mend it."
    cursor = dialog.text.textCursor()
    assert (cursor.blockNumber(), cursor.positionInBlock()) == (2, 7)
    assert len(dialog.text.extraSelections()) == 1
    dialog.text.setPlainText(dialog.text.toPlainText().replace("limit: x", "limit: 7"))
    dialog.save_wanted.emit("mine", dialog.text.toPlainText())
    desk.wait(lambda: composer.profile.name == "mine")
    assert desk.session.own_profiles["mine"].startswith("name: mine\ntitle: regulatory (copy 2)\n")
    assert composer.question().profile == "mine"
    # And back, as it was.
    composer.profile.menu().actions()[0].trigger()
    assert composer.question().profile == ""


def test_a_profile_that_cannot_be_used_opens_at_its_mistake(desk: OpenDesk) -> None:
    desk.session.own_profiles["mine"] = "name: mine\ntitle: Mine\nlimit: x\n"
    composer = _composer(desk)
    desk.window.ask_flow.set_session(desk.session)
    desk.wait(lambda: "mine" in [action.text() for action in composer.profile.menu().actions()])
    assert _entry(composer.profile.menu(), "mine").toolTip() == MISTAKE
    _entry(composer.profile.menu(), "mine").trigger()
    dialog = _dialog(desk)
    assert dialog.problem.text() == MISTAKE
    assert dialog.text.textCursor().blockNumber() == 2
    assert composer.question().profile == ""
    dialog.reject()


def test_a_copy_takes_no_name_that_is_taken(desk: OpenDesk) -> None:
    composer = _composer(desk)
    _entry(composer.profile.menu(), "Edit a copy of this profile…").trigger()
    dialog = _dialog(desk)
    dialog.save_wanted.emit("evidence", dialog.text.toPlainText())
    assert "of this name already" in dialog.problem.text()
    assert desk.session.own_profiles == {}
    dialog.reject()


def test_filters_offer_what_the_project_has(desk: OpenDesk) -> None:
    composer = _composer(desk)
    menu = composer.add_filter.menu()
    desk.wait(lambda: len(menu.actions()) > 3)
    keys = {action.text(): action for action in menu.actions()}
    assert {"Folder", "Document", "File type", "From…", "Until…"} <= keys.keys()
    assert "Journal" not in keys
    inner = keys["Folder"].menu()
    assert isinstance(inner, QMenu)
    names = [action.text() for action in inner.actions()]
    assert names == ["Initiation", "Predicates", "SOPs"]
    inner.actions()[2].trigger()
    assert composer.chips.filters == (Filter(FilterKey.LAYER, "sops"),)
    assert composer.chips.item(0).text() == "Folder: SOPs  ✕"
    composer.chips.itemClicked.emit(composer.chips.item(0))
    assert composer.question().filters == ()
    assert not composer.chips.isVisible()


@pytest.mark.parametrize(("typed", "wanted"), [("2024-05", "2024-05"), ("  ", "")])
def test_a_date_is_asked_for(desk: OpenDesk, typed: str, wanted: str) -> None:
    composer = _composer(desk)
    composer.add_filter.ask_date(FilterKey.AFTER)
    dialog = desk.window.findChild(QInputDialog)
    assert dialog is not None
    desk.wait(lambda: QApplication.activeWindow() is dialog)
    dialog.setTextValue(typed)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert composer.chips.filters == ((Filter(FilterKey.AFTER, wanted),) if wanted else ())


def test_a_search_uses_filters_and_keeps_its_right_passage(desk: OpenDesk) -> None:
    search = desk.window.parts.search_panel
    desk.window.actions_table["search"].trigger()
    search.search_for("glucose")
    desk.wait(lambda: search.hits.count() > 0)
    desk.wait(lambda: len(search.add_filter.menu().actions()) > 3)
    search.add_filter.chosen.emit(Filter(FilterKey.LAYER, "sops"))
    desk.wait(lambda: desk.session.search_filters == (Filter(FilterKey.LAYER, "sops"),))
    desk.wait(lambda: search.hits.count() == 0)
    search.chips.show_filters(())
    desk.wait(lambda: search.hits.count() > 0)
    search.hits.setCurrentRow(0)
    search.right_one.trigger()
    desk.wait(lambda: len(desk.session.kept_questions) == 1)
    kept = desk.session.kept_questions[0]
    assert (kept.text, kept.files) == ("glucose", (DEVICE,))
    assert "glucose" in kept.passage


def test_an_agent_may_answer(desk: OpenDesk) -> None:
    composer = _composer(desk)
    desk.wait(composer.agent.isVisible)
    assert composer.agent.accessibleName() == "Agent: No agent"
    assert composer.question().agent == ""
    _entry(composer.agent.menu(), "Reviewer").trigger()
    assert composer.question().agent == "reviewer"
    assert "&lt;b&gt;strict" in composer.agent.toolTip()
    composer.profile.menu().actions()[1].trigger()
    turn = ask(desk, QUESTION)
    assert (turn.question.profile, turn.question.agent) == ("evidence", "reviewer")
    # The writer knows them by their titles.
    assert "\nProfile: Evidence & proof · Agent: Reviewer\n" in text_of(desk)
    _entry(composer.agent.menu(), "No agent").trigger()
    assert composer.question().agent == ""
