"""Writes the turns of a conversation into a document, each into a frame of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextFrame, QTextTable

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.conversations.turns import how_looked_up
from phasergun_desktop.drafts.draft_shape import (
    ParagraphKind,
    Row,
    Table,
)
from phasergun_desktop.text.snippets import snippet
from phasergun_desktop.ui.ask.turn_formats import (
    Act,
    Role,
    TurnLink,
    line_format,
    rule_format,
    rule_letters,
    text_format,
    turn_format,
)
from phasergun_desktop.ui.ask.turn_words import (
    confidence_words,
    has_answer,
    making_words,
    options_line,
    passage_line,
    status_line,
)
from phasergun_desktop.ui.editor.draft_book import DraftBook, keyed_shape
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, StreamWriter, one_step
from phasergun_desktop.ui.wording import count, numbered_line, shown_mark
from phasergun_desktop.writing.model import NEAREST

LONGEST_QUESTION = 600
_MOST_NEAREST = 3
_LINE = "\u2028"
_GAP = 8.0
# In the panel the words of more columns than these are cut into letters: they are lines there, one
# below the other, of few rows side by side.
_MOST_COLUMNS, _MOST_TURNED = 4, 4
ACTIONS = (
    (Act.AGAIN, "Ask again"),
    (Act.EDIT, "Edit"),
    (Act.COPY, "Copy"),
    (Act.INSERT, "Insert into the draft"),
    (Act.MORE, "More…"),
)


@dataclass(frozen=True, slots=True)
class Unfolded:
    """What of a turn is shown whole."""

    question: bool = False
    unused: bool = False


class _AnswerWriter(ShapeWriter):
    """Writes wide tables with a line for each column; of many rows each is a table of its own, with
    the names of the columns beside it."""

    def add_table(self, table: Table) -> QTextTable | None:
        """Insert a table and leave the cursor in the paragraph behind it."""
        rows = [row.cells for row in table.rows]
        if max(map(len, rows), default=0) <= _MOST_COLUMNS:
            return super().add_table(table)
        names = [row.cells for row in table.rows if row.is_header][:1]
        beside = (
            [rows] if len(rows) <= _MOST_TURNED else [[*names, one] for one in rows[len(names) :]]
        )
        made = None
        for each in beside:
            made = super().add_table(Table(tuple(map(Row, zip_longest(*each, fillvalue=())))))
        return made


class TurnWriter:
    """Knows what the marks of the conversation stand for; an earlier number is never forgotten,
    since later answers name it again."""

    def __init__(
        self,
        document: QTextDocument,
        book: DraftBook,
        titled: Callable[[Question], Question] = lambda question: question,
    ) -> None:
        """``titled`` puts the titles of profile and agent in the place of their names."""
        self._document = document
        self._book = book
        self._titled = titled
        self._keys: dict[int, int] = {}
        self._marks: dict[int, str] = {}

    def add_frame(self, at: int) -> QTextFrame:
        """Make room for a turn at a position between others."""
        cursor = QTextCursor(self._document)
        cursor.setPosition(at)
        with one_step(cursor):
            frame = cursor.insertFrame(turn_format())
            cursor.setPosition(frame.lastPosition() + 1)
            cursor.setBlockFormat(rule_format())
            cursor.setBlockCharFormat(rule_letters())
        return frame

    def write(
        self, frame: QTextFrame, turn: Turn, unfolded: Unfolded, *, is_running: bool = False
    ) -> None:
        """Write a turn in the place of what stands in its frame; of one that runs the question
        alone."""
        cursor = frame.firstCursorPosition()
        with one_step(cursor):
            cursor.setPosition(frame.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            self._write_question(cursor, turn, unfolded)
            if is_running:
                return
            self._write_answer(cursor, turn)
            self._write_remarks(cursor, turn)
            self._write_sources(cursor, turn, unfolded)
            self._write_actions(cursor, turn)

    def stream_writer(self, frame: QTextFrame) -> StreamWriter:
        """Return what writes an answer at the end of a frame, in a paragraph of its own."""
        cursor = frame.lastCursorPosition()
        ShapeWriter(cursor).start_block(ParagraphKind.TEXT)
        return StreamWriter(
            self._document, self._book, self._keys, end=frame.lastPosition, marks=self._marks
        )

    # Parts of a turn ----------------------------------------------------------------------------

    def _write_question(self, cursor: QTextCursor, turn: Turn, unfolded: Unfolded) -> None:
        text, link = turn.question.text, None
        if len(text) > LONGEST_QUESTION and not unfolded.question:
            text = text[:LONGEST_QUESTION].rstrip() + "… "
            link = TurnLink(Act.WHOLE_QUESTION, turn.number)
        self._line(cursor, text, Role.QUESTION)
        if link is not None:
            self._add(cursor, "Show all of it", Role.LINK, link)
        options = options_line(self._titled(turn.question))
        if options:
            self._line(cursor, options, Role.QUIET)
        how, words = how_looked_up(turn)
        if how:
            self._line(cursor, f"{how}: ", Role.QUIET)
            link = TurnLink(Act.REWRITTEN, turn.number)
            self._add(cursor, shortened(words, LONGEST_QUESTION), Role.LINK, link)

    def _write_answer(self, cursor: QTextCursor, turn: Turn) -> None:
        for note in turn.footnotes:
            key = self._book.add_footnote(note)
            self._keys[note.number], self._marks[key] = key, shown_mark(note)
        # What the profile says where nothing answers is more than what a draft would say.
        # (The passages that it lists stand below, as links.)
        text = turn.text.partition(NEAREST)[0].strip()
        says_more = turn.status is TurnStatus.ABSTAINED and text
        sentences = () if says_more else turn.sentences
        shape = keyed_shape(self._book, sentences, self._keys)
        writer = _AnswerWriter(cursor, self._marks)
        writer.write(shape)
        if not shape and text:
            # A greeting has no sentences either.
            writer.start_block(ParagraphKind.TEXT)
            cursor.insertText(text.replace("\n", _LINE), QTextCharFormat())

    def _write_remarks(self, cursor: QTextCursor, turn: Turn) -> None:
        status = status_line(turn)
        if status:
            role = Role.WRONG if turn.error else Role.WARNING
            self._line(cursor, status, role, top=_GAP / 2)
        for warning in turn.warnings:
            self._line(cursor, f"⚠ {warning}", Role.WARNING)
        confidence, making = confidence_words(turn), making_words(turn)
        if confidence:
            link = TurnLink(Act.CONFIDENCE, turn.number)
            self._line(cursor, confidence, Role.LINK, link, top=_GAP / 2)
        if making:
            lead = " · " if confidence else ""
            write = self._add if confidence else self._line
            write(cursor, f"{lead}{making}", Role.QUIET)

    def _write_sources(self, cursor: QTextCursor, turn: Turn, unfolded: Unfolded) -> None:
        if turn.footnotes:
            self._line(cursor, "Sources", Role.QUIET, top=_GAP)
        for index, note in enumerate(turn.footnotes):
            number, line = numbered_line(note)
            self._line(cursor, f"{number}  ", Role.QUIET, hangs=True)
            self._add(cursor, line, Role.LINK, TurnLink(Act.FOOTNOTE, turn.number, index))
        # Where nothing answers, what came nearest is the answer.
        nearest = _MOST_NEAREST if turn.status is TurnStatus.ABSTAINED else 0
        if nearest and turn.unused:
            self._line(cursor, "Nearest passages", Role.QUIET, top=_GAP)
            self._write_passages(cursor, turn, 0, nearest)
        folded = len(turn.unused) - nearest
        if folded <= 0:
            return
        sign = "▾" if unfolded.unused else "▸"
        more = "more " if nearest else ""
        words = f"{sign} {count(folded, f'{more}passage')} found but not used"
        self._line(cursor, words, Role.LINK, TurnLink(Act.UNUSED, turn.number), top=_GAP / 2)
        if unfolded.unused:
            self._write_passages(cursor, turn, nearest, len(turn.unused))

    def _write_passages(self, cursor: QTextCursor, turn: Turn, first: int, last: int) -> None:
        for index, passage in enumerate(turn.unused[first:last], start=first):
            link = TurnLink(Act.PASSAGE, turn.number, index)
            self._line(cursor, passage_line(passage), Role.LINK, link, hangs=True)
            self._add(cursor, f"{_LINE}{snippet(passage.text)}", Role.QUIET)

    def _write_actions(self, cursor: QTextCursor, turn: Turn) -> None:
        is_first = True
        for act, words in ACTIONS:
            if act in (Act.COPY, Act.INSERT) and not has_answer(turn):
                continue
            link = TurnLink(act, turn.number)
            if is_first:
                self._line(cursor, words, Role.LINK, link, top=_GAP)
            else:
                self._add(cursor, "  ·  ", Role.QUIET)
                self._add(cursor, words, Role.LINK, link)
            is_first = False

    # Lines --------------------------------------------------------------------------------------

    def _line(
        self,
        cursor: QTextCursor,
        text: str,
        role: Role,
        link: TurnLink | None = None,
        *,
        top: float = 0.0,
        hangs: bool = False,
    ) -> None:
        letters = text_format(role)
        if cursor.block().length() == 1:
            cursor.setBlockFormat(line_format(top, hangs=hangs))
            cursor.setBlockCharFormat(letters)
        else:
            cursor.insertBlock(line_format(top, hangs=hangs), letters)
        self._add(cursor, text, role, link)

    def _add(
        self, cursor: QTextCursor, text: str, role: Role, link: TurnLink | None = None
    ) -> None:
        shown = text.replace("\r\n", "\n").replace("\n", _LINE)
        cursor.insertText(shown, text_format(role, link))
