"""The paragraphs of a text document, their runs of one format, and stretches of its text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFragment


def blocks_from(block: QTextBlock, last: float = math.inf) -> Iterator[QTextBlock]:
    """Yield ``block`` and those behind it that begin at the position ``last`` or before."""
    while block.isValid() and block.position() <= last:
        yield block
        block = block.next()


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """Yield the runs of one format, as Qt keeps them."""
    iterator = block.begin()
    while not iterator.atEnd():
        yield iterator.fragment()
        iterator += 1


def stretch(document: QTextDocument, first: int, last: int) -> QTextCursor:
    """Return a cursor that selects what stands between two positions, and is at the last one."""
    cursor = QTextCursor(document)
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    return cursor
