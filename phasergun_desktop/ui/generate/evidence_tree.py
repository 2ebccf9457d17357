"""The list of the evidence board under the writer's hands: keys, mouse and dragging."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QDropEvent, QHelpEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QToolTip, QWidget

from phasergun_desktop.ui.generate.evidence_delegate import EvidenceDelegate
from phasergun_desktop.ui.generate.evidence_lines import EvidenceLines
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.icons import IconSet

_CTRL, _SHIFT, _ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
ADD_KEY = "Ctrl+Shift+A"
# Keys that mean something else in the window's menus, and this where the keyboard is here.
OWN_KEYS = {
    "Alt+Up": "up",
    "Alt+Down": "down",
    ADD_KEY: "add",
    "Ctrl+Z": "undo",
    "Ctrl+Y": "redo",
    "Ctrl+Shift+Z": "redo",
    "Del": "away",
    "Backspace": "away",
    "Space": "tick",
    "Return": "open",
    "Enter": "open",
}


class EvidenceTree(EvidenceLines):
    """Shows lines and says what the writer wants of them; it changes nothing by itself.

    ``command_given`` carries a command (``tick``, ``away``, ``up``, ``down``, ``add``, ``undo``,
    ``redo``, ``open``) and the line that it is for.
    """

    command_given = Signal(str, object)
    # A unit's line, the need and the place among its units before which it is dropped.
    dropped = Signal(object, int, int)
    tip_wanted = Signal(object, object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(icons, parent)
        self._pressed_tick = False
        self._delegate = EvidenceDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setExpandsOnDoubleClick(False)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setAutoScroll(True)

    # Keys -----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Take the keys of this list before the menus of the window do."""
        is_key = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if is_key and isinstance(event, QKeyEvent) and _command_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick, move and add with the keyboard."""
        row, command = self.current_row(), _command_of(event)
        if not command:
            super().keyPressEvent(event)
        elif command == "tick" and row is not None and row.unit is None:
            self._command("open", row)
        else:
            self._command(command, row)

    def _command(self, command: str, row: BoardRow | None) -> None:
        item = self.item_of(row.key) if row is not None else None
        leads = row is not None and row.leads_to is not None
        if command == "open" and item is not None and item.childCount() and not leads:
            item.setExpanded(not item.isExpanded())
        elif row is not None or command in ("undo", "redo"):
            self.command_given.emit(command, row)

    # Mouse ----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember whether the box is pressed: that opens nothing."""
        self._pressed_tick = self._is_on_tick(event)
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two clicks are two clicks."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick a box, or open what a line leads to."""
        is_drag = self.state() is not QAbstractItemView.State.NoState
        super().mouseReleaseEvent(event)
        item = self.itemAt(event.position().toPoint())
        if item is None or is_drag or event.button() is not Qt.MouseButton.LeftButton:
            return
        row, rect = self.row_of(item), self.visualItemRect(item)
        where = event.position().toPoint()
        if item is not self.currentItem() or not rect.contains(where):
            return
        if self._pressed_tick:
            if self._is_on_tick(event):
                self._command("tick", row)
        elif row.kind is RowKind.NEED:
            if self._delegate.add_rect(rect).contains(where):
                self._command("add", row)
        else:
            self._command("open", row)

    def _is_on_tick(self, event: QMouseEvent) -> bool:
        item = self.itemAt(event.position().toPoint())
        if item is None or event.button() is not Qt.MouseButton.LeftButton:
            return False
        return self._delegate.is_on_tick(event, self.visualItemRect(item), self.row_of(item))

    def viewportEvent(self, event: QEvent) -> bool:
        """Let the board say why a line is here."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            item = self.itemAt(event.pos())
            if item is None:
                QToolTip.hideText()
            else:
                self.tip_wanted.emit(self.row_of(item), event.globalPos())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the text anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    # Dragging -------------------------------------------------------------------------------

    def dropEvent(self, event: QDropEvent) -> None:
        """Say where a unit is dropped; the board moves it, not the list."""
        row = self.current_row()
        target = self._target_of(event)
        # Nothing is taken out of the list by the drag itself.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()
        if event.source() is self and row is not None and row.unit is not None and target:
            # The drag is still going on: the lines must not change under it.
            QTimer.singleShot(0, self, lambda: self.dropped.emit(row, *target))

    def _target_of(self, event: QDropEvent) -> tuple[int, int] | None:
        """Return the need, and the place among its units that stand in the text."""
        item = self.itemAt(event.position().toPoint())
        if item is None:
            needs = [row for row in self._rows if row.kind is RowKind.NEED]
            return (needs[-1].need, _units_of(needs[-1])) if needs else None
        row = self.row_of(item)
        above, below = (
            QAbstractItemView.DropIndicatorPosition.AboveItem,
            QAbstractItemView.DropIndicatorPosition.BelowItem,
        )
        where = self.dropIndicatorPosition()
        if row.kind is RowKind.NEED:
            if where is above and row.need > 0:
                before = next(one for one in self._rows if one.need == row.need - 1)
                return before.need, _units_of(before)
            return row.need, 0
        need = next((one for one in self._rows if one.need == row.need >= 0), None)
        if need is None:
            return None
        units = [one.key for one in need.rows if one.kind is RowKind.UNIT]
        if row.key in units:
            return need.need, units.index(row.key) + (where is below)
        return need.need, 0 if row.kind is RowKind.NOTE else len(units)


def _units_of(need: BoardRow) -> int:
    return sum(row.kind is RowKind.UNIT for row in need.rows)


def _command_of(event: QKeyEvent) -> str:
    keys = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
    return OWN_KEYS.get(keys, "")
