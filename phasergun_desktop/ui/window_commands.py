"""What each action of the window does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from phasergun_desktop.paths import user_places
from phasergun_desktop.settings.model import Theme
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.ui.dialogs.about_dialog import AboutDialog
from phasergun_desktop.ui.drafts.format_flow import FormatFlow
from phasergun_desktop.ui.drafts.print_flow import PrintFlow
from phasergun_desktop.ui.focus_mode import FocusMode
from phasergun_desktop.ui.help.manual import CONTENTS
from phasergun_desktop.ui.keyboard_commands import KeyboardCommands
from phasergun_desktop.ui.settings_flow import SettingsFlow
from phasergun_desktop.ui.window_actions import DRAFT
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.ui.ask.asking_job import Asking
    from phasergun_desktop.ui.drafts.proof_flow import ProofFlow
    from phasergun_desktop.ui.generate.generation import Generation
    from phasergun_desktop.ui.main_window import MainWindow
    from phasergun_desktop.ui.projects.drop_flow import DropFlow

OF_ANY_SENTENCE = ("mark-checked", "rewrite-sentence", "rewrite-paragraph", "rewrite-as-asked")
FIXES = ("drop-sentence", "another-source", "todo", *OF_ANY_SENTENCE)
OFF_WHILE_WRITING = ("generate", "prose", "new-draft", "keep-supported", "todo-all", *FIXES)


class WindowCommands(QObject):
    """Connects every action with the flow that does it."""

    def __init__(self, window: MainWindow, memory: WindowMemory) -> None:
        super().__init__(window)
        self._window = window
        self._memory = memory
        self._actions = window.actions_table
        self.focus_mode = FocusMode(window, self._actions["focus-mode"])
        self._settings = SettingsFlow(window, memory)
        self._handlers: dict[str, Callable[[], object]] = {
            **self._file_handlers(),
            **self._project_handlers(),
            **self._edit_handlers(),
            **FormatFlow(window.parts.draft_panel.editor, window.parts.style_bar).handlers(),
            **self._draft_handlers(),
            **self._model_handlers(),
            **self._source_handlers(),
            **self._view_handlers(),
            **KeyboardCommands(window, self.focus_mode).handlers(),
        }
        self._actions.connect(self._handlers)
        fixes, others = (self._of(*names) for names in (FIXES, OF_ANY_SENTENCE))
        window.problem_flow.fix_actions, window.problem_flow.other_actions = fixes, others
        parts = window.parts
        panel = parts.project_panel
        panel.set_project_actions(
            self._of("open-folder", "new-project", "open-sample", "forget-project")
        )
        of_failed = self._of("enter-password", "languages", "retry-this", "retry-file")
        of_any = self._of("categories", "show-in-folder", "open-external")
        panel.set_file_actions([*of_failed, *of_any])
        panel.prompt_actions = self._of("rename-prompt", "delete-prompt")
        panel.draft_actions = self._of("rename-draft", "duplicate-draft", "throw-draft")
        panel.trash_actions = self._of("put-back-draft", "empty-trash")
        parts.style_bar.set_actions(
            self._actions["bold"],
            self._actions["italic"],
            self._of("table", "add-row", "add-column", "remove-row", "remove-column"),
            self._of("list", "cite"),
        )
        window.sheet.line.folded.connect(
            lambda is_folded: self._actions["show-plan"].setChecked(not is_folded)
        )
        self._actions["show-plan"].setChecked(True)
        window.keeper.paused_changed.connect(self._actions["pause-sync"].setChecked)
        parts.project_panel.prompt_activated.connect(window.sheet.unfold)
        self.set_running(False)

    def _of(self, *names: str) -> list[QAction]:
        return [self._actions[name] for name in names]

    def run(self, name: str) -> None:
        """Do what the action of this name does."""
        self._handlers[name]()

    def set_running(self, is_running: bool) -> None:
        """Most of the draft's menu is off while a draft is written."""
        self.offer_stop(is_running)
        for action in self._actions.in_menu(DRAFT):
            if action.objectName() in OFF_WHILE_WRITING:
                action.setEnabled(not is_running)

    def offer_stop(self, is_running: bool) -> None:
        """Stop is on while a draft is written, files are copied or a question is answered."""
        is_offered = is_running or any(each.is_running for each in self._stoppable())
        self._actions["stop"].setEnabled(is_offered)
        self._window.parts.status_bar.stop_button.setVisible(is_offered)

    def _stoppable(self) -> tuple[Generation | ProofFlow | DropFlow | Asking, ...]:
        window = self._window
        flows = (window.draft_flow.generation, window.proof_flow, window.drop_flow)
        return (*flows, window.ask_flow.asking)

    # Tables of handlers -------------------------------------------------------------------------

    def _file_handlers(self) -> dict[str, Callable[[], object]]:
        flow, draft = self._window.project_flow, self._window.draft_flow
        window = self._window
        printing = PrintFlow(window.desk)
        drafts, tabs = self._window.draft_list_flow, self._window.draft_tab_flow
        return {
            "open-folder": flow.open_folder,
            "new-project": flow.new_project,
            "open-sample": window.keeper.show_sample,
            "next-project": flow.next_project,
            "forget-project": flow.forget_project,
            "next-draft": lambda: tabs.step(1),
            "previous-draft": lambda: tabs.step(-1),
            "close-draft": lambda: tabs.close(tabs.on_desk),
            "rename-draft": drafts.ask_name,
            "duplicate-draft": drafts.duplicate,
            "throw-draft": drafts.throw_away,
            "put-back-draft": drafts.put_back,
            "empty-trash": drafts.ask_to_empty,
            "export-word": lambda: draft.shelf.export(".docx"),
            "export-markdown": lambda: draft.shelf.export(".md"),
            "print": printing.print,
            "print-preview": printing.preview,
            "quit": self._window.close,
        }

    def _project_handlers(self) -> dict[str, Callable[[], object]]:
        flow, files = self._window.project_flow, self._window.file_flow
        prompts, keeper = self._window.prompt_file_flow, self._window.keeper
        return {
            "template-prompt": prompts.ask_template,
            "rename-prompt": prompts.ask_name,
            "delete-prompt": prompts.ask_to_delete,
            "sync": flow.sync,
            "pause-sync": lambda: keeper.set_paused(is_paused=not keeper.is_paused),
            "clear-vectors": flow.clear_vectors,
            "retry-this": files.retry_selected,
            "retry-file": flow.retry,
            "enter-password": files.ask_password,
            "languages": files.choose_languages,
            "categories": files.categories.open_dialog,
        }

    def _edit_handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "replace": self._window.parts.find_bar.open_replace,
            "next-misspelling": self._window.spelling_flow.next_word,
            "check-spelling": self._window.spelling_flow.toggle,
            "settings": self._settings.open_dialog,
        }

    def _draft_handlers(self) -> dict[str, Callable[[], object]]:
        draft, problems = self._window.draft_flow, self._window.problem_flow
        return {
            "new-draft": draft.shelf.new_draft,
            "save": draft.save_now,
            "save-prompt": draft.save_prompt,
            "plan": self._window.parts.prompt_panel.request_plan,
            "generate": draft.generate,
            "prose": lambda: draft.generate(uses_model=True),
            "stop": self._stop,
            "next-problem": lambda: problems.step(1),
            "previous-problem": lambda: problems.step(-1),
            "show-passages": self._window.discrepancy_flow.show_chosen,
            "settle": self._window.discrepancy_flow.settle_chosen,
            "confidence": self._window.parts.status_bar.explain_confidence,
            "drop-sentence": problems.drop_sentence,
            "another-source": problems.find_another_source,
            "mark-checked": problems.mark_checked,
            "todo": problems.turn_into_todo,
            "keep-supported": problems.keep_supported,
            "todo-all": problems.turn_all_into_todos,
            **self._proof_handlers(),
        }

    def _model_handlers(self) -> dict[str, Callable[[], object]]:
        flow = self._window.model_flow
        return {
            "language-model": flow.open_dialog,
            "model-cheap": lambda: flow.use(ModelProfile.CHEAP),
            "model-balanced": lambda: flow.use(ModelProfile.BALANCED),
            "model-premium": lambda: flow.use(ModelProfile.PREMIUM),
        }

    def _proof_handlers(self) -> dict[str, Callable[[], object]]:
        window = self._window
        return {
            "rewrite-sentence": window.proof_flow.rewrite_sentence,
            "rewrite-paragraph": window.proof_flow.rewrite_paragraph,
            "rewrite-as-asked": window.rewrite_flow.open,
            "save-version": window.version_flow.save_version,
            "versions": window.version_flow.show_versions,
            "changed-sources": window.changed_sources_flow.show_changed_sources,
        }

    def _source_handlers(self) -> dict[str, Callable[[], object]]:
        window, parts = self._window, self._window.parts
        editor, panel = parts.draft_panel.editor, parts.source_panel
        return {
            "open-footnote": editor.open_mark_here,
            "next-mark": lambda: editor.step_to_mark(1),
            "previous-mark": lambda: editor.step_to_mark(-1),
            "cite": window.citation_flow.cite,
            "quote": window.citation_flow.quote,
            "back": window.source_flow.back,
            "next-passage": lambda: panel.step_passage(1),
            "previous-passage": lambda: panel.step_passage(-1),
            "next-page": lambda: panel.views.step_page(1),
            "previous-page": lambda: panel.views.step_page(-1),
        }

    def _view_handlers(self) -> dict[str, Callable[[], object]]:
        window, parts, memory = self._window, self._window.parts, self._memory
        editor = parts.draft_panel.editor
        return {
            "zoom-reset": lambda: editor.set_points(memory.settings.appearance.draft_font_size_pt),
            "show-plan": lambda: window.sheet.line.fold(not self._actions["show-plan"].isChecked()),
            "focus-mode": self.focus_mode.toggle,
            "close-message": parts.message_bar.hide,
            "theme-system": lambda: self._settings.set_theme(Theme.SYSTEM),
            "theme-light": lambda: self._settings.set_theme(Theme.LIGHT),
            "theme-dark": lambda: self._settings.set_theme(Theme.DARK),
            "help": window.help_flow.show_here,
            "contents": lambda: window.help_flow.show_page(CONTENTS),
            "keys": lambda: window.help_flow.show_page("keys"),
            "about": self._show_about,
        }

    # What they do -------------------------------------------------------------------------------

    def _stop(self) -> None:
        asking, panel = self._window.ask_flow.asking, self._window.parts.ask_panel
        focus = QApplication.focusWidget()
        if asking.is_running and focus is not None and panel.isAncestorOf(focus):
            # Where the keyboard is; a draft beside it goes on.
            asking.stop()
            return
        for each in self._stoppable():
            each.stop()

    def _show_about(self) -> None:
        window = self._window
        dialog = AboutDialog(user_places(), window.reporter.last_report, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
