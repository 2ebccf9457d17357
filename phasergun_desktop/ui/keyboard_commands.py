"""What an action does where the keyboard is: in the draft, a source, a list or a field."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from phasergun_desktop.ui.ask.transcript import Transcript
from phasergun_desktop.ui.focus_mode import FocusMode
from phasergun_desktop.ui.generate.prompt_editor import NOTHING_INSTEAD
from phasergun_desktop.ui.sources.page_view import PageView
from phasergun_desktop.ui.sources.row_table import RowTable

if TYPE_CHECKING:
    from phasergun_desktop.ui.main_window import MainWindow

# What the editing actions are called by Qt.
EDITS = {
    "undo": "undo",
    "redo": "redo",
    "cut": "cut",
    "copy": "copy",
    "paste": "paste",
    "select-all": "selectAll",
}
_SMALL_WINDOW = 800  # pixels high


class KeyboardCommands(QObject):
    """Acts on what has the keyboard, and takes the keyboard elsewhere."""

    def __init__(self, window: MainWindow, focus_mode: FocusMode) -> None:
        super().__init__(window)
        self._window = window
        self._focus_mode = focus_mode

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its name."""
        window, parts = self._window, self._window.parts
        return {
            **{name: partial(self._edit, what) for name, what in EDITS.items()},
            "find": self._find,
            "find-next": lambda: self._find_on(1),
            "find-previous": lambda: self._find_on(-1),
            "search": self._search,
            "fixes": self._show_fixes,
            "open-external": lambda: window.project_flow.open_external(self._file()),
            "show-in-folder": lambda: window.project_flow.show_in_folder(self._file()),
            "go-project": lambda: self._go("project", parts.project_panel.tree),
            "go-prompt": lambda: self._go_to_sheet(parts.prompt_panel.editor),
            "go-template": lambda: self._go_to_sheet(parts.prompt_panel.template_picker),
            "go-plan": lambda: self._go_to_sheet(parts.prompt_panel.board.tree),
            "go-draft": lambda: self._go("", parts.draft_panel.editor),
            "go-footnotes": self._go_to_footnotes,
            "go-source": self._go_to_source,
            "go-ask": self._go_to_ask,
            "go-problems": lambda: self._go("problems", parts.problems_panel.list),
            "go-activity": lambda: self._go_below("activity", parts.activity_panel.view),
            "go-evaluation": lambda: self._go_below("evaluation", parts.evaluation_panel.view),
            "zoom-in": lambda: self._zoom(1),
            "zoom-out": lambda: self._zoom(-1),
        }

    def _edit(self, what: str) -> None:
        focus = QApplication.focusWidget()
        editor = self._window.parts.draft_panel.editor
        if isinstance(focus, RowTable | PageView):
            if what == "copy" or (what == "selectAll" and isinstance(focus, RowTable)):
                getattr(focus, what)()
            return
        target = focus if isinstance(focus, QTextEdit | QPlainTextEdit | QLineEdit) else editor
        if target is editor and editor.isReadOnly() and what not in ("copy", "selectAll"):
            return
        getattr(target, what)()

    def _show_fixes(self) -> None:
        prompt, focus = self._window.parts.prompt_panel, QApplication.focusWidget()
        if isinstance(focus, Transcript):
            focus.show_menu()
        elif focus is None or not prompt.isAncestorOf(focus):
            self._window.problem_flow.show_fixes()
        elif not prompt.editor.show_fixes():
            self._window.parts.status_bar.show_work(NOTHING_INSTEAD)

    def _is_in_source(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self._window.parts.source_panel.isAncestorOf(focus)

    def _find(self) -> None:
        parts = self._window.parts
        if self._is_in_source():
            parts.source_panel.bar.open_find()
        else:
            parts.find_bar.open()

    def _find_on(self, step: int) -> None:
        parts = self._window.parts
        if self._is_in_source():
            parts.source_panel.bar.find_text(step)
        else:
            parts.find_bar.find_text(step)

    def _search(self) -> None:
        self._window.show_dock("search")
        self._window.parts.search_panel.focus_box()

    def _go(self, dock: str, widget: QWidget) -> None:
        if dock:
            self._window.show_dock(dock)
        elif not widget.isVisible():
            self._focus_mode.set_on(False)
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_below(self, dock: str, widget: QWidget) -> None:
        # A small window has no room for the sheet, the page and a table one above the other.
        if self._window.height() <= _SMALL_WINDOW:
            self._window.sheet.line.fold(True)
        self._go(dock, widget)

    def _go_to_sheet(self, widget: QWidget) -> None:
        self._focus_mode.set_on(False)
        self._window.sheet.unfold()
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_footnotes(self) -> None:
        panel = self._window.parts.draft_panel
        panel.footnotes_box.line.fold(False)
        self._go("", panel.footnotes_box.list)

    def _go_to_source(self) -> None:
        self._window.show_dock("source")
        self._window.parts.source_panel.focus_view()

    def _go_to_ask(self) -> None:
        self._window.show_dock("ask")
        self._window.parts.ask_panel.focus_box()

    def _zoom(self, steps: int) -> None:
        focus = QApplication.focusWidget()
        if isinstance(focus, Transcript):
            focus.zoomIn(steps)
        elif self._is_in_source():
            self._window.parts.source_panel.views.zoom_by(steps)
        else:
            editor = self._window.parts.draft_panel.editor
            editor.set_points(editor.points + steps)

    def _file(self) -> str:
        """The file in the viewer if the keyboard is there, else what is selected in the tree."""
        source = self._window.parts.source_panel
        focus = QApplication.focusWidget()
        in_tree = focus is self._window.parts.project_panel.tree
        target = source.target
        return target.file if target is not None and not in_tree else ""
