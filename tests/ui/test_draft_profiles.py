"""A draft may choose another profile than the project's, in the menu beside its section."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction

from phasergun_desktop.planning.model import Plan
from phasergun_desktop.ui.choice_button import ChoiceButton
from phasergun_desktop.ui.dialogs.profile_dialog import ProfileDialog
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from phasergun_desktop.ui.profile_flow import FIRST_USE
from tests.fakes.ui_asking import MISTAKE
from tests.ui.conftest import OpenDesk


@pytest.fixture
def panel(desk: OpenDesk) -> PromptPanel:
    """The panel with a plan of the project's profile."""
    found = desk.window.parts.prompt_panel
    desk.wait(lambda: found.profile_button.name == "regulatory")
    _planned(desk, found, "regulatory")
    return found


def _planned(desk: OpenDesk, panel: PromptPanel, profile: str) -> Plan:
    desk.wait(lambda: panel.plan is not None and panel.plan.profile == profile)
    assert panel.plan is not None
    return panel.plan


def _entry(button: ChoiceButton, text: str) -> QAction:
    button.menu().aboutToShow.emit()
    return next(one for one in button.menu().actions() if one.text().replace("&", "") == text)


def test_a_draft_is_planned_and_written_with_its_own_profile(
    desk: OpenDesk, panel: PromptPanel
) -> None:
    assert panel.profile_button.accessibleName() == "Profile: Regulatory"
    assert panel.profile_name == ""
    costs: list[str] = []
    panel.plan_wanted.connect(lambda *_wanted: costs.append(panel.notice.text()))
    panel.profile_button.menu().actions()[1].trigger()
    # What it costs is said before anything is made.
    assert costs == [FIRST_USE.format(what="plan")]
    _planned(desk, panel, "evidence")
    assert panel.notice.isHidden()
    assert desk.session.project_profile == "regulatory"
    desk.generate()
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    assert draft.profile == "evidence"
    panel.profile_button.menu().actions()[0].trigger()
    _planned(desk, panel, "regulatory")
    assert panel.notice.isHidden()
    # A question is not asked with it, and the draft brings it back.
    assert desk.window.parts.ask_panel.composer.question().profile == ""
    desk.window.draft_flow.shelf.show_draft(draft)
    _planned(desk, panel, "evidence")
    assert panel.profile_name == "evidence"


def test_what_nobody_wished_for_follows_the_project(desk: OpenDesk, panel: PromptPanel) -> None:
    asking = desk.window.parts.ask_panel.composer.profile
    desk.wait(lambda: asking.name == "regulatory")
    asking.menu().actions()[1].trigger()
    _entry(asking, "Use for the whole project").trigger()
    _planned(desk, panel, "evidence")
    desk.wait(lambda: panel.profile_button.name == "evidence")
    assert panel.profile_name == ""
    panel.profile_button.menu().actions()[0].trigger()
    _entry(panel.profile_button, "Use for the whole project").trigger()
    desk.wait(lambda: asking.usual == "regulatory")
    assert desk.session.project_profile == "regulatory"
    assert asking.wish == ""


def test_a_profile_that_cannot_be_used_opens_and_the_plan_stays_the_projects(
    desk: OpenDesk, panel: PromptPanel
) -> None:
    desk.session.own_profiles["mine"] = "name: mine\ntitle: Mine\nlimit: x\n"
    desk.window.draft_profiles.refresh()
    desk.wait(lambda: "mine" in [one.text() for one in panel.profile_button.menu().actions()])
    _entry(panel.profile_button, "mine").trigger()
    desk.wait(lambda: desk.window.findChild(ProfileDialog) is not None)
    dialog = desk.window.findChild(ProfileDialog)
    assert dialog is not None
    assert dialog.problem.text() == MISTAKE
    assert panel.profile_name == ""
    _planned(desk, panel, "regulatory")
    dialog.reject()
