"""The list below the cursor that offers what can be written in an open bracket or scope."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QTreeView, QWidget

from phasergun_desktop.references.completion import Completion

_COMPLETION_ROLE = Qt.ItemDataRole.UserRole
_WIDTH, _NAMES_SHARE, _MOST_VISIBLE = 620, 0.55, 10


class NamePopup(QCompleter):
    """Shows what it is given; Up, Down, Return, Tab, Esc and the mouse work as in any such list,
    every other key goes to the field."""

    taken = Signal(object)
    dismissed = Signal()

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self._model = QStandardItemModel(self)
        self._view = QTreeView(rootIsDecorated=False, headerHidden=True, uniformRowHeights=True)
        self._view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.setAccessibleName("What can be written here")
        self.setModel(self._model)
        self.setPopup(self._view)
        self.setWidget(field)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setMaxVisibleItems(_MOST_VISIBLE)
        self.activated.connect(self._on_activated)

    @property
    def is_open(self) -> bool:
        """Whether the list is in view."""
        return self._view.isVisible()

    def offer(self, found: tuple[Completion, ...], where: QRect) -> None:
        """Show ``found`` below ``where``, or close the list when there is nothing."""
        if not found:
            self._view.hide()
            return
        self._model.clear()
        quiet = self._view.palette().color(QPalette.ColorRole.PlaceholderText)
        for each in found:
            name, means = QStandardItem(each.shown), QStandardItem(each.means)
            for item in (name, means):
                item.setData(each, _COMPLETION_ROLE)
                # Values of documents are text, whatever they look like.
                item.setToolTip(f"<p>{escape(each.shown)}</p><p>{escape(each.means)}</p>")
            means.setForeground(quiet)
            self._model.appendRow([name, means])
        width = min(_WIDTH, max(240, self.widget().window().width() - 40))
        self.complete(QRect(where.left(), where.top(), width, where.height()))
        wanted = self._view.sizeHintForColumn(0) + 12
        self._view.setColumnWidth(0, min(wanted, int(width * _NAMES_SHARE)))
        self._view.setCurrentIndex(self.completionModel().index(0, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell when the writer closes the list with Esc."""
        is_press = event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        is_esc = is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        was_open = watched is self._view and self.is_open
        done = super().eventFilter(watched, event)
        if is_esc and was_open:
            self.dismissed.emit()
        return done

    def _on_activated(self, _text: str) -> None:
        found = self._view.currentIndex().data(_COMPLETION_ROLE)
        if isinstance(found, Completion):
            self.taken.emit(found)
