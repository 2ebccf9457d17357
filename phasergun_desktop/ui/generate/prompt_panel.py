"""Picks or edits a prompt and shows what would be read before a word is written."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from phasergun_desktop.planning.model import Plan
from phasergun_desktop.references.model import Problem, Severity
from phasergun_desktop.ui.generate.prompt_choice import PromptChoice
from phasergun_desktop.ui.generate.prompt_frame import GENERATE
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.wording import literal, plan_summary

IDLE_MS = 600
STILL_READING = "The folder is still being read; this may mend itself."
MORE_TO_COME = "The folder is still being read; more may be found."
FETCH_IT = "Choose or fetch one with Model › Language model… (Ctrl+M)."
WITHOUT_IT = "Drafts in the words of their sources need none."
AS_PROSE = "Write the draft, its paragraphs joined by the language model (Ctrl+Shift+G)"


class PromptPanel(PromptChoice):
    """Prompt, plan and the button that starts the draft; it decides nothing by itself."""

    # Prompt, template, agent and profile.
    plan_wanted = Signal(str, str, str, str)
    generate_wanted = Signal(bool)
    # Why there is no model; empty when there is one.
    model_told = Signal(str)
    # The plan is another one, until it is settled: see ``Plan.is_settled``.
    plan_changed = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(icons, parent)
        # The plan as it was made, before anything was ticked.
        self.planned: Plan | None = None
        self._is_busy = False
        self._model_problem = ""
        self._is_reading = False
        self._is_planning = False
        # With the model or without, as soon as the plan is there; None where none is wanted.
        self._wanted: bool | None = None
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self.request_plan)
        self._connect()
        self._show_state()

    def _connect(self) -> None:
        self.edited.connect(self._on_edited)
        self.picked.connect(self.request_plan)
        self.template_chosen.connect(self._on_template_chosen)
        self.plan_button.clicked.connect(self.request_plan)
        self.generate_button.clicked.connect(lambda: self.generate_wanted.emit(False))
        self.prose_button.clicked.connect(lambda: self.generate_wanted.emit(True))
        self.board.problem_activated.connect(self.editor.go_to)
        self.board.replacement_wanted.connect(self.editor.use)
        self.editor.replaced.connect(self.request_plan)
        self.editor.file_wanted.connect(self.board.file_activated)
        self.board.changed.connect(self._on_board_changed)

    def _on_edited(self) -> None:
        # The old plan is not of this prompt any more: nothing is generated from it.
        self.planned = self._wanted = None
        self._idle.start()
        self._show_state()

    def _on_template_chosen(self) -> None:
        self.planned = self._wanted = None
        self.request_plan()
        self._show_state()

    # Plan -----------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan | None:
        """The plan of the prompt as it stands with what is ticked, None until there is one."""
        return self.board.plan if self.planned is not None else None

    def request_plan(self) -> None:
        """Ask for the plan of the prompt as it stands."""
        self._idle.stop()
        if self._has_prompt:
            self._is_planning = True
            self.plan_wanted.emit(
                self.prompt_text, self.template_name, self.agent_name, self.profile_name
            )
        else:
            self.show_plan(None)

    def generate_when_planned(self, uses_model: bool) -> None:
        """Ask for a draft once the plan is there, if that is what is missing; where the prompt is
        changed before, none is asked for."""
        if self._is_busy or self.planned is not None or not self._has_prompt:
            return
        if self._idle.isActive() or not self._is_planning:
            self.request_plan()
        self._wanted = uses_model

    def show_plan_of(self, prompt: str, plan: Plan) -> None:
        """Show a plan if it is of the prompt that stands in the field."""
        wanted = (self.prompt_text, self.template_name, self.agent_name)
        is_of_profile = self.profile_name in ("", plan.profile)
        if (prompt, plan.template, plan.agent) == wanted and is_of_profile:
            self.show_plan(plan)

    def show_plan(self, plan: Plan | None) -> None:
        """Show a plan, or none."""
        wanted, self._wanted = self._wanted, None
        self._is_planning = False
        self.planned = plan
        # What the plan would cost is of no use once it is there.
        self.tell("")
        self.board.show_plan(plan)
        self._show_plan_state()
        if plan is not None and wanted is not None:
            self.generate_wanted.emit(wanted)

    def show_settled(self, plan: Plan, settled: Plan) -> None:
        """Show what ``plan`` costs and what is wrong with it, unless another one is in view."""
        if plan is self.plan:
            self.board.show_settled(settled)
            self._show_plan_state()

    def _on_board_changed(self) -> None:
        if self.planned is not None:
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
        self._is_planning, self._wanted = False, None
        self.planned = None
        self.board.show_plan(None)
        self._show_state()
        self.summary.setText(message)

    def set_busy(self, is_busy: bool) -> None:
        """Generation has begun or ended."""
        self._is_busy = is_busy
        if is_busy:
            self.tell("")
        self._show_state()

    def set_model_problem(self, problem: str) -> None:
        """Say why there is no model; empty when there is one."""
        self._model_problem = problem
        self.model_told.emit(problem)
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

    @property
    def _has_prompt(self) -> bool:
        return bool(self.prompt_text.strip() or self.template_name)

    def why_not(self, *, has_remedy: bool = True) -> str:
        """Say why Generate is off, and what mends it; empty when it is on."""
        if self._is_busy:
            return "A draft is being written."
        if not self._has_prompt:
            return "Write or choose a prompt, or choose a section."
        if self.planned is None:
            return "Looking for sources…"
        sentence = _problem_sentence(self._blocking(), has_remedy=has_remedy)
        return f"{STILL_READING} {sentence}" if sentence and self._is_reading else sentence

    def why_no_prose(self) -> str:
        """Say why “As prose” is off; empty when it is on."""
        return self.why_not() or self._model_problem

    def _show_state(self) -> None:
        why, why_no_prose = self.why_not(), self.why_no_prose()
        has_model = not self._model_problem
        self.generate_button.setEnabled(not why)
        self.prose_button.setEnabled(not why_no_prose)
        self.save_button.setEnabled(self.is_changed() and bool(self.prompt_text.strip()))
        self.generate_button.setToolTip(literal(why or GENERATE))
        self.prose_button.setToolTip(literal(why_no_prose or AS_PROSE))
        plan = self.plan
        if plan is not None and not why:
            summary = plan_summary(plan, has_model=has_model)
            self.summary.setText(f"{MORE_TO_COME} {summary}" if self._is_reading else summary)
        else:
            # Few lines have room here; the board below says all of it, with its remedy.
            self.summary.setText(self.why_not(has_remedy=False))
        self.summary.setToolTip(literal(why))
        self.generate_button.setDefault(True)
        self._model_notice.setVisible(not has_model)
        if not has_model:
            remedy = "" if "Ctrl+M" in self._model_problem else FETCH_IT
            said = (self._model_problem, remedy, WITHOUT_IT)
            self._model_notice.setText(" ".join(one for one in said if one))


def _problem_sentence(problems: list[Problem], *, has_remedy: bool) -> str:
    if not problems:
        return ""
    remedy = problems[0].remedy if has_remedy else ""
    first = f"{problems[0].message} {remedy}".strip()
    more = len(problems) - 1
    return f"{first} ({more} more below)" if more else first
