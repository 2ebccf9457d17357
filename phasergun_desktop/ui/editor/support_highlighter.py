"""Colours and underlines of the draft, laid over the text and never part of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_formats import (
    acceptance_mark,
    footnote_of,
    is_provisional,
    unit_of,
)
from phasergun_desktop.ui.editor.draft_shape import NO_FOOTNOTE
from phasergun_desktop.ui.theme import Colours
from phasergun_desktop.ui.words import why_marked

Underline = QTextCharFormat.UnderlineStyle


def underline_for(unit: DraftSentence) -> Underline:
    """Return the underline that says what is wrong with a unit."""
    if unit.kind is UnitKind.TODO:
        return Underline.DashUnderline
    if not why_marked(unit):
        return Underline.NoUnderline
    if unit.support is Support.PARTLY and not unit.problems:
        return Underline.DotLine
    return Underline.WaveUnderline


class SupportHighlighter(QSyntaxHighlighter):
    """Reads the keys in the text's formats; nothing it does enters the undo stack."""

    def __init__(
        self, document: QTextDocument, book: DraftBook, colours: Callable[[], Colours]
    ) -> None:
        super().__init__(document)
        self._book = book
        self._colours = colours
        self._changed: frozenset[int] = frozenset()

    def set_changed_footnotes(self, keys: frozenset[int]) -> None:
        """Set the keys of the footnotes whose source changed."""
        if keys != self._changed:
            self._changed = keys
            self.rehighlight()

    @property
    def changed_footnotes(self) -> frozenset[int]:
        """Keys of the footnotes whose source changed."""
        return self._changed

    def highlightBlock(self, text: str) -> None:
        """Lay formats over the fragments of the current paragraph."""
        colours = self._colours()
        block = self.currentBlock()
        origin = block.position()
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            iterator += 1
            made = self._overlay(fragment.charFormat(), colours)
            if made is not None:
                self.setFormat(fragment.position() - origin, fragment.length(), made)

    def _overlay(self, text_format: QTextCharFormat, colours: Colours) -> QTextCharFormat | None:
        made = QTextCharFormat()
        if is_provisional(text_format):
            made.setForeground(colours.muted)
            return made
        mark = footnote_of(text_format)
        if mark != NO_FOOTNOTE:
            is_changed = mark in self._changed
            made.setForeground(colours.partly if is_changed else colours.link)
            if is_changed:
                made.setFontStrikeOut(True)
            return made
        key = unit_of(text_format)
        unit = self._book.units.get(key)
        if unit is None:
            return None
        if acceptance_mark(text_format) and key not in self._book.lapsed:
            # A quiet line: the writer answers for it, whatever was found.
            made.setUnderlineStyle(Underline.SingleUnderline)
            made.setUnderlineColor(colours.muted)
            return made
        style = underline_for(unit)
        if style is Underline.NoUnderline:
            return None
        made.setUnderlineStyle(style)
        is_wave = style is Underline.WaveUnderline
        made.setUnderlineColor(colours.wrong if is_wave else colours.partly)
        return made
