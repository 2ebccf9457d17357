"""The list of the evidence board: it stays where it was when its lines change, and takes keys,
mouse and dragging."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from phasergun_desktop.ui.generate.evidence_delegate import ROW_ROLE, EvidenceDelegate, paint_ground
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.icons import IconSet

_INDENTATION = 18
_Index = QModelIndex | QPersistentModelIndex
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


class EvidenceLines(QTreeWidget):
    """What is open, chosen and in view stays; only lines that changed are made anew."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._rows: list[BoardRow] = []
        self._open: dict[str, bool] = {}
        self._is_filling = False
        self.setColumnCount(1)
        self.setHeaderHidden(True)
        self.setIndentation(_INDENTATION)
        self.setAccessibleName("Evidence")
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.itemExpanded.connect(lambda item: self._note_open(item, is_open=True))
        self.itemCollapsed.connect(lambda item: self._note_open(item, is_open=False))

    def show_rows(self, rows: list[BoardRow], anchor: str = "") -> None:
        """Show ``rows``; what is open, chosen and in view stays, the line ``anchor`` at the height
        that it has."""
        current = self.current_row()
        top = self.itemAt(QPoint(4, 2))
        anchor = anchor or (self.row_of(top).key if top is not None else "")
        before = self._top_of(anchor)
        is_same = [each.key for each in self._rows] == [each.key for each in rows]
        self._is_filling, self._rows = True, rows
        if is_same:
            for at, row in enumerate(rows):
                item = self.topLevelItem(at)
                if item is not None:
                    self._update(item, row)
        else:
            self.clear()
            self.addTopLevelItems([self._item(row) for row in rows])
            for at in range(len(rows)):
                self._open_lines(self.topLevelItem(at))
        self._is_filling = False
        if current is not None and self.current_row() != current:
            self.choose(current)
        self.executeDelayedItemsLayout()
        after = self._top_of(anchor)
        if before is not None and after is not None:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + after - before)

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for item in self._items():
            icon = self.row_of(item).icon
            if icon:
                item.setIcon(0, self._icons.icon(icon))

    def choose(self, wanted: BoardRow) -> None:
        """Make the line current that is ``wanted``, or the one of its unit."""
        found = self.item_of(wanted.key)
        if found is None and wanted.unit is not None:
            place, need = wanted.unit.place, wanted.need
            rows = ((item, self.row_of(item)) for item in self._items())
            same = [(i, r) for i, r in rows if r.unit is not None and r.unit.place == place]
            same.sort(key=lambda pair: pair[1].need != need)
            found = same[0][0] if same else None
        if found is not None:
            self.setCurrentItem(found)

    def item_of(self, key: str) -> QTreeWidgetItem | None:
        """Return the line of this key."""
        return next((item for item in self._items() if self.row_of(item).key == key), None)

    def row_of(self, item: QTreeWidgetItem) -> BoardRow:
        """Return what a line shows."""
        row = item.data(0, ROW_ROLE)
        return row if isinstance(row, BoardRow) else BoardRow(RowKind.NOTE, "", item.text(0))

    def need_items(self) -> list[QTreeWidgetItem]:
        """Return the headings of the needs."""
        every = [self.topLevelItem(at) for at in range(self.topLevelItemCount())]
        return [i for i in every if i is not None and self.row_of(i).kind is RowKind.NEED]

    def current_row(self) -> BoardRow | None:
        """Return the line that the keyboard is on."""
        item = self.currentItem()
        return self.row_of(item) if item is not None else None

    def drawBranches(self, painter: QPainter, rect: QRect, index: _Index) -> None:
        """Continue the background of the line: Qt's own is one loud block."""
        item = self.itemFromIndex(index)
        if item is not None:
            is_chosen = self.selectionModel().isSelected(index)
            paint_ground(painter, rect, self.palette(), self.row_of(item), is_chosen=is_chosen)
        super().drawBranches(painter, rect, index)

    def _items(self) -> list[QTreeWidgetItem]:
        walk = QTreeWidgetItemIterator(self)
        found = []
        while walk.value() is not None:
            found.append(walk.value())
            walk += 1
        return found

    def _item(self, row: BoardRow) -> QTreeWidgetItem:
        item = QTreeWidgetItem()
        self._fill(item, row)
        item.addChildren([self._item(each) for each in row.rows])
        return item

    def _fill(self, item: QTreeWidgetItem, row: BoardRow) -> None:
        item.setText(0, row.text)
        item.setData(0, ROW_ROLE, row)
        said = f"{row.text}. {row.second}" if row.second else row.text
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, said)
        if row.icon:
            item.setIcon(0, self._icons.icon(row.icon))
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if row.unit is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsDragEnabled
            ticked = Qt.CheckState.Checked if row.unit.selected else Qt.CheckState.Unchecked
            item.setCheckState(0, ticked)
        elif row.kind is RowKind.NEED:
            flags |= Qt.ItemFlag.ItemIsDropEnabled
        item.setFlags(flags)

    def _update(self, item: QTreeWidgetItem, row: BoardRow) -> None:
        """Show ``row`` in a line that is there, and touch only what is otherwise below it."""
        before = self.row_of(item)
        if before == row:
            return
        self._fill(item, row)
        if [each.key for each in before.rows] == [each.key for each in row.rows]:
            for at, below in enumerate(row.rows):
                child = item.child(at)
                if child is not None:
                    self._update(child, below)
            return
        item.takeChildren()
        item.addChildren([self._item(each) for each in row.rows])
        self._open_lines(item)

    def _open_lines(self, item: QTreeWidgetItem | None) -> None:
        """Open a line and those below it as they were, or as they are first shown."""
        if item is None or not item.childCount():
            return
        row = self.row_of(item)
        item.setExpanded(self._open.get(row.key, row.is_open))
        for at in range(item.childCount()):
            self._open_lines(item.child(at))

    def _note_open(self, item: QTreeWidgetItem, *, is_open: bool) -> None:
        if not self._is_filling:
            self._open[self.row_of(item).key] = is_open

    def _top_of(self, key: str) -> int | None:
        item = self.item_of(key) if key else None
        return self.visualItemRect(item).top() if item is not None else None


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
