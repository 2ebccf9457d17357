"""The widths of the docks: as arranged at first, as the writer dragged them, never as squeezed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow

_SIDES = Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea


class DockWidths(QObject):
    """A small window squeezes its docks, and Qt leaves them so in a larger one; here they get
    back what they had."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wanted: dict[QDockWidget, int] = {}
        self._shares: dict[QDockWidget, float] = {}
        # Docks take a width only once the window is laid out.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._give)
        window.installEventFilter(self)

    def arrange(self, shares: dict[QDockWidget, float]) -> None:
        """Give docks these shares of the window's width as soon as it is laid out."""
        self._shares = shares
        self._later.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note what is dragged, and give back what a small window took."""
        if event.type() == QEvent.Type.Resize and isinstance(event, QResizeEvent):
            # Before the window hands its new size on: the docks are as they were.
            for dock in self._in_view():
                if dock not in self._wanted:
                    self._want(dock, dock.width())
            if event.size().width() > event.oldSize().width():
                self._later.start()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            # The window itself gets the mouse between its docks alone.
            QTimer.singleShot(0, self, self._take)
        return super().eventFilter(watched, event)

    def _take(self) -> None:
        for dock in self._in_view():
            self._want(dock, dock.width())

    def _want(self, dock: QDockWidget, width: int) -> None:
        # Docks behind each other have one width, whichever is in front when there is room again.
        group = (dock, *self._window.tabifiedDockWidgets(dock))
        self._wanted |= dict.fromkeys(group, width)

    def _in_view(self) -> list[QDockWidget]:
        return [
            dock
            for dock in self._window.findChildren(QDockWidget)
            if not dock.isFloating()
            and not dock.visibleRegion().isEmpty()
            and self._window.dockWidgetArea(dock) & _SIDES
        ]

    def _give(self) -> None:
        docks = self._in_view()
        if self._shares:
            width = self._window.width()
            for dock, share in self._shares.items():
                self._want(dock, int(width * share))
            docks, self._shares = list(self._shares), {}
        squeezed = [dock for dock in docks if dock.width() < self._wanted.get(dock, 0)]
        if squeezed:
            docks = [dock for dock in docks if dock in self._wanted]
            widths = [self._wanted[dock] for dock in docks]
            self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
