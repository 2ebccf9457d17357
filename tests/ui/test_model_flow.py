"""Language models in the window: profiles, own files, servers, and the consent to send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.settings.model import Generation, Settings
from phasergun_desktop.settings.model_choice import (
    ModelChoice,
    ModelProfile,
    ModelSource,
    RemoteEndpoint,
)
from phasergun_desktop.ui.models.model_dialog import ModelDialog
from phasergun_desktop.ui.models.model_flow import consent_text
from phasergun_desktop.workspace.model_in_use import remote_notice
from tests.fakes.ui_desk_stores import FakeSettings
from tests.fakes.ui_models import FakeModelChoices
from tests.ui.conftest import OpenDesk

ADDRESS = "https://models.example/v1"
REMOTE = Generation(
    model_profile=ModelProfile.PREMIUM,
    premium=ModelChoice(ModelSource.REMOTE, endpoint=RemoteEndpoint(ADDRESS, "large")),
)


@pytest.fixture
def choices(desk: OpenDesk) -> FakeModelChoices:
    return desk.workspace.language_models


def _dialog(desk: OpenDesk) -> ModelDialog:
    desk.window.actions_table["language-model"].trigger()

    def found() -> list[ModelDialog]:
        return [one for one in desk.window.findChildren(ModelDialog) if one.isVisible()]

    desk.wait(lambda: bool(found()))
    return found()[0]


def _question(desk: OpenDesk) -> QMessageBox:
    desk.wait(lambda: desk.window.model_flow.question is not None)
    question = desk.window.model_flow.question
    assert question is not None
    return question


def _press(question: QMessageBox, words: str) -> None:
    button = next(one for one in question.buttons() if words in one.text())
    assert isinstance(button, QPushButton)
    button.click()


@pytest.fixture
def remote_desk(open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    settings = FakeSettings()
    settings.settings = replace(Settings(), generation=REMOTE)
    desk = open_desk(settings=settings)
    desk.workspace.language_models.current = REMOTE
    return desk


# ---------------------------------------------------------------- local: nothing is said


def test_with_a_model_of_this_machine_nothing_is_said_of_leaving(desk: OpenDesk) -> None:
    assert desk.window.parts.status_bar.remote_label.isHidden()
    assert desk.window.actions_table["model-balanced"].isChecked()
    assert desk.window.model_flow.may_send(lambda: None)


def test_a_profile_is_switched_from_the_menu(desk: OpenDesk, choices: FakeModelChoices) -> None:
    desk.window.actions_table["model-cheap"].trigger()
    desk.wait(lambda: choices.current.model_profile is ModelProfile.CHEAP)
    bar = desk.window.parts.status_bar
    desk.wait(lambda: "cheap model" in bar.work_label.text())
    assert desk.window.actions_table["model-cheap"].isChecked()
    assert not desk.window.actions_table["model-balanced"].isChecked()


def test_a_switch_that_fails_leaves_the_menu_true(
    desk: OpenDesk, choices: FakeModelChoices
) -> None:
    choices.failure = ModelError("Disk full", "The settings cannot be kept.", "Free some space.")
    desk.window.actions_table["model-cheap"].trigger()
    desk.wait(lambda: "cannot be kept" in desk.window.parts.message_bar.message)
    desk.wait(desk.window.actions_table["model-balanced"].isChecked)


# ---------------------------------------------------------------- remote: words, and a question


def test_a_remote_model_is_named_at_all_times(remote_desk: OpenDesk) -> None:
    label = remote_desk.window.parts.status_bar.remote_label
    assert label.isVisible()
    words = "Remote model: large at models.example: passages leave this machine"
    assert label.words.text() == words
    assert not label.picture.pixmap().isNull()
    assert words in label.accessibleName()
    assert label.width() >= label.words.fontMetrics().horizontalAdvance(words)


def test_the_first_prose_asks_and_a_no_sends_nothing(remote_desk: OpenDesk) -> None:
    desk = remote_desk
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.prose_button.isEnabled)
    panel.prose_button.click()
    question = _question(desk)
    assert "models.example" in question.text()
    assert "passages" in question.informativeText()
    default = question.defaultButton()
    assert default is not None
    assert "Do not send" in default.text()
    _press(question, "Do not send")
    desk.wait(lambda: desk.window.model_flow.question is None)
    assert not desk.window.draft_flow.generation.is_running
    assert desk.text() == ""
    assert not desk.workspace.language_models.current.premium.endpoint.has_consent


def test_a_yes_is_kept_and_the_draft_is_written(remote_desk: OpenDesk) -> None:
    desk = remote_desk
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.prose_button.isEnabled)
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=10_000):
        panel.prose_button.click()
        _press(_question(desk), "Send to models.example")
    assert desk.workspace.language_models.current.premium.endpoint.has_consent
    assert desk.text()
    # It is asked once.
    assert desk.window.model_flow.may_send(lambda: None)
    assert desk.window.parts.status_bar.remote_label.isVisible()


def test_a_question_that_is_closed_is_a_no_and_comes_again(remote_desk: OpenDesk) -> None:
    desk, flow = remote_desk, remote_desk.window.model_flow
    assert not flow.may_send(lambda: None)
    _question(desk).close()
    desk.wait(lambda: flow.question is None)
    assert "Nothing is sent" in desk.window.parts.status_bar.work_label.text()
    desk.wait(lambda: not desk.window.findChildren(QMessageBox))
    assert not flow.may_send(lambda: None)
    _press(_question(desk), "Do not send")


def test_a_question_about_a_server_that_was_left_is_replaced(remote_desk: OpenDesk) -> None:
    desk, flow = remote_desk, remote_desk.window.model_flow
    choices = desk.workspace.language_models
    assert not flow.may_send(lambda: None)
    first = _question(desk)
    assert not flow.may_send(lambda: None)
    assert flow.question is first
    endpoint = RemoteEndpoint("https://elsewhere.example/v1", "large")
    choice = ModelChoice(ModelSource.REMOTE, endpoint=endpoint)
    choices.current = REMOTE.with_choice(ModelProfile.PREMIUM, choice)
    flow.show_in_use(choices.current)
    assert not flow.may_send(lambda: None)
    second = _question(desk)
    assert "elsewhere.example" in second.text()
    desk.wait(lambda: len(desk.window.findChildren(QMessageBox)) == 1)
    _press(second, "Do not send")


def test_a_yes_is_not_to_a_server_that_the_question_did_not_name(remote_desk: OpenDesk) -> None:
    desk = remote_desk
    choices = desk.workspace.language_models
    assert not desk.window.model_flow.may_send(lambda: None)
    question = _question(desk)
    # Another window chose another server, at the same host, since this one read the settings.
    endpoint = RemoteEndpoint("https://models.example/other/v1", "large")
    choice = ModelChoice(ModelSource.REMOTE, endpoint=endpoint)
    choices.current = REMOTE.with_choice(ModelProfile.PREMIUM, choice)
    _press(question, "Send to models.example")
    desk.wait(lambda: "nothing was sent" in desk.window.parts.message_bar.message)
    assert not choices.current.premium.endpoint.has_consent


def test_a_draft_in_the_words_of_its_sources_needs_no_consent(remote_desk: OpenDesk) -> None:
    desk = remote_desk
    desk.wait(desk.window.parts.prompt_panel.generate_button.isEnabled)
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=10_000):
        desk.window.actions_table["generate"].trigger()
    assert desk.window.model_flow.question is None


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        (RemoteEndpoint(ADDRESS, "large"), ("models.example", "encrypted", "are not sent")),
        (
            RemoteEndpoint("http://10.0.0.5:8000/v1", "m", sends_confidential=True),
            ("10.0.0.5:8000", "not encrypted", "are sent as well"),
        ),
        (RemoteEndpoint("http://localhost:8080/v1", "m"), ("another program on this machine",)),
    ],
)
def test_the_question_says_what_goes_where(
    endpoint: RemoteEndpoint, words: tuple[str, ...]
) -> None:
    notice = remote_notice(
        replace(REMOTE, premium=ModelChoice(ModelSource.REMOTE, endpoint=endpoint))
    )
    assert notice is not None
    for each in words:
        assert each in consent_text(notice)


# ---------------------------------------------------------------- the dialog


def test_a_server_is_entered_its_key_apart_and_asked_for(
    desk: OpenDesk, choices: FakeModelChoices
) -> None:
    dialog = _dialog(desk)
    dialog.in_use.setCurrentIndex(2)
    page = dialog.pages[ModelProfile.PREMIUM]
    page.remote.setChecked(True)
    assert not dialog.save_button.isEnabled()
    page.form.address.setText("http://8.8.8.8/v1")
    page.form.model.setText("large")
    assert "https" in dialog.problem_label.text()
    page.form.address.setText(ADDRESS)
    page.form.key.setText("sk-secret")
    assert dialog.save_button.isEnabled()
    page.form.test_button.click()
    desk.wait(lambda: "✓" in page.form.result.text())
    assert choices.tried[0][1] == "sk-secret"
    dialog.save_button.click()
    question = _question(desk)
    assert choices.keys == {ADDRESS: "sk-secret"}
    assert "sk-secret" not in repr(choices.current)
    assert choices.current.premium.endpoint.model == "large"
    assert desk.window.parts.status_bar.remote_label.isVisible()
    _press(question, "Do not send")


def test_a_server_that_fails_is_told_in_the_dialog(
    desk: OpenDesk, choices: FakeModelChoices
) -> None:
    choices.failure = ModelError("x", "Nothing accepts a connection at h:1.", "Start the server.")
    dialog = _dialog(desk)
    page = dialog.pages[ModelProfile.BALANCED]
    page.remote.setChecked(True)
    page.form.address.setText("http://localhost:1")
    page.form.model.setText("m")
    page.form.test_button.click()
    desk.wait(lambda: "Start the server" in page.form.result.text())
    dialog.reject()


def test_an_own_file_is_checked_and_its_figures_shown(
    desk: OpenDesk, choices: FakeModelChoices, tmp_path: Path
) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(b"GGUF")
    dialog = _dialog(desk)
    page = dialog.pages[ModelProfile.BALANCED]
    page.own_file.setChecked(True)
    assert not dialog.save_button.isEnabled()
    page.file.setText(str(path))
    page.check_button.click()
    desk.wait(lambda: "7 tokens a second" in page.check_result.text())
    assert "2.4 GB" in page.check_result.text()
    choices.check = ModelCheck(problem="own.gguf is cut off. Fetch the file again.")
    page.check_button.click()
    desk.wait(lambda: "cut off" in page.check_result.text())
    dialog.save_button.click()
    desk.wait(lambda: choices.current.balanced.source is ModelSource.FILE)
    assert choices.current.balanced.file == str(path)


def test_a_model_that_is_not_there_is_fetched(desk: OpenDesk, choices: FakeModelChoices) -> None:
    dialog = _dialog(desk)
    dialog.tabs.setCurrentIndex(0)
    page = dialog.pages[ModelProfile.CHEAP]
    assert "not on this machine" in page.models.currentText()
    assert "491 MB" in page.models.currentText()
    assert "Apache-2.0" in page.models.currentText()
    page.fetch_button.click()
    desk.wait(lambda: "not on this machine" not in page.models.currentText())
    assert page.fetch_button.isHidden()
    dialog.save_button.click()
    desk.wait(lambda: not dialog.isVisible())
    # Nothing was chosen: the catalogue goes on deciding.
    assert choices.current.cheap == ModelChoice()


def test_agreement_is_taken_back(remote_desk: OpenDesk) -> None:
    desk = remote_desk
    choices = desk.workspace.language_models
    choices.set_consent(ModelProfile.PREMIUM, agrees=True)
    dialog = _dialog(desk)
    form = dialog.pages[ModelProfile.PREMIUM].form
    assert form.withdraw_button.isVisible()
    form.withdraw_button.click()
    assert form.withdraw_button.isHidden()
    dialog.save_button.click()
    _press(_question(desk), "Do not send")
    assert not choices.current.premium.endpoint.has_consent


def test_a_key_that_is_not_kept_is_told(desk: OpenDesk, choices: FakeModelChoices) -> None:
    choices.keeps_keys = False
    dialog = _dialog(desk)
    page = dialog.pages[ModelProfile.CHEAP]
    page.remote.setChecked(True)
    page.form.address.setText(ADDRESS)
    page.form.model.setText("m")
    page.form.key.setText("k")
    dialog.save_button.click()
    desk.wait(lambda: "no keyring" in desk.window.parts.message_bar.message)
    # Another profile is in use: nothing is asked.
    assert desk.window.model_flow.question is None


def test_closing_the_dialog_ends_what_runs(desk: OpenDesk, choices: FakeModelChoices) -> None:
    dialog = _dialog(desk)
    page = dialog.pages[ModelProfile.BALANCED]
    page.own_file.setChecked(True)
    page.file.setText("x.gguf")
    page.check_button.click()
    dialog.reject()
    desk.wait(lambda: not desk.window.runners.models.is_busy)
    QApplication.processEvents()
