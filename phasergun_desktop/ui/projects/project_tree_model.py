"""The tree of a project: files by layer with their state, prompts and drafts."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QPalette, QStandardItem, QStandardItemModel

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.convention import PROMPT_FOLDER
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.projects.folder_words import (
    LAYERS_WITH_WORDS,
    PROMPT_WORDS,
    FolderWords,
    folder_of_layer,
    words_of,
)
from phasergun_desktop.ui.qt_absent import parent_of
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.wording import (
    LAYER_WORDS,
    STATE_WORDS,
    UNTITLED,
    count,
    file_name,
    literal,
    names_of_drafts,
    when_in_words,
)

if TYPE_CHECKING:
    from phasergun_desktop.drafts.draft_store import DraftSummary
    from phasergun_desktop.workspace.session_prompts import PromptFile

NODE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
OUTSIDE = "Not part of the index"


class NodeKind(StrEnum):
    """What a line of the tree stands for."""

    GROUP = "group"
    FILE = "file"
    PROMPT = "prompt"
    DRAFT = "draft"
    THROWN = "thrown"
    # What belongs into an empty folder; its key is the folder.
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Node:
    """``key`` is the file, the prompt's file or the draft's id, ``title`` that of a draft."""

    kind: NodeKind
    key: str
    record: FileRecord | None = None
    title: str = ""


class Group(StrEnum):
    """The top lines of the tree, in this order."""

    DRAFTS = "Drafts"
    PROMPTS = "Prompts"
    PROCEDURES = "Procedures"
    CONTEXT = "Context"
    BOOTSTRAP = "Bootstrap"
    DOCUMENTS = "Documents"
    OUTSIDE = OUTSIDE
    TRASH = "Trash"


# Where a file that is dropped on a top line belongs.
_FOLDERS: dict[str, PurePosixPath] = {
    Group.PROMPTS: PROMPT_FOLDER,
    Group.PROCEDURES: folder_of_layer(Layer.SOPS),
    Group.CONTEXT: folder_of_layer(Layer.PRIMARY_CONTEXT),
    Group.BOOTSTRAP: folder_of_layer(Layer.BOOTSTRAP),
    Group.DOCUMENTS: folder_of_layer(Layer.DOCUMENTS),
}


def group_of(layer: Layer | None) -> Group:
    """Return the top line that a layer stands under."""
    if layer is None:
        return Group.OUTSIDE
    if layer.is_procedure:
        return Group.PROCEDURES
    if layer is Layer.BOOTSTRAP:
        return Group.BOOTSTRAP
    return Group.DOCUMENTS if layer is Layer.DOCUMENTS else Group.CONTEXT


class ProjectTreeModel(QStandardItemModel):
    """Changes line by line, so that selection and open branches stay while files are read."""

    def __init__(self, icons: IconSet, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._groups: dict[str, QStandardItem] = {}
        self._files: dict[str, QStandardItem] = {}
        self._prompts: frozenset[str] = frozenset()
        self._reading = ""
        self._shows_folders = False
        self._palette = QPalette()

    def refresh_icons(self, palette: QPalette) -> None:
        """Draw the state of every file in the colours of ``palette``."""
        self._palette = palette
        for item in self._files.values():
            node = item.data(NODE_ROLE)
            if isinstance(node, Node) and node.record is not None:
                self._dress(item, node.record)
        pairs = ((Group.PROMPTS, "prompt"), (Group.DRAFTS, "draft"), (Group.TRASH, "draft"))
        for name, icon in pairs:
            group = self._groups.get(name)
            if group is not None:
                for row in range(group.rowCount()):
                    if _node_of(group.child(row)).kind is not NodeKind.PLACE:
                        group.child(row).setIcon(self._icons.icon(icon))
        self._settle_folders()

    def reset(self) -> None:
        """Empty the tree: another project is opened."""
        self.clear()
        self._groups.clear()
        self._files.clear()
        self._reading = ""
        self._shows_folders = False

    # Files --------------------------------------------------------------------------------

    def show_files(self, records: tuple[FileRecord, ...]) -> None:
        """Show exactly these files."""
        wanted = {one.file for one in records}
        for file in [one for one in self._files if one not in wanted]:
            self._remove(file)
        for record in sorted(records, key=lambda one: one.file.lower()):
            self.show_file(record)
        self._count_groups()
        self._settle_folders()

    def show_folders(self, shows_folders: bool) -> None:
        """Show the folders of the convention also where they are empty, with what belongs there."""
        self._shows_folders = shows_folders
        self._settle_folders()

    def folder_of(self, node: Node) -> PurePosixPath | None:
        """Return the folder of the project that a line stands for, None for one without."""
        if node.kind in (NodeKind.FILE, NodeKind.PROMPT):
            return PurePosixPath(node.key).parent
        if node.kind is NodeKind.PLACE:
            return PurePosixPath(node.key)
        if node.kind is not NodeKind.GROUP:
            return None
        _group, _slash, layer = node.key.partition("/")
        if layer:
            # As it is called on this disk, where there is something in it.
            files = [
                PurePosixPath(key)
                for key, item in self._files.items()
                if parent_of(item) is self._groups[node.key]
            ]
            named = [PurePosixPath(*one.parts[:2]) for one in files if len(one.parts) > 2]
            return named[0] if named else folder_of_layer(Layer(layer))
        return _FOLDERS.get(node.key)

    def show_file(self, record: FileRecord) -> None:
        """Add a file or bring its state up to date."""
        if record.layer is None and record.file in self._prompts:
            # It has its line among the prompts.
            return
        item = self._files.get(record.file)
        if item is not None:
            node = item.data(NODE_ROLE)
            if isinstance(node, Node) and node.record is not None:
                if node.record.layer is record.layer:
                    if node.record != record:
                        self._dress(item, record)
                    return
                self._remove(record.file)
        item = QStandardItem(file_name(record.file))
        item.setEditable(False)
        parent = self._parent_for(record.layer)
        parent.insertRow(self._place_in(parent, item.text()), item)
        if parent.rowCount() == 2:
            # The first file of a folder; thousands may follow.
            _remove_place(parent)
        self._files[record.file] = item
        self._dress(item, record)

    def set_reading(self, file: str) -> None:
        """Mark the file that is being read; empty for none."""
        before, self._reading = self._reading, file
        for one in (before, file):
            item = self._files.get(one)
            node = item.data(NODE_ROLE) if item is not None else None
            if item is not None and isinstance(node, Node) and node.record is not None:
                self._dress(item, node.record)

    def item_of_file(self, file: str) -> QStandardItem | None:
        """Return the line of a file."""
        return self._files.get(file)

    def _remove(self, file: str) -> None:
        item = self._files.pop(file)
        parent = parent_of(item)
        if parent is None:
            return
        parent.removeRow(item.row())
        while parent is not None and parent.rowCount() == 0 and not self._shows_folders:
            above = parent_of(parent)
            self._groups = {key: one for key, one in self._groups.items() if one is not parent}
            (self.invisibleRootItem() if above is None else above).removeRow(parent.row())
            parent = above

    def _dress(self, item: QStandardItem, record: FileRecord) -> None:
        colours = colours_for(self._palette)
        is_reading = record.file == self._reading and record.state is FileState.PENDING
        state = "being read" if is_reading else STATE_WORDS[record.state]
        tint = {FileState.INDEXED: colours.good, FileState.FAILED: colours.wrong}
        icon = "reading" if is_reading else record.state.value
        item.setIcon(self._icons.icon(icon, tint.get(record.state, colours.muted)))
        reason = f": {record.reason}" if record.reason else ""
        item.setToolTip(literal(f"{record.file}\n{state.capitalize()}{reason}"))
        item.setAccessibleText(f"{item.text()}, {state}{reason}")
        item.setData(Node(NodeKind.FILE, record.file, record), NODE_ROLE)

    # Prompts and drafts -------------------------------------------------------------------

    def show_prompts(self, prompts: tuple[PromptFile, ...]) -> None:
        """List the prompts."""
        self._prompts = frozenset(one.file for one in prompts)
        for file in [one for one in self._files if one in self._prompts]:
            self._remove(file)
        lines = [(NodeKind.PROMPT, one.file, one.title, one.file, "") for one in prompts]
        self._show_lines(Group.PROMPTS, "prompt", lines)

    def show_drafts(self, drafts: tuple[DraftSummary, ...]) -> None:
        """List the drafts, the last changed first."""
        there = [one for one in drafts if not one.thrown]
        names = names_of_drafts(there)
        lines = [_draft_line(one, names[one.draft_id]) for one in there]
        self._show_lines(Group.DRAFTS, "draft", lines)
        thrown = [one for one in drafts if one.thrown]
        if thrown:
            lines = [
                (NodeKind.THROWN, one.draft_id, one.title or UNTITLED, "In the trash", one.title)
                for one in thrown
            ]
            self._show_lines(Group.TRASH, "draft", lines)
        elif Group.TRASH in self._groups:
            self.invisibleRootItem().removeRow(self._groups.pop(Group.TRASH).row())

    def _show_lines(
        self, group: Group, icon: str, lines: list[tuple[NodeKind, str, str, str, str]]
    ) -> None:
        parent = self._group(group, group, None)
        parent.removeRows(0, parent.rowCount())
        for kind, key, text, tip, title in lines:
            item = QStandardItem(self._icons.icon(icon), text)
            item.setEditable(False)
            item.setToolTip(literal(tip))
            item.setAccessibleText(f"{text}. {tip}")
            item.setData(Node(kind, key, title=title), NODE_ROLE)
            parent.appendRow(item)
        self._settle_folders()

    # Empty folders ------------------------------------------------------------------------

    def _settle_folders(self) -> None:
        """Say in every empty folder what belongs there, and nothing in the others."""
        if not self._shows_folders:
            return
        for layer in LAYERS_WITH_WORDS:
            self._settle_folder(self._parent_for(layer), words_of(layer))
        self._settle_folder(self._group(Group.PROMPTS, Group.PROMPTS, None), PROMPT_WORDS)

    def _settle_folder(self, parent: QStandardItem, words: FolderWords) -> None:
        if parent.rowCount() > 1:
            _remove_place(parent)
        elif parent.rowCount() == 0:
            parent.appendRow(_place_item(words))
        first = parent.child(0)
        if _node_of(first).kind is NodeKind.PLACE:
            first.setForeground(colours_for(self._palette).muted)

    # Groups -------------------------------------------------------------------------------

    def _parent_for(self, layer: Layer | None) -> QStandardItem:
        group = group_of(layer)
        top = self._group(group, group, None)
        if layer is None or group not in (Group.PROCEDURES, Group.CONTEXT):
            return top
        return self._group(f"{group}/{layer}", LAYER_WORDS[layer], top)

    def _group(self, key: str, title: str, parent: QStandardItem | None) -> QStandardItem:
        if key in self._groups:
            return self._groups[key]
        item = QStandardItem(title)
        item.setEditable(False)
        item.setData(Node(NodeKind.GROUP, key), NODE_ROLE)
        if parent is None:
            font = QFont(item.font())
            font.setBold(True)
            item.setFont(font)
            order = list(Group)
            row = 0
            root = self.invisibleRootItem()
            while row < root.rowCount():
                node = root.child(row).data(NODE_ROLE)
                if order.index(Group(node.key)) > order.index(Group(key)):
                    break
                row += 1
            root.insertRow(row, item)
        else:
            parent.insertRow(self._place_in(parent, title), item)
        self._groups[key] = item
        return item

    def _place_in(self, parent: QStandardItem, text: str) -> int:
        rows = range(parent.rowCount())
        return bisect_right(rows, text.lower(), key=lambda row: parent.child(row).text().lower())

    def _count_groups(self) -> None:
        for key, item in self._groups.items():
            if "/" not in key and key not in (Group.PROMPTS, Group.DRAFTS, Group.TRASH):
                total = sum(
                    1
                    for one in self._files.values()
                    if isinstance(node := one.data(NODE_ROLE), Node)
                    and node.record is not None
                    and group_of(node.record.layer) == key
                )
                item.setToolTip(literal(f"{key}: {total} files"))


def _node_of(item: QStandardItem) -> Node:
    node = item.data(NODE_ROLE)
    return node if isinstance(node, Node) else Node(NodeKind.GROUP, "")


def _remove_place(parent: QStandardItem) -> None:
    """Take away the words for an empty folder."""
    for row in range(parent.rowCount()):
        if _node_of(parent.child(row)).kind is NodeKind.PLACE:
            parent.removeRow(row)
            return


def _place_item(words: FolderWords) -> QStandardItem:
    """Return the line of an empty folder."""
    item = QStandardItem(words.line)
    item.setEditable(False)
    item.setSelectable(False)
    item.setToolTip(f"{words.tip}\nDrop files here, or put them into {words.folder}.")
    item.setAccessibleText(f"Empty. {words.tip}")
    item.setData(Node(NodeKind.PLACE, str(words.folder)), NODE_ROLE)
    font = QFont(item.font())
    font.setItalic(True)
    item.setFont(font)
    return item


def _draft_line(one: DraftSummary, name: str) -> tuple[NodeKind, str, str, str, str]:
    """Return the line of a draft with what it has to say."""
    look = f" {count(one.marked, 'sentence')} to look at." if one.marked else ""
    text = f"{name}  ({one.marked} !)" if one.marked else name
    return (
        NodeKind.DRAFT,
        one.draft_id,
        text,
        f"Changed {when_in_words(one.modified)}.{look}",
        one.title or UNTITLED,
    )
