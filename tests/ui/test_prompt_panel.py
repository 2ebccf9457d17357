"""What the writer typed as a prompt is not lost by picking another one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QWidget

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.generate.prompt_panel import MORE_TO_COME, PromptPanel
from tests.fakes.ui_session import BROKEN_PROMPT, PROMPT, PROMPT_FILE
from tests.ui.conftest import OpenDesk

BROKEN_FILE = "Context/Prompt/broken.md"


def _wheel(widget: QWidget) -> None:
    middle = QPointF(widget.rect().center())
    QApplication.sendEvent(
        widget,
        QWheelEvent(
            middle,
            widget.mapToGlobal(middle),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )


def _panel(desk: OpenDesk) -> PromptPanel:
    return desk.window.parts.prompt_panel


def test_undo_brings_back_what_was_typed_and_its_file(desk: OpenDesk) -> None:
    panel = _panel(desk)
    QTest.keyClicks(panel.editor, "Mine. ")
    panel.choose(BROKEN_FILE)
    assert panel.prompt_text == BROKEN_PROMPT
    panel.editor.undo()
    assert panel.prompt_text == f"Mine. {PROMPT}"
    # Saved now, it goes into its own file.
    assert panel.prompt_file == PROMPT_FILE
    panel.editor.redo()
    assert (panel.prompt_text, panel.prompt_file) == (BROKEN_PROMPT, BROKEN_FILE)
    panel.editor.undo()
    panel.editor.undo()
    assert panel.prompt_text == PROMPT


def test_a_template_takes_no_text_for_good(desk: OpenDesk) -> None:
    panel = _panel(desk)
    desk.wait(lambda: panel.template_picker.count() > 1)
    row = panel.template_picker.findData("labelling")
    panel.template_picker.setCurrentIndex(row)
    panel.template_picker.activated.emit(row)
    assert panel.prompt_text == ""
    panel.editor.undo()
    assert (panel.prompt_text, panel.prompt_file) == (PROMPT, PROMPT_FILE)


def test_the_wheel_turns_a_picker_only_with_the_keyboard_in_it(desk: OpenDesk) -> None:
    panel = _panel(desk)
    desk.wait(lambda: panel.template_picker.count() > 1)
    panel.editor.setFocus()
    for picker in (panel.picker, panel.template_picker):
        assert picker.focusPolicy() is Qt.FocusPolicy.StrongFocus
        row = picker.currentIndex()
        _wheel(picker)
        assert picker.currentIndex() == row
    panel.picker.setFocus()
    _wheel(panel.picker)
    assert panel.prompt_file == BROKEN_FILE


def test_a_new_prompt_is_chosen_when_it_is_saved(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args: ("My own", True))
    panel = _panel(desk)
    panel.choose("")
    QTest.keyClicks(panel.editor, "Describe the strips.")
    desk.window.actions_table["save-prompt"].trigger()
    desk.wait(lambda: panel.prompt_file == "Context/Prompt/My-own.md")
    assert panel.prompt_text == "Describe the strips."
    assert not panel.is_changed()


def test_the_prompt_of_an_opened_draft_is_not_typed(desk: OpenDesk) -> None:
    panel, shelf = _panel(desk), desk.window.draft_flow.shelf
    draft = Draft("one", "One", PROMPT_FILE, "As it was.", "complete", (), (), "2025", "2025")
    shelf.show_draft(draft)
    assert panel.prompt_text == "As it was."
    assert panel.is_changed()
    assert not panel.is_typed()
    shelf.show_draft(replace(draft, draft_id="two", prompt="As it was then."))
    assert panel.prompt_text == "As it was then."
    QTest.keyClicks(panel.editor, "Mine. ")
    assert panel.is_typed()
    shelf.show_draft(draft)
    assert panel.prompt_text == "Mine. As it was then."


def test_a_new_prompt_stays_when_the_folder_was_read_again(desk: OpenDesk) -> None:
    panel = _panel(desk)
    panel.choose("")
    panel.show_prompts(desk.session.prompts())
    assert (panel.prompt_text, panel.prompt_file) == ("", "")


def test_a_plan_says_that_files_are_still_being_read(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    said = panel.summary.text()
    panel.set_reading(True)
    assert panel.summary.text() == f"{MORE_TO_COME} {said}"
    panel.set_reading(False)
    assert panel.summary.text() == said
