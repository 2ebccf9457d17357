"""What happens when help is wanted: the manual opens at the place where one is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from phasergun_desktop.ui.generate.evidence_tree import ADD_KEY
from phasergun_desktop.ui.help.help_places import place_of
from phasergun_desktop.ui.help.manual import Manual
from phasergun_desktop.ui.help.manual_window import ManualWindow
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.window_actions import SPECS, WindowActions, plain

_DIALOG_KEY = "help-key"
# Keys that are no actions of the menus: where, what, keys.
ALSO = (
    ("Draft", "Open the footnote at the cursor", "Ctrl+Return"),
    ("Draft", "In the prompt: offer names", "Ctrl+Space"),
    ("Draft", "In the evidence: tick or untick a passage", "Space"),
    ("Draft", "In the evidence: take a passage out", "Del"),
    ("Draft", "In the evidence: move a passage", "Alt+Up, Alt+Down"),
    ("Draft", "In the evidence: add a passage", ADD_KEY),
    ("Draft", "In the evidence: take the last change back", "Ctrl+Z"),
)


class HelpFlow(QObject):
    """Makes the window of the manual when it is wanted first, and closes it with the desk."""

    def __init__(
        self, folder: Path, icons: IconSet, actions: WindowActions, window: QWidget
    ) -> None:
        super().__init__(window)
        self._folder = folder
        self._icons = icons
        self._actions = actions
        # The window of the manual, if it was wanted.
        self.window: ManualWindow | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def show_here(self) -> None:
        """Show the page of the place that has the keyboard."""
        self.show_page(*place_of(QApplication.focusWidget()))

    def show_page(self, page: str, anchor: str = "") -> None:
        """Show a page of the manual."""
        if self.window is None:
            # Nobody's child: an open dialog would block it else, just when it is needed.
            self.window = ManualWindow(Manual(self._folder, self.fill), self._icons)
        window = self.window
        window.go_to(page, anchor)
        if window.isMinimized():
            window.showNormal()
        window.show()
        window.raise_()
        window.activateWindow()
        # Page Down turns the page.
        window.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self) -> None:
        """Close the window of the manual: the desk is closed."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None

    def refresh_icons(self) -> None:
        """Draw the manual in the colours of the palette."""
        if self.window is not None:
            self.window.refresh_icons()

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Give F1 to a dialog when it gets the keyboard: the keys of the desk are dead in it."""
        dialog = now.window() if now is not None else None
        if isinstance(dialog, QDialog) and dialog.findChild(QShortcut, _DIALOG_KEY) is None:
            shortcut = QShortcut(self._actions["help"].shortcut(), dialog)
            shortcut.setObjectName(_DIALOG_KEY)
            shortcut.activated.connect(lambda: self.show_page(*place_of(dialog)))

    # What stands for a placeholder --------------------------------------------------------------

    def fill(self, kind: str, name: str) -> str:
        """Return the keys of an action, the way to it in the menus, or the table of all keys.
        Raises ``KeyError`` for an action that is not there."""
        if kind == "table":
            return "\n".join(self._key_tables())
        action = self._actions[name]
        if kind == "key":
            return _keys(action.shortcuts()[:1])
        menu = next(spec.menu for spec in SPECS if spec.name == name)
        return f"**{plain(menu)} › {plain(action.text())}**"

    def _key_tables(self) -> list[str]:
        lines = []
        for menu in dict.fromkeys(spec.menu for spec in SPECS):
            lines += [f"## {plain(menu)}", "", "| Action | Keys |", "|---|---|"]
            # What a menu lists beside the table (panels) has keys as well.
            for action in self._actions.menu(menu).actions():
                if not action.isSeparator():
                    lines.append(f"| {plain(action.text())} | {_keys(action.shortcuts())} |")
            lines += [f"| {text} | {keys} |" for place, text, keys in ALSO if place == plain(menu)]
            lines.append("")
        return lines


def _keys(shortcuts: list[QKeySequence]) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(one.toString(native).replace("|", "\\|") for one in shortcuts)
