"""Every action of the window in one table: its menu, its words, its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from phasergun_desktop.ui.icons import IconSet

SEPARATOR = "-"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """``keys`` are shortcuts, the first is shown; ``group`` makes a set of which one is checked."""

    name: str
    menu: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    is_checkable: bool = False
    group: str = ""


def _spec(
    menu: str, name: str, text: str, *keys: str, icon: str = "", checkable: bool = False
) -> ActionSpec:
    return ActionSpec(name, menu, text, keys, icon, checkable)


FILE, PROJECT, EDIT, DRAFT, MODEL = "&File", "&Project", "&Edit", "&Draft", "&Model"
FORMAT = "F&ormat"
SOURCE, VIEW, HELP = "&Source", "&View", "&Help"
# What a writer's hands know from Word keeps its meaning here or has none: a habit must not take
# text away, mark it as checked or start the model (Ctrl+Shift+D, K, M and F4 are free for that).
SPECS: tuple[ActionSpec, ...] = (
    _spec(FILE, "open-folder", "&Open folder…", "Ctrl+O", icon="folder"),
    _spec(FILE, "new-project", "&New project…", "Ctrl+Alt+N", icon="new-project"),
    _spec(FILE, "open-sample", "Open the &sample", "Ctrl+Shift+O", icon="sample"),
    _spec(FILE, "next-project", "Switch to the ne&xt project", "Ctrl+Alt+P"),
    _spec(FILE, "forget-project", "&Forget this project…", "Ctrl+Shift+Backspace"),
    _spec(FILE, SEPARATOR, ""),
    _spec(FILE, "next-draft", "Next open dr&aft", "Ctrl+Tab", "Ctrl+F6"),
    _spec(FILE, "previous-draft", "Previo&us open draft", "Ctrl+Shift+Tab", "Ctrl+Shift+F6"),
    _spec(FILE, "close-draft", "&Close this draft", "Ctrl+W"),
    _spec(FILE, "rename-draft", "&Rename the draft…", "Ctrl+Alt+R"),
    _spec(FILE, "duplicate-draft", "&Duplicate the draft", "Ctrl+Alt+D"),
    _spec(FILE, "throw-draft", "Put the draft in the &trash", "Ctrl+Shift+Del"),
    _spec(FILE, "put-back-draft", "Put &back from the trash", "Ctrl+Alt+B"),
    _spec(FILE, "empty-trash", "&Empty the trash…", "Ctrl+Alt+E"),
    _spec(FILE, SEPARATOR, ""),
    _spec(FILE, "export-word", "Export to &Word…", "Ctrl+E", "F12", icon="export"),
    _spec(FILE, "export-markdown", "Export to &Markdown…", "Ctrl+Shift+E", icon="export"),
    _spec(FILE, SEPARATOR, ""),
    _spec(FILE, "print", "&Print…", "Ctrl+P"),
    _spec(FILE, "print-preview", "Print pre&view…", "Ctrl+F2"),
    _spec(FILE, SEPARATOR, ""),
    _spec(FILE, "quit", "&Quit", "Ctrl+Q"),
    _spec(PROJECT, "sync", "&Read the folder again", "F5", icon="retry"),
    _spec(PROJECT, "retry-this", "Try &this file again", "Shift+F5", icon="retry"),
    _spec(PROJECT, "retry-file", "Try the failed files a&gain", "Ctrl+F5", icon="retry"),
    _spec(PROJECT, "pause-sync", "Pa&use reading", "Ctrl+Alt+F5", checkable=True),
    _spec(PROJECT, "clear-vectors", "Clear &vectors that projects share", "Ctrl+Alt+Shift+F5"),
    _spec(PROJECT, SEPARATOR, ""),
    _spec(
        PROJECT,
        "template-prompt",
        "New prompt fro&m a template…",
        "Ctrl+Alt+Shift+N",
        icon="prompt",
    ),
    _spec(PROJECT, "rename-prompt", "Re&name the prompt…", "Ctrl+Alt+Shift+R"),
    _spec(PROJECT, "delete-prompt", "&Delete the prompt…", "Ctrl+Alt+X"),
    _spec(PROJECT, SEPARATOR, ""),
    _spec(PROJECT, "enter-password", "Enter &password…", "Ctrl+Shift+F5"),
    _spec(PROJECT, "categories", "&Category and confidentiality…", "Ctrl+Alt+C"),
    _spec(PROJECT, "languages", "Recognition &language…", "Ctrl+Alt+L"),
    _spec(EDIT, "undo", "&Undo", "Ctrl+Z", icon="undo"),
    _spec(EDIT, "redo", "&Redo", "Ctrl+Y", "Ctrl+Shift+Z", icon="redo"),
    _spec(EDIT, SEPARATOR, ""),
    _spec(EDIT, "cut", "Cu&t", "Ctrl+X"),
    _spec(EDIT, "copy", "&Copy", "Ctrl+C"),
    _spec(EDIT, "paste", "&Paste", "Ctrl+V"),
    _spec(EDIT, "select-all", "Select &all", "Ctrl+A"),
    _spec(EDIT, SEPARATOR, ""),
    _spec(EDIT, "find", "&Find…", "Ctrl+F", icon="search"),
    _spec(EDIT, "find-next", "Find &next", "F3"),
    _spec(EDIT, "find-previous", "Find pre&vious", "Shift+F3"),
    _spec(EDIT, "replace", "Rep&lace…", "Ctrl+H"),
    _spec(EDIT, "search", "&Search all documents…", "Ctrl+K", icon="search"),
    _spec(EDIT, SEPARATOR, ""),
    _spec(EDIT, "next-misspelling", "Ne&xt misspelled word", "F7"),
    _spec(EDIT, "check-spelling", "Check spellin&g", "Ctrl+Alt+F7", checkable=True),
    _spec(EDIT, SEPARATOR, ""),
    _spec(EDIT, "settings", "Sett&ings…", "Ctrl+,"),
    _spec(FORMAT, "text", "&Text", "Ctrl+Alt+0", "Ctrl+Shift+N"),
    _spec(FORMAT, "heading-1", "Heading &1", "Ctrl+Alt+1"),
    _spec(FORMAT, "heading-2", "Heading &2", "Ctrl+Alt+2"),
    _spec(FORMAT, "heading-3", "Heading &3", "Ctrl+Alt+3"),
    _spec(FORMAT, "list", "&List", "Ctrl+Shift+L"),
    _spec(FORMAT, SEPARATOR, ""),
    _spec(FORMAT, "bold", "&Bold", "Ctrl+B"),
    _spec(FORMAT, "italic", "&Italic", "Ctrl+I"),
    _spec(FORMAT, SEPARATOR, ""),
    _spec(FORMAT, "table", "I&nsert a table", "Ctrl+Alt+T"),
    _spec(FORMAT, "add-row", "Add a &row below", "Ctrl+Alt+Return"),
    _spec(FORMAT, "add-column", "Add a &column behind", "Ctrl+Alt+Right"),
    _spec(FORMAT, "remove-row", "Remove t&his row", "Ctrl+Alt+Backspace"),
    _spec(FORMAT, "remove-column", "Remove this c&olumn", "Ctrl+Alt+Left"),
    _spec(DRAFT, "new-draft", "&New draft", "Ctrl+N", icon="draft"),
    _spec(DRAFT, "save", "&Save now", "Ctrl+S"),
    _spec(DRAFT, "save-prompt", "Save pro&mpt", "Ctrl+Shift+S", icon="prompt"),
    _spec(DRAFT, SEPARATOR, ""),
    _spec(DRAFT, "plan", "P&lan", "Ctrl+Shift+Return", icon="plan"),
    _spec(DRAFT, "generate", "&Generate", "Ctrl+G", icon="generate"),
    _spec(DRAFT, "prose", "Generate as &prose", "Ctrl+Shift+G"),
    _spec(DRAFT, "stop", "S&top", "Esc", "Ctrl+.", icon="stop"),
    _spec(DRAFT, SEPARATOR, ""),
    _spec(DRAFT, "next-problem", "Ne&xt problem", "F8", icon="next"),
    _spec(DRAFT, "previous-problem", "Pre&vious problem", "Shift+F8", icon="previous"),
    _spec(DRAFT, "show-passages", "Show bot&h passages", "Shift+F2", icon="discrepancy"),
    _spec(DRAFT, "confidence", "Wh&y this confidence", "Shift+F7"),
    _spec(DRAFT, "fixes", "&What can be done here…", "Alt+Return"),
    _spec(DRAFT, "drop-sentence", "&Drop this sentence", "Alt+Del"),
    _spec(DRAFT, "another-source", "&Find another source", "Ctrl+Shift+F"),
    _spec(DRAFT, "mark-checked", "Mark as &checked", "Alt+Shift+Return"),
    _spec(DRAFT, "todo", "Turn into a T&ODO", "Ctrl+Shift+T"),
    _spec(DRAFT, "keep-supported", "&Keep only supported sentences", "Ctrl+Alt+K"),
    _spec(DRAFT, "todo-all", "Turn &every gap into a TODO", "Ctrl+Shift+J"),
    _spec(DRAFT, "rewrite-sentence", "W&rite this sentence again", "Ctrl+Alt+W", icon="generate"),
    _spec(DRAFT, "rewrite-paragraph", "Write this p&aragraph again", "Ctrl+Alt+Shift+W"),
    _spec(DRAFT, "rewrite-as-asked", "Rewrite as re&quested…", "Ctrl+R"),
    _spec(DRAFT, SEPARATOR, ""),
    _spec(DRAFT, "save-version", "Save a vers&ion…", "Shift+F9"),
    _spec(DRAFT, "versions", "&Browse the versions…", "F9"),
    _spec(DRAFT, "changed-sources", "So&urces that changed…", "Ctrl+F7", icon="warning"),
    _spec(MODEL, "language-model", "&Language model…", "Ctrl+M", icon="model"),
    _spec(MODEL, SEPARATOR, ""),
    ActionSpec("model-cheap", MODEL, "&Cheap model", ("Ctrl+Alt+7",), "", True, "model"),
    ActionSpec("model-balanced", MODEL, "&Balanced model", ("Ctrl+Alt+8",), "", True, "model"),
    ActionSpec("model-premium", MODEL, "&Premium model", ("Ctrl+Alt+9",), "", True, "model"),
    _spec(SOURCE, "open-footnote", "&Open the footnote here", "F2"),
    _spec(SOURCE, "next-mark", "&Next footnote mark", "Alt+Down"),
    _spec(SOURCE, "previous-mark", "&Previous footnote mark", "Alt+Up"),
    _spec(SOURCE, SEPARATOR, ""),
    _spec(SOURCE, "cite", "&Cite for this sentence", "Ctrl+Alt+F"),
    _spec(SOURCE, "quote", "Insert as a &quotation", "Ctrl+Alt+Q"),
    _spec(SOURCE, SEPARATOR, ""),
    _spec(SOURCE, "back", "&Back to the draft", "Alt+Left", icon="back"),
    _spec(SOURCE, "next-passage", "Next pa&ssage in this source", "Alt+PgDown", icon="next"),
    _spec(SOURCE, "previous-passage", "Pre&vious passage in this source", "Alt+PgUp"),
    _spec(SOURCE, "next-page", "Next pa&ge", "Ctrl+PgDown"),
    _spec(SOURCE, "previous-page", "Previo&us page", "Ctrl+PgUp"),
    _spec(SOURCE, SEPARATOR, ""),
    _spec(SOURCE, "settle", "Settle a &disagreement…", "Ctrl+Alt+S"),
    _spec(SOURCE, SEPARATOR, ""),
    _spec(SOURCE, "open-external", "Open in its own &application", "Ctrl+Shift+A"),
    _spec(SOURCE, "show-in-folder", "Show in &folder", "Ctrl+Shift+R", icon="folder"),
    _spec(VIEW, "go-project", "Go to the &project", "Ctrl+1"),
    _spec(VIEW, "go-prompt", "Go to the p&rompt", "Ctrl+2"),
    _spec(VIEW, "go-template", "Go to the &templates", "Ctrl+8"),
    _spec(VIEW, "go-plan", "Go to the p&lan", "Ctrl+3"),
    _spec(VIEW, "go-draft", "Go to the &draft", "Ctrl+4"),
    _spec(VIEW, "go-footnotes", "Go to the list of &sources", "Ctrl+5"),
    _spec(VIEW, "go-source", "Go to the so&urce", "Ctrl+6"),
    _spec(VIEW, "go-ask", "&Ask the project", "Ctrl+9"),
    _spec(VIEW, "go-problems", "Go to the pro&blems", "Ctrl+7"),
    _spec(VIEW, "go-activity", "Go to the acti&vity log", "Ctrl+Alt+A"),
    _spec(VIEW, "go-evaluation", "Go to t&he evaluation", "Ctrl+Alt+V"),
    _spec(VIEW, SEPARATOR, ""),
    _spec(VIEW, "zoom-in", "Zoom &in", "Ctrl++", "Ctrl+=", icon="zoom-in"),
    _spec(VIEW, "zoom-out", "Zoom &out", "Ctrl+-", icon="zoom-out"),
    _spec(VIEW, "zoom-reset", "&Normal size", "Ctrl+0"),
    _spec(VIEW, SEPARATOR, ""),
    _spec(VIEW, "show-plan", "Sho&w the prompt and evidence", "Ctrl+Shift+P", checkable=True),
    _spec(VIEW, "focus-mode", "&Focus on the draft", "F11", checkable=True),
    _spec(VIEW, "close-message", "&Close the message", "Ctrl+Shift+W"),
    _spec(VIEW, SEPARATOR, ""),
    ActionSpec("theme-system", VIEW, "S&ystem colours", ("Ctrl+Alt+Shift+0",), "", True, "theme"),
    ActionSpec("theme-light", VIEW, "Li&ght", ("Ctrl+Alt+Shift+8",), "", True, "theme"),
    ActionSpec("theme-dark", VIEW, "Dar&k", ("Ctrl+Alt+Shift+9",), "", True, "theme"),
    _spec(HELP, "help", "&Help for this place", "F1"),
    _spec(HELP, "contents", "&Contents of the help", "Ctrl+F1"),
    _spec(HELP, "keys", "&Keys", "Ctrl+Shift+F1"),
    _spec(HELP, "about", "&About PhaserGun", "Shift+F1"),
)


class WindowActions:
    """Builds the menus; an action does what ``handlers`` has for its name."""

    def __init__(self, window: QMainWindow, icons: IconSet) -> None:
        self._window = window
        self._icons = icons
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        groups: dict[str, QActionGroup] = {}
        for spec in SPECS:
            if spec.menu not in self._menus:
                self._menus[spec.menu] = window.menuBar().addMenu(spec.menu)
                self._menus[spec.menu].setToolTipsVisible(True)
            if spec.name == SEPARATOR:
                self._menus[spec.menu].addSeparator()
                continue
            action = QAction(spec.text, window, checkable=spec.is_checkable)
            action.setObjectName(spec.name)
            action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            if spec.group:
                group = groups.setdefault(spec.group, QActionGroup(window))
                group.addAction(action)
            self._menus[spec.menu].addAction(action)
            self._actions[spec.name] = action
        self.refresh_icons()

    def connect(self, handlers: Mapping[str, Callable[[], object]]) -> None:
        """Connect actions by name. Raises ``KeyError`` for a name that is not in the table."""
        for name, handler in handlers.items():
            # The checked state that ``triggered`` carries is read from the action where needed.
            self._actions[name].triggered.connect(lambda _checked=False, handler=handler: handler())

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def menu(self, name: str) -> QMenu:
        """Return a menu by its title."""
        return self._menus[name]

    def in_menu(self, name: str) -> tuple[QAction, ...]:
        """Return the actions of a menu."""
        return tuple(self._actions[one.name] for one in SPECS if one.menu == name and one.text)

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for spec in SPECS:
            if spec.icon:
                self._actions[spec.name].setIcon(self._icons.icon(spec.icon))


def plain(text: str) -> str:
    """Return the text of an action without its mnemonic."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")
