"""The left side: which project, its files with their state, its prompts and drafts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QMouseEvent,
    QResizeEvent,
    QStandardItem,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QToolTip,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.projects.file_card import FileCard
from phasergun_desktop.ui.projects.file_facts import (
    CATEGORIES,
    LANGUAGES,
    PASSWORD,
    RETRY,
    DocumentDetails,
    facts_of,
    offers_of,
)
from phasergun_desktop.ui.projects.project_tree_model import (
    NODE_ROLE,
    OUTSIDE,
    Group,
    Node,
    NodeKind,
    ProjectTreeModel,
)
from phasergun_desktop.ui.projects.whole_tails import WholeTails
from phasergun_desktop.ui.wording import literal

if TYPE_CHECKING:
    from phasergun_desktop.projects.project_records import RegisteredProject
    from phasergun_desktop.workspace.session import SourceDocument


class ProjectPanel(QWidget):
    """Shows and asks; what happens to a project is decided elsewhere."""

    switch_wanted = Signal(object)
    file_activated = Signal(str)
    prompt_activated = Signal(str)
    draft_activated = Signal(str)
    details_wanted = Signal()
    # Files or folders of the disk, and the folder of the project that they were dropped on.
    files_dropped = Signal(object, object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.switcher = QComboBox()
        self.model = ProjectTreeModel(icons, self)
        self.tree = QTreeView()
        self.details = FileCard()
        self.menu_button = QToolButton()
        self._file_actions: list[QAction] = []
        # What the menus of a prompt (beside its use), of a draft and of the trash offer.
        self.prompt_actions: list[QAction] = []
        self.draft_actions: list[QAction] = []
        self.trash_actions: list[QAction] = []
        self._known: dict[str, DocumentDetails] = {}
        self._is_pressed = False
        self._build()
        self.tree.viewport().installEventFilter(self)
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
        self.tree.setItemDelegate(WholeTails(self.tree))
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.viewport().setAcceptDrops(True)
        self.tree.setAccessibleName("Files, prompts and drafts of the project")
        self.setMinimumWidth(214)
        top = laid_out(QHBoxLayout(), (self.switcher, 1), self.menu_button, margins=(8, 6, 6, 6))
        laid_out(
            QVBoxLayout(self), top, (self.tree, 1), self.details, margins=NO_MARGINS, spacing=0
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep two thirds for the tree: on a low window the card scrolls."""
        super().resizeEvent(event)
        self.details.setMaximumHeight(max(self.height() // 3 - self.tree.y(), 0))

    def set_project_actions(self, actions: list[QAction]) -> None:
        """Set what the button beside the switcher offers."""
        menu = QMenu(self)
        menu.addActions(actions)
        self.menu_button.setMenu(menu)

    def set_file_actions(self, actions: list[QAction]) -> None:
        """Set what the menu of a file offers; what helps it is on its card as well."""
        self._file_actions = actions
        offered = (PASSWORD, LANGUAGES, RETRY, CATEGORIES)
        self.details.set_actions([one for one in actions if one.objectName() in offered])

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.menu_button.setIcon(self._icons.icon("folder"))
        for row in range(self.switcher.count()):
            self.switcher.setItemIcon(row, self._icons.icon("project"))
        # (Its own palette follows that of the application a moment later.)
        self.model.refresh_icons(QGuiApplication.palette())

    def show_projects(self, known: tuple[RegisteredProject, ...], current: Path | None) -> None:
        """List the known projects."""
        self.switcher.clear()
        for one in known:
            name = one.name if one.exists else f"{one.name} (folder missing)"
            self.switcher.addItem(self._icons.icon("project"), name, str(one.root))
            self.switcher.setItemData(
                self.switcher.count() - 1, literal(str(one.root)), Qt.ItemDataRole.ToolTipRole
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

    def current_record(self) -> FileRecord | None:
        """Return the file that is selected."""
        node = self.current_node()
        return node.record if node is not None else None

    def show_details(self) -> None:
        """Say everything that is known about the selected file."""
        # An unfolded card takes room from the tree: shown between press and release of a click, it
        # would move the line away from under the pointer, and the click be lost.
        if self._is_pressed:
            return
        record = self.current_record()
        if record is None:
            self.details.clear()
            return
        facts = facts_of(record, self._details_of(record))
        self.details.show_facts(record.file, facts, offers_of(record))
        self.details_wanted.emit()

    def record_without_details(self) -> FileRecord | None:
        """Return the selected file if its document is not known yet, though it is indexed."""
        record = self.current_record()
        if record is None or record.state is not FileState.INDEXED or self._details_of(record):
            return None
        return record

    def add_details(self, source: SourceDocument) -> None:
        """Keep what a document says of itself and show it if its file is selected."""
        found = source.record
        document = source.document
        self._known[found.file] = DocumentDetails(found, document.warnings, document.mime)
        record = self.current_record()
        if record is not None and record.file == found.file:
            self.show_details()

    def forget_details(self) -> None:
        """Another project is opened."""
        self._known.clear()

    def _details_of(self, record: FileRecord) -> DocumentDetails | None:
        known = self._known.get(record.file)
        return known if known is not None and known.record.sha256 == record.sha256 else None

    def _on_rows_inserted(self, parent: QModelIndex, _first: int, _last: int) -> None:
        # A branch opens when it gets its first line; what the writer closes stays closed.
        node = parent.data(NODE_ROLE)
        is_aside = isinstance(node, Node) and node.key in (OUTSIDE, Group.TRASH)
        if parent.isValid() and self.model.rowCount(parent) == 1 and not is_aside:
            self.tree.expand(parent)

    def _on_current_changed(self, _current: QModelIndex, _before: QModelIndex) -> None:
        self.show_details()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note whether a button is held on the tree; the card follows when it is let go. Take
        files that are dragged over it."""
        # (A drop is a move, and entering as well.)
        if isinstance(event, QDragMoveEvent | QDropEvent):
            self._on_dragged(event)
            return True
        # (A press of the right button opens a menu, which gets its release.)
        is_left = isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton
        if is_left and event.type() == QEvent.Type.MouseButtonPress:
            self._is_pressed = True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._is_pressed:
            self._is_pressed = False
            # (After the tree has taken the click.)
            QTimer.singleShot(0, self, self.show_details)
        return super().eventFilter(watched, event)

    def _on_dragged(self, event: QDropEvent) -> None:
        """Take files where a folder is under the pointer, and say which."""
        where = event.position().toPoint()
        node = self.tree.indexAt(where).data(NODE_ROLE)
        folder = self.model.folder_of(node) if isinstance(node, Node) else None
        paths = [Path(one.toLocalFile()) for one in event.mimeData().urls() if one.isLocalFile()]
        if folder is None or not paths:
            event.ignore()
            QToolTip.hideText()
            return
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        if event.type() == QEvent.Type.Drop:
            QToolTip.hideText()
            self.files_dropped.emit(paths, folder)
        else:
            name = folder.as_posix() if folder.parts else "the project folder"
            shown = self.tree.viewport().mapToGlobal(where)
            QToolTip.showText(shown, literal(f"Copy into {name}"), self.tree)

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

    def actions_for(self, record: FileRecord | None) -> list[QAction]:
        """Return what the menu of this file offers."""
        offers = offers_of(record)
        return [
            one
            for one in self._file_actions
            if one.objectName() not in (PASSWORD, LANGUAGES, RETRY) or one.objectName() in offers
        ]

    def _on_menu_wanted(self, point: QPoint) -> None:
        node = self.tree.indexAt(point).data(NODE_ROLE)
        if not isinstance(node, Node):
            return
        is_group = node.kind is NodeKind.GROUP and node.key != Group.TRASH
        if is_group or node.kind is NodeKind.PLACE:
            return
        menu = QMenu(self)
        if node.kind is NodeKind.FILE:
            menu.addActions(self.actions_for(node.record))
        elif node.kind is NodeKind.DRAFT:
            menu.addActions(self.draft_actions)
        elif node.kind is not NodeKind.PROMPT:
            menu.addActions(self.trash_actions)
        else:
            choose = menu.addAction("Use this prompt")
            choose.triggered.connect(lambda: self.prompt_activated.emit(node.key))
            menu.addActions(self.prompt_actions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(point))
