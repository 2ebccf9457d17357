"""Copying and pasting in the draft: text moves together with its footnotes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QTextCursor

from phasergun_desktop.drafts import draft_html
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Run,
    footnotes_in_order,
    rekeyed,
    words_alone,
)
from phasergun_desktop.drafts.rich_text import rich_text
from phasergun_desktop.drafts.shape_of_draft import shape_of_units
from phasergun_desktop.drafts.word_html import word_html
from phasergun_desktop.grounding.footnote_codec import decode_footnote, encode_footnote
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.storage.small_files import parse_json
from phasergun_desktop.ui.drafts.cited_clipboard import citation_in
from phasergun_desktop.ui.editor.draft_book import DraftBook, keyed_shape
from phasergun_desktop.ui.editor.draft_formats import text_beside_mark
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter, one_step
from phasergun_desktop.ui.editor.foreign_text import shape_of_foreign
from phasergun_desktop.ui.qt_absent import table_of

MIME_TYPE = "application/x-phasergun-draft"

# Qt knows no RTF: Windows asks for it by a name of its own.
RTF_TYPE = (
    'application/x-qt-windows-mime;value="Rich Text Format"'
    if sys.platform == "win32"
    else "text/rtf"
)


def to_mime(cursor: QTextCursor, footnotes: Mapping[int, Footnote]) -> QMimeData:
    """Return the selection for this editor (with keys), for word processors (HTML and RTF, with
    ``footnotes`` as their own) and as text."""
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    shape = read_shape(cursor.document(), start, end)
    # Keys are valid in the book of this process only; another draft gets the footnotes.
    return _mime_of(shape, footnotes, cursor.selection().toPlainText(), os.getpid())


def units_to_mime(
    units: Sequence[DraftSentence], footnotes: Sequence[Footnote], markdown: str
) -> QMimeData:
    """Return units that stand in no draft for this editor and for word processors; as text their
    ``markdown``."""
    return _mime_of(shape_of_units(units), {one.number: one for one in footnotes}, markdown, 0)


def _mime_of(
    shape: DraftShape, footnotes: Mapping[int, Footnote], text: str, process: int
) -> QMimeData:
    data = QMimeData()
    marked = footnotes_in_order(shape)
    own = {
        "process": process,
        "html": draft_html.to_html(shape, lambda key: key, lambda key: key),
        "footnotes": {str(k): encode_footnote(footnotes[k]) for k in marked if k in footnotes},
    }
    stored = json.dumps(own)
    data.setData(MIME_TYPE, QByteArray(stored.encode("ascii")))
    data.setHtml(word_html(shape, footnotes))
    data.setData(RTF_TYPE, QByteArray(rich_text(shape, footnotes).encode("ascii")))
    data.setText(text)
    return data


def has_text(source: QMimeData) -> bool:
    """Whether there is something that can be pasted."""
    return source.hasText() or source.hasFormat(MIME_TYPE)


def insert(cursor: QTextCursor, source: QMimeData, book: DraftBook) -> None:
    """Put the clipboard in at the cursor as one undo step."""
    copied = _copied(source)
    if copied is not None:
        _insert_shape(cursor, *copied, book)
        return
    footnote = citation_in(source)
    if footnote is not None:
        put_cited(cursor, " ".join(source.text().split()), footnote, book)
        return
    foreign = shape_of_foreign(source.html()) if source.hasHtml() else ()
    if foreign:
        _insert_shape(cursor, foreign, {}, book)
        return
    with one_step(cursor):
        cursor.removeSelectedText()
        # Pasted behind a mark, it is text beside it and no part of its number.
        plain = text_beside_mark(cursor.charFormat())
        cursor.insertText(source.text().replace("\r\n", "\n"), plain)


def put_cited(cursor: QTextCursor, text: str, footnote: Footnote, book: DraftBook) -> None:
    """Put ``text`` with the mark of its ``footnote`` in at the cursor as one undo step."""
    key = book.key_of_place(footnote) or book.add_footnote(footnote)
    with one_step(cursor):
        cursor.removeSelectedText()
        before = cursor.block().text()[: cursor.positionInBlock()]
        lead = " " if before and not before[-1].isspace() and text else ""
        ShapeWriter(cursor).add_runs((Run(lead + text), Run("", footnote=key)))


def put_units(
    cursor: QTextCursor,
    units: Sequence[DraftSentence],
    footnotes: Sequence[Footnote],
    book: DraftBook,
) -> None:
    """Put ``units`` with the marks of their ``footnotes`` in as one undo step; what was found about
    them stays known. Words of one paragraph go in at the cursor, whole pieces behind its
    paragraph."""
    notes = {
        one.number: (book.key_of_place(one) if one.file else 0) or book.add_footnote(one)
        for one in footnotes
    }
    shape = keyed_shape(book, units, notes)
    runs = words_alone(shape)
    if runs is not None:
        text, at = cursor.block().text(), cursor.positionInBlock()
        lead = (Run(" "),) if text[:at] and not text[at - 1].isspace() else ()
        trail = (Run(" "),) if text[at:] and not text[at].isspace() else ()
        shape = (Paragraph(ParagraphKind.TEXT, (*lead, *runs, *trail)),)
    else:
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    _insert_shape(cursor, shape, {}, book)


def _copied(source: QMimeData) -> tuple[DraftShape, dict[int, Footnote]] | None:
    """Return what was copied from a draft with the footnotes of its marks, by key; None where it
    comes from elsewhere. Of another process the keys say nothing here."""
    if not source.hasFormat(MIME_TYPE):
        return None
    try:
        own: Any = parse_json(bytes(source.data(MIME_TYPE).data()))
        footnotes = {int(key): decode_footnote(one) for key, one in own["footnotes"].items()}
        shape = draft_html.from_html(own["html"])
        is_ours = own["process"] == os.getpid()
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if not is_ours:
        shape = rekeyed(shape, lambda _key: NO_UNIT, lambda key: -key if key in footnotes else 0)
    return shape, footnotes if is_ours else {-key: one for key, one in footnotes.items()}


def _insert_shape(
    cursor: QTextCursor, shape: DraftShape, footnotes: Mapping[int, Footnote], book: DraftBook
) -> None:
    def mark(key: int) -> int:
        if key in book.footnotes or key not in footnotes:
            return key if key in book.footnotes else 0
        note = footnotes[key]
        return book.key_of_place(note) or book.add_footnote(note)

    known = rekeyed(shape, lambda key: key if key in book.units else NO_UNIT, mark)
    with one_step(cursor):
        cursor.removeSelectedText()
        writer = ShapeWriter(cursor)
        if len(known) == 1 and isinstance(known[0], Paragraph):
            writer.add_runs(known[0].runs)
        elif table_of(cursor) is not None:
            # A cell holds words: no paragraphs, and no table within the table.
            writer.add_runs(_in_one_line(known))
        else:
            # What stands behind the cursor goes on as the paragraph that it was.
            rest = None if cursor.atBlockEnd() else (cursor.blockFormat(), cursor.blockCharFormat())
            writer.write(known)
            if rest is not None and known and isinstance(known[-1], Paragraph):
                cursor.insertBlock(*rest)


def _in_one_line(shape: DraftShape) -> tuple[Run, ...]:
    runs: list[Run] = []
    for piece in shape:
        of_piece = [piece.runs] if isinstance(piece, Paragraph) else []
        of_rows = piece.rows if not isinstance(piece, Paragraph) else ()
        for stretch in (*of_piece, *(cell for row in of_rows for cell in row.cells)):
            runs += [*([Run(" ")] if runs else []), *stretch]
    return tuple(runs)
