"""The plan of a draft: what the prompt refers to, the outline, and the passages of each point."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from phasergun_desktop.answering.model import Plan, PlannedPoint
from phasergun_desktop.references.model import Problem, ResolvedReference, Severity
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.words import PATH_MARK, count, file_name

_USER = Qt.ItemDataRole.UserRole
LONGEST_LABEL = 90


class PlanTree(QTreeWidget):
    """Every line can be opened: a passage in its source, a problem in the prompt."""

    passage_activated = Signal(object)
    file_activated = Signal(str)
    problem_activated = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._plan: Plan | None = None
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(True)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setAccessibleName("Plan")
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, 270)
        self.itemActivated.connect(self._on_activated)
        self.itemClicked.connect(self._on_activated)

    def show_plan(self, plan: Plan | None) -> None:
        """Show a plan, or nothing."""
        self._plan = plan
        self.clear()
        if plan is None:
            return
        for problem in plan.problems:
            self.addTopLevelItem(self._problem_item(problem))
        if plan.references:
            references = self._item("Refers to", count(len(plan.references), "reference"))
            references.addChildren([self._reference_item(one) for one in plan.references])
            self.addTopLevelItem(references)
            references.setExpanded(True)
        for number, point in enumerate(plan.points, start=1):
            item = self._point_item(number, point)
            self.addTopLevelItem(item)
            item.setExpanded(True)

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.show_plan(self._plan)

    def mark_point(self, index: int) -> None:
        """Make the point that is being written bold and bring it into view; -1 for none."""
        points = [
            item
            for row in range(self.topLevelItemCount())
            if (item := self.topLevelItem(row)) is not None
            and isinstance(item.data(0, _USER), PlannedPoint)
        ]
        for number, item in enumerate(points):
            font = item.font(0)
            font.setBold(number == index)
            item.setFont(0, font)
            if number == index:
                self.scrollToItem(item)

    # Items --------------------------------------------------------------------------------

    def _item(
        self, first: str, second: str = "", icon: str = "", data: object = None, tip: str = ""
    ) -> QTreeWidgetItem:
        item = QTreeWidgetItem([first, second])
        if icon:
            item.setIcon(0, self._icons.icon(icon))
        if data is not None:
            item.setData(0, _USER, data)
        for column in (0, 1):
            item.setToolTip(column, tip or second or first)
        return item

    def _problem_item(self, problem: Problem) -> QTreeWidgetItem:
        blocks = problem.severity is Severity.BLOCKS
        word = "Stops generation" if blocks else "Warning"
        text = f"{problem.message} {problem.remedy}".strip()
        icon = "blocks" if blocks else "warning"
        return self._item(word, text, icon, problem, text)

    def _reference_item(self, reference: ResolvedReference) -> QTreeWidgetItem:
        if reference.value is not None:
            means = shortened(reference.value.text, LONGEST_LABEL)
            source = reference.value.file
        elif reference.pairs:
            means = count(len(reference.pairs), "answer") + " to be used word for word"
            source = reference.files[0] if reference.files else ""
        elif reference.files:
            means = ", ".join(file_name(file) for file in reference.files)
            source = reference.files[0]
        else:
            means, source = reference.label, ""
        if not reference.resolved:
            return self._item(reference.text, "not found", "blocks")
        return self._item(
            reference.text, means, "reference", source or None, f"{means}\n{source}".strip()
        )

    def _point_item(self, number: int, point: PlannedPoint) -> QTreeWidgetItem:
        name = point.heading or point.instruction
        if point.attribute:
            name = f"{point.attribute}: {point.device}" if point.device else point.attribute
        if point.pairs or point.value is not None:
            says = "used word for word"
        elif point.passages:
            says = count(len(point.passages), "passage")
        else:
            says = "nothing found"
        tip = point.instruction
        if not (point.passages or point.pairs or point.value) and point.helps:
            tip = f"{tip}\nIt would stand in {point.helps}."
        item = self._item(f"{number}. {name}", says, data=point, tip=tip)
        item.addChildren([self._passage_item(one) for one in point.passages])
        return item

    def _passage_item(self, passage: Passage) -> QTreeWidgetItem:
        where = PATH_MARK.join((file_name(passage.file), *passage.heading_path[-2:]))
        text = " ".join(passage.text.split())
        tip = f"{where}\n{shortened(text)}"
        return self._item(file_name(passage.file), text, "passage", passage, tip)

    def _on_activated(self, item: QTreeWidgetItem, _column: int) -> None:
        data = item.data(0, _USER)
        if isinstance(data, Passage):
            self.passage_activated.emit(data)
        elif isinstance(data, Problem):
            self.problem_activated.emit(data)
        elif isinstance(data, str):
            self.file_activated.emit(data)
