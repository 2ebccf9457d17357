"""What could not be saved: shown, asked about before it is lost, and offered back."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QMessageBox

from phasergun_desktop.drafts.export import ExportFormat, export_draft, with_export_ending
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.rescue import NotSavedError, RescueCopy, readable_form, title_of
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.ui.confirmation import ask_file
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.editor.autosave import Autosave, Unsaved
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.prompt_keeping import PromptKeeping, TypedPrompts
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.wording import when_in_words

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_LOG = logging.getLogger(__name__)


COPY, AGAIN, GIVE_UP = "copy", "again", "give-up"
_Failure = tuple[Autosave[Any], Unsaved[Any]]


@dataclass(frozen=True, slots=True)
class _Leaving:
    """What is about to happen, in words, and what to call for it. ``session`` is the project that
    it is about (None: all), ``copied`` are the numbers of what need not be asked about again."""

    verb: str
    what: str
    go_on: Callable[[], None]
    session: ProjectSession | None = None
    copied: set[int] = field(default_factory=set)


class UnsavedFlow(Flow):
    """Lets nothing that was typed go without a word."""

    # The writer has nothing more to lose here; what was about to happen may.
    settled = Signal()

    def __init__(
        self, desk: Desk, reporter: ProblemReporter, drafts: DraftFlow, prompts: PromptKeeping
    ) -> None:
        super().__init__(desk)
        self._reporter = reporter
        self._drafts = drafts
        self.window = desk.window
        self._autosaves: tuple[Autosave[Any], ...] = (drafts.autosave, prompts.autosave)
        self._question: QMessageBox | None = None
        for autosave in self._autosaves:
            autosave.state_changed.connect(self._show_state)
            autosave.failed.connect(desk.work.report)

    # Shown --------------------------------------------------------------------------------------

    def _failures(self, session: ProjectSession | None = None) -> list[_Failure]:
        return [
            (autosave, one)
            for autosave in self._autosaves
            for one in autosave.failures
            if session is None or one.session is session
        ]

    def _show_state(self) -> None:
        errors = [one.error for _autosave, one in self._failures()]
        status = self._status_bar
        if not errors and not status.unsaved_label.isHidden():
            status.show_work("Saved")
        status.show_unsaved(errors[0] if errors else None)
        drafts = [error for error in errors if isinstance(error, NotSavedError)]
        self._reporter.unsaved = drafts[0] if drafts else None

    # Asked --------------------------------------------------------------------------------------

    def may_close(self) -> bool:
        """Save what is left on this thread. Where that fails ask what to do, and return False:
        ``settled`` follows when there is nothing more to lose."""
        saved = [autosave.flush() for autosave in self._autosaves]
        return all(saved) or self._ask(_Leaving("Close", "closing", self.settled.emit))

    def may_forget(self, session: ProjectSession, forget: Callable[[], None]) -> None:
        """Forget a project, whose drafts cannot be saved afterwards, or ask what to do before."""
        for autosave in self._autosaves:
            autosave.save_now()
        if self._ask(_Leaving("Forget", "forgetting the project", forget, session)):
            forget()

    def _ask(self, leaving: _Leaving) -> bool:
        """Whether nothing can be lost any more; else ask, and go on when it is settled."""
        open_failures = [
            failure
            for failure in self._failures(leaving.session)
            if failure[1].number not in leaving.copied
        ]
        if not open_failures:
            return True
        if self._question is None:
            self._question = _question_about([one for _, one in open_failures], leaving, self)
            self._question.finished.connect(lambda: self._on_answered(leaving, open_failures))
            self._question.open()
        return False

    def _on_answered(self, leaving: _Leaving, open_failures: list[_Failure]) -> None:
        question, self._question = self._question, None
        if question is None:
            return
        question.deleteLater()
        pressed: QAbstractButton | None = question.clickedButton()
        answer = pressed.objectName() if pressed is not None else ""
        if answer == COPY:
            self._save_copy(leaving, *open_failures[0])
        elif answer == AGAIN:
            for autosave in self._autosaves:
                autosave.flush()
            self._go_on(leaving)
        elif answer == GIVE_UP:
            _LOG.warning("the writer gave up what was not saved")
            leaving.copied.update(one.number for _, one in open_failures)
            self._go_on(leaving)

    def _go_on(self, leaving: _Leaving) -> None:
        if self._ask(leaving):
            for autosave, one in self._failures(leaving.session):
                autosave.let_go(one)
            leaving.go_on()

    def _save_copy(self, leaving: _Leaving, _autosave: Autosave[Any], one: Unsaved[Any]) -> None:
        """Ask for a file anywhere and write one unsaved thing there, then go on."""
        item = one.item
        names, ending = "Markdown (*.md)", ExportFormat.MARKDOWN
        if isinstance(item, Draft):
            names = "Word document (*.docx);;Markdown (*.md);;JSON (*.json)"
            ending = ExportFormat.WORD

        def on_chosen(path: Path) -> None:
            try:
                _write_copy(item, with_export_ending(path, ending))
            except PhaserGunError as error:
                self._work.report(error)
            else:
                leaving.copied.add(one.number)
            self._go_on(leaving)

        name = re.sub(r"[^\w\- ]+", "", title_of(item)).strip() + ending
        ask_file(self.window, "Save a copy", name, names, on_chosen)

    # Offered back -------------------------------------------------------------------------------

    def offer_back(self, session: ProjectSession | None) -> None:
        """Offer what could not be saved in this project before the last closing."""
        if session is None:
            return
        self._work.call(session.rescue.left, lambda copies: self._offer(session, list(copies)))

    def _offer(self, session: ProjectSession, copies: list[RescueCopy]) -> None:
        if not copies or session is not self._work.session:
            return
        copy, *others = copies
        question = QMessageBox(self.window)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle("Words that were not saved")
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(f"“{title_of(copy.item)}” could not be saved last time.")
        question.setInformativeText(
            f"A copy of {when_in_words(copy.made)} is in {copy.path.parent}. Brought back, a draft "
            "takes the place of what is saved of it, which stays among its versions."
        )
        back = question.addButton("Bring back", QMessageBox.ButtonRole.AcceptRole)
        delete = question.addButton("Delete the copy", QMessageBox.ButtonRole.DestructiveRole)
        later = question.addButton("Later", QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(back)
        question.setEscapeButton(later)

        def on_finished() -> None:
            question.deleteLater()
            chosen = question.clickedButton()
            if chosen is back and session is self._work.session:
                self._work.call(lambda: session.bring_back(copy), lambda _none: self._show(copy))
            elif chosen is delete:
                self._work.runners.interactive.submit_call(
                    lambda: session.rescue.discard(copy), must_run=True
                )
            self._offer(session, others)

        question.finished.connect(on_finished)
        question.open()

    def _show(self, copy: RescueCopy) -> None:
        if isinstance(copy.item, Draft):
            self._drafts.shelf.show_draft(copy.item)
            self._drafts.autosave.mark_dirty()
        else:
            self._prompt_panel.bring_back(copy.item)


def _question_about(
    unsaved: Sequence[Unsaved[Any]], leaving: _Leaving, flow: UnsavedFlow
) -> QMessageBox:
    question = QMessageBox(flow.window)
    question.setIcon(QMessageBox.Icon.Warning)
    question.setWindowTitle("Not saved")
    question.setTextFormat(Qt.TextFormat.PlainText)
    names = " and ".join(f"“{title_of(one.item)}”" for one in unsaved)
    question.setText(f"{names} could not be saved.")
    question.setInformativeText("\n\n".join(_why(one, leaving.what) for one in unsaved))
    role = QMessageBox.ButtonRole
    question.setStandardButtons(QMessageBox.StandardButton.Cancel)
    question.setEscapeButton(QMessageBox.StandardButton.Cancel)
    for name, text, kind in (
        (COPY, "Save a copy…", role.AcceptRole),
        (AGAIN, "Try again", role.AcceptRole),
        (GIVE_UP, f"{leaving.verb} without saving", role.DestructiveRole),
    ):
        button = question.addButton(text, kind)
        button.setObjectName(name)
        if name == COPY:
            question.setDefaultButton(button)
    return question


def _write_copy(item: Draft | TypedPrompts, path: Path) -> None:
    if isinstance(item, Draft):
        export_draft(item, path)
    else:
        write_atomically(path, readable_form(item))


def _why(one: Unsaved[Any], what: str) -> str:
    """Say why it is not saved, and what becomes of it."""
    error = one.error
    if not isinstance(error, PhaserGunError):
        return "Something went wrong in PhaserGun itself. Save a copy to be sure."
    sentence = f"{error.message} {error.remedy}".strip()
    if isinstance(error, NotSavedError) and error.copy is not None:
        return f"{sentence} The copy is offered when the project is opened again."
    return f"{sentence} Without a copy it is lost by {what}."
