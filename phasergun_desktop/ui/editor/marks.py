"""Finds the footnote marks of a document and keeps their numbers true to their position."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument

from phasergun_desktop.drafts.draft_shape import NO_FOOTNOTE
from phasergun_desktop.ui.editor.draft_formats import footnote_of
from phasergun_desktop.ui.text_stretches import blocks_from, fragments_of, stretch

# A narrow space keeps the number off the full stop, and no line ends there; marks side by side
# get a comma.
NARROW_SPACE = "\u202f"
FIRST_MARK = NARROW_SPACE
NEXT_MARK = f",{NARROW_SPACE}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A footnote mark: ``start``..``end`` are UTF-16 positions of the document."""

    start: int
    end: int
    footnote: int
    text: str
    text_format: QTextCharFormat


def find_marks(document: QTextDocument) -> list[Mark]:
    """Return every mark in the order of the text."""
    return [mark for block in blocks_from(document.begin()) for mark in _marks_in(block)]


def mark_at(document: QTextDocument, position: int) -> Mark | None:
    """Return the mark that ``position`` stands in, before or behind."""
    for mark in find_marks_in_block(document, position):
        if mark.start <= position <= mark.end:
            return mark
    return None


def find_marks_in_block(document: QTextDocument, position: int) -> list[Mark]:
    """Return the marks of the paragraph at ``position``."""
    return _marks_in(document.findBlock(position))


def _marks_in(block: QTextBlock) -> list[Mark]:
    marks: list[Mark] = []
    for fragment in fragments_of(block):
        text_format = fragment.charFormat()
        key = footnote_of(text_format)
        if key != NO_FOOTNOTE:
            start = fragment.position()
            end = start + fragment.length()
            marks.append(Mark(start, end, key, fragment.text(), text_format))
    return marks


def numbers_of(marks: list[Mark]) -> dict[int, int]:
    """Return footnote key → number by first appearance."""
    numbers: dict[int, int] = {}
    for mark in marks:
        numbers.setdefault(mark.footnote, len(numbers) + 1)
    return numbers


def renumber(document: QTextDocument, *, joins_previous: bool) -> bool:
    """Write the right number into every mark; True if something was changed.

    With ``joins_previous`` the change is part of the undo step before it.
    """
    marks = find_marks(document)
    numbers = numbers_of(marks)
    wrong: list[tuple[Mark, str]] = []
    before: Mark | None = None
    for mark in marks:
        lead = NEXT_MARK if before is not None and before.end == mark.start else FIRST_MARK
        text = f"{lead}{numbers[mark.footnote]}"
        if mark.text != text:
            wrong.append((mark, text))
        before = mark
    if not wrong:
        return False
    cursor = QTextCursor(document)
    if joins_previous:
        cursor.joinPreviousEditBlock()
    else:
        cursor.beginEditBlock()
    for mark, text in reversed(wrong):
        stretch(document, mark.start, mark.end).insertText(text, mark.text_format)
    cursor.endEditBlock()
    return True
