"""The filters of a question as chips that can be taken away, and the menu that adds them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QInputDialog,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.ui.ask.turn_words import KEY_WORDS, filter_words, value_words

_USER = Qt.ItemDataRole.UserRole
_MOST_VALUES = 60
_DATES = (FilterKey.AFTER, FilterKey.BEFORE)


class FilterChips(QListWidget):
    """A chip for each filter, side by side; a click or Del takes one away."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Filters")
        self.setToolTip("Click a filter to take it away (Del)")
        self.setFlow(QListWidget.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setSpacing(2)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.viewport().setAutoFillBackground(False)
        self.itemClicked.connect(self._remove)
        self.hide()

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters, in the order in which they were added."""
        items = [self.item(row) for row in range(self.count())]
        return tuple(item.data(_USER) for item in items)

    def show_filters(self, filters: tuple[Filter, ...]) -> None:
        """Show these filters and no others."""
        self.clear()
        for one in dict.fromkeys(filters):
            item = QListWidgetItem(f"{filter_words(one)}  ✕")
            item.setData(_USER, one)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, filter_words(one))
            item.setBackground(self.palette().button())
            self.addItem(item)
        self.setVisible(self.count() > 0)
        self._fit()
        self.changed.emit()

    def add(self, one: Filter) -> None:
        """Add a filter that is not there yet."""
        if one not in self.filters:
            self.show_filters((*self.filters, one))

    def _remove(self, item: QListWidgetItem) -> None:
        gone = item.data(_USER)
        self.show_filters(tuple(one for one in self.filters if one != gone))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the chosen filter away with Del."""
        item = self.currentItem() if self.currentRow() >= 0 else None
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and item is not None:
            self._remove(item)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as the rows of chips are."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        widest = max(self.viewport().width() - 6, 60)
        for row in range(self.count()):
            item = self.item(row)
            wanted = self.fontMetrics().horizontalAdvance(item.text()) + 12
            item.setSizeHint(QSize(min(wanted, widest), self.fontMetrics().height() + 6))
        self.doItemsLayout()
        last = self.visualItemRect(self.item(self.count() - 1)) if self.count() else None
        self.setFixedHeight(last.bottom() + self.verticalOffset() + 4 if last is not None else 0)


class FilterButton(QToolButton):
    """Opens the menu of what the project has to filter by."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText("+ Filter")
        self.setToolTip("Use only some of the documents")
        self.setAccessibleName("Add a filter")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.show_values({})

    def show_values(self, values: Mapping[FilterKey, tuple[str, ...]]) -> None:
        """Offer these values of each key."""
        menu = self.menu()
        menu.clear()
        for key in FilterKey:
            if key in _DATES:
                entry = menu.addAction(f"{KEY_WORDS[key]}…")
                entry.triggered.connect(partial(self.ask_date, key))
            elif values.get(key):
                inner = menu.addMenu(KEY_WORDS[key])
                for value in values[key][:_MOST_VALUES]:
                    # An ampersand of a name is no mnemonic.
                    entry = inner.addAction(value_words(key, value).replace("&", "&&"))
                    entry.triggered.connect(partial(self._choose, Filter(key, value)))

    def ask_date(self, key: FilterKey, _checked: bool = False) -> None:
        """Ask for the date of a filter."""
        dialog = QInputDialog(self.window())
        dialog.setWindowTitle("Filter by date")
        dialog.setLabelText(f"{KEY_WORDS[key]} (2024, 2024-05 or 2024-05-31)")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(partial(self._on_date, key))
        dialog.open()

    def _on_date(self, key: FilterKey, text: str) -> None:
        if text.strip():
            self.chosen.emit(Filter(key, text.strip()))

    def _choose(self, one: Filter, _checked: bool = False) -> None:
        self.chosen.emit(one)
