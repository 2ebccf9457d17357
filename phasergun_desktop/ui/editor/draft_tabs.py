"""The drafts that are open, one tab each, in the order that the writer gives them."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent
from PySide6.QtWidgets import QTabBar, QToolButton, QWidget

from phasergun_desktop.ui.icons import IconSet

# The identity of the empty page, which is not kept until something is written on it.
NEW = ""
NEW_TITLE = "New draft"
# Of a tab, in characters of mean width, with the cross.
NARROWEST, WIDEST = 30, 48
# The icon of a mark, and what it says.
WRITING = ("generate", "It is being written")
UNSAVED = ("warning", "Not saved yet")
Mark = tuple[str, str]


class DraftTabs(QTabBar):
    """Shows and asks; which draft is on the desk is decided elsewhere."""

    draft_wanted = Signal(str)
    close_wanted = Signal(str)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._marks: dict[str, Mark] = {}
        self.setAccessibleName("Open drafts")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.currentChanged.connect(lambda at: self.draft_wanted.emit(self._id(at)))
        self.hide()

    @property
    def draft_ids(self) -> tuple[str, ...]:
        """The open drafts from left to right."""
        return tuple(self._id(at) for at in range(self.count()))

    def _id(self, at: int) -> str:
        return str(self.tabData(at) or NEW)

    def put(self, draft_id: str, title: str, at: int | None = None) -> None:
        """Add a tab at a place, or after the current one, or give one that is there its title and,
        where one is given, its place. The empty page's tab becomes that of the first draft."""
        with QSignalBlocker(self):
            ids = self.draft_ids
            place = self.currentIndex() + 1 if at is None else at
            if draft_id in ids:
                if at is not None:
                    self.moveTab(ids.index(draft_id), at)
            elif draft_id and at is None and NEW in ids:
                self.setTabData(ids.index(NEW), draft_id)
            else:
                place = self.insertTab(place, "")
                self.setTabData(place, draft_id)
                self.setTabButton(place, QTabBar.ButtonPosition.RightSide, self._closer())
            self._dress(self.draft_ids.index(draft_id), title)
        # One empty page needs no name.
        self.setVisible(self.draft_ids != (NEW,))

    def _closer(self) -> QToolButton:
        # The style's own is red, which means something else on this desk.
        button = QToolButton(autoRaise=True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIconSize(QSize(12, 12))
        button.setToolTip("Close (Ctrl+W, or the middle button on the tab)")
        button.setAccessibleName("Close")
        button.clicked.connect(lambda: self.close_wanted.emit(self._id(self.tabAt(button.pos()))))
        return button

    def drop(self, draft_id: str) -> None:
        """Take a tab away."""
        if draft_id in self.draft_ids:
            with QSignalBlocker(self):
                self.removeTab(self.draft_ids.index(draft_id))
        self.setVisible(self.draft_ids not in ((), (NEW,)))

    def select(self, draft_id: str) -> None:
        """Show which draft is on the desk; the tab of an empty page that was left goes."""
        if draft_id != NEW:
            self.drop(NEW)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.draft_ids.index(draft_id))

    def beside(self, draft_id: str, step: int) -> str:
        """Return the draft ``step`` tabs further on, going round at the end."""
        ids = self.draft_ids
        return ids[(ids.index(draft_id) + step) % len(ids)]

    def show_marks(self, marks: dict[str, Mark]) -> None:
        """Show which drafts are being written or could not be saved."""
        if marks != self._marks:
            self._marks = marks
            self.refresh_icons()

    def refresh_icons(self) -> None:
        """Draw the marks in the colours of the palette."""
        for at in range(self.count()):
            self._dress(at, self.tabText(at).replace("&&", "&"))

    def _dress(self, at: int, title: str) -> None:
        icon, said = self._marks.get(self._id(at), ("", ""))
        self.setTabText(at, title.replace("&", "&&"))
        # A title is the writer's words, and no markup.
        self.setTabToolTip(at, f"<p>{escape(title)}{f'<br>{said}' if said else ''}</p>")
        self.setTabIcon(at, self._icons.icon(icon) if icon else QIcon())
        closer = self.tabButton(at, QTabBar.ButtonPosition.RightSide)
        if isinstance(closer, QToolButton):
            closer.setIcon(self._icons.icon("close"))

    def tabSizeHint(self, index: int) -> QSize:
        """Keep long titles from pushing the others out of the window, and the row low."""
        hint = super().tabSizeHint(index)
        height = min(hint.height(), self.fontMetrics().height() + 12)
        return QSize(min(hint.width(), self._width_of(WIDEST)), height)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Keep enough of each title to tell it by; what has no room then is scrolled to."""
        hint = self.tabSizeHint(index)
        return QSize(min(hint.width(), self._width_of(NARROWEST)), hint.height())

    def _width_of(self, characters: int) -> int:
        return characters * self.fontMetrics().averageCharWidth()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close the tab that is clicked with the middle button."""
        at = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and at >= 0:
            self.close_wanted.emit(self._id(at))
            return
        super().mouseReleaseEvent(event)
