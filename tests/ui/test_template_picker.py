"""Choosing a section's outline beside the prompt."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.generate.picker_box import AS_THE_PROMPT_SAYS, NEW_PROMPT, TemplatePicker
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from tests.fakes.ui_session import PROMPT, TEMPLATES
from tests.ui.conftest import OpenDesk


def _choose(picker: TemplatePicker, name: str) -> None:
    """Choose as the mouse does."""
    row = picker.findData(name)
    assert row >= 0
    picker.setCurrentIndex(row)
    picker.activated.emit(row)


def _planned(desk: OpenDesk, template: str) -> PromptPanel:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.plan is not None and panel.plan.template == template)
    return panel


def test_templates_are_listed_by_family(desk: OpenDesk) -> None:
    picker = desk.window.parts.prompt_panel.template_picker
    desk.wait(lambda: picker.count() > 1)
    texts = [picker.itemText(row) for row in range(picker.count()) if picker.itemText(row)]
    assert texts == [
        AS_THE_PROMPT_SAYS, "510(k): Labelling", "510(k): Software", "Project: Blueprint",
    ]  # fmt: skip
    assert picker.value == ""
    assert picker.accessibleName()
    assert "Ctrl+8" in picker.toolTip()
    row = picker.findData("labelling")
    assert picker.itemData(row, Qt.ItemDataRole.ToolTipRole) == TEMPLATES[0].description


def test_a_template_is_planned_from_the_whole_project(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    assert panel.prompt_text == PROMPT
    _choose(panel.template_picker, "labelling")
    assert panel.prompt_text == ""
    assert panel.picker.currentText() == NEW_PROMPT
    _planned(desk, "labelling")
    assert panel.why_not() == ""
    assert "whole project" in panel.editor.placeholderText()
    desk.generate()
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    assert draft.title == "Labelling"


def test_what_the_writer_typed_stays_beside_a_template(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    panel.editor.setPlainText("Use @initiation.")
    _choose(panel.template_picker, "software")
    _planned(desk, "software")
    assert panel.prompt_text == "Use @initiation."
    assert panel.plan is not None
    assert panel.plan.prompt == "Use @initiation."


def test_a_saved_prompt_has_its_own_outline(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    _choose(panel.template_picker, "labelling")
    _planned(desk, "labelling")
    panel.picker.setCurrentIndex(0)
    panel.picker.activated.emit(0)
    assert panel.template_name == ""
    _planned(desk, "")
    assert panel.prompt_text == PROMPT


def test_without_prompt_and_template_nothing_is_planned(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    _choose(panel.template_picker, "labelling")
    _planned(desk, "labelling")
    _choose(panel.template_picker, "")
    assert panel.plan is None
    assert "section" in panel.why_not()
    assert not panel.generate_button.isEnabled()


def test_the_picker_has_a_key_and_a_label(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    panel.editor.setFocus()
    desk.window.actions_table["go-template"].trigger()
    desk.wait(panel.template_picker.hasFocus)
    QTest.keyClick(panel.template_picker, Qt.Key.Key_Down)
    labels = [each for each in panel.findChildren(QLabel) if each.buddy() is panel.template_picker]
    assert [each.text() for each in labels] == ["Se&ction"]


def test_a_draft_brings_its_template_back(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.template_picker.count() > 1)
    draft = Draft(
        "d", "Software", "", "", "complete", (), (), "2026-01-01", "2026-01-01",
        template="software",
    )  # fmt: skip
    desk.window.draft_flow.shelf.show_draft(draft)
    assert panel.template_name == "software"
    assert panel.prompt_text == ""
    _planned(desk, "software")


def _agent(desk: OpenDesk, name: str) -> PromptPanel:
    """Choose an agent as the mouse does."""
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: not panel.agent_button.isHidden() and panel.template_picker.count() > 1)
    entries = panel.agent_button.menu().actions()
    next(each for each in entries if each.data() == name).trigger()
    return panel


def test_an_agent_is_chosen_for_the_draft(desk: OpenDesk) -> None:
    panel = _agent(desk, "reviewer")
    desk.wait(lambda: panel.plan is not None and panel.plan.agent == "reviewer")
    assert panel.prompt_text == PROMPT
    assert panel.agent_button.accessibleName() == "Agent: Reviewer"
    desk.generate()
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    assert json.loads(draft.plan_json)["agent"] == "reviewer"
    _agent(desk, "")
    desk.wait(lambda: panel.plan is not None and panel.plan.agent == "")
    desk.window.draft_flow.shelf.show_draft(draft)
    desk.wait(lambda: panel.plan is not None and panel.plan.agent == "reviewer")


def test_an_agent_brings_its_outline_and_goes_with_it(desk: OpenDesk) -> None:
    panel = _agent(desk, "planner")
    _planned(desk, "blueprint")
    assert (panel.template_name, panel.agent_name) == ("blueprint", "planner")
    _choose(panel.template_picker, "software")
    assert _planned(desk, "software").agent_name == "planner"
    _choose(panel.template_picker, "")
    assert panel.agent_name == ""
    _agent(desk, "planner")
    panel.picker.setCurrentIndex(0)
    panel.picker.activated.emit(0)
    assert (panel.template_name, panel.agent_name) == ("", "")
