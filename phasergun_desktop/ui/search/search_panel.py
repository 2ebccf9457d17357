"""A search box over every layer and the hits below it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Hit, SearchResult
from phasergun_desktop.ui.ask.filter_chips import FilterButton, FilterChips
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import (
    LAYER_WORDS,
    PATH_MARK,
    count,
    file_name,
    literal,
    place_in_words,
    shortened_name,
)
from phasergun_desktop.ui.wrapped_list import WrappedList

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

IDLE_MS = 300
# A query that stood so long beside what it found is the one that was meant.
RESTED_MS = 2000
MOST_HITS = 20
_USER = Qt.ItemDataRole.UserRole


class SearchPanel(QWidget):
    """Searches as the writer types; a click or Enter opens the source at the hit."""

    hit_activated = Signal(object)
    # For the sentence at the cursor of the draft.
    cite_wanted = Signal()
    quote_wanted = Signal()
    # The hit that answers what was searched for.
    right_wanted = Signal(str, object)
    # A query that was not typed on at once, and what it found or why it failed.
    rested = Signal(str, object)
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._session: ProjectSession | None = None
        self._job: JobHandle | None = None
        self._goes_on = False
        self.box = QLineEdit(placeholderText="Search all documents", clearButtonEnabled=True)
        self.box.setAccessibleName("Search all documents")
        self.chips, self.add_filter = FilterChips(), FilterButton()
        self._summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.hits = WrappedList("Search results")
        found = laid_out(QHBoxLayout(), (self._summary, 1), self.add_filter)
        column = laid_out(
            QVBoxLayout(self), self.box, found, self.chips, (self.hits, 1), margins=(8, 8, 8, 8)
        )
        self.attach = self._attach_row()
        column.addWidget(self.attach)
        self.hits.currentRowChanged.connect(lambda row: self.attach.setVisible(row >= 0))
        self.add_filter.chosen.connect(self.chips.add)
        self.chips.changed.connect(self.search_now)
        self.right_one = QAction("This passage is the right one", self.hits)
        self.right_one.setToolTip("Keep the search to measure the project on")
        self.right_one.triggered.connect(self._on_right_one)
        self.hits.addAction(self.right_one)
        self.hits.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(self.search_now)
        self._shown: tuple[str, SearchResult | PhaserGunError] | None = None
        self._rest = QTimer(self, singleShot=True, interval=RESTED_MS)
        self._rest.timeout.connect(self._on_rested)
        self.box.textEdited.connect(lambda _text: self._idle.start())
        self.box.returnPressed.connect(self._on_return)
        self.hits.itemClicked.connect(self._on_activated)
        self.hits.itemActivated.connect(self._on_activated)

    def _attach_row(self) -> QWidget:
        made = QWidget()
        buttons = laid_out(QHBoxLayout(made), margins=NO_MARGINS)
        for text, tip, wanted in (
            ("Attach", "Cite it for the sentence at the cursor (Ctrl+Alt+F)", self.cite_wanted),
            ("Quote", "Insert it as a quotation (Ctrl+Alt+Q)", self.quote_wanted),
        ):
            button = QPushButton(text, autoDefault=False)
            button.setToolTip(tip)
            button.clicked.connect(wanted)
            buttons.addWidget(button)
        buttons.addStretch(1)
        made.hide()
        return made

    def chosen_hit(self) -> object:
        """Return the hit that is chosen in the list, None without one."""
        item = self.hits.currentItem() if self.hits.currentRow() >= 0 else None
        return item.data(_USER) if item is not None else None

    def set_session(self, session: ProjectSession | None) -> None:
        """Search another project from now on."""
        self._idle.stop()
        self._rest.stop()
        self._drop_job()
        self._session = session
        self.chips.show_filters(())
        self.hits.clear()
        self._summary.setText("")

    def focus_box(self) -> None:
        """Give the keyboard to the search box."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def search_for(self, text: str) -> None:
        """Search for ``text``; the keyboard waits at the box and goes on to the first passage."""
        self.box.setText(text)
        self.focus_box()
        self.search_now()
        self._goes_on = True

    def search_now(self) -> None:
        """Search for what stands in the box."""
        self._goes_on = False
        self._idle.stop()
        self._rest.stop()
        self._drop_job()
        query = self.box.text().strip()
        session = self._session
        if session is None or not query:
            self.hits.clear()
            self._summary.setText("")
            return
        filters = self.chips.filters
        job = self._runner.submit_call(lambda: self._look_up(session, query, filters))
        self._job = job

        def on_found(result: object) -> None:
            if job is self._job:
                self._show(result)
                self._shown = query, self._search_of(result)
                self._rest.start()

        def on_failed(error: object) -> None:
            if job is self._job and isinstance(error, PhaserGunError):
                self._shown = query, error
                self._rest.start()

        job.succeeded.connect(on_found)
        job.failed.connect(on_failed)
        job.failed.connect(self.failed)

    def note_hidden(self, files: Collection[str]) -> None:
        """Search again where something of ``files``, which are hidden now, is listed."""
        found = self._shown[1] if self._shown is not None else None
        if isinstance(found, SearchResult) and any(hit.file in files for hit in found.hits):
            self.search_now()

    def _on_rested(self) -> None:
        if self._shown is not None:
            self.rested.emit(*self._shown)

    def _drop_job(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _look_up(self, session: ProjectSession, query: str, filters: tuple[Filter, ...]) -> object:
        """Search on the thread of the job; what it returns is listed."""
        return session.search(query, limit=MOST_HITS, filters=filters)

    def _search_of(self, result: object) -> SearchResult:
        """Return the search that found what is listed."""
        return result if isinstance(result, SearchResult) else SearchResult(())

    def _items_of(self, result: object) -> list[QListWidgetItem]:
        return [
            self._item(hit, _hit_text(hit), f"{hit.file}\n{shortened(hit.text)}")
            for hit in self._search_of(result).hits
        ]

    def _item(self, data: object, text: str, tip: str) -> QListWidgetItem:
        item = QListWidgetItem(text)
        item.setData(_USER, data)
        item.setToolTip(literal(tip))
        return item

    def _show(self, result: object) -> None:
        self.hits.clear()
        items = self._items_of(result)
        for item in items:
            self.hits.addItem(item)
        found = count(len(items), "passage")
        said = found if items else "Nothing found in these documents."
        self._summary.setText("\n".join((said, *self._search_of(result).warnings)))
        if self._goes_on and items and self.box.hasFocus():
            self._go_to_hits()

    def _on_return(self) -> None:
        if self._idle.isActive() or not self.hits.count():
            self.search_now()
        else:
            self._go_to_hits()

    def _go_to_hits(self) -> None:
        self.hits.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hits.setCurrentRow(0)

    def _on_right_one(self) -> None:
        hit = self.chosen_hit()
        if isinstance(hit, Hit):
            self.right_wanted.emit(self.box.text().strip(), hit)

    def _on_activated(self, item: QListWidgetItem) -> None:
        self.hit_activated.emit(item.data(_USER))


def _hit_text(hit: Hit) -> str:
    place = place_in_words(hit.locator, hit.heading_path) or PATH_MARK.join(hit.heading_path)
    where = f"{shortened_name(file_name(hit.file))} ({LAYER_WORDS[hit.layer]})"
    best = hit.windows[0] if hit.windows else None
    text = hit.text[best.start - hit.start : best.end - hit.start] if best is not None else ""
    return "\n".join(part for part in (where, place, shortened(text or hit.text, 150)) if part)
