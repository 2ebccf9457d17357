"""A menu of profiles, for a question or a draft: chosen, copied, edited, used for the project."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.choice_button import Choice, ChoiceButton
from phasergun_desktop.ui.dialogs.profile_dialog import ProfileDialog
from phasergun_desktop.ui.flow import Desk, Flow

if TYPE_CHECKING:
    from phasergun_desktop.workspace.engines import ProfileEntry
    from phasergun_desktop.workspace.session import ProjectSession

FIRST_USE = (
    "The first {what} with another profile takes longer: its passages are made then, beside those "
    "of the project's profile."
)
TAKEN = "There is a profile of this name already. Give this one another name."
_NAME, _TITLE = re.compile(r"^name:.*$", re.MULTILINE), re.compile(r"^title:.*$", re.MULTILINE)


class ProfileFlow(Flow):
    """Fills the menu of ``button``; a profile that is not valid opens where it can be mended.
    ``tell`` is handed what the first use of a profile costs, for ``what`` (a question, a plan)."""

    # Another profile was chosen, or the one that is chosen is not what it was.
    picked = Signal()
    # The profile of the project, or the file of one, is another: other menus are to be filled anew.
    changed = Signal()

    def __init__(
        self, desk: Desk, button: ChoiceButton, tell: Callable[[str], None], what: str
    ) -> None:
        super().__init__(desk)
        self._button = button
        self._tell = tell
        self._first_use = FIRST_USE.format(what=what)
        self._entries: dict[str, ProfileEntry] = {}
        self._used: set[str] = set()
        self.for_project = QAction("&Use for the whole project", self)
        self.edit_copy = QAction("Edit a &copy of this profile…", self)
        self.edit = QAction("&Edit this profile…", self)
        self.for_project.triggered.connect(self.use_for_project)
        self.edit_copy.triggered.connect(lambda: self.open_editor(is_copy=True))
        self.edit.triggered.connect(lambda: self.open_editor(is_copy=False))
        button.chosen.connect(self._on_chosen)
        button.menu().aboutToShow.connect(self._show_state)

    def set_session(self, session: ProjectSession | None) -> None:
        """Offer the profiles of another project."""
        self._button.name = self._button.usual = ""
        self._used.clear()
        if session is None:
            self._button.show_choices((), "")
        else:
            self.refresh()

    def refresh(self, chosen: str = "") -> None:
        """List the profiles as they are now, and choose one of them."""

        def on_listed(found: tuple[tuple[ProfileEntry, ...], str]) -> None:
            entries, usual = found
            self._entries = {one.name: one for one in entries}
            button, is_first = self._button, not self._button.usual
            # What was not wished for follows the project.
            button.name = chosen or button.wish
            choices = [
                Choice(one.name, one.title, one.problem or one.description) for one in entries
            ]
            button.show_choices(choices, usual, (self.for_project, self.edit_copy, self.edit))
            if not is_first:
                self.picked.emit()

        self._work.do(lambda session: (session.profiles(), session.profile_name), on_listed)

    def _show_state(self) -> None:
        button = self._button
        entry = self._entries.get(button.name)
        self.for_project.setEnabled(entry is not None and bool(button.wish))
        self.edit.setEnabled(entry is not None and entry.is_own)

    def _on_chosen(self, name: str) -> None:
        entry = self._entries[name]
        if entry.problem:
            self._button.choose(self._button.usual)
            self._edit(name, is_copy=not entry.is_own)
        elif self._button.wish and name not in self._used:
            self._tell(self._first_use)
        self._used.add(name)
        self.picked.emit()

    def use_for_project(self) -> None:
        """Search, ask and draft with the chosen profile in this project from now on."""
        name = self._button.name

        def on_set(_none: object) -> None:
            self._work.say(f"This project uses the profile “{self._entries[name].title}” now")
            self.refresh(name)
            self.changed.emit()

        self._work.do(lambda session: session.set_profile(name), on_set, must_run=True)

    # Editing ----------------------------------------------------------------------------------

    def open_editor(self, *, is_copy: bool) -> None:
        """Open the file of the chosen profile, or a copy of it, as text."""
        self._edit(self._button.name, is_copy=is_copy)

    def _edit(self, name: str, *, is_copy: bool) -> None:
        def on_read(text: str) -> None:
            shown = self._free_name(name) if is_copy else name
            if is_copy:
                text = _TITLE.sub(rf"\g<0> (copy {shown.rpartition('-')[2]})", text, count=1)
            dialog = ProfileDialog(shown, text, is_copy=is_copy, parent=self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.save_wanted.connect(
                lambda saved, text: self._save(dialog, saved, text, is_copy=is_copy)
            )
            problem = self._entries[name].problem
            dialog.open()
            if problem:
                dialog.show_problem(problem)

        self._work.do(lambda session: session.profile_text(name), on_read)

    def _free_name(self, name: str) -> str:
        number = 2
        while f"{name}-{number}" in self._entries:
            number += 1
        return f"{name}-{number}"

    def _save(self, dialog: ProfileDialog, saved: str, text: str, *, is_copy: bool) -> None:
        if is_copy and saved in self._entries:
            dialog.show_problem(TAKEN)
            return

        def on_saved(_none: object) -> None:
            dialog.accept()
            self._work.say(f"The profile “{saved}” is saved")
            self.refresh(saved)
            self.changed.emit()

        def on_failed(error: Exception) -> None:
            if isinstance(error, PhaserGunError):
                dialog.show_problem(f"{error.message} {error.remedy}".strip())
            else:
                self._work.report(error)

        named = _NAME.sub(f"name: {saved}", text, count=1)
        self._work.do(
            lambda session: session.save_profile(saved, named),
            on_saved,
            failed=on_failed,
            must_run=True,
        )
