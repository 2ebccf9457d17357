"""Colours and underlines of the draft, laid over the text and never part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from phasergun_desktop.drafts.draft_shape import NO_FOOTNOTE, Run
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, Support, UnitKind
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_formats import is_provisional
from phasergun_desktop.ui.editor.draft_reader import read_block
from phasergun_desktop.ui.editor.statement_keys import runs_now
from phasergun_desktop.ui.editor.unit_places import UnitPlace
from phasergun_desktop.ui.text_stretches import fragments_of
from phasergun_desktop.ui.theme import Colours
from phasergun_desktop.ui.wording import why_marked

Underline = QTextCharFormat.UnderlineStyle


def underline_for(unit: DraftSentence) -> Underline:
    """Return the underline that says what is wrong with a unit."""
    if unit.kind is UnitKind.TODO:
        return Underline.DashUnderline
    if not why_marked(unit):
        return Underline.NoUnderline
    has_only_no_source = all(one.code is ProblemCode.NO_SOURCE for one in unit.problems)
    if unit.is_own and not unit.citations and has_only_no_source:
        return Underline.DashUnderline
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
        # Keys of the footnotes whose source changed.
        self.changed_footnotes: frozenset[int] = frozenset()
        self._worn = colours()

    def follow_colours(self) -> None:
        """Draw all anew if light turned dark, or back, since it was drawn."""
        if self._worn != self._colours():
            self.rehighlight()

    def set_changed_footnotes(self, keys: frozenset[int]) -> None:
        """Set the keys of the footnotes whose source changed."""
        if keys != self.changed_footnotes:
            self.changed_footnotes = keys
            self.rehighlight()

    def mark_anew(self, places: Iterable[UnitPlace]) -> None:
        """Draw the marks of the paragraphs and cells in which units stand anew."""
        # A cell of a table may have several paragraphs.
        at = self.document().findBlock
        numbers = {
            number
            for place in places
            for start, end in place.stretches
            for number in range(at(start).blockNumber(), at(end).blockNumber() + 1)
        }
        for number in numbers:
            self.rehighlightBlock(self.document().findBlockByNumber(number))

    def highlightBlock(self, text: str) -> None:
        """Lay formats over the runs of the current paragraph."""
        colours = self._worn = self._colours()
        block = self.currentBlock()
        origin, end = block.position(), block.position() + block.length()
        piece = read_block(block)
        for run in runs_now(piece, self._book):
            start = piece.start + run.start
            if origin <= start < end:
                made = self._overlay(run, colours)
                if made is not None:
                    self.setFormat(start - origin, run.end - run.start, made)
        for fragment in fragments_of(block):
            if is_provisional(fragment.charFormat()):
                made = QTextCharFormat()
                made.setForeground(colours.muted)
                self.setFormat(fragment.position() - origin, fragment.length(), made)

    def _overlay(self, run: Run, colours: Colours) -> QTextCharFormat | None:
        made = QTextCharFormat()
        if run.footnote != NO_FOOTNOTE:
            is_changed = run.footnote in self.changed_footnotes
            made.setForeground(colours.partly if is_changed else colours.link)
            if is_changed:
                made.setFontStrikeOut(True)
            return made
        unit = self._book.units.get(run.unit)
        if unit is None:
            return None
        if run.accepted and run.unit not in self._book.lapsed:
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
