"""A small search over every document from which the writer takes passages into the evidence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QListWidgetItem, QWidget

from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.planning.model import FoundUnits, PlannedUnit
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Place, SearchResult
from phasergun_desktop.text.snippets import one_line
from phasergun_desktop.ui.generate.evidence_delegate import EvidenceDelegate
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.generate.evidence_words import source_line
from phasergun_desktop.ui.search.search_panel import MOST_HITS, SearchPanel
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import LAYER_WORDS

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_SIZE = (520, 340)
_USER = Qt.ItemDataRole.UserRole


class PassageSearch(SearchPanel):
    """Opens over the board for one need; Enter or a click takes a passage in, Esc closes it."""

    def __init__(self, runner: JobRunner, parent: QWidget) -> None:
        super().__init__(runner, parent)
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAccessibleName("Add passage")
        self.setAutoFillBackground(True)
        self.resize(*_SIZE)
        self.need = -1
        self._ticked: Collection[Place] = ()
        # A passage goes into the evidence here, not into the draft.
        self.hits.currentRowChanged.disconnect()
        self.hits.removeAction(self.right_one)
        # What a prompt may use is said in the prompt.
        self.add_filter.hide()
        self.hits.setAccessibleName("Passages found")
        self.hits.setItemDelegate(EvidenceDelegate(self.hits))
        self.hits.setVerticalScrollMode(self.hits.ScrollMode.ScrollPerPixel)

    def open_at(self, where: QPoint, need: int, name: str, ticked: Collection[Place]) -> None:
        """Search for the need of this name; ``ticked`` is in the evidence already."""
        self.need, self._ticked = need, ticked
        self.box.setPlaceholderText(f"Find a passage for “{name}”")
        self.box.setAccessibleName(f"Find a passage for {name}")
        screen = QApplication.screenAt(where) or self.screen()
        room = screen.availableGeometry()
        left = max(room.left(), min(where.x(), room.right() - self.width()))
        top = max(room.top(), min(where.y(), room.bottom() - self.height()))
        self.move(left, top)
        self.show()
        self.box.setFocus(Qt.FocusReason.PopupFocusReason)
        self.box.selectAll()

    def note_added(self, place: Place, name: str) -> None:
        """Say that a passage was taken in."""
        self._ticked = {*self._ticked, place}
        for at in range(self.hits.count()):
            row = self.hits.item(at).data(_USER)
            if isinstance(row, BoardRow) and row.unit is not None and row.unit.place == place:
                self.hits.item(at).setData(_USER, _row_of(row.unit, is_ticked=True))
        self._summary.setText(f"Added to “{name}”. Esc closes this.")

    def _look_up(self, session: ProjectSession, query: str, filters: tuple[Filter, ...]) -> object:
        del filters
        return session.search_units(query, limit=MOST_HITS)

    def _search_of(self, result: object) -> SearchResult:
        return result.search if isinstance(result, FoundUnits) else SearchResult(())

    def _items_of(self, result: object) -> list[QListWidgetItem]:
        units = result.units if isinstance(result, FoundUnits) else ()
        rows = (_row_of(unit, is_ticked=unit.place in self._ticked) for unit in units)
        return [
            self._item(row, f"{row.text}\n{row.second}", f"{unit.passage.file}\n{row.text}")
            for row, unit in zip(rows, units, strict=True)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw an edge: nothing else parts it from the window below."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(colours_for(self.palette()).rule)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from the box to the list with the arrow key."""
        if event.key() == Qt.Key.Key_Down and self.box.hasFocus() and self.hits.count():
            self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
            self.hits.setCurrentRow(0)
            return
        super().keyPressEvent(event)


def _row_of(unit: PlannedUnit, *, is_ticked: bool) -> BoardRow:
    passage = unit.passage
    where = f"{source_line(passage)} ({LAYER_WORDS[passage.layer]})"
    ticked = replace(unit, selected=is_ticked)
    return BoardRow(RowKind.UNIT, "", one_line(passage.text), where, unit=ticked)
