"""Picks or edits a prompt and shows what would be read before a word is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.references.model import Problem, Severity
from phasergun_desktop.references.reference_names import ReferenceNames
from phasergun_desktop.ui.generate.prompt_frame import GENERATE, PromptFrame
from phasergun_desktop.ui.generate.typed_texts import TypedTexts
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.words import file_name, plan_summary

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session_prompts import PromptFile

IDLE_MS = 600
NEW_PROMPT = "New prompt"
STILL_READING = "The folder is still being read; this may mend itself."
FETCH_IT = "Get it with the command “phasergun models fetch”, then open the project again."
WITHOUT_IT = "Drafts in the words of their sources need none."
AS_PROSE = "Write the draft, its paragraphs joined by the language model (Ctrl+Shift+G)"


class PromptPanel(PromptFrame):
    """Prompt, plan and the button that starts the draft; it decides nothing by itself."""

    plan_wanted = Signal(str, str)
    generate_wanted = Signal(bool)
    save_wanted = Signal()
    # What was typed and is in no file is not what it was.
    typed = Signal()
    # The plan is another one, until it is settled: see ``Plan.is_settled``.
    plan_changed = Signal(object)

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
        self._typed = TypedTexts()
        self._plan: Plan | None = None
        self._is_busy = False
        self._model_problem = ""
        self._is_reading = False
        self._is_planning = False
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self.request_plan)
        self.editor.textChanged.connect(self._on_text_changed)
        self._connect()
        self._show_state()

    def _connect(self) -> None:
        self.picker.activated.connect(self._on_picked)
        self.template_picker.chosen.connect(self._on_template_chosen)
        self.plan_button.clicked.connect(self.request_plan)
        self.generate_button.clicked.connect(lambda: self.generate_wanted.emit(False))
        self.prose_button.clicked.connect(lambda: self.generate_wanted.emit(True))
        self.save_button.clicked.connect(self.save_wanted)
        self.board.problem_activated.connect(self.editor.go_to)
        self.board.replacement_wanted.connect(self.editor.use)
        self.editor.replaced.connect(self.request_plan)
        self.editor.file_wanted.connect(self.board.file_activated)
        self.board.changed.connect(self._on_board_changed)

    # Prompts ------------------------------------------------------------------------------

    @property
    def prompt_file(self) -> str:
        """File of the chosen prompt; empty for one that is not saved."""
        data = self.picker.currentData()
        return data if isinstance(data, str) else ""

    @property
    def prompt_text(self) -> str:
        """The prompt as it stands in the field."""
        return self.editor.toPlainText()

    @property
    def template_name(self) -> str:
        """Name of the chosen template; empty for the prompt's own outline."""
        return self.template_picker.template_name

    def show_templates(self, templates: tuple[SectionTemplate, ...]) -> None:
        """List the templates; what is chosen stays."""
        chosen = self.template_name
        self.template_picker.show_templates(templates)
        if self.template_name != chosen:
            self._on_template_chosen()

    def typed_text(self, file: str) -> str:
        """Return what was typed for a prompt and is not in its file."""
        return self._typed.text_of(file)

    def follow(self, file: str, new: str) -> None:
        """The prompt of ``file`` has another name, or is gone: before the prompts are listed."""
        typed = self._typed.text_of(file)
        self._note_typed(file, "")
        if new and typed:
            self._note_typed(new, typed)
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

    def is_prompt(self, file: str) -> bool:
        """Whether the prompt in the field is that of ``file``."""
        return self.picker.currentIndex() == self._index_of(file)

    def is_changed(self) -> bool:
        """Whether the text differs from the file."""
        saved = next((one.text for one in self._prompts if one.file == self.prompt_file), "")
        return self.prompt_text.strip() != saved.strip()

    def is_typed(self) -> bool:
        """Whether the writer has changed the text since it was put there, and not saved it."""
        return self.is_changed() and self.prompt_text.strip() != self._given_text.strip()

    def typed_prompts(self) -> tuple[TypedPrompt, ...]:
        """What was typed and is in no file."""
        return self._typed.all(self.prompt_file if self.is_typed() else None)

    def start_anew(self) -> None:
        """Make room for the prompts of another project."""
        self._typed = TypedTexts()
        self._prompts, self._awaited_file = (), ""
        self.editor.names = ReferenceNames()
        self._given_text, self._file, self._file_of_text = "", "", {}
        self.picker.clear()
        self.template_picker.choose("")
        self.editor.describe(has_template=False)
        # Undo must not bring back what was typed in the other one.
        self.editor.setPlainText("")
        self.board.forget()

    def show_typed(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Bring back what was typed in this project, before its prompts are listed."""
        for each in prompts:
            if each.is_shown and each.text:
                self._awaited_file = each.file
                self.editor.replace_text(each.text)
        self._typed = TypedTexts(prompts)

    def bring_back(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Put texts that were typed earlier beside what is typed now, and show the last one."""
        for each in prompts:
            if not each.text:
                continue
            # The file may be gone meanwhile: its text is a new prompt then.
            file = each.file if self.picker.findData(each.file) >= 0 else ""
            now = self._typed.text_of(file)
            if each.text not in now:
                self._note_typed(file, f"{now}\n\n{each.text}".strip())
            self.choose(file)

    def expect(self, file: str, text: str) -> None:
        """Choose ``file`` as soon as it is listed, if the new prompt in the field is ``text``."""
        if not self.prompt_file and self.prompt_text.strip() == text.strip():
            self._awaited_file = file
            self._note_typed("", "")

    def show_prompts(self, prompts: tuple[PromptFile, ...]) -> None:
        """List the prompts; what is being edited stays as it is."""
        chosen = self.prompt_file or self._awaited_file
        changed = self.is_changed() or (self.picker.count() > 0 and not chosen)
        self._prompts = prompts
        self.picker.clear()
        for prompt in prompts:
            self.picker.addItem(prompt.title, prompt.file)
            self.picker.setItemData(
                self.picker.count() - 1, prompt.file, Qt.ItemDataRole.ToolTipRole
            )
        self.picker.addItem(NEW_PROMPT, "")
        self._awaited_file = ""
        index = self._index_of(chosen)
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

    def choose(self, file: str) -> None:
        """Choose a prompt by its file; empty begins a new one."""
        index = self.picker.findData(file)
        if index >= 0:
            self.picker.setCurrentIndex(index)
            self._on_picked(index)

    def set_text(self, file: str, text: str, template: str = "") -> None:
        """Show a prompt's text as it was when a draft was made from it, and its template."""
        self.board.leave_prompt()
        if template != self.template_name:
            self.template_picker.choose(template)
            self.editor.describe(has_template=bool(self.template_name))
            self._on_text_changed()
        index = self._index_of(file)
        self._awaited_file = "" if index >= 0 else file
        self.picker.setCurrentIndex(index if index >= 0 else self.picker.count() - 1)
        self._give(text)

    def _give(self, text: str) -> None:
        """Put a text into the field, after its file was chosen."""
        self._file_of_text |= {self.prompt_text: self._file, text: self.prompt_file}
        self._given_text, self._file = text, self.prompt_file
        self.editor.replace_text(text)

    def _index_of(self, file: str) -> int:
        """Return the row of a prompt, -1 if it is not listed. A draft of the command line knows
        the name of its prompt only."""
        row = self.picker.findData(file) if file else -1
        if row >= 0 or not file:
            return row
        wanted = file_name(file).casefold()
        same = [
            index
            for index, prompt in enumerate(self._prompts)
            if file_name(prompt.file).casefold() == wanted
        ]
        return same[0] if len(same) == 1 else -1

    def _on_picked(self, _index: int) -> None:
        self._awaited_file = ""
        self.board.leave_prompt()
        self.template_picker.choose("")
        self.editor.describe(has_template=False)
        prompt = next((one for one in self._prompts if one.file == self.prompt_file), None)
        typed = self._typed.text_of(self.prompt_file)
        self._give(prompt.text.strip() if prompt is not None else "")
        if typed:
            # Undo leads back to the file's own text.
            self.editor.replace_text(typed)
        self.request_plan()

    def _on_template_chosen(self) -> None:
        if self.template_name and self.prompt_file and not self.is_changed():
            # A section is drafted from the whole project; a saved prompt would restrict it
            # unasked. What the writer typed stays and is used beside it.
            self.picker.setCurrentIndex(self.picker.count() - 1)
            self._give(self._typed.text_of(""))
            self._given_text = ""
        self._plan = None
        self.board.leave_prompt()
        self.editor.describe(has_template=bool(self.template_name))
        self.request_plan()
        self._show_state()

    def _on_text_changed(self) -> None:
        # The old plan is not of this prompt any more: nothing is generated from it.
        self._plan = None
        self._follow_undo()
        if self.is_typed():
            self._note_typed(self.prompt_file, self.prompt_text)
        elif not self.is_changed():
            self._note_typed(self.prompt_file, "")
        self._idle.start()
        self._show_state()

    def _note_typed(self, file: str, text: str) -> None:
        if self._typed.note(file, text):
            self.typed.emit()

    def _follow_undo(self) -> None:
        """Choose the file of a text that undo or redo brought back: saving must not put it into
        another one."""
        text = self.prompt_text
        row = self.picker.findData(self._file_of_text[text]) if text in self._file_of_text else -1
        if row >= 0 and text:
            self.picker.setCurrentIndex(row)
        self._file = self.prompt_file

    # Plan -----------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan | None:
        """The plan of the prompt as it stands with what is ticked, None until there is one."""
        return self.board.plan if self._plan is not None else None

    @property
    def planned(self) -> Plan | None:
        """The plan as it was made, before anything was ticked."""
        return self._plan

    def request_plan(self) -> None:
        """Ask for the plan of the prompt as it stands."""
        self._idle.stop()
        if self.prompt_text.strip() or self.template_name:
            self._is_planning = True
            self.plan_wanted.emit(self.prompt_text, self.template_name)
        else:
            self.show_plan(None)

    def show_plan_of(self, prompt: str, plan: Plan) -> None:
        """Show a plan if it is of the prompt that stands in the field."""
        if prompt == self.prompt_text and plan.template == self.template_name:
            self.show_plan(plan)

    def show_plan(self, plan: Plan | None) -> None:
        """Show a plan, or none."""
        self._is_planning = False
        self._plan = plan
        self.board.show_plan(plan)
        self._show_plan_state()

    def show_settled(self, plan: Plan, settled: Plan) -> None:
        """Show what ``plan`` costs and what is wrong with it, unless another one is in view."""
        if plan is self.plan:
            self.board.show_settled(settled)
            self._show_plan_state()

    def _on_board_changed(self) -> None:
        if self._plan is not None:
            self._show_plan_state()

    def _show_plan_state(self) -> None:
        plan = self.plan
        references, problems = (plan.references, plan.problems) if plan is not None else ((), ())
        self.editor.show_marks(references, problems)
        self._show_state()
        if plan is not None and not plan.is_settled:
            self.plan_changed.emit(plan)

    def show_plan_failure(self, message: str) -> None:
        """Say that there is no plan and why."""
        self._is_planning = False
        self._plan = None
        self.board.show_plan(None)
        self._show_state()
        self.summary.setText(message)

    def set_busy(self, is_busy: bool) -> None:
        """Generation has begun or ended."""
        self._is_busy = is_busy
        self._show_state()

    def set_model_problem(self, problem: str) -> None:
        """Say why there is no model; empty when there is one."""
        self._model_problem = problem
        self._show_state()

    def set_reading(self, is_reading: bool) -> None:
        """The folder is still being read: what is missing may only not be read yet."""
        if is_reading != self._is_reading:
            self._is_reading = is_reading
            self._show_state()

    @property
    def waits_for_files(self) -> bool:
        """Whether the plan is blocked, which a file that is not read yet may mend, and no other one
        is on its way."""
        return self._is_reading and not self._is_planning and bool(self._blocking())

    def _blocking(self) -> list[Problem]:
        problems = self.plan.problems if self.plan is not None else ()
        return [one for one in problems if one.severity is Severity.BLOCKS]

    def why_not(self) -> str:
        """Say why Generate is off; empty when it is on."""
        if self._is_busy:
            return "A draft is being written."
        if not self.prompt_text.strip() and not self.template_name:
            return "Write or choose a prompt, or choose a section."
        if self._plan is None:
            return "Looking for sources…"
        sentence = _problem_sentence(self._blocking())
        return f"{STILL_READING} {sentence}" if sentence and self._is_reading else sentence

    def _show_state(self) -> None:
        why = self.why_not()
        has_model = not self._model_problem
        self.generate_button.setEnabled(not why)
        self.prose_button.setEnabled(not why and has_model)
        self.save_button.setEnabled(self.is_changed() and bool(self.prompt_text.strip()))
        self.generate_button.setToolTip(why or GENERATE)
        self.prose_button.setToolTip(why or self._model_problem or AS_PROSE)
        plan = self.plan
        if plan is not None and not why:
            self.summary.setText(plan_summary(plan))
        else:
            self.summary.setText(why)
        self.generate_button.setDefault(True)
        self._model_notice.setVisible(not has_model)
        if not has_model:
            remedy = "" if "fetch" in self._model_problem else FETCH_IT
            self._model_notice.setText(f"{self._model_problem} {remedy} {WITHOUT_IT}")


def _problem_sentence(problems: list[Problem]) -> str:
    if not problems:
        return ""
    first = f"{problems[0].message} {problems[0].remedy}".strip()
    more = len(problems) - 1
    return f"{first} ({more} more below)" if more else first
