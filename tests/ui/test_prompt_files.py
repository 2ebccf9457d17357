"""Prompts are renamed, moved to the trash of the system, and begun from a template."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.ui.projects.project_tree_model import NODE_ROLE, Node, NodeKind
from phasergun_desktop.workspace.prompt_problems import prompt_digest, prompt_stem
from tests.fakes.ui_session import BROKEN_PROMPT, PROMPT, PROMPT_FILE, FakeSession
from tests.ui.conftest import OpenDesk

BROKEN_FILE = "Context/Prompt/broken.md"
RENAMED_FILE = "Context/Prompt/SE-discussion-2.md"


def _listed(desk: OpenDesk) -> list[str]:
    model = desk.window.parts.project_panel.model
    tops = [model.item(row) for row in range(model.rowCount())]
    nodes = [top.child(row).data(NODE_ROLE) for top in tops for row in range(top.rowCount())]
    return [n.key for n in nodes if isinstance(n, Node) and n.kind is NodeKind.PROMPT]


def _select(desk: OpenDesk, file: str) -> None:
    panel = desk.window.parts.project_panel
    desk.wait(lambda: file in _listed(desk))
    for row in range(panel.model.rowCount()):
        top = panel.model.item(row)
        for below in range(top.rowCount()):
            node = top.child(below).data(NODE_ROLE)
            if isinstance(node, Node) and node.key == file:
                panel.tree.setCurrentIndex(top.child(below).index())


def _question(desk: OpenDesk, words: str) -> QMessageBox:
    found: list[QMessageBox] = []

    def look() -> bool:
        boxes = desk.window.findChildren(QMessageBox)
        found[:] = [box for box in boxes if words in box.text() and box.isVisible()]
        return bool(found)

    desk.wait(look)
    return found[0]


def _press(question: QMessageBox, words: str) -> None:
    next(one for one in question.buttons() if words in one.text()).click()


def _rename(desk: OpenDesk, name: str) -> None:
    desk.window.actions_table["rename-prompt"].trigger()
    dialog = next(one for one in desk.window.findChildren(QInputDialog) if one.isVisible())
    dialog.setTextValue(name)
    dialog.accept()


def test_a_prompt_is_renamed_with_what_is_typed_in_it(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    QTest.keyClicks(panel.editor, "Mine. ")
    _rename(desk, "SE discussion 2")
    desk.wait(lambda: panel.prompt_file == RENAMED_FILE)
    assert panel.prompt_text == f"Mine. {PROMPT}"
    desk.wait(lambda: RENAMED_FILE in desk.session.typed)
    assert PROMPT_FILE not in desk.session.typed
    assert RENAMED_FILE in _listed(desk)
    assert PROMPT_FILE not in _listed(desk)
    # Undo still knows whose text it was.
    panel.editor.undo()
    assert (panel.prompt_text, panel.prompt_file) == (PROMPT, RENAMED_FILE)


def test_the_prompt_that_is_selected_in_the_tree_is_meant(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    _select(desk, BROKEN_FILE)
    desk.window.actions_table["rename-prompt"].trigger()
    dialog = next(iter(desk.window.findChildren(QInputDialog)))
    assert dialog.textValue() == "Broken"
    dialog.setTextValue("Mended")
    dialog.accept()
    desk.wait(lambda: "Context/Prompt/Mended.md" in _listed(desk))
    assert panel.prompt_file == PROMPT_FILE


def test_nothing_is_renamed_or_deleted_in_another_project(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow = desk.window.prompt_file_flow
    thrown: list[str] = []
    desk.window.actions_table["delete-prompt"].trigger()
    question = _question(desk, "to the trash?")
    desk.window.keeper.forget(desk.session.project.root)
    monkeypatch.setattr(flow, "throw_away", thrown.append)
    _press(question, "Move to the trash")
    assert thrown == []


def test_a_name_that_was_not_changed_renames_nothing(desk: OpenDesk) -> None:
    desk.window.actions_table["rename-prompt"].trigger()
    dialog = next(one for one in desk.window.findChildren(QInputDialog) if one.isVisible())
    dialog.accept()
    assert PROMPT_FILE in _listed(desk)
    _select(desk, BROKEN_FILE)
    _rename(desk, "Mended")
    desk.wait(lambda: "Context/Prompt/Mended.md" in _listed(desk))
    assert PROMPT_FILE not in desk.session.deleted_prompts
    assert prompt_stem("510(k) v1.2") == "510(k)-v1.2"
    assert prompt_stem("../.x. ") == "x"
    assert prompt_stem("risk.md ") == "risk"


def test_the_menu_of_a_prompt_offers_both(desk: OpenDesk) -> None:
    _select(desk, BROKEN_FILE)
    panel = desk.window.parts.project_panel
    panel.tree.customContextMenuRequested.emit(
        panel.tree.visualRect(panel.tree.currentIndex()).center()
    )
    (menu,) = [one for one in panel.findChildren(QMenu) if one.isVisible()]
    offered = [one.text() for one in menu.actions()]
    assert offered == ["Use this prompt", "Re&name the prompt…", "&Delete the prompt…"]
    menu.close()


def test_a_deleted_prompt_is_in_the_trash_of_the_system(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trash = tmp_path / "share"
    trash.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(trash))
    panel = desk.window.parts.prompt_panel
    desk.window.actions_table["delete-prompt"].trigger()
    question = _question(desk, "“Device description” to the trash?")
    assert "keep its text" in question.informativeText()
    question.reject()
    assert PROMPT_FILE in _listed(desk)
    desk.window.actions_table["delete-prompt"].trigger()
    _press(_question(desk, "to the trash?"), "Move to the trash")
    desk.wait(lambda: PROMPT_FILE not in _listed(desk))
    assert not (desk.session.project.root / PROMPT_FILE).exists()
    assert list(tmp_path.rglob("Trash/files/device-description.md"))
    # The next one is in the field; undo brings the text back, as a new prompt.
    assert (panel.prompt_text, panel.prompt_file) == (BROKEN_PROMPT, BROKEN_FILE)
    panel.editor.undo()
    assert (panel.prompt_text, panel.prompt_file) == (PROMPT, "")


def _change_by_another(desk: OpenDesk, text: str) -> None:
    desk.session.saved_prompts[PROMPT_FILE] = text


def test_a_prompt_that_another_program_changed_is_asked_about(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    QTest.keyClicks(panel.editor, "Mine. ")
    _change_by_another(desk, "Theirs.")
    # The folder is read again meanwhile: what is typed is still based on what was loaded.
    panel.show_prompts(desk.session.prompts())
    desk.window.actions_table["save-prompt"].trigger()
    question = _question(desk, "was changed by another program since it was loaded.")
    assert desk.session.saved_prompts[PROMPT_FILE] == "Theirs."
    _press(question, "Save mine")
    desk.wait(lambda: desk.session.saved_prompts[PROMPT_FILE] == f"Mine. {PROMPT}")
    desk.wait(lambda: not panel.is_changed())
    assert panel.typed_texts.text_of("") == "Theirs."
    # Saved, it is what is there: nobody is asked again.
    QTest.keyClicks(panel.editor, "More. ")
    desk.window.actions_table["save-prompt"].trigger()
    desk.wait(lambda: "More. " in desk.session.saved_prompts[PROMPT_FILE])


def test_the_text_of_another_program_is_loaded_and_mine_is_kept(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    QTest.keyClicks(panel.editor, "Mine. ")
    _change_by_another(desk, "Theirs.")
    desk.window.actions_table["save-prompt"].trigger()
    _press(_question(desk, "was changed by another program"), "Load theirs")
    desk.wait(lambda: panel.prompt_text == "Theirs.")
    assert (panel.prompt_file, panel.is_changed()) == (PROMPT_FILE, False)
    assert panel.typed_texts.text_of("") == f"Mine. {PROMPT}"
    assert panel.typed_texts.text_of(PROMPT_FILE) == ""
    assert desk.session.saved_prompts[PROMPT_FILE] == "Theirs."


def test_what_was_typed_over_is_known_after_a_restart(open_desk: Callable[..., OpenDesk]) -> None:
    def prepare(session: FakeSession) -> None:
        before = prompt_digest(PROMPT)
        session.typed = {PROMPT_FILE: TypedPrompt(PROMPT_FILE, "Mine.", True, before)}
        session.saved_prompts[PROMPT_FILE] = "Theirs, since yesterday."

    desk = open_desk(prepare=prepare)
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.prompt_file == PROMPT_FILE)
    assert panel.prompt_text == "Mine."
    desk.window.draft_flow.save_prompt()
    question = _question(desk, "was changed by another program")
    assert desk.session.saved_prompts[PROMPT_FILE] == "Theirs, since yesterday."
    question.reject()


def test_a_prompt_without_changes_of_its_own_is_loaded_quietly(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    _change_by_another(desk, "Theirs.")
    desk.window.draft_flow.save_prompt()
    desk.wait(lambda: panel.prompt_text == "Theirs.")
    assert panel.typed_texts.text_of("") == ""
    assert not [box for box in desk.window.findChildren(QMessageBox) if box.isVisible()]
    _change_by_another(desk, "Theirs again.")
    panel.show_prompts(desk.session.prompts())
    assert panel.prompt_text == "Theirs again."
    QTest.keyClicks(panel.editor, "Mine. ")
    desk.window.actions_table["save-prompt"].trigger()
    desk.wait(lambda: desk.session.saved_prompts[PROMPT_FILE] == "Mine. Theirs again.")


def test_undo_leaves_the_other_new_prompt_alone(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    panel.choose("")
    QTest.keyClicks(panel.editor, "Another one.")
    panel.choose(PROMPT_FILE)
    QTest.keyClicks(panel.editor, "Mine. ")
    panel.follow(PROMPT_FILE, "")
    panel.editor.undo()
    assert (panel.prompt_text, panel.prompt_file) == (BROKEN_PROMPT, BROKEN_FILE)
    panel.choose("")
    assert panel.prompt_text == "Another one."


def test_without_a_trash_a_second_question_is_asked(desk: OpenDesk) -> None:
    desk.window.prompt_file_flow.move_to_trash = lambda _path: False
    panel = desk.window.parts.prompt_panel
    QTest.keyClicks(panel.editor, "Mine. ")
    desk.wait(lambda: PROMPT_FILE in desk.session.typed)
    desk.window.actions_table["delete-prompt"].trigger()
    question = _question(desk, "to the trash?")
    assert "What was typed in it" in question.informativeText()
    _press(question, "Move to the trash")
    second = _question(desk, "“Device description” for good?")
    assert second.defaultButton() is second.button(QMessageBox.StandardButton.Cancel)
    assert PROMPT_FILE in _listed(desk)
    _press(second, "Delete for good")
    desk.wait(lambda: PROMPT_FILE not in _listed(desk))
    assert PROMPT_FILE in desk.session.deleted_prompts
    desk.wait(lambda: PROMPT_FILE not in desk.session.typed)


def test_a_draft_keeps_the_text_of_its_prompt(desk: OpenDesk) -> None:
    def unlink(path: str) -> bool:
        Path(path).unlink()
        return True

    desk.window.prompt_file_flow.move_to_trash = unlink
    panel, shelf = desk.window.parts.prompt_panel, desk.window.draft_flow.shelf
    draft = Draft("one", "One", PROMPT_FILE, PROMPT, "complete", (), (), "2025", "2025")
    desk.window.prompt_file_flow.throw_away(PROMPT_FILE)
    desk.wait(lambda: PROMPT_FILE not in _listed(desk))
    shelf.show_draft(draft)
    assert (panel.prompt_text, panel.prompt_file) == (PROMPT, "")


def test_a_new_prompt_begins_with_the_outline_of_a_template(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: bool(panel.template_picker.templates))
    desk.window.actions_table["template-prompt"].trigger()
    dialog = next(one for one in desk.window.findChildren(QInputDialog) if one.isVisible())
    assert dialog.comboBoxItems() == [
        "510(k): Labelling", "510(k): Software", "Project: Blueprint",
    ]  # fmt: skip
    dialog.setTextValue("510(k): Labelling")
    dialog.accept()
    assert panel.prompt_file == ""
    assert panel.prompt_text.startswith("Write the Labelling section in at most 900 words.")
    assert "## Device Label\n\nDescribe the device label." in panel.prompt_text
    assert panel.save_button.isEnabled()
    # What is typed already in a prompt without a file stays above.
    desk.window.prompt_file_flow._begin(panel.template_picker.templates[1])
    assert "Labelling" in panel.prompt_text
    assert "Software" in panel.prompt_text
