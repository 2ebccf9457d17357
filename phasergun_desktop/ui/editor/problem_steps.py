"""The marked sentences of a draft, one after the other, and what can be done about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument, QTextTable

from phasergun_desktop.drafts.acceptance import acceptance_of
from phasergun_desktop.drafts.draft_shape import Run
from phasergun_desktop.grounding.model import DraftSentence, Support
from phasergun_desktop.ui.editor import draft_formats as formats
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_writer import one_step
from phasergun_desktop.ui.editor.unit_places import UnitPlace
from phasergun_desktop.ui.qt_absent import table_of
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.wording import why_marked


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A marked unit; ``start``..``end`` are UTF-16 positions, its footnote marks included."""

    start: int
    end: int
    unit: int
    text: str
    reason: str
    has_no_source: bool


def marked_sentences(places: Sequence[UnitPlace], book: DraftBook) -> list[MarkedSentence]:
    """Return the marked sentences in the order of the text."""
    found: list[MarkedSentence] = []
    for place in places:
        unit = book.units.get(place.key)
        if unit is None or is_accepted(place, book):
            continue
        reason = why_marked(unit)
        if reason:
            found.append(
                MarkedSentence(
                    place.start, place.end, place.key, place.text, reason, has_no_source(unit)
                )
            )
    return found


def is_accepted(place: UnitPlace, book: DraftBook) -> bool:
    """Whether the writer answers for the words that stand there."""
    return bool(place.mark) and place.key not in book.lapsed


def has_no_source(unit: DraftSentence) -> bool:
    """Whether nothing carries the unit, or a source says the opposite."""
    if unit.support is Support.UNSUPPORTED or unit.support is Support.CONTRADICTED:
        return True
    return any(problem.code == "no_source" for problem in unit.problems)


def next_sentence(
    sentences: list[MarkedSentence], position: int, step: int
) -> MarkedSentence | None:
    """Return the next (``step`` 1) or previous (-1) one from ``position``, going round."""
    if not sentences:
        return None
    if step > 0:
        return next((one for one in sentences if one.start >= position), sentences[0])
    before = [one for one in sentences if one.end < position]
    return before[-1] if before else sentences[-1]


def sentence_at(sentences: list[MarkedSentence], position: int) -> MarkedSentence | None:
    """Return the marked sentence that ``position`` stands in."""
    return next((one for one in sentences if one.start <= position <= one.end), None)


def drop(document: QTextDocument, places: Sequence[UnitPlace]) -> None:
    """Take units out, all of them as one undo step; a row goes whole, and so does a table of
    which nothing but the header is left."""
    cursor = QTextCursor(document)
    with one_step(cursor):
        for place in sorted(places, key=lambda one: one.start, reverse=True):
            cursor.setPosition(place.start)
            table = table_of(cursor)
            if table is not None:
                _remove_row(table, place.start)
                continue
            cursor.setPosition(place.end, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            _close_gap(cursor)


def with_empty_headings(
    places: Sequence[UnitPlace], dropped: Sequence[UnitPlace]
) -> list[UnitPlace]:
    """Return ``dropped`` and the headings of which all text goes with them. A heading that had
    no text before is the writer's business."""
    gone = set(dropped)
    emptied: list[UnitPlace] = []
    for index, heading in enumerate(places):
        if not heading.level:
            continue
        following = places[index + 1 :]
        ends = (i for i, one in enumerate(following) if one.level and one.level <= heading.level)
        text = [one for one in following[: next(ends, None)] if not one.level]
        if text and all(one in gone or one.is_header for one in text):
            emptied.append(heading)
    return [*dropped, *emptied]


def _remove_row(table: QTextTable, position: int) -> None:
    cell = table.cellAt(position)
    headers = table.format().headerRowCount()
    if table.rows() - 1 <= headers and cell.row() >= headers:
        table.removeRows(0, table.rows())
    else:
        table.removeRows(cell.row(), 1)


def _close_gap(cursor: QTextCursor) -> None:
    """Remove the space that parted the sentence from its neighbour, or its empty paragraph."""
    block = cursor.block()
    inside = cursor.position() - block.position()
    text = block.text()
    if not text.strip() and block.previous().isValid():
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.removeSelectedText()
    elif inside > 0 and inside == block.length() - 1 and text.endswith(" "):
        cursor.deletePreviousChar()
    elif inside < block.length() - 1 and _char(cursor) == " ":
        cursor.deleteChar()


def _char(cursor: QTextCursor) -> str:
    return str(cursor.document().characterAt(cursor.position()))


def set_accepted(document: QTextDocument, place: UnitPlace, time: str) -> None:
    """Let the writer answer for the unit from ``time`` on; ``""`` takes that back."""
    made = QTextCharFormat()
    mark = acceptance_of(place.text, time) if time else ""
    made.setProperty(formats.ACCEPTED_PROPERTY, mark)
    with one_step(QTextCursor(document)):
        for start, end in place.stretches:
            stretch(document, start, end).mergeCharFormat(made)


def turn_into_todos(
    document: QTextDocument,
    places: Sequence[UnitPlace],
    make: Callable[[UnitPlace], tuple[int, str]],
) -> None:
    """Put a TODO in the place of each unit, all of them as one undo step. ``make`` returns its
    key and text. Of a row the last cell becomes the TODO: the others say what it is about."""
    cursor = QTextCursor(document)
    with one_step(cursor):
        for place in sorted(places, key=lambda one: one.start, reverse=True):
            key, text = make(place)
            start, end = place.stretches[-1] if place.is_row else (place.start, place.end)
            cursor.setPosition(start)
            look = cursor.blockCharFormat()
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            unit = key if not place.is_row else place.key
            cursor.insertText(text, formats.run_format(Run(text, unit), look))
