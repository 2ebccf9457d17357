"""Which prompt stands in the field: picked, typed, undone, brought back; and what was typed for
prompts and differs from their files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.references.reference_names import ReferenceNames
from phasergun_desktop.ui.choice_button import agent_choices
from phasergun_desktop.ui.generate.prompt_frame import PromptFrame
from phasergun_desktop.ui.icons import IconSet

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session_prompts import PromptFile


class TypedTexts:
    """By file; the empty one stands for a prompt that has none yet."""

    def __init__(self, prompts: Sequence[TypedPrompt] = ()) -> None:
        # Empty where nothing is left to keep: that has to be stored as well.
        self._texts = {each.file: each.text for each in prompts}
        self._loaded = {each.file: each.loaded for each in prompts if each.loaded}

    def text_of(self, file: str) -> str:
        """What was typed; empty if nothing was."""
        return self._texts.get(file, "")

    def note(self, file: str, text: str) -> bool:
        """Take in what stands there now, empty for none; whether that is new."""
        if self.text_of(file) == text:
            return False
        self._texts[file] = text
        return True

    def loaded(self, file: str) -> str:
        """Return the digest of the text of the file as it was loaded; empty if it never was."""
        return self._loaded.get(file, "")

    def note_loaded(self, prompt: PromptFile) -> None:
        """Take in that the writer has the text of this file before him."""
        self._loaded[prompt.file] = prompt.digest

    def note_listed(self, prompts: Iterable[PromptFile], changed: str) -> None:
        """Take in what the files hold now; what was typed, and the text of ``changed``, is based
        on what they held before."""
        for each in prompts:
            if (not self.text_of(each.file) and each.file != changed) or not self.loaded(each.file):
                self.note_loaded(each)

    def follow(self, file: str, new: str) -> None:
        """The file has another name, or is gone."""
        loaded = self._loaded.pop(file, "")
        if new and loaded:
            self._loaded[new] = loaded

    def all(self, shown: str | None) -> tuple[TypedPrompt, ...]:
        """Everything, with the one that stands in the field marked."""
        return tuple(
            TypedPrompt(file, text, file == shown, self.loaded(file))
            for file, text in self._texts.items()
        )


class PromptChoice(PromptFrame):
    """Prompts with their files and what was typed in them; it knows nothing of plans."""

    # What was typed and is in no file is not what it was.
    typed = Signal()
    # The text in the field is another one.
    edited = Signal()
    # Another prompt was picked, or another template, agent or profile chosen.
    picked = Signal()
    template_chosen = Signal()

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(icons, parent)
        self._prompts: tuple[PromptFile, ...] = ()
        # The prompt of a draft that was opened before the prompts were listed.
        self._awaited_file = ""
        # What was last put into the field; the file of the text in it, and of those before: undo
        # brings both back.
        self._given_text = ""
        self._file = ""
        self._file_of_text: dict[str, str] = {}
        self.typed_texts = TypedTexts()
        self._agents: tuple[Agent, ...] = ()
        self.editor.textChanged.connect(self._on_text_changed)
        self.picker.activated.connect(self._on_picked)
        self.template_picker.chosen.connect(self._on_template_picked)
        self.agent_button.chosen.connect(self._on_agent_chosen)

    @property
    def prompt_file(self) -> str:
        """File of the chosen prompt; empty for one that is not saved."""
        return self.picker.value

    @property
    def prompt_text(self) -> str:
        """The prompt as it stands in the field."""
        return self.editor.toPlainText()

    @property
    def template_name(self) -> str:
        """Name of the chosen template; empty for the prompt's own outline."""
        return self.template_picker.value

    def show_templates(self, templates: tuple[SectionTemplate, ...]) -> None:
        """List the templates; what is chosen stays."""
        chosen = self.template_name
        self.template_picker.show_templates(templates)
        if self.template_name != chosen:
            self._on_template_picked()

    @property
    def agent_name(self) -> str:
        """Name of the agent that is to write; empty for nobody."""
        return self.agent_button.wish

    @property
    def profile_name(self) -> str:
        """Name of the profile to draft with; empty for that of the project."""
        return self.profile_button.wish

    def show_agents(self, agents: tuple[Agent, ...]) -> None:
        """List the agents; who is chosen stays while it is there."""
        self._agents = agents
        self.agent_button.show_choices(agent_choices(agents), "")

    def follow(self, file: str, new: str) -> None:
        """The prompt of ``file`` has another name, or is gone: before the prompts are listed."""
        typed = self.typed_texts.text_of(file)
        self._note_typed(file, "")
        if new and typed:
            self._note_typed(new, typed)
        self.typed_texts.follow(file, new)
        self._file_of_text = {
            text: new if one == file else one for text, one in self._file_of_text.items()
        }
        self._file = new if self._file == file else self._file
        row, current = self.picker.findData(file), self.picker.currentIndex()
        if row >= 0 and new:
            self.picker.setItemData(row, new)
        elif row >= 0:
            self._prompts = tuple(one for one in self._prompts if one.file != file)
            self.picker.removeItem(row)
            if row == current:
                # Undo brings its text back, as a new prompt.
                self._on_picked(self.picker.currentIndex())
            if self.typed_texts.text_of(""):
                # There is another new prompt: undo must not put the text in its place.
                self.editor.document().clearUndoRedoStacks()

    def is_prompt(self, file: str) -> bool:
        """Whether the prompt in the field is that of ``file``."""
        return self.picker.currentIndex() == self.picker.row_of(file)

    def is_changed(self) -> bool:
        """Whether the text differs from the file."""
        saved = next((one.text for one in self._prompts if one.file == self.prompt_file), "")
        return self.prompt_text.strip() != saved.strip()

    def is_typed(self) -> bool:
        """Whether the writer has changed the text since it was put there, and not saved it."""
        return self.is_changed() and self.prompt_text.strip() != self._given_text.strip()

    def typed_prompts(self) -> tuple[TypedPrompt, ...]:
        """What was typed and is in no file."""
        return self.typed_texts.all(self.prompt_file if self.is_typed() else None)

    def start_anew(self) -> None:
        """Make room for the prompts of another project."""
        self.typed_texts = TypedTexts()
        self._prompts, self._awaited_file = (), ""
        self.editor.names = ReferenceNames()
        self._given_text, self._file, self._file_of_text = "", "", {}
        self.picker.clear()
        self._leave_template()
        # Undo must not bring back what was typed in the other one.
        self.editor.setPlainText("")
        self.board.forget()

    def show_typed(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Bring back what was typed in this project, before its prompts are listed."""
        for each in prompts:
            if each.is_shown and each.text:
                self._awaited_file = each.file
                self.editor.replace_text(each.text)
        self.typed_texts = TypedTexts(prompts)

    def bring_back(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Put texts that were typed earlier beside what is typed now, and show the last one."""
        for each in prompts:
            if not each.text:
                continue
            # The file may be gone meanwhile: its text is a new prompt then.
            file = each.file if self.picker.findData(each.file) >= 0 else ""
            self.keep_beside(file, each.text)
            self.choose(file)

    def keep_beside(self, file: str, text: str) -> None:
        """Put a text below what was typed for ``file``, unless it is there."""
        now = self.typed_texts.text_of(file)
        if text not in now:
            self._note_typed(file, f"{now}\n\n{text}".strip())

    def note_saved(self, saved: PromptFile) -> None:
        """Choose the file as soon as it is listed, if the new prompt in the field is its text."""
        self.typed_texts.note_loaded(saved)
        if not self.prompt_file and self.prompt_text.strip() == saved.text.strip():
            self._awaited_file = saved.file
            self._note_typed("", "")

    def give_way(self, file: str) -> None:
        """Show the file of a prompt in the place of what was typed in it."""
        self._note_typed(file, "")
        self.choose(file)

    def show_prompts(self, prompts: tuple[PromptFile, ...]) -> None:
        """List the prompts; what is being edited stays as it is."""
        chosen = self.prompt_file or self._awaited_file
        changed = self.is_changed() or (self.picker.count() > 0 and not chosen)
        self._prompts = prompts
        self.picker.show_prompts(prompts)
        self._awaited_file = ""
        index = self.picker.row_of(chosen)
        # An empty prompt is the writer's wish, beside a template or where others were listed.
        if index >= 0 or changed or self.template_name:
            self.picker.setCurrentIndex(index if index >= 0 else self.picker.count() - 1)
            if index >= 0 and not changed and self.is_changed():
                # The file has another text now.
                self._on_picked(index)
        elif prompts:
            self.choose(prompts[0].file)
        self._file_of_text[self.prompt_text] = self._file = self.prompt_file
        if not self.is_changed():
            self._note_typed(self.prompt_file, "")
        self.typed_texts.note_listed(prompts, self.prompt_file if self.is_changed() else "")

    def choose(self, file: str) -> None:
        """Choose a prompt by its file; empty begins a new one."""
        index = self.picker.findData(file)
        if index >= 0:
            self.picker.setCurrentIndex(index)
            self._on_picked(index)

    def set_text(
        self, file: str, text: str, template: str = "", agent: str = "", profile: str = ""
    ) -> None:
        """Show a prompt's text as it was when a draft was made from it, its template, agent and
        profile."""
        self.board.leave_prompt()
        profile = profile or self.profile_button.usual
        if (template, agent, profile) != (
            self.template_name,
            self.agent_name,
            self.profile_button.name,
        ):
            self.agent_button.choose(agent)
            self.profile_button.choose(profile)
            self.template_picker.choose(template)
            self.editor.describe(has_template=bool(self.template_name))
            self._on_text_changed()
        index = self.picker.row_of(file)
        self._awaited_file = "" if index >= 0 else file
        self.picker.setCurrentIndex(index if index >= 0 else self.picker.count() - 1)
        self._give(text)

    def _give(self, text: str) -> None:
        """Put a text into the field, after its file was chosen."""
        self._file_of_text |= {self.prompt_text: self._file, text: self.prompt_file}
        self._given_text, self._file = text, self.prompt_file
        self.editor.replace_text(text)

    def _on_picked(self, _index: int) -> None:
        self._awaited_file = ""
        self.board.leave_prompt()
        self._leave_template()
        prompt = next((one for one in self._prompts if one.file == self.prompt_file), None)
        typed = self.typed_texts.text_of(self.prompt_file)
        self._give(prompt.text.strip() if prompt is not None else "")
        if typed:
            # Undo leads back to the file's own text.
            self.editor.replace_text(typed)
        elif prompt is not None:
            self.typed_texts.note_loaded(prompt)
        self.picked.emit()

    def _leave_template(self) -> None:
        """Choose the prompt's own outline, and nobody in place of an agent that has another."""
        self.template_picker.choose("")
        self.editor.describe(has_template=False)
        if self._template_of_agent():
            self.agent_button.choose("")

    def _template_of_agent(self) -> str:
        named = (one.template for one in self._agents if one.name == self.agent_name)
        return next(named, "")

    def _on_agent_chosen(self) -> None:
        template = self._template_of_agent()
        if template and template != self.template_name:
            self.template_picker.choose(template)
            self._on_template_picked()
        else:
            self.template_chosen.emit()

    def _on_template_picked(self) -> None:
        if not self.template_name:
            self._leave_template()
        if self.template_name and self.prompt_file and not self.is_changed():
            # A section is drafted from the whole project; a saved prompt would restrict it
            # unasked. What the writer typed stays and is used beside it.
            self.picker.setCurrentIndex(self.picker.count() - 1)
            self._give(self.typed_texts.text_of(""))
            self._given_text = ""
        self.board.leave_prompt()
        self.editor.describe(has_template=bool(self.template_name))
        self.template_chosen.emit()

    def _on_text_changed(self) -> None:
        self._follow_undo()
        if self.is_typed():
            self._note_typed(self.prompt_file, self.prompt_text)
        elif not self.is_changed():
            self._note_typed(self.prompt_file, "")
        self.edited.emit()

    def _note_typed(self, file: str, text: str) -> None:
        if self.typed_texts.note(file, text):
            self.typed.emit()

    def _follow_undo(self) -> None:
        """Choose the file of a text that undo or redo brought back: saving must not put it into
        another one."""
        text = self.prompt_text
        row = self.picker.findData(self._file_of_text[text]) if text in self._file_of_text else -1
        if row >= 0 and text:
            self.picker.setCurrentIndex(row)
        self._file = self.prompt_file
