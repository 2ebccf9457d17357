"""The draft on paper: printed, and looked at before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QPagedPaintDevice,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QDialog

from phasergun_desktop.drafts.draft_shape import ParagraphKind
from phasergun_desktop.drafts.markdown_export import starts_with_title
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.rendering import SOURCES_HEADING, source_line
from phasergun_desktop.ui.editor.draft_formats import block_format, block_text_format
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.text_stretches import blocks_from, stretch
from phasergun_desktop.ui.theme import reading_font

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

PAPER_POINTS = 11.0
_Underline = QTextCharFormat.UnderlineStyle
# What the lines of the page say, in words for who has only the paper.
LEGEND = {
    _Underline.WaveUnderline: "Wavy line: no source carries it, or a value is not in its source.",
    _Underline.DotLine: "Dotted line: its source carries a part of it.",
    _Underline.DashUnderline: "Dashed line: the writer's own without a source yet, or to do.",
}


class PrintFlow(Flow):
    """Prints the draft on the desk as it stands; what is not carried is marked on paper too."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        # One for each dialog that is open, which shows its pages and does not own it.
        self._printers: set[QPrinter] = set()

    def print(self) -> None:
        """Ask for a printer (or a PDF file) and print."""

        def ask(draft: Draft) -> None:
            # Loading it may ask the system for its printers.
            from PySide6.QtPrintSupport import QPrintDialog  # noqa: PLC0415

            printer = _printer(draft)
            dialog = QPrintDialog(printer, self._window)
            dialog.accepted.connect(self.print_to)
            self._open(dialog, printer)

        self._if_it_may_leave(ask)

    def preview(self) -> None:
        """Show the pages, which can be printed from there."""

        def show(draft: Draft) -> None:
            from PySide6.QtPrintSupport import QPrintPreviewDialog  # noqa: PLC0415

            printer = _printer(draft)
            dialog = QPrintPreviewDialog(printer, self._window)
            dialog.paintRequested.connect(self.print_to)
            dialog.resize(self._window.size() * 0.9)
            self._open(dialog, printer)

        self._if_it_may_leave(show)

    def print_to(self, device: QPagedPaintDevice) -> None:
        """Write the pages, each with its number."""
        draft = self._draft()
        if draft is not None:
            on_paper(self._draft_panel.editor.document(), draft).print_(device)

    def _if_it_may_leave(self, then: Callable[[Draft], None]) -> None:
        """Do ``then`` with the draft in view, unless it cites what is hidden in the project."""
        draft = self._draft()
        if draft is not None:
            self._work.do(
                lambda session: session.require_exportable(draft), lambda _none: then(draft)
            )

    def _open(self, dialog: QDialog, printer: QPrinter) -> None:
        self._printers.add(printer)
        dialog.destroyed.connect(lambda: self._printers.discard(printer))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # (Those of printing have an ``open`` of their own, with other arguments.)
        QDialog.open(dialog)

    def _draft(self) -> Draft | None:
        draft = self._draft_panel.snapshot()
        if draft is None:
            self._work.tell("There is no draft to print yet.")
        return draft


def _printer(draft: Draft) -> QPrinter:
    from PySide6.QtPrintSupport import QPrinter  # noqa: PLC0415

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(draft.title)
    return printer


def on_paper(page: QTextDocument, draft: Draft) -> QTextDocument:
    """Return what is printed of the document ``page`` of ``draft``: its title, the text, what its
    lines mean, and the notes at the end."""
    made = page.clone()
    # Paper is not scrolled: what is too wide for it goes on in the next line.
    option = made.defaultTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.setDefaultTextOption(option)
    made.setDefaultFont(reading_font(PAPER_POINTS, page.defaultFont().families()[0]))
    lines = _draw_lines(page, made)
    cursor = QTextCursor(made)
    if draft.title and not starts_with_title(draft):
        cursor.insertBlock()
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        _set(cursor, ParagraphKind.HEADING, 1)
        cursor.insertText(draft.title)
    cursor.movePosition(QTextCursor.MoveOperation.End)
    if draft.footnotes:
        _add(cursor, SOURCES_HEADING, ParagraphKind.HEADING, 2)
        for note in draft.footnotes:
            _add(cursor, source_line(note), ParagraphKind.TEXT)
    meanings = [meaning for style, meaning in LEGEND.items() if style in lines]
    if meanings:
        _add(cursor, " ".join(meanings), ParagraphKind.TEXT)
    # Else the colours of a dark desk come through.
    black = QTextCharFormat()
    black.setForeground(Qt.GlobalColor.black)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeCharFormat(black)
    return made


def _draw_lines(page: QTextDocument, made: QTextDocument) -> set[_Underline]:
    """Make the lines that lie over the page part of the copy; return their styles."""
    found = set()
    for block in blocks_from(page.begin()):
        for one in block.layout().formats():
            style = one.format.underlineStyle()
            if style in LEGEND:
                found.add(style)
                drawn = QTextCharFormat()
                drawn.setUnderlineStyle(style)
                drawn.setUnderlineColor(Qt.GlobalColor.darkGray)
                first = block.position() + one.start
                stretch(made, first, first + one.length).mergeCharFormat(drawn)
    return found


def _add(cursor: QTextCursor, text: str, kind: ParagraphKind, level: int = 0) -> None:
    cursor.insertBlock()
    if cursor.currentList() is not None:
        cursor.currentList().remove(cursor.block())
    _set(cursor, kind, level)
    cursor.insertText(text)


def _set(cursor: QTextCursor, kind: ParagraphKind, level: int) -> None:
    cursor.setBlockFormat(block_format(kind, level))
    cursor.setBlockCharFormat(block_text_format(kind, level))
    cursor.setCharFormat(block_text_format(kind, level))
