"""The prompts of the project: saved, renamed, moved to the trash, begun from a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QFile, Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.profiles.template_outline import outline_text
from phasergun_desktop.ui.confirmation import ask_text, confirm
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.picker_box import FAMILY_NAMES, NEW_PROMPT
from phasergun_desktop.ui.projects.project_tree_model import NodeKind
from phasergun_desktop.workspace.prompt_problems import PromptChangedError, prompt_digest

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession
    from phasergun_desktop.workspace.session_prompts import PromptFile

CHOOSE = "Choose a prompt first"
DELETE = "Delete the prompt"
NO_TEMPLATES = "There is no template to begin with"


def move_to_trash(path: str) -> bool:
    """Move a file to the trash of the system; whether there is one for it."""
    moved: object = QFile.moveToTrash(path)
    return bool(moved[0] if isinstance(moved, tuple) else moved)


class PromptFileFlow(Flow):
    """Works on the prompt that is selected in the tree, else on the one in the field."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.move_to_trash: Callable[[str], bool] = move_to_trash

    def _file(self) -> str:
        node = self._project_panel.current_node()
        if node is not None and node.kind is NodeKind.PROMPT:
            return node.key
        file = self._prompt_panel.prompt_file
        if not file:
            self._work.say(CHOOSE)
        return file

    def _title(self, file: str) -> str:
        picker = self._prompt_panel.picker
        return picker.itemText(picker.findData(file)) or file

    def _show(self, prompts: tuple[PromptFile, ...], said: str) -> None:
        self._project_panel.model.show_prompts(prompts)
        self._prompt_panel.show_prompts(prompts)
        self._work.say(said)

    def _while_in_view(self, work: Callable[..., object]) -> Callable[..., None]:
        """Return ``work`` as it is done while the project in view now still is."""
        session = self._work.session

        def done(*said: object) -> None:
            if session is self._work.session:
                work(*said)

        return done

    # Save -------------------------------------------------------------------------------------

    def save(self, file: str, text: str, before: str = "") -> None:
        """Write a prompt and choose it; ask where its file is neither what was loaded nor
        ``before`` (a digest)."""
        session, panel = self._work.session, self._prompt_panel
        if session is None:
            return
        # What is not listed cannot be read, and is not to be replaced.
        is_new = panel.picker.findData(file) < 0
        before = before or panel.typed_texts.loaded(file)

        def on_saved(saved: tuple[PromptFile, tuple[PromptFile, ...]]) -> None:
            panel.note_saved(saved[0])
            self._show(saved[1], "Prompt saved")

        def on_failed(error: Exception) -> None:
            if not isinstance(error, PromptChangedError):
                self._work.report(error)
            elif session is self._work.session and panel.is_prompt(file) and not panel.is_changed():
                self._load(file)
            elif session is self._work.session:
                self._ask_which(file, text, error.text)

        self._work.call(
            lambda: (
                session.save_prompt(file, text, is_new=is_new, before=before),
                session.prompts(),
            ),
            on_saved,
            failed=on_failed,
            must_run=True,
        )

    def _ask_which(self, file: str, mine: str, theirs: str) -> None:
        panel = self._prompt_panel

        def save() -> None:
            panel.keep_beside("", theirs)
            self.save(file, mine, prompt_digest(theirs))

        def load() -> None:
            panel.keep_beside("", mine)
            self._load(file)

        self._confirm(
            "Save prompt",
            f"“{self._title(file)}” was changed by another program since it was loaded.",
            f"The text that you do not choose is kept under “{NEW_PROMPT}”.",
            {"Save mine": save, "Load theirs": load},
        )

    def _load(self, file: str) -> None:
        """Show a prompt as it is in its file."""

        def on_listed(prompts: tuple[PromptFile, ...]) -> None:
            self._show(prompts, "Loaded, as another program changed it")
            self._prompt_panel.give_way(file)

        self._work.do(lambda session: session.prompts(), on_listed)

    # Rename -----------------------------------------------------------------------------------

    def ask_name(self) -> None:
        """Ask for another name."""
        file = self._file()
        if file:
            rename, title = self._while_in_view(partial(self.rename, file)), self._title(file)
            ask_text(self._window, "Rename the prompt", "Name of the prompt", title, rename)

    def rename(self, file: str, name: str) -> None:
        """Give a prompt another name; what was typed in it and not saved goes with it."""
        if name.strip() in ("", self._title(file)):
            return

        def on_renamed(made: tuple[str, tuple[PromptFile, ...]]) -> None:
            self._prompt_panel.follow(file, made[0])
            self._show(made[1], "Renamed")

        self._work.do(
            lambda session: (session.rename_prompt(file, name).file, session.prompts()),
            on_renamed,
            must_run=True,
        )

    # Delete -----------------------------------------------------------------------------------

    def ask_to_delete(self) -> None:
        """Ask, then move the prompt to the trash of the system."""
        file = self._file()
        if not file:
            return
        more = "Drafts that were made from it keep its text."
        if self._prompt_panel.typed_texts.text_of(file):
            more += " What was typed in it and is not saved goes with it."
        answers = {"Move to the trash": lambda: self.throw_away(file)}
        self._confirm(DELETE, f"Move “{self._title(file)}” to the trash?", more, answers)

    def throw_away(self, file: str) -> None:
        """Move a prompt to the trash; where there is none, ask whether to delete it for good."""
        session = self._work.session
        if session is None:
            return

        def work() -> tuple[bool, tuple[PromptFile, ...]]:
            is_moved = self.move_to_trash(str(session.prompt_path(file)))
            return is_moved, session.prompts()

        def on_done(done: tuple[bool, tuple[PromptFile, ...]]) -> None:
            if not done[0]:
                self._ask_for_good(session, file)
                return
            said = f"“{self._title(file)}” is in the trash of the system"
            self._prompt_panel.follow(file, "")
            self._show(done[1], said)

        self._work.call(work, on_done, must_run=True)

    def _ask_for_good(self, session: ProjectSession, file: str) -> None:
        def work() -> tuple[PromptFile, ...]:
            session.delete_prompt(file)
            return session.prompts()

        def on_deleted(prompts: tuple[PromptFile, ...]) -> None:
            self._prompt_panel.follow(file, "")
            self._show(prompts, "Deleted")

        question = f"Delete “{self._title(file)}” for good?"
        more = "There is no trash for this folder. The prompt cannot be brought back."
        answers = {"Delete for good": lambda: self._work.call(work, on_deleted, must_run=True)}
        role = QMessageBox.ButtonRole.DestructiveRole
        box = self._confirm(DELETE, question, more, answers, role)
        box.setIcon(QMessageBox.Icon.Warning)

    def _confirm(
        self,
        title: str,
        question: str,
        more: str,
        answers: Mapping[str, Callable[[], object]],
        role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.AcceptRole,
    ) -> QMessageBox:
        """See ``confirm``; nothing is done once another project is in view, nor by Return."""
        done = {words: self._while_in_view(do) for words, do in answers.items()}
        box = confirm(self._window, title, question, more, done, role)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        return box

    # From a template --------------------------------------------------------------------------

    def ask_template(self) -> None:
        """Begin a prompt with the outline of the template that is chosen, else ask for one."""
        panel = self._prompt_panel
        templates = panel.template_picker.templates
        chosen = [one for one in templates if one.name == panel.template_name]
        if chosen or not templates:
            self._begin(chosen[0]) if chosen else self._work.say(NO_TEMPLATES)
            return
        names = {f"{FAMILY_NAMES[one.family]}: {one.title}": one for one in templates}
        dialog = QInputDialog(self._window)
        dialog.setWindowTitle("New prompt from a template")
        dialog.setLabelText("The outline of")
        dialog.setComboBoxItems(list(names))
        dialog.resize(460, dialog.sizeHint().height())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda name: self._begin(names[name]))
        dialog.open()

    def _begin(self, template: SectionTemplate) -> None:
        panel = self._prompt_panel
        fields = {
            one.parts[1].casefold(): one.text
            for one in panel.editor.names.brackets
            if one.parts[0] == "Master Record" and len(one.parts) == 2
        }
        # Below what is typed already in a prompt that has no file yet.
        panel.bring_back((TypedPrompt("", outline_text(template, fields)),))
        panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._work.say(f"The outline of “{template.title}” as a new prompt")
