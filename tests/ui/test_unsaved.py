"""What could not be saved outlives the draft's, the project's and the prompt's leaving the desk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.rescue import RescueCopies
from phasergun_desktop.ui.editor.autosave import Autosave, SaveWay
from tests.fakes.ui_session import BROKEN_PROMPT, PROMPT, PROMPT_FILE, FakeSession
from tests.ui.conftest import OpenDesk

BROKEN_FILE = "Context/Prompt/broken.md"


def _type(desk: OpenDesk, words: str) -> None:
    QTest.keyClicks(desk.window.parts.draft_panel.editor, words)


def _type_prompt(desk: OpenDesk, words: str) -> None:
    QTest.keyClicks(desk.window.parts.prompt_panel.editor, words)


def _is_unsaved_shown(desk: OpenDesk) -> bool:
    return not desk.window.parts.status_bar.unsaved_label.isHidden()


def _answer(desk: OpenDesk, words: str) -> None:
    shown = [one for one in desk.window.findChildren(QMessageBox) if one.isVisible()]
    assert len(shown) == 1
    next(one for one in shown[0].buttons() if words in one.text()).click()


def _fill(session: FakeSession) -> None:
    session.drafts.fails = True


@pytest.fixture
def full(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    """A desk on a full disk with words that could not be saved."""
    desk = open_desk(prepare=_fill)
    _type(desk, "Mine")
    desk.wait(lambda: _is_unsaved_shown(desk))
    return desk


def _show(desk: OpenDesk, session: FakeSession) -> None:
    desk.window.keeper.show(session.project.root)
    desk.wait(lambda: desk.window.keeper.session is session)
    desk.wait(lambda: bool(desk.window.parts.prompt_panel.prompt_text))


def _make_room(desk: OpenDesk) -> None:
    desk.session.drafts.fails = False
    desk.window.draft_flow.autosave.retry()
    desk.wait(lambda: not _is_unsaved_shown(desk))


# Drafts -------------------------------------------------------------------------------------


def test_a_draft_that_left_the_desk_unsaved_is_saved_later(full: OpenDesk) -> None:
    full.window.draft_flow.shelf.new_draft()
    assert full.text() == ""
    assert _is_unsaved_shown(full)
    _make_room(full)
    kept = full.session.drafts.latest()
    assert kept is not None
    assert [unit.text for unit in kept.units] == ["Mine"]


def test_a_draft_whose_last_save_fails_after_it_left_is_held(desk: OpenDesk) -> None:
    _type(desk, "Mine")
    _fill(desk.session)
    # Nothing has failed yet when the other draft comes.
    desk.window.draft_flow.shelf.new_draft()
    desk.wait(lambda: _is_unsaved_shown(desk))
    desk.window.close()
    assert desk.window.isVisible()
    _answer(desk, "Cancel")
    _make_room(desk)
    assert desk.session.drafts.saves == 1


def test_the_newest_words_come_back_to_the_desk(desk: OpenDesk) -> None:
    _type(desk, "Old")
    desk.wait(lambda: desk.session.drafts.saves == 1)
    _fill(desk.session)
    _type(desk, " and new")
    mine = desk.window.parts.draft_panel.draft
    assert mine is not None
    desk.wait(lambda: _is_unsaved_shown(desk))
    desk.window.draft_flow.shelf.new_draft()
    desk.window.draft_flow.shelf.open_draft(mine.draft_id)
    desk.wait(lambda: desk.text() == "Old and new")
    _make_room(desk)


def test_the_newest_words_come_back_with_their_project(two: tuple[OpenDesk, FakeSession]) -> None:
    desk, other = two
    _type(desk, "Old")
    desk.wait(lambda: desk.session.drafts.saves == 1)
    _fill(desk.session)
    _type(desk, " and new")
    _show(desk, other)
    desk.wait(lambda: _is_unsaved_shown(desk))
    assert desk.text() == ""
    _show(desk, desk.session)
    desk.wait(lambda: desk.text() == "Old and new")
    _make_room(desk)
    assert other.drafts.saves == 0


def test_forgetting_a_project_asks_before(full: OpenDesk) -> None:
    full.window.project_flow.forget_project()
    _answer(full, "Forget")
    assert full.window.keeper.session is full.session
    _answer(full, "Cancel")
    full.window.project_flow.forget_project()
    _answer(full, "Forget")
    _answer(full, "Forget without saving")
    full.wait(lambda: full.session.is_closed)
    assert not _is_unsaved_shown(full)


def test_a_draft_in_the_trash_is_still_saved_and_stays_there(full: OpenDesk) -> None:
    full.window.draft_list_flow.throw_away()
    full.wait(lambda: not full.window.runners.interactive.is_busy)
    assert full.window.parts.draft_panel.draft is None
    assert _is_unsaved_shown(full)
    full.session.drafts.fails = False
    full.window.actions_table["save"].trigger()
    full.wait(lambda: not _is_unsaved_shown(full))
    assert full.session.drafts.latest() is None
    assert [bool(one.thrown) for one in full.session.drafts.list()] == [True]


def test_where_no_copy_can_be_written_the_question_says_so(full: OpenDesk) -> None:
    full.window.close()
    shown = [one for one in full.window.findChildren(QMessageBox) if one.isVisible()]
    assert "Without a copy it is lost by closing." in shown[0].informativeText()
    _answer(full, "Close without saving")
    assert not full.window.isVisible()
    assert full.session.is_closed


def test_what_cannot_be_read_from_the_desk_still_counts_as_changed(desk: OpenDesk) -> None:
    states = iter(("", "words"))
    written: list[str] = []

    def snapshot() -> str:
        found = next(states)
        if not found:
            raise ValueError("a bug of ours")
        return found

    way = SaveWay(snapshot, str, lambda _session, item: written.append(item))
    autosave = Autosave(desk.window.runners.interactive, way, desk.window)
    autosave.set_session(desk.window.keeper.session)
    autosave.mark_dirty()
    with pytest.raises(ValueError, match="a bug"):
        autosave.save_now()
    assert autosave.is_dirty
    assert autosave.flush()
    assert written == ["words"]


def test_a_bug_in_saving_leaves_a_copy(
    desk: OpenDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_draft: object) -> None:
        raise ZeroDivisionError("a bug")

    desk.session.rescue = RescueCopies((tmp_path / "rescue",), "fake")
    monkeypatch.setattr(desk.session.drafts, "save", fail)
    _type(desk, "Mine")
    with pytest.raises(ZeroDivisionError):
        desk.window.close()
    assert desk.session.is_closed
    (copy,) = RescueCopies((tmp_path / "rescue",), "fake").left()
    assert isinstance(copy.item, Draft)
    assert [unit.text for unit in copy.item.units] == ["Mine"]


# Rescue copies ------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="links and rights of POSIX")
@pytest.mark.parametrize("trap", ["link", "open to others"])
def test_no_copy_goes_into_a_folder_of_others(desk: OpenDesk, tmp_path: Path, trap: str) -> None:
    _type(desk, "Mine")
    draft = desk.window.parts.draft_panel.snapshot()
    assert draft is not None
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "rescue"
    elsewhere.mkdir(mode=0o777)
    if trap == "link":
        folder.symlink_to(elsewhere)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    copies = RescueCopies((folder, tmp_path / "second"), "fake")
    assert copies.write(draft).parent == tmp_path / "second"
    assert list(elsewhere.iterdir()) == []


# Prompts ------------------------------------------------------------------------------------


def test_a_typed_prompt_is_there_when_it_is_chosen_again(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    _type_prompt(desk, "Mine. ")
    panel.choose(BROKEN_FILE)
    assert panel.prompt_text == BROKEN_PROMPT
    panel.choose(PROMPT_FILE)
    assert panel.prompt_text == f"Mine. {PROMPT}"
    # Also where the same one is picked, and undo leads to what is in the file.
    panel.choose(PROMPT_FILE)
    assert panel.prompt_text == f"Mine. {PROMPT}"
    panel.editor.undo()
    assert panel.prompt_text == PROMPT


@pytest.mark.parametrize("file", [PROMPT_FILE, BROKEN_FILE, ""])
def test_a_typed_prompt_outlives_the_window(open_desk: Callable[..., OpenDesk], file: str) -> None:
    desk = open_desk()
    desk.window.parts.prompt_panel.choose(file)
    _type_prompt(desk, "Mine. ")
    text = desk.window.parts.prompt_panel.prompt_text
    desk.window.close()
    assert desk.session.saved_prompts == {}
    again = open_desk(workspace=desk.workspace)
    panel = again.window.parts.prompt_panel
    again.wait(lambda: panel.picker.count() > 1)
    assert (panel.prompt_text, panel.prompt_file) == (text, file)


def test_a_typed_prompt_outlives_a_kill(desk: OpenDesk) -> None:
    _type_prompt(desk, "Mine. ")
    # A second later it is kept; nothing needs to be closed for that.
    desk.wait(lambda: PROMPT_FILE in desk.session.typed)
    assert desk.session.typed[PROMPT_FILE].text == f"Mine. {PROMPT}"


def test_the_prompt_of_the_last_draft_does_not_replace_a_typed_one(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    desk.generate()
    _type_prompt(desk, "Mine. ")
    desk.window.close()
    again = open_desk(workspace=desk.workspace)
    again.wait(lambda: again.text() != "")
    assert again.window.parts.prompt_panel.prompt_text == f"Mine. {PROMPT}"


def test_a_typed_prompt_stays_with_its_project(two: tuple[OpenDesk, FakeSession]) -> None:
    desk, other = two
    panel = desk.window.parts.prompt_panel
    _type_prompt(desk, "Mine. ")
    _show(desk, other)
    assert panel.prompt_text == PROMPT
    panel.editor.undo()
    assert "Mine" not in panel.prompt_text
    _show(desk, desk.session)
    desk.wait(lambda: panel.prompt_text == f"Mine. {PROMPT}")
    assert other.typed == {}


def test_what_was_taken_back_or_saved_is_not_kept(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    _type_prompt(desk, "Mine. ")
    desk.wait(lambda: PROMPT_FILE in desk.session.typed)
    panel.editor.undo()
    desk.wait(lambda: desk.session.typed == {})
    panel.choose("")
    _type_prompt(desk, "New")
    desk.wait(lambda: "" in desk.session.typed)
    desk.window.draft_flow.prompt_save_wanted.emit("Context/Prompt/new.md", "New")
    desk.wait(lambda: panel.prompt_file == "Context/Prompt/new.md")
    desk.wait(lambda: desk.session.typed == {})


def test_a_typed_prompt_that_cannot_be_kept_is_asked_about(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk(prepare=_fill)
    _type_prompt(desk, "Mine. ")
    desk.window.close()
    assert desk.window.isVisible()
    assert _is_unsaved_shown(desk)
    desk.session.drafts.fails = False
    _answer(desk, "Try again")
    desk.wait(lambda: not desk.window.isVisible())
    assert desk.session.typed[PROMPT_FILE].text == f"Mine. {PROMPT}"


@pytest.mark.parametrize("file", [PROMPT_FILE, ""])
def test_a_typed_prompt_that_was_not_kept_is_offered_back(
    open_desk: Callable[..., OpenDesk], tmp_path: Path, file: str
) -> None:
    rescue = tmp_path / "rescue"

    def fill(session: FakeSession) -> None:
        session.rescue = RescueCopies((rescue,), "fake")
        _fill(session)

    desk = open_desk(prepare=fill)
    desk.window.parts.prompt_panel.choose(file)
    _type_prompt(desk, "Mine. ")
    text = desk.window.parts.prompt_panel.prompt_text
    desk.window.close()
    _answer(desk, "Close without saving")
    assert text in next(rescue.glob("*.md")).read_text("utf-8")
    desk.session.drafts.fails = False
    desk.session.rescue = RescueCopies((rescue,), "fake")
    again = open_desk(workspace=desk.workspace)
    again.wait(lambda: any(one.isVisible() for one in again.window.findChildren(QMessageBox)))
    panel = again.window.parts.prompt_panel
    again.wait(lambda: panel.picker.count() > 1)
    assert "Mine" not in panel.prompt_text
    _answer(again, "Bring back")
    again.wait(lambda: panel.prompt_text.strip() == text.strip())
    assert panel.prompt_file == file
    again.wait(lambda: not rescue.exists())
    assert again.session.typed[file].text.strip() == text.strip()
