"""Writes paragraphs, tables and streaming text into the editor's document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument, QTextTable

from phasergun_desktop.drafts.draft_shape import (
    DraftShape,
    ParagraphKind,
    Row,
    Run,
    Table,
    keys_of,
    row_of_unit,
    runs_of_unit,
)
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.ui.editor import draft_formats as formats
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.marks import FIRST_MARK, NEXT_MARK, renumber
from phasergun_desktop.ui.qt_absent import list_of, table_of
from phasergun_desktop.ui.wording import shown_mark


@contextmanager
def one_step(cursor: QTextCursor) -> Iterator[None]:
    """Make what is done meanwhile one undo step; a step left open would silence the document."""
    cursor.beginEditBlock()
    try:
        yield
    finally:
        cursor.endEditBlock()


class ShapeWriter:
    """Puts pieces of a draft in at a cursor; the caller brackets the edit block."""

    def __init__(self, cursor: QTextCursor, marks: dict[int, str] | None = None) -> None:
        self._cursor = cursor
        # By key. Numbers are right in a document that it writes from the beginning; elsewhere
        # ``renumber`` follows.
        self._marks = marks if marks is not None else {}

    def write(self, shape: DraftShape) -> None:
        """Write whole pieces, each in a paragraph of its own."""
        may_reuse = self._cursor.block().length() == 1
        for piece in shape:
            if isinstance(piece, Table):
                self.add_table(piece)
                may_reuse = True
                continue
            self.start_block(piece.kind, piece.level, may_reuse=may_reuse)
            self.add_runs(piece.runs)
            may_reuse = False

    def start_block(self, kind: ParagraphKind, level: int = 0, *, may_reuse: bool = True) -> None:
        """Begin a paragraph, in the empty one at the cursor if there is such."""
        block_format = formats.block_format(kind, level)
        text_format = formats.block_text_format(kind, level)
        if may_reuse and self._cursor.block().length() == 1:
            self._cursor.setBlockFormat(block_format)
            self._cursor.setBlockCharFormat(text_format)
            self._cursor.setCharFormat(text_format)
        else:
            self._cursor.insertBlock(block_format, text_format)
        if kind is ParagraphKind.LIST_ITEM:
            # A list that the paragraph at the cursor was alone in is gone by now.
            in_list = list_of(self._cursor.block().previous())
            if in_list is not None:
                in_list.add(self._cursor.block())
            else:
                self._cursor.createList(formats.list_format())

    def add_runs(self, runs: tuple[Run, ...]) -> None:
        """Append runs to the paragraph at the cursor."""
        level = self._cursor.blockFormat().headingLevel()
        kind = ParagraphKind.HEADING if level else ParagraphKind.TEXT
        look = formats.block_text_format(kind, level)
        before: list[str] = []
        for run in runs:
            text, mark = run.text, ""
            if run.footnote:
                mark = self._marks.setdefault(run.footnote, str(len(self._marks) + 1))
                if mark in before and not mark.isdecimal():
                    # Two passages of one page of a source that is named by its title.
                    continue
                is_next = before and mark.isdecimal()
                text = f"{NEXT_MARK if is_next else FIRST_MARK}{mark}"
            self._cursor.insertText(text, formats.run_format(run, look, mark))
            before = [*before, mark] if mark else []

    def add_table(self, table: Table) -> QTextTable | None:
        """Insert a table and leave the cursor in the paragraph behind it."""
        columns = max((len(row.cells) for row in table.rows), default=0)
        if not columns:
            return None
        made = self._cursor.insertTable(len(table.rows), columns, formats.table_format(table))
        for index, row in enumerate(table.rows):
            self.fill_row(made, index, row)
        self._cursor.setPosition(made.lastPosition() + 1)
        return made

    def fill_row(self, table: QTextTable, index: int, row: Row) -> None:
        """Write the cells of one row."""
        for column, cell in enumerate(row.cells[: table.columns()]):
            inside = table.cellAt(index, column).firstCursorPosition()
            inside.setBlockFormat(formats.cell_block_format())
            ShapeWriter(inside, self._marks).add_runs(cell)


class StreamWriter:
    """Writes a generation at the end of the document, or of a part of it that ``end`` tells, all
    of it as one undo step. With ``marks`` (by key) the footnotes' own are shown; they are not to be
    numbered by position then."""

    def __init__(
        self,
        document: QTextDocument,
        book: DraftBook,
        footnote_keys: dict[int, int] | None = None,
        *,
        end: Callable[[], int] | None = None,
        marks: dict[int, str] | None = None,
    ) -> None:
        self._document = document
        self._book = book
        self._keys = dict(footnote_keys or {})
        # Of the marks so far: where they are right from the start, none is written twice.
        self._marks = {} if marks is None else marks
        self._has_own_marks = marks is not None
        self._end = end or (lambda: document.characterCount() - 1)
        self._has_step = False
        self._stream_start: int | None = None

    def begin(self) -> None:
        """Start a generation: what stands in the document is replaced."""
        self._keys, self._marks = {}, {}
        self._has_step = False
        self._stream_start = None
        if self._document.isEmpty():
            return
        with self._step() as cursor:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.removeSelectedText()
            cursor.setBlockFormat(QTextBlockFormat())
            ShapeWriter(cursor).start_block(ParagraphKind.TEXT)

    def write_shape(self, shape: DraftShape) -> None:
        """Write whole pieces; ``begin`` comes before."""
        with self._step() as cursor:
            ShapeWriter(cursor).write(shape)
        renumber(self._document, joins_previous=self._document.isUndoAvailable())

    def stream(self, text: str) -> None:
        """Append text that is not bound yet."""
        if self._stream_start is None:
            text = text.lstrip()
        if not text:
            return
        with self._step() as cursor:
            if self._stream_start is None:
                self._stream_start = cursor.position()
                if self._is_of_another_kind(UnitKind.SENTENCE, cursor):
                    ShapeWriter(cursor).start_block(ParagraphKind.TEXT)
                elif cursor.block().length() > 1:
                    text = " " + text
            cursor.insertText(text.replace("\n", " "), formats.provisional_format())

    def discard_stream(self) -> None:
        """Take out the text that was streamed since the last bound unit."""
        if self._stream_start is None:
            return
        with self._step() as cursor:
            self._take_back(cursor)

    def add_unit(
        self, unit: DraftSentence, footnotes: tuple[Footnote, ...], *, numbers: bool = True
    ) -> int:
        """Put a bound unit in the place of the streamed text; return its key. Where more follow at
        once the caller ``numbers`` the marks at the end: each time the whole text is looked at."""
        for footnote in footnotes:
            at = self._keys[footnote.number] = self._book.add_footnote(footnote)
            if self._has_own_marks:
                self._marks[at] = shown_mark(footnote)
        key = self._book.add_unit(unit, keys_of(unit, self._keys))
        with self._step() as cursor:
            self._take_back(cursor)
            if unit.kind is UnitKind.TABLE_ROW:
                self._add_row(cursor, row_of_unit(unit, key, self._keys))
            else:
                self._add_sentence(cursor, unit, key)
        if numbers:
            renumber(self._document, joins_previous=self._document.isUndoAvailable())
        return key

    def _add_sentence(self, cursor: QTextCursor, unit: DraftSentence, key: int) -> None:
        writer = ShapeWriter(cursor, self._marks)
        runs = runs_of_unit(unit, key, self._keys)
        if unit.kind is UnitKind.HEADING:
            writer.start_block(ParagraphKind.HEADING, unit.level or 2)
        elif unit.starts_paragraph or self._is_of_another_kind(unit.kind, cursor):
            is_item = unit.kind is UnitKind.LIST_ITEM
            kind = ParagraphKind.LIST_ITEM if is_item else ParagraphKind.TEXT
            writer.start_block(kind, unit.level if is_item else 0)
        elif cursor.block().length() > 1:
            writer.add_runs((Run(" "),))
        writer.add_runs(runs)

    def _add_row(self, cursor: QTextCursor, row: Row) -> None:
        before = QTextCursor(cursor)
        before.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
        table = table_of(before) if cursor.block().length() == 1 else None
        if table is None or row.is_header or table.columns() != len(row.cells):
            ShapeWriter(cursor, self._marks).add_table(Table((row,)))
            return
        table.appendRows(1)
        ShapeWriter(cursor, self._marks).fill_row(table, table.rows() - 1, row)

    def _is_of_another_kind(self, kind: UnitKind, cursor: QTextCursor) -> bool:
        block = cursor.block()
        is_in_list = list_of(block) is not None
        is_heading = bool(block.blockFormat().headingLevel())
        return is_heading or is_in_list != (kind is UnitKind.LIST_ITEM)

    def _take_back(self, cursor: QTextCursor) -> None:
        if self._stream_start is None:
            return
        cursor.setPosition(self._stream_start)
        cursor.setPosition(self._end(), QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._stream_start = None

    @contextmanager
    def _step(self) -> Iterator[QTextCursor]:
        """A cursor at the end whose edits join those of this generation before.

        Every step must change something, or the next would join an edit of the writer's.
        """
        cursor = QTextCursor(self._document)
        cursor.setPosition(self._end())
        if self._has_step:
            cursor.joinPreviousEditBlock()
        else:
            cursor.beginEditBlock()
        try:
            yield cursor
        finally:
            cursor.endEditBlock()
            self._has_step = True
