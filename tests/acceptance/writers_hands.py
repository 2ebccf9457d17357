"""Mouse and keys on the real window, pictures of what is seen, and the folders of a new user."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence, QPainter, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QPushButton, QWidget

from phasergun_desktop.paths import Places
from phasergun_desktop.retrieval.model import Place
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.projects.project_tree_model import NODE_ROLE, Node, NodeKind
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import build_application

SIZE = (1280, 720)
PATIENCE_S = 60.0
LOOK_EVERY_MS = 20
A_MOMENT_MS = 400
_LEFT, _NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def let_pass(milliseconds: int) -> None:
    """Let the window and its threads work for so long."""
    # Not ``QTest.qWait``: it keeps Python's interpreter lock while it waits, and every thread of
    # the window stands still meanwhile. A loop of Qt's own lets the lock go.
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


class WriterStuckError(AssertionError):
    """The writer waited in vain; the message says for what."""


class Writer:
    """Sees the window, presses its keys and clicks on it; ``out`` gets the pictures."""

    def __init__(self, places: Places, theme: ThemeSwitch, out: Path) -> None:
        self._places = places
        self._theme = theme
        self.out = out
        self.window = self._opened()

    # The window -------------------------------------------------------------------------------

    def _opened(self) -> MainWindow:
        memory = WindowMemory(SettingsStore(self._places.config / "settings.json"))
        self._theme.choose(memory.settings.appearance.theme)
        window = MainWindow(
            build_application(self._places).workspace, memory, self._theme, self._places.config
        )
        window.resize(*SIZE)
        window.show()
        window.activateWindow()
        window.start(None)
        return window

    def close(self) -> None:
        """Close the window as with Ctrl+Q."""
        self.window.close()
        assert self.window.late_runners == ()
        self.window.deleteLater()
        let_pass(LOOK_EVERY_MS)

    def start_again(self) -> None:
        """Close the window and open it anew, as on the next day."""
        self.close()
        self.window = self._opened()

    # Eyes -------------------------------------------------------------------------------------

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Let the window work until ``condition`` holds."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise WriterStuckError(f"waited in vain: {what}; “{self.said}”")
            let_pass(LOOK_EVERY_MS)

    def settle(self) -> None:
        """Wait until nothing runs any more."""
        every = self.window.runners.every
        self.wait(lambda: not any(one.is_busy for one in every), "the desk is quiet")
        # (The page is looked at a quarter of a second after it was touched.)
        let_pass(A_MOMENT_MS)
        self.wait(lambda: not any(one.is_busy for one in every), "the desk is quiet")

    @property
    def said(self) -> str:
        """What the line at the bottom says of the work."""
        return self.window.parts.status_bar.work_label.text()

    @property
    def page(self) -> str:
        """The text of the draft."""
        return str(self.window.parts.draft_panel.editor.toPlainText())

    @property
    def ticked(self) -> list[Place]:
        """The places of the passages that are ticked."""
        needs = self.window.parts.prompt_panel.board.evidence.needs
        return [unit.place for need in needs for unit in need.ticked]

    def line_under(self, words: str) -> QTextCharFormat.UnderlineStyle | None:
        """Return the line under the middle of ``words`` on the page, None for none."""
        found = self.window.parts.draft_panel.editor.document().find(words)
        assert not found.isNull(), f"“{words}” is not on the page"
        at = (found.selectionStart() + found.selectionEnd()) // 2 - found.block().position()
        none = QTextCharFormat.UnderlineStyle.NoUnderline
        for piece in found.block().layout().formats():
            style = piece.format.underlineStyle()
            if piece.start <= at < piece.start + piece.length and style is not none:
                return style
        return None

    def picture(self, name: str) -> None:
        """Save what is on the screen: the window and what lies over it."""
        let_pass(2 * LOOK_EVERY_MS)
        seen = self.window.grab()
        painter = QPainter(seen)
        origin = self.window.mapToGlobal(QPoint(0, 0))
        for over in QApplication.topLevelWidgets():
            if over is not self.window and over.isVisible() and over.width() > 1:
                painter.drawPixmap(over.mapToGlobal(QPoint(0, 0)) - origin, over.grab())
        painter.end()
        seen.save(str(self.out / f"{name}.png"))

    # Hands ------------------------------------------------------------------------------------

    def press(self, keys: str) -> None:
        """Press keys where the keyboard is, as “Ctrl+Alt+F”."""
        QTest.keySequence(self._keyboard(), QKeySequence(keys))

    def write(self, text: str) -> None:
        """Type letters where the keyboard is."""
        QTest.keyClicks(self._keyboard(), text)

    def _keyboard(self) -> QWidget:
        if QApplication.activeWindow() is None:
            # Without a screen nobody gives the keyboard back when a menu has been closed.
            self.window.activateWindow()
            self.wait(QApplication.focusWidget, "the window has the keyboard")
        focus = QApplication.focusWidget() or QApplication.activeWindow()
        assert focus is not None
        return focus

    def click(self, widget: QWidget, where: QPoint | None = None) -> None:
        """Click a widget that is in view."""
        assert widget.isVisible(), f"not in view: {widget.accessibleName() or widget}"
        QTest.mouseClick(widget, _LEFT, _NO_KEYS, where or widget.rect().center())

    def move_mouse(self, widget: QWidget, where: QPoint) -> None:
        """Move the mouse to a point of a widget that is in view."""
        window = self.window.windowHandle()
        # To the window, not to the widget: a pointer that is set without a screen lands beside
        # the point by the frame of the window.
        QTest.mouseMove(window, widget.mapTo(self.window, where))

    def click_line(self, view: QAbstractItemView, index: QModelIndex) -> None:
        """Click a line of a list or tree."""
        view.scrollTo(index)
        self.click(view.viewport(), view.visualRect(index).center())

    def line_of(self, kind: NodeKind, words: str) -> QModelIndex:
        """Return the line of the project's tree whose text has ``words``."""
        model = self.window.parts.project_panel.model
        flags = Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive
        for item in model.findItems(words, flags):
            node = item.data(NODE_ROLE)
            if isinstance(node, Node) and node.kind is kind:
                return item.index()
        return QModelIndex()

    def choose(self, kind: NodeKind, words: str) -> None:
        """Click a line of the project's tree."""
        self.press("Ctrl+1")
        index = self.line_of(kind, words)
        assert index.isValid(), f"no {kind} with “{words}” in the list"
        self.click_line(self.window.parts.project_panel.tree, index)

    def put_cursor(self, words: str, *, behind: bool = True) -> None:
        """Click into the page behind (or before) the first ``words``."""
        editor = self.window.parts.draft_panel.editor
        found = editor.document().find(words)
        assert not found.isNull(), f"“{words}” is not on the page"
        edge = QTextCursor(found)
        edge.setPosition(found.selectionEnd() if behind else found.selectionStart())
        editor.setTextCursor(edge)
        editor.ensureCursorVisible()
        self.click(editor.viewport(), editor.cursorRect(edge).center())
        # A click lands beside the letter that it was meant for; the arrow keys would mend that.
        editor.setTextCursor(edge)

    def mark_place(self, key: int) -> QPoint:
        """Return where the first mark of a footnote is in view."""
        editor = self.window.parts.draft_panel.editor
        assert editor.select_mark(key)
        right = editor.cursorRect(editor.textCursor())
        return QPoint(right.left() - 2, right.center().y() - 2)

    def dialog(self, kind: type[QWidget]) -> QWidget:
        """Wait for a dialog of this kind and return it."""

        def shown() -> list[QWidget]:
            tops = QApplication.topLevelWidgets()
            return [one for one in tops if isinstance(one, kind) and one.isVisible()]

        self.wait(shown, kind.__name__)
        # (A dialog of files reads its folder before it takes a name.)
        let_pass(A_MOMENT_MS)
        return shown()[0]

    def answer(self, kind: type[QWidget], text: str) -> None:
        """Type ``text`` into the field of a dialog and press Return."""
        asked = self.dialog(kind)
        field = next(one for one in asked.findChildren(QLineEdit) if one.isVisible())
        # (The names that Qt offers below a field would take Return.)
        field.setCompleter(None)  # type: ignore[arg-type]  # None takes it away
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        first = next(one for one in asked.findChildren(QPushButton) if one.isDefault())
        self.wait(first.isEnabled, "the dialog takes the answer")
        self.click(first)
