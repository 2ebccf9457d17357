"""What happens with language models in the window: which is in use, where text would go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile, ModelSource
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.late_workspace import AnyWorkspace
from phasergun_desktop.ui.models.model_dialog import NAMES, ModelDialog
from phasergun_desktop.ui.models.model_page import ModelFacts, ModelPage
from phasergun_desktop.ui.project_work import ProjectWork
from phasergun_desktop.ui.window_actions import WindowActions
from phasergun_desktop.workspace.model_in_use import RemoteNotice, agreed, remote_notice

if TYPE_CHECKING:
    from phasergun_desktop.workspace.model_choices import ConnectionTrial, ModelChoices

ACTIONS = {profile: f"model-{profile.value}" for profile in ModelProfile}
NOT_KEPT = "This computer has no keyring; the key is kept until the window closes."


class ModelFlow(Flow):
    """Connects menu, dialog and status bar with the user's choices of models."""

    def __init__(self, desk: Desk, workspace: AnyWorkspace, actions: WindowActions) -> None:
        super().__init__(desk)
        self._workspace = workspace
        self._actions = actions
        self._notice: RemoteNotice | None = None
        # The question whether passages may be sent, while it is asked.
        self.question: QMessageBox | None = None
        self._asked: RemoteNotice | None = None

    def show_in_use(self, generation: Generation) -> None:
        """Say which profile is in use, and where passages go if they go anywhere."""
        self._notice = remote_notice(generation)
        self._actions[ACTIONS[generation.model_profile]].setChecked(True)
        self._status_bar.show_remote(self._notice)

    def may_send(self, then: Callable[[], None]) -> bool:
        """Whether a draft may be written now; if not, ask, and do ``then`` after a yes."""
        if self._notice is None or self._notice.has_consent:
            return True
        self._ask(self._notice, then)
        return False

    # Choosing -----------------------------------------------------------------------------------

    def use(self, profile: ModelProfile) -> None:
        """Draft with this profile from now on."""
        self._change(lambda choices: choices.use(profile))

    def open_dialog(self) -> None:
        """Show the three profiles."""
        job = self._work.runners.models.submit_call(lambda: _facts(self._choices))
        job.succeeded.connect(self._show_dialog)
        job.failed.connect(self._work.report)

    @property
    def _choices(self) -> ModelChoices:
        # Puts the product together when it is not yet: never on the window's thread.
        return self._workspace.language_models

    def _show_dialog(self, facts: ModelFacts) -> None:
        dialog = ModelDialog(facts, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.choices_made.connect(self._on_choices_made)
        for page in dialog.pages.values():
            _PageJobs(page, lambda: self._choices, self._work, dialog)
        dialog.open()

    def _on_choices_made(self, generation: Generation, keys: Mapping[ModelProfile, str]) -> None:
        def save(choices: ModelChoices) -> Generation:
            # The settings first: an address that cannot be used must not get a key.
            choices.save(generation)
            is_kept = [
                choices.set_key(generation.choice(profile).endpoint.address, key)
                for profile, key in keys.items()
            ]
            if not all(is_kept):
                raise _KeyNotKept(choices.generation())
            return choices.generation()

        self._change(save)

    def _change(self, change: Callable[[ModelChoices], Generation]) -> None:
        job = self._work.runners.models.submit_call(lambda: change(self._choices))
        job.succeeded.connect(self._on_changed)
        job.failed.connect(self._on_change_failed)

    def _on_changed(self, generation: Generation) -> None:
        self.show_in_use(generation)
        name = NAMES[generation.model_profile].lower()
        self._work.say(f"Drafts are written with the {name} model now")
        self._work.do(
            lambda session: session.model_status(),
            self._prompt_panel.set_model_problem,
            failed=lambda _error: None,
        )
        self.may_send(lambda: None)

    def _on_change_failed(self, error: Exception) -> None:
        if isinstance(error, _KeyNotKept):
            self._on_changed(error.generation)
            self._work.tell(NOT_KEPT)
            return
        self._work.report(error)
        if self._notice is None:
            # The menu shows what is in use, not what was wished for.
            read = self._work.runners.models.submit_call(self._read)
            read.succeeded.connect(self.show_in_use)

    def _read(self) -> Generation:
        return self._choices.generation()

    # Asking -------------------------------------------------------------------------------------

    def _ask(self, notice: RemoteNotice, then: Callable[[], None]) -> None:
        open_question = self.question
        if open_question is not None and self._asked == notice:
            open_question.raise_()
            return
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Send passages?",
            f"Send passages of your documents to {notice.place}?",
            QMessageBox.StandardButton.NoButton,
            self._window,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(consent_text(notice))
        yes = box.addButton(f"&Send to {notice.place}", QMessageBox.ButtonRole.AcceptRole)
        no = box.addButton("&Do not send", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(no)
        box.setEscapeButton(no)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.question, self._asked = box, notice
        if open_question is not None:
            # It names a server that is no longer the one in use.
            open_question.close()

        def on_finished(_result: int) -> None:
            if self.question is not box:
                return
            self.question = None
            if box.clickedButton() is yes:
                self._agree(notice, then)
            else:
                self._work.say("Nothing is sent; choose another model to draft")

        # Also closed by its title bar it is answered, with a no.
        box.finished.connect(on_finished)
        box.open()

    def _agree(self, notice: RemoteNotice, then: Callable[[], None]) -> None:
        def agree() -> Generation:
            choices = self._choices
            # To what the question named, whatever has been chosen since.
            choices.save(agreed(choices.generation(), notice))
            return choices.generation()

        job = self._work.runners.models.submit_call(agree)

        def on_agreed(generation: Generation) -> None:
            self._on_changed(generation)
            then()

        job.succeeded.connect(on_agreed)
        job.failed.connect(self._work.report)


class _KeyNotKept(Exception):  # noqa: N818 - everything was saved but the key
    def __init__(self, generation: Generation) -> None:
        super().__init__("no keyring")
        self.generation = generation


class _PageJobs(QObject):
    """Fetching, checking and testing for one page; what runs ends when the dialog closes."""

    def __init__(
        self,
        page: ModelPage,
        choices: Callable[[], ModelChoices],
        work: ProjectWork,
        dialog: ModelDialog,
    ) -> None:
        super().__init__(dialog)
        self._report = work.report
        self._page = page
        self._choices = choices
        self._runner = work.runners.models
        self._job: JobHandle | None = None
        page.fetch_wanted.connect(self._fetch)
        page.check_wanted.connect(self._check)
        page.form.test_button.clicked.connect(self._test)
        dialog.finished.connect(self._stop)

    def _fetch(self, name: str) -> None:
        choices = self._choices

        def make_job(_stop: threading.Event) -> Job[object]:
            yield from choices().fetch(name)
            return choices().catalogue()

        self._start(make_job, self._page.fetch_result.setText, self._page.show_catalogue)

    def _check(self, path: str) -> None:
        page, choices = self._page, self._choices
        self._start(
            lambda _stop: choices().check_file(Path(path)),
            page.check_result.setText,
            page.show_check,
        )

    def _test(self) -> None:
        form, choices = self._page.form, self._choices
        endpoint, key = form.endpoint, form.entered_key

        def on_answer(trial: ConnectionTrial) -> None:
            form.result.setText(
                f"✓ It answers after {trial.first_word_s:.1f} s, and says “{trial.said}”."
            )

        self._start(
            lambda stop: choices().try_connection(endpoint, key, stop.is_set),
            form.result.setText,
            on_answer,
        )

    def _start(
        self,
        make_job: Callable[[threading.Event], Job[Any]],
        say: Callable[[str], None],
        on_success: Callable[[Any], None],
    ) -> None:
        if self._job is not None:
            return
        say("One moment…")
        job = self._runner.submit(make_job)
        self._job = job

        def on_event(event: object) -> None:
            if self._job is job and isinstance(event, Progress):
                say(_progress(event))

        def on_succeeded(value: object) -> None:
            # After ``_stop`` the page is gone.
            if self._job is job:
                on_success(value)

        def on_failed(error: Exception) -> None:
            if self._job is job and isinstance(error, PhaserGunError):
                say(f"⚠ {error.message} {error.remedy}".strip())
            elif self._job is job:
                say("⚠ It failed.")
                self._report(error)

        def on_finished() -> None:
            if self._job is job:
                self._job = None

        job.event_received.connect(on_event)
        job.succeeded.connect(on_succeeded)
        job.failed.connect(on_failed)
        job.finished.connect(on_finished)

    def _stop(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.cancel()


def consent_text(notice: RemoteNotice) -> str:
    """Return what is sent, to where, and how it can be taken back."""
    how = notice.warning or "The connection is encrypted."
    if notice.is_this_machine:
        how = "It is another program on this machine, and may pass on what it gets."
    confidential = (
        "Documents that categories.yaml labels confidential are sent as well, as you have chosen."
        if notice.sends_confidential
        else "Documents that categories.yaml labels confidential are not sent."
    )
    return (
        f"The model “{notice.model}” is not part of PhaserGun. For every draft that it writes, "
        "your prompt, the rules in your primary context, and the passages of documents that the "
        f"plan names are sent to {notice.place}. {how} {confidential}\n\n"
        "What the server keeps is up to whoever runs it. You are asked once for this address, and "
        "can take it back (Model › Language model…)."
    )


def _progress(event: Progress) -> str:
    if event.total and event.unit == "bytes":
        return f"{event.what}: {event.done / 1e6:,.0f} of {event.total / 1e6:,.0f} MB"
    return f"{event.what}… {event.detail}".rstrip()


def _facts(choices: ModelChoices) -> ModelFacts:
    generation = choices.generation()
    checks: dict[str, ModelCheck] = {}
    has_key: dict[str, bool] = {}
    for profile in ModelProfile:
        choice = generation.choice(profile)
        known = choices.known_check(Path(choice.file)) if choice.file else None
        if known is not None:
            checks[choice.file] = known
        # The keyring may ask the user for permission: only where a server is really in use.
        address = choice.endpoint.address
        if choice.source is ModelSource.REMOTE and address:
            has_key[address] = choices.has_key(address)
    return ModelFacts(
        generation,
        choices.catalogue(),
        {profile: choices.default_of(profile) for profile in ModelProfile},
        checks,
        has_key,
    )
