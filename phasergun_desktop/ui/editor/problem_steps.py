"""The marked sentences of a draft, one after the other, and what can be done about each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from phasergun_desktop.grounding.model import DraftSentence, Support
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_formats import (
    CHECKED_PROPERTY,
    footnote_of,
    is_checked,
    unit_of,
)
from phasergun_desktop.ui.editor.draft_shape import NO_FOOTNOTE
from phasergun_desktop.ui.qt_absent import table_of
from phasergun_desktop.ui.words import why_marked

TODO_LEAD = "TODO: "


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A marked unit; ``start``..``end`` are UTF-16 positions, its footnote marks included."""

    start: int
    end: int
    unit: int
    text: str
    reason: str
    has_no_source: bool


def marked_sentences(document: QTextDocument, book: DraftBook) -> list[MarkedSentence]:
    """Return the marked sentences in the order of the text."""
    found: list[MarkedSentence] = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            iterator += 1
            text_format = fragment.charFormat()
            key = unit_of(text_format)
            unit = book.units.get(key)
            if unit is None or is_checked(text_format) or not why_marked(unit):
                continue
            start = fragment.position()
            end = start + fragment.length()
            is_mark = footnote_of(text_format) != NO_FOOTNOTE
            text = "" if is_mark else fragment.text()
            last = found[-1] if found else None
            if last is not None and last.unit == key and last.end == start:
                found[-1] = MarkedSentence(
                    last.start, end, key, last.text + text, last.reason, last.has_no_source
                )
            else:
                found.append(
                    MarkedSentence(start, end, key, text, why_marked(unit), _no_source(unit))
                )
        block = block.next()
    return found


def _no_source(unit: DraftSentence) -> bool:
    return unit.support is Support.UNSUPPORTED or any(
        problem.code == "no_source" for problem in unit.problems
    )


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


def drop(document: QTextDocument, sentences: list[MarkedSentence]) -> None:
    """Take sentences out, all of them as one undo step."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for one in sorted(sentences, key=lambda sentence: sentence.start, reverse=True):
        cursor.setPosition(one.start)
        cursor.setPosition(one.end, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        _close_gap(cursor)
    cursor.endEditBlock()


def _close_gap(cursor: QTextCursor) -> None:
    """Remove the space that parted the sentence from its neighbour, or its empty paragraph."""
    block = cursor.block()
    if table_of(cursor) is not None:
        return
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


def mark_checked(document: QTextDocument, sentence: MarkedSentence) -> None:
    """Take the underline off: the writer answers for the sentence."""
    cursor = QTextCursor(document)
    cursor.setPosition(sentence.start)
    cursor.setPosition(sentence.end, QTextCursor.MoveMode.KeepAnchor)
    made = QTextCharFormat()
    made.setProperty(CHECKED_PROPERTY, True)
    cursor.mergeCharFormat(made)


def turn_into_todo(document: QTextDocument, sentence: MarkedSentence) -> None:
    """Put TODO before the sentence, so that search and export show it."""
    cursor = QTextCursor(document)
    cursor.setPosition(sentence.start)
    cursor.setPosition(sentence.start + 1, QTextCursor.MoveMode.KeepAnchor)
    text_format = cursor.charFormat()
    cursor.setPosition(sentence.start)
    cursor.insertText(TODO_LEAD, text_format)
