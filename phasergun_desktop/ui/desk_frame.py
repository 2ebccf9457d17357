"""The widgets of the window and where they stand: docks, start page, sheet and page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QChildEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QDockWidget,
    QMainWindow,
    QProxyStyle,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyleOption,
    QTabBar,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.dock_widths import DockWidths
from phasergun_desktop.ui.first_geometry import expected_frame, first_geometry
from phasergun_desktop.ui.generate.prompt_sheet import PromptSheet
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.window_actions import VIEW, WindowActions
from phasergun_desktop.ui.window_memory import WindowMemory

TITLE = "PhaserGun"
FIRST_SIZE = QSize(1440, 900)
# Lines of text that a screen is high where source and answers stand above each other.
_LINES_FOR_BOTH = 36


class _NarrowTabs(QProxyStyle):
    """Half the space around the names of tabs: with large letters they are not cut for it."""

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Return a measure of the style in pixels."""
        found = super().pixelMetric(metric, option, widget)
        return found // 2 if metric is QStyle.PixelMetric.PM_TabBarTabHSpace else found


class DeskFrame(QMainWindow):
    """Shows the start page or the desk; nothing is connected with a project yet."""

    def __init__(self, icon_folder: Path, runners: Runners, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.icons = IconSet(icon_folder, self.palette())
        self.parts = DeskParts(self.icons, runners, self)
        self.actions_table = WindowActions(self, self.icons)
        self._docks: dict[str, QDockWidget] = {}
        self._stack = QStackedWidget()
        self._is_first_time, self._hidden_for_start = False, list[QDockWidget]()
        self._widths = DockWidths(self)
        self._narrow_tabs = _NarrowTabs()
        self._narrow_tabs.setParent(self)
        self._build()

    def childEvent(self, event: QChildEvent) -> None:
        """Make the tabs of the docks narrow: Qt makes such a row when docks come together."""
        super().childEvent(event)
        child = event.child()
        if event.polished() and isinstance(child, QTabBar):
            child.setStyle(self._narrow_tabs)

    def _build(self) -> None:
        self.setWindowTitle(TITLE)
        self.setWindowIcon(self.icons.icon("application"))
        self.setDockNestingEnabled(True)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCentralWidget(self._build_middle())
        self.addToolBar(self.parts.hint_strip)
        self.setStatusBar(self.parts.status_bar)
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self._add_dock("project", "Project", self.parts.project_panel, left)
        self._add_dock("search", "Search", self.parts.search_panel, "project")
        self._add_dock("problems", "Problems", self.parts.problems_panel, "search")
        self._add_dock("source", "Source", self.parts.source_panel, right)
        # Below: who reads an answer sees the passage that a mark of it leads to.
        self._add_dock("ask", "Ask", self.parts.ask_panel, right)
        # Wide tables: below the rest, and only when they are asked for.
        below = Qt.DockWidgetArea.BottomDockWidgetArea
        self._add_dock("activity", "Activity", self.parts.activity_panel, below, is_shown=False)
        self._add_dock(
            "evaluation", "Evaluation", self.parts.evaluation_panel, "activity", is_shown=False
        )
        self._raise_first()
        self.dress_docks()
        menu = self.actions_table.menu(VIEW)
        menu.addSeparator()
        for number, dock in enumerate(self._docks.values(), start=1):
            toggle = dock.toggleViewAction()
            toggle.setText(f"Panel: {dock.windowTitle()}")
            toggle.setShortcut(f"Ctrl+Alt+Shift+{number}")
            menu.addAction(toggle)

    def follow_the_eye(self) -> None:
        """Let Tab go through everything as it stands; call it when all of it is there."""
        parts = self.parts
        left = (parts.project_panel, parts.search_panel, parts.problems_panel)
        middle, right = (parts.hint_strip, self._middle), (parts.source_panel, parts.ask_panel)
        below = (parts.activity_panel, parts.evaluation_panel)
        follow_the_eye(self, *left, *middle, *right, *below, parts.status_bar)

    def _build_middle(self) -> QWidget:
        parts, draft, self._middle = self.parts, QWidget(), QWidget()
        rows = parts.style_bar, parts.find_bar, (parts.draft_panel, 1), parts.rewrite_bar
        laid_out(QVBoxLayout(draft), *rows, margins=NO_MARGINS, spacing=0)
        self.sheet = PromptSheet(parts.prompt_panel, draft)
        # Hidden as a whole by focus mode: the tabs come and go by themselves.
        self.tab_row = QWidget()
        laid_out(QVBoxLayout(self.tab_row), parts.draft_tabs, margins=NO_MARGINS)
        self._stack.addWidget(parts.start_page)
        self._stack.addWidget(self.sheet)
        whole = parts.message_bar, self.tab_row, (self._stack, 1)
        laid_out(QVBoxLayout(self._middle), *whole, margins=NO_MARGINS, spacing=0)
        return self._middle

    def _add_dock(
        self,
        name: str,
        title: str,
        widget: QWidget,
        place: Qt.DockWidgetArea | str,
        *,
        is_shown: bool = True,
    ) -> None:
        """Add a dock to an area, or as a tab behind the dock of that name."""
        dock = QDockWidget(title, self)
        dock.setObjectName(f"dock-{name}")
        dock.setWidget(widget)
        # Qt keeps what stands behind another tab visible outside of the window, where Tab finds it.
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)
        dock.visibilityChanged.connect(lambda seen: widget.setVisible(seen or dock.isHidden()))
        # (Qt gives them those of the style again.)
        dock.topLevelChanged.connect(lambda _floats: self.dress_docks())
        dock.setHidden(not is_shown)
        if isinstance(place, str):
            self.tabifyDockWidget(self._docks[place], dock)
        else:
            self.addDockWidget(place, dock)
        self._docks[name] = dock

    def dress_docks(self) -> None:
        """Draw the buttons in the titles of the docks like all others: those of the style are grey,
        and hardly seen on a dark ground."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for dock in self.docks:
            for name, does in (
                ("float", "Float or dock this panel"),
                ("close", "Close this panel"),
            ):
                button = dock.findChild(QAbstractButton, f"qt_dockwidget_{name}button", direct)
                if button is not None:
                    button.setIcon(self.icons.icon(name))
                    button.setToolTip(does)

    def show_dock(self, name: str) -> None:
        """Show a dock and bring it to the front of its tabs."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()

    def _raise_first(self) -> None:
        for name in ("project", "source"):
            self._docks[name].raise_()

    @property
    def docks(self) -> tuple[QDockWidget, ...]:
        """All docks."""
        return tuple(self._docks.values())

    def take_place(self, memory: WindowMemory) -> None:
        """Put the window and its docks where they were, or on the screen for the first time."""
        if not memory.restore(self):
            available, frame = self.screen().availableGeometry(), expected_frame(self)
            self.setGeometry(first_geometry(available, frame, FIRST_SIZE))
            self._is_first_time = True
            if available.height() < _LINES_FOR_BOTH * self.fontMetrics().lineSpacing():
                self.tabifyDockWidget(self._docks["source"], self._docks["ask"])
                self._raise_first()
        self.parts.draft_panel.draft_shown.connect(self.sheet.show_draft)

    def show_start(self) -> None:
        """Show the start page alone."""
        if not self._hidden_for_start:
            self._hidden_for_start = [one for one in self.docks if not one.isHidden()]
        for dock in self._hidden_for_start:
            dock.hide()
        self._show_page(self.parts.start_page)
        self.parts.start_page.focus_first()

    def _show_page(self, page: QWidget) -> None:
        """Show a page in the middle; the window need not be as wide as the other one."""
        for other in (self.parts.start_page, self.sheet):
            wanted = QSizePolicy.Policy.Preferred if other is page else QSizePolicy.Policy.Ignored
            other.setSizePolicy(wanted, wanted)
        self._stack.setCurrentWidget(page)

    def show_docks(self) -> None:
        """Show the docks that the start page hides."""
        for dock in self._hidden_for_start:
            dock.show()

    def show_desk(self) -> None:
        """Show the desk with its docks."""
        self._show_page(self.sheet)
        self.show_docks()
        if self._hidden_for_start:
            self._raise_first()
        self._hidden_for_start = []
        QTimer.singleShot(0, self, self._hide_stray_tabs)
        if self._is_first_time:
            self._is_first_time = False
            self._widths.arrange({self._docks["project"]: 0.2, self._docks["source"]: 0.33})
            QTimer.singleShot(0, self, self._halve_the_right)

    def _halve_the_right(self) -> None:
        above, below = self._docks["source"], self._docks["ask"]
        self.resizeDocks([above, below], [1, 1], Qt.Orientation.Vertical)

    def _hide_stray_tabs(self) -> None:
        """Hide tabs that stand above no dock: of a window with several groups of tabs Qt forgets
        some when it is put together or restored before it is shown."""
        if (layout := self.layout()) is not None:
            layout.activate()
        docks = [dock.geometry() for dock in self.docks]
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            below = bar.geometry().bottomLeft() + QPoint(0, 1)
            if bar.count() and not any(each.topLeft() == below for each in docks):
                bar.hide()
