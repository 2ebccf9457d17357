"""Reads the editor's document as it stands, and of a long one only what changed since."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument

from phasergun_desktop.drafts.draft_shape import DraftShape, Paragraph, Table
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.qt_absent import table_of


class ShapeReader:
    """Hands out the same pieces again where nothing changed, at their new places."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._shape: DraftShape = ()
        self._starts: list[int] = []
        self._characters = self._blocks = 0
        # What changed since the last reading: from where to where it stands now (UTF-16), and by
        # how much the text behind it has moved.
        self._changed: tuple[int, int, int] | None = (0, 0, 0)
        document.contentsChange.connect(self._on_contents_change)

    def read(self) -> DraftShape:
        """Return what stands in the document."""
        if self._changed is not None:
            shape = self._read_changed(*self._changed)
            self._shape = shape if shape is not None else read_shape(self._document)
            self._starts = [_start(piece) for piece in self._shape]
            self._characters = self._document.characterCount()
            self._blocks = self._document.blockCount()
            self._changed = None
        return self._shape

    def _on_contents_change(self, at: int, removed: int, added: int) -> None:
        moved = added - removed
        if self._changed is None:
            self._changed = (at, at + added, moved)
            return
        first, last, so_far = self._changed
        behind = last + moved if last > at + removed else at + added
        self._changed = (min(first, at), max(behind, at + added), so_far + moved)

    def _read_changed(self, first: int, last: int, moved: int) -> DraftShape | None:
        """Return the shape with what stands between ``first`` and ``last`` read anew; None where
        what was told of the change does not come out even."""
        document = self._document
        if not self._shape or document.characterCount() != self._characters + moved:
            return None
        # The neighbours are read too: a paragraph may have joined them.
        head = max(bisect_left(self._starts, first) - 1, 0)
        tail = bisect_right(self._starts, last - moved)
        more_blocks = document.blockCount() - self._blocks
        behind = tuple(_moved(piece, moved, more_blocks) for piece in self._shape[tail:])
        start, end = self._starts[head], _start(behind[0]) if behind else None
        if self._is_within_table(start) or (end is not None and self._is_within_table(end)):
            return None
        if end is not None:
            block = document.findBlock(end)
            if (block.position(), block.blockNumber()) != (end, _block(behind[0])):
                return None
        return (*self._shape[:head], *read_shape(document, start, end), *behind)

    def _is_within_table(self, position: int) -> bool:
        """Whether a table that begins before ``position`` goes on there."""
        table = table_of(QTextCursor(self._document.findBlock(position)))
        return table is not None and table.firstPosition() < position


def _start(piece: Paragraph | Table) -> int:
    return piece.start if isinstance(piece, Paragraph) else piece.rows[0].start


def _block(piece: Paragraph | Table) -> int:
    return piece.block if isinstance(piece, Paragraph) else piece.rows[0].block


def _moved(piece: Paragraph | Table, by: int, blocks: int) -> Paragraph | Table:
    if not by and not blocks:
        return piece
    if isinstance(piece, Paragraph):
        start, block = piece.start + by, piece.block + blocks
        return Paragraph(piece.kind, piece.runs, piece.level, block, start)
    return Table(
        tuple(replace(row, start=row.start + by, block=row.block + blocks) for row in piece.rows)
    )
