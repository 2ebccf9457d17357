"""The evidence of a plan, need by need: what the draft will state, ticked by the writer, with the
menu of a line and why a passage is there."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QMessageBox,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.planning.model import Plan, PlannedUnit
from phasergun_desktop.references.model import Problem
from phasergun_desktop.retrieval.model import Passage, Place
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.generate.evidence_rows import (
    MORE_AT_ONCE,
    BoardRow,
    Replacement,
    RowKind,
    board_rows,
)
from phasergun_desktop.ui.generate.evidence_tree import ADD_KEY, EvidenceTree
from phasergun_desktop.ui.generate.evidence_words import (
    board_summary,
    details_of,
    source_line,
    why_here,
)
from phasergun_desktop.ui.generate.ticked_evidence import TickedEvidence
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import literal

_LONGEST_NAME = 50


class EvidenceBoard(QWidget):
    """Every line can be opened: a passage in its source, a problem in the prompt. ``plan`` is the
    plan with what is ticked; ``changed`` says that it is another one now."""

    passage_activated = Signal(object)
    file_activated = Signal(str)
    problem_activated = Signal(object)
    # The problem, and what is to stand in the prompt instead.
    replacement_wanted = Signal(object, str)
    # The need, and where on the screen its heading is.
    add_wanted = Signal(int, object)
    changed = Signal()
    # What stands there was brought up to date.
    shown = Signal()

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.evidence = TickedEvidence()
        self._more_shown: dict[int, int] = {}
        self._marked = -1
        self.tree = EvidenceTree(icons)
        self.status = QLabel()
        self.status.setAccessibleName("Length and evidence")
        self.reset_button = QToolButton(autoRaise=True)
        self.reset_button.setText("Reset to suggestion")
        self.reset_button.setToolTip("Tick again what was suggested, in its order")
        policy = self.reset_button.sizePolicy()
        # The list must not jump when it appears.
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        line = laid_out(QHBoxLayout(), (self.status, 1), self.reset_button, margins=(10, 0, 10, 0))
        laid_out(QVBoxLayout(self), line, (self.tree, 1), margins=NO_MARGINS, spacing=0)
        self.reset_button.clicked.connect(self.reset)
        self.tree.command_given.connect(self.do)
        self.tree.dropped.connect(self._on_dropped)
        self.tree.tip_wanted.connect(self._on_tip_wanted)
        self._show()

    # The plan ---------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan | None:
        """The plan with what is ticked, in the order that is shown."""
        return self.evidence.plan

    def show_plan(self, plan: Plan | None) -> None:
        """Show a plan with what the writer has decided on it before, or nothing."""
        self.evidence.begin(plan)
        if plan is None:
            self._more_shown = {}
        self._show()

    def show_settled(self, plan: Plan) -> None:
        """Show what became of the edited plan: its problems, without passages that are gone."""
        self.evidence.settle(plan)
        self._show()

    def leave_prompt(self) -> None:
        """The next plan is of another prompt."""
        self.evidence.leave_prompt()
        self._more_shown = {}

    def forget(self) -> None:
        """Another project is opened."""
        self.evidence.forget()
        self._more_shown = {}
        self._show()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.tree.refresh_icons()

    def mark_point(self, index: int) -> None:
        """Make the need bold whose point is written, and bring it into view; -1 for none."""
        plan, self._marked = self.plan, -1
        if plan is not None and 0 <= index < len(plan.points):
            need_id = plan.points[index].need_id
            ids = [need.planned.need.need_id for need in self.evidence.needs]
            self._marked = ids.index(need_id) if need_id in ids else -1
        self._mark(is_new=True)

    def _mark(self, *, is_new: bool = False) -> None:
        for item in self.tree.need_items():
            font = item.font(0)
            is_marked = self.tree.row_of(item).need == self._marked
            if font.bold() != is_marked:
                font.setBold(is_marked)
                item.setFont(0, font)
            if is_new and is_marked:
                self.tree.scrollToItem(item)

    def _show(self, anchor: str = "") -> None:
        plan = self.plan
        needs = self.evidence.needs
        rows = board_rows(plan, needs, self._more_shown) if plan is not None else []
        self.tree.show_rows(rows, anchor)
        self._mark()
        gaps = sum(row.is_gap for row in rows if row.kind is RowKind.NEED)
        has_needs = plan is not None and bool(needs)
        self.status.setText(board_summary(plan, needs, gaps) if plan and has_needs else "")
        self.status.setVisible(has_needs)
        self.reset_button.setVisible(has_needs and self.evidence.is_changed)
        self.shown.emit()

    # What the writer does ---------------------------------------------------------------------

    def add(self, need: int, unit: PlannedUnit) -> None:
        """Take a passage in under a need."""
        self._edited(self.evidence.add(need, unit), unit.place)

    def reset(self) -> None:
        """Go back to what was suggested."""
        self._edited(self.evidence.reset())
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _edited(self, is_changed: bool, chosen: Place | None = None, anchor: str = "") -> None:
        if not is_changed:
            return
        self._show(anchor)
        found = self.evidence.find(chosen) if chosen is not None else None
        if found is not None:
            self.tree.choose(BoardRow(RowKind.UNIT, "", "", need=found[0], unit=found[1]))
            self.tree.scrollTo(self.tree.currentIndex())
        self.changed.emit()

    def do(self, command: str, row: BoardRow | None) -> None:
        """Do what a key or an entry of the menu says; see ``EvidenceTree.command_given``."""
        if command in ("undo", "redo"):
            self._edited(self.evidence.undo() if command == "undo" else self.evidence.redo())
        elif row is None:
            return
        elif command == "open":
            self._open(row)
        elif command == "add":
            self._ask_for_passage(row.need)
        elif row.unit is not None:
            self._change(command, row.unit, row.need)

    def _change(self, command: str, unit: PlannedUnit, need: int) -> None:
        evidence, place = self.evidence, unit.place
        is_shown = unit in evidence.needs[need].shown
        if command == "tick":
            # Whoever goes through the list of what was considered stays there.
            anchor = "" if is_shown else self._more_key(need)
            self._step_on(is_shown=is_shown)
            self._edited(evidence.tick(need, place, is_ticked=not unit.selected), anchor=anchor)
        elif command == "away":
            self._step_on(is_shown=False)
            self._edited(evidence.take_away(need, place))
        else:
            self._edited(evidence.step(need, place, -1 if command == "up" else 1), place)

    def _step_on(self, *, is_shown: bool) -> None:
        """Leave a line that is about to go elsewhere for the next one."""
        item = self.tree.currentItem()
        below = self.tree.itemBelow(item) if item is not None else None
        if not is_shown and below is not None:
            self.tree.setCurrentItem(below)

    def _more_key(self, need: int) -> str:
        asked = self.evidence.needs[need].planned.need
        return f"need {asked.need_id} {asked.query} more"

    def _open(self, row: BoardRow) -> None:
        leads_to = row.leads_to
        if row.kind is RowKind.SHOW_MORE:
            self._more_shown[row.need] = self._more_shown.get(row.need, MORE_AT_ONCE) + MORE_AT_ONCE
            at = self._more_shown[row.need] - MORE_AT_ONCE
            self._show()
            units = self.evidence.needs[row.need].more
            if at < len(units):
                self.tree.choose(BoardRow(RowKind.UNIT, "", "", need=row.need, unit=units[at]))
        elif isinstance(leads_to, Passage):
            self.passage_activated.emit(leads_to)
        elif isinstance(leads_to, Problem):
            self.problem_activated.emit(leads_to)
        elif isinstance(leads_to, Replacement):
            self.replacement_wanted.emit(leads_to.problem, leads_to.text)
        elif isinstance(leads_to, str):
            self.file_activated.emit(leads_to)

    def _ask_for_passage(self, need: int) -> None:
        if not 0 <= need < len(self.evidence.needs):
            return
        rect = self.tree.visualItemRect(self.tree.need_items()[need])
        self.add_wanted.emit(need, self.tree.viewport().mapToGlobal(rect.bottomLeft()))

    def _on_dropped(self, row: BoardRow, need: int, place: int) -> None:
        if row.unit is not None:
            self._edited(self.evidence.move(row.need, row.unit.place, need, place), row.unit.place)

    # Words ------------------------------------------------------------------------------------

    def need_name(self, need: int) -> str:
        """Return what a need asks for."""
        asked = self.evidence.needs[need].planned.need
        return shortened(asked.heading or asked.name, _LONGEST_NAME)

    def why(self, row: BoardRow) -> str:
        """Say why a passage is here."""
        if row.unit is None or row.need < 0:
            return ""
        return why_here(row.unit, self.evidence.needs[row.need].planned)

    def _on_tip_wanted(self, row: BoardRow, where: QPoint) -> None:
        why = self.why(row)
        if row.unit is not None:
            passage = row.unit.passage
            why = f"{source_line(passage)}\n{passage.file}\n\n{why}"
        tip = why or f"{row.text}\n{row.second}".strip()
        QToolTip.showText(where, literal(tip), self.tree)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with a line."""
        row = self.tree.current_row()
        if row is None or row.need < 0:
            return
        menu = menu_for(self, row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


def menu_for(board: EvidenceBoard, row: BoardRow) -> QMenu:
    """Return the menu of a line of a need."""
    menu = QMenu(board)

    def entry(text: str, command: str, keys: str = "") -> None:
        label = f"{text}\t{keys}" if keys else text
        menu.addAction(label, lambda: board.do(command, row))

    unit, needs = row.unit, board.evidence.needs
    if unit is not None:
        entry("&Open in its source", "open", "Return")
        entry("&Take out" if unit.selected else "&Take in", "tick", "Space")
        if unit in needs[row.need].shown:
            entry("Put &back among the considered", "away", "Del")
            entry("Move &up", "up", "Alt+Up")
            entry("Move &down", "down", "Alt+Down")
        others = menu.addMenu("&Move to")
        for at in range(len(needs)):
            if at != row.need:
                others.addAction(f"{at + 1}. {board.need_name(at)}", partial(board.add, at, unit))
        others.setEnabled(len(needs) > 1)
        menu.addAction("&Why is this here…", lambda: explain(board, row))
        menu.addSeparator()
    entry("&Add passage…", "add", ADD_KEY)
    reset = menu.addAction("&Reset to suggestion", board.reset)
    reset.setEnabled(board.evidence.is_changed)
    return menu


def explain(board: EvidenceBoard, row: BoardRow) -> None:
    """Say why a passage is here, with the numbers on demand."""
    if row.unit is None:
        return
    box = QMessageBox(
        QMessageBox.Icon.NoIcon,
        "Why is this here",
        board.why(row),
        QMessageBox.StandardButton.Close,
        board,
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setDetailedText(details_of(row.unit))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
