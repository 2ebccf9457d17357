"""The left side: which project, its files with their state, its prompts and drafts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QStandardItem
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.projects.project_tree_model import (
    NODE_ROLE,
    OUTSIDE,
    Node,
    NodeKind,
    ProjectTreeModel,
)
from phasergun_desktop.ui.words import file_details


class ProjectPanel(QWidget):
    """Shows and asks; what happens to a project is decided elsewhere."""

    switch_wanted = Signal(object)
    file_activated = Signal(str)
    prompt_activated = Signal(str)
    draft_activated = Signal(str)
    delete_draft_wanted = Signal(str)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.switcher = QComboBox()
        self.model = ProjectTreeModel(icons, self)
        self.tree = QTreeView()
        self.details = QLabel()
        self.menu_button = QToolButton()
        self._file_actions: list[QAction] = []
        self._build()
        self.switcher.activated.connect(self._on_switched)
        self.model.rowsInserted.connect(self._on_rows_inserted)
        self.tree.activated.connect(self._on_activated)
        self.tree.clicked.connect(self._on_activated)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self.tree.customContextMenuRequested.connect(self._on_menu_wanted)

    def _build(self) -> None:
        self.switcher.setAccessibleName("Project")
        self.switcher.setToolTip("Switch to another project")
        self.switcher.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.switcher.setMinimumContentsLength(8)
        self.menu_button.setIcon(self._icons.icon("folder"))
        self.menu_button.setToolTip("Open, make or forget a project")
        self.menu_button.setAccessibleName("Projects menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAutoRaise(True)
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QTreeView.Shape.NoFrame)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.setAccessibleName("Files, prompts and drafts of the project")
        self.details.setWordWrap(True)
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details.setContentsMargins(10, 6, 10, 8)
        self.details.setAccessibleName("Details of the selected file")
        self.details.hide()
        self.setMinimumWidth(200)
        top = QHBoxLayout()
        top.setContentsMargins(8, 6, 6, 6)
        top.addWidget(self.switcher, 1)
        top.addWidget(self.menu_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.tree, 1)
        column.addWidget(self.details)

    def set_project_actions(self, actions: list[QAction]) -> None:
        """Set what the button beside the switcher offers."""
        menu = QMenu(self)
        menu.addActions(actions)
        self.menu_button.setMenu(menu)

    def set_file_actions(self, actions: list[QAction]) -> None:
        """Set what the menu of a file offers."""
        self._file_actions = actions

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.menu_button.setIcon(self._icons.icon("folder"))
        self.model.refresh_icons(self.palette())

    def show_projects(self, known: tuple[Any, ...], current: Path | None) -> None:
        """List the known projects (each a ``KnownProjectPort``)."""
        self.switcher.clear()
        for one in known:
            name = one.name if one.exists else f"{one.name} (folder missing)"
            self.switcher.addItem(self._icons.icon("project"), name, str(one.root))
            self.switcher.setItemData(
                self.switcher.count() - 1, str(one.root), Qt.ItemDataRole.ToolTipRole
            )
        if current is not None:
            self.switcher.setCurrentIndex(self.switcher.findData(str(current)))

    def current_node(self) -> Node | None:
        """Return what is selected."""
        node = self.tree.currentIndex().data(NODE_ROLE)
        return node if isinstance(node, Node) else None

    def select_file(self, file: str) -> None:
        """Select a file and show it."""
        item: QStandardItem | None = self.model.item_of_file(file)
        if item is not None:
            self.tree.setCurrentIndex(item.index())

    def show_details(self) -> None:
        """Say everything about the selected file."""
        node = self.current_node()
        record = node.record if node is not None else None
        self.details.setVisible(record is not None)
        if record is not None:
            self.details.setText(f"{record.file}\n{file_details(record)}")

    def _on_rows_inserted(self, parent: QModelIndex, _first: int, _last: int) -> None:
        # A branch opens when it gets its first line; what the writer closes stays closed.
        node = parent.data(NODE_ROLE)
        is_outside = isinstance(node, Node) and node.key == OUTSIDE
        if parent.isValid() and self.model.rowCount(parent) == 1 and not is_outside:
            self.tree.expand(parent)

    def _on_current_changed(self, _current: QModelIndex, _before: QModelIndex) -> None:
        self.show_details()

    def _on_switched(self, index: int) -> None:
        root = self.switcher.itemData(index)
        if isinstance(root, str):
            self.switch_wanted.emit(Path(root))

    def _on_activated(self, index: QModelIndex) -> None:
        node = index.data(NODE_ROLE)
        if not isinstance(node, Node):
            return
        if node.kind is NodeKind.FILE:
            self.file_activated.emit(node.key)
        elif node.kind is NodeKind.PROMPT:
            self.prompt_activated.emit(node.key)
        elif node.kind is NodeKind.DRAFT:
            self.draft_activated.emit(node.key)

    def _on_menu_wanted(self, point: QPoint) -> None:
        node = self.tree.indexAt(point).data(NODE_ROLE)
        if not isinstance(node, Node) or node.kind is NodeKind.GROUP:
            return
        menu = QMenu(self)
        if node.kind is NodeKind.FILE:
            menu.addActions(self._file_actions)
        elif node.kind is NodeKind.DRAFT:
            delete = menu.addAction("Delete draft…")
            delete.triggered.connect(lambda: self.delete_draft_wanted.emit(node.key))
        else:
            choose = menu.addAction("Use this prompt")
            choose.triggered.connect(lambda: self.prompt_activated.emit(node.key))
        menu.exec(self.tree.viewport().mapToGlobal(point))
        menu.deleteLater()
