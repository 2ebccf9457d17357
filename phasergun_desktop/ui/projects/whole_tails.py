"""Lines of drafts that are longer than the tree is wide."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from phasergun_desktop.ui.projects.project_tree_model import NODE_ROLE, Node


class WholeTails(QStyledItemDelegate):
    """Shortens the title of a draft where its line is too long, never what stands behind it: its
    time tells it from its namesakes, and how many sentences need a look is told nowhere else."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Say how a line is drawn."""
        super().initStyleOption(option, index)
        node = index.data(NODE_ROLE)
        title = node.title if isinstance(node, Node) else ""
        if not title or option.widget is None:
            return
        style, tail = option.widget.style(), option.text.removeprefix(title)
        part = style.subElementRect(
            QStyle.SubElement.SE_ItemViewItemText, option, option.widget
        ).width()
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, option.widget) + 1
        room = part - 2 * margin - option.fontMetrics.horizontalAdvance(tail)
        if room > 0:
            middle = Qt.TextElideMode.ElideMiddle
            option.text = option.fontMetrics.elidedText(title, middle, room) + tail
