"""Answers of Qt that may be nothing, which its type stubs do not say."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QClipboard, QStandardItem, QTextBlock, QTextCursor, QTextList, QTextTable
from PySide6.QtWidgets import QApplication, QStyle


def contents_of(clipboard: QClipboard) -> QMimeData | None:
    """Return what is on the clipboard, None where nothing ever was."""
    return clipboard.mimeData()


def table_of(cursor: QTextCursor) -> QTextTable | None:
    """Return the table that the cursor is in."""
    return cursor.currentTable()


def list_of(block: QTextBlock) -> QTextList | None:
    """Return the list that the paragraph is an item of."""
    return block.textList()


def parent_of(item: QStandardItem) -> QStandardItem | None:
    """Return the item above, None for a top line."""
    return item.parent()


def style_of(application: QApplication) -> QStyle | None:
    """Return the style, None while the application is being torn down."""
    return application.style()
