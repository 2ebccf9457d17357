"""The tree of a project: files by layer with their state, prompts and drafts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QPalette, QStandardItem, QStandardItemModel

from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.qt_absent import parent_of
from phasergun_desktop.ui.theme import colours_for
from phasergun_desktop.ui.words import LAYER_WORDS, STATE_WORDS, count, file_name, when_in_words

if TYPE_CHECKING:
    from phasergun_desktop.drafts.store import DraftSummary
    from phasergun_desktop.workspace.session import PromptFile

NODE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
OUTSIDE = "Not part of the index"
UNTITLED = "Untitled"


class NodeKind(StrEnum):
    """What a line of the tree stands for."""

    GROUP = "group"
    FILE = "file"
    PROMPT = "prompt"
    DRAFT = "draft"
    THROWN = "thrown"


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
                    group.child(row).setIcon(self._icons.icon(icon))

    def reset(self) -> None:
        """Empty the tree: another project is opened."""
        self.clear()
        self._groups.clear()
        self._files.clear()
        self._reading = ""

    # Files --------------------------------------------------------------------------------

    def show_files(self, records: tuple[FileRecord, ...]) -> None:
        """Show exactly these files."""
        wanted = {one.file for one in records}
        for file in [one for one in self._files if one not in wanted]:
            self._remove(file)
        for record in sorted(records, key=lambda one: one.file.lower()):
            self.show_file(record)
        self._count_groups()

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
        while parent is not None and parent.rowCount() == 0:
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
        item.setToolTip(f"{record.file}\n{state.capitalize()}{reason}")
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
        self._show_lines(Group.DRAFTS, "draft", [_draft_line(one) for one in there])
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
            item.setToolTip(tip)
            item.setAccessibleText(f"{text}. {tip}")
            item.setData(Node(kind, key, title=title), NODE_ROLE)
            parent.appendRow(item)

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
        lowest = text.lower()
        for row in range(parent.rowCount()):
            if parent.child(row).text().lower() > lowest:
                return row
        return parent.rowCount()

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
                item.setToolTip(f"{key}: {total} files")


def _draft_line(one: DraftSummary) -> tuple[NodeKind, str, str, str, str]:
    """Return the line of a draft with what it has to say."""
    title = one.title or UNTITLED
    look = f" {count(one.marked, 'sentence')} to look at." if one.marked else ""
    text = f"{title}  ({one.marked} !)" if one.marked else title
    return (
        NodeKind.DRAFT,
        one.draft_id,
        text,
        f"Changed {when_in_words(one.modified)}.{look}",
        title,
    )
