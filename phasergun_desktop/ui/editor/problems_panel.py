"""The list of what needs a look in the draft: marked sentences, discrepancies, changed sources."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.editor.problem_steps import MarkedSentence
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import count, literal
from phasergun_desktop.ui.wrapped_list import WrappedList

_USER = Qt.ItemDataRole.UserRole


class ProblemsPanel(QWidget):
    """Enter or a click goes to the sentence, or shows the passages that disagree; F8 goes from
    sentence to sentence from the draft."""

    sentence_activated = Signal(object)
    discrepancy_activated = Signal(object)
    # A discrepancy that shall be settled, or is settled and shall be open again.
    settling_wanted = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._summary = QLabel(wordWrap=True)
        self.list = WrappedList("Problems of the draft")
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)
        # How many of the lines are open problems.
        self.total = 0
        self.list.itemClicked.connect(self._on_activated)
        self.list.itemActivated.connect(self._on_activated)
        laid_out(QVBoxLayout(self), self._summary, (self.list, 1), margins=(8, 8, 8, 8))
        self.show_problems([], ())

    def show_problems(
        self,
        sentences: list[MarkedSentence],
        notes: tuple[str, ...],
        discrepancies: tuple[Discrepancy, ...] = (),
        settled: Mapping[str, str] | None = None,
    ) -> None:
        """List marked sentences, what the sources disagree in, and notes about the whole draft;
        below, and not counted, the discrepancies whose messages are in ``settled``, with the
        writer's reasons."""
        self.list.clear()
        reasons = settled or {}
        colours = colours_for(self.palette())
        for sentence in sentences:
            icon = self._icons.icon("problem", colours.wrong)
            self._add(icon, f"{shortened(sentence.text, 110)}\n{sentence.reason}", sentence)
        if any(sentence.text.startswith("[TODO") for sentence in sentences):
            # A gap stands in the text as a TODO, which is listed with its place.
            discrepancies = tuple(d for d in discrepancies if d.kind is not DiscrepancyKind.GAP)
        is_settled = {one: one.message in reasons for one in discrepancies}
        for one in (one for one in discrepancies if not is_settled[one]):
            name = "discrepancy" if one.sides else "warning"
            text = f"{one.message}\nEnter shows both passages." if one.sides else one.message
            self._add(self._icons.icon(name, colours.partly), text, one)
        for note in notes:
            self._add(self._icons.icon("warning", colours.partly), note, None)
        self.total = self.list.count()
        for one in (one for one in discrepancies if is_settled[one]):
            said = f"Settled: {reasons[one.message]}\n{one.message}"
            self._add(self._icons.icon("indexed", colours.muted), said, one)
        self._summary.setText(
            count(self.total, "problem") + " to look at" if self.total else "No problems."
        )

    def open_problems(self) -> list[QListWidgetItem]:
        """Return the lines of what is open."""
        return [self.list.item(row) for row in range(self.total)]

    def show_rest(self) -> None:
        """Make the first of those current that stand at no sentence."""
        rows = range(self.list.count())
        rest = (r for r in rows if not isinstance(self.list.item(r).data(_USER), MarkedSentence))
        self.list.setCurrentRow(next(rest, 0))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def chosen_discrepancy(self) -> Discrepancy | None:
        """Return the one that is current in the list, else the first with passages."""
        found = self._discrepancies()
        return next((one for one in found if one.sides), None)

    def discrepancy_to_settle(self) -> Discrepancy | None:
        """Return the one that is current in the list, with passages or without."""
        item = self.list.currentItem()
        about = item.data(_USER) if self.list.currentRow() >= 0 else None
        return about if isinstance(about, Discrepancy) else None

    def _discrepancies(self) -> list[Discrepancy]:
        rows = [self.list.item(row).data(_USER) for row in range(self.list.count())]
        chosen = [rows[self.list.currentRow()]] if self.list.currentRow() >= 0 else []
        return [one for one in (*chosen, *rows) if isinstance(one, Discrepancy)]

    def _on_menu_wanted(self, where: QPoint) -> None:
        about = self.discrepancy_to_settle()
        if about is None:
            return
        menu = QMenu(self)
        if about.sides:
            menu.addAction("Show &both passages", lambda: self.discrepancy_activated.emit(about))
        menu.addAction("&Settle or open again…", lambda: self.settling_wanted.emit(about))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(where))

    def _add(self, icon: QIcon, text: str, about: MarkedSentence | Discrepancy | None) -> None:
        item = QListWidgetItem(text)
        item.setIcon(icon)
        item.setToolTip(literal(text))
        item.setData(_USER, about)
        self.list.addItem(item)

    def _on_activated(self, item: QListWidgetItem) -> None:
        about = item.data(_USER)
        if isinstance(about, MarkedSentence):
            self.sentence_activated.emit(about)
        elif isinstance(about, Discrepancy) and about.sides:
            self.discrepancy_activated.emit(about)
