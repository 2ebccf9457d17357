"""The lines of the evidence board in a list that stays where it was when they change."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from phasergun_desktop.ui.generate.evidence_delegate import ROW_ROLE, paint_ground
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.icons import IconSet

_INDENTATION = 18
_Index = QModelIndex | QPersistentModelIndex


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
