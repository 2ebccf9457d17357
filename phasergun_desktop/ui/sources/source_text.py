"""A parsed document laid out as text, and where each of its code points stands in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtGui import QFont, QPalette, QTextDocument

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument, SlideLocator
from phasergun_desktop.ui.sources.cue_lines import write_cues
from phasergun_desktop.ui.sources.placed_text import PlacedRun, utf16_length
from phasergun_desktop.ui.sources.slide_cards import write_slides
from phasergun_desktop.ui.sources.text_writer import TextWriter
from phasergun_desktop.ui.theme import Colours, colours_for

# Laying out 1,000 paragraphs takes 50 to 100 ms. A longer source is laid out part by part.
MOST_BLOCKS, MOST_CHARACTERS = 2500, 400_000
PORTION_BLOCKS, PORTION_CHARACTERS = 600, 100_000
# A longer one is no word (a checksum, a path, a line of a script that has no spaces).
LONGEST_WORD = 60
# What is cited of these is marked as a whole, and the words of the quote in it.
WHOLE_KINDS = frozenset({BlockKind.TABLE_ROW, BlockKind.SLIDE, BlockKind.CUE})


@dataclass(slots=True)
class SourceText:
    """A source as a document; ``runs`` are in the order of the source's text.

    ``slides`` holds the UTF-16 position at which each slide begins. Blocks ``first``..``last``
    (from 0, the last excluded) are laid out: all, or a part of a very long document.
    ``has_headers``: there is a table with header rows in it.
    """

    source: ParsedDocument
    document: QTextDocument
    runs: list[PlacedRun] = field(default_factory=list)
    slides: list[int] = field(default_factory=list)
    first: int = 0
    last: int = 0
    has_headers: bool = False

    @property
    def has_end(self) -> bool:
        """Whether the end of the source is laid out."""
        return self.last >= len(self.source.blocks)

    @property
    def is_whole(self) -> bool:
        """Whether the whole source is laid out."""
        return self.first == 0 and self.has_end

    @property
    def keeps_words_whole(self) -> bool:
        """Whether lines end at words only, so that the columns of tables can be read, if that
        takes scrolling sideways; not where a word is too long for any line."""
        has_table = any(one.kind is BlockKind.TABLE_ROW for one in self.source.blocks)
        words = self.document.toPlainText().split() if has_table else []
        return has_table and max(map(len, words), default=0) <= LONGEST_WORD

    def covers(self, start: int, end: int) -> bool:
        """Whether what ``start``..``end`` touches is laid out."""
        blocks = self.source.blocks
        if self.is_whole or not blocks:
            return True
        after = len(self.source.text) if self.has_end else blocks[self.last].start
        return (self.first == 0 or blocks[self.first].start <= start) and end <= after

    def would_move(self, at: int) -> bool:
        """Whether another part would be laid out around code point ``at``."""
        return portion(self.source.blocks, at) != (self.first, self.last)

    def code_point_from(self, position: int) -> int:
        """Return the first code point that is shown at a UTF-16 position or behind it."""
        behind = [run for run in self.runs if run.position >= position]
        return min(behind or self.runs[-1:], key=lambda run: run.position).start if self.runs else 0

    def positions(self, start: int, end: int) -> list[tuple[int, int, int, int]]:
        """Return (first, last, start, end) of each run that ``start``..``end`` touches: UTF-16
        positions of the document and the code points that they show. A range that only
        touches what is not shown (a column's name in a row) gives the whole block."""
        found = self._positions(start, end)
        if not found and end > start:
            for block in self.source.blocks:
                if block.start < end and start < block.end:
                    found.extend(self._positions(block.start, block.end))
        return found

    def code_points(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the code points of each run that UTF-16 positions ``first``..``last`` touch."""
        found = []
        for run in self.runs:
            text = self.source.text[run.start : run.end]
            begin, stop = max(first - run.position, 0), last - run.position
            if stop > 0 and begin < utf16_length(text):
                found.append((run.start + _letters(text, begin), run.start + _letters(text, stop)))
        return found

    def wholes(self, start: int, end: int) -> list[list[tuple[int, int]]]:
        """Return (first, last) of the runs of each row, shape or cue that is touched."""
        return [
            [(first, last) for first, last, _s, _e in self._positions(block.start, block.end)]
            for block in self.source.blocks
            if block.start < end and start < block.end and block.kind in WHOLE_KINDS
        ]

    def _positions(self, start: int, end: int) -> list[tuple[int, int, int, int]]:
        found = []
        for run in self.runs:
            first, last = max(run.start, start), min(run.end, end)
            if first >= last:
                continue
            text = self.source.text
            begin = run.position + utf16_length(text[run.start : first])
            found.append((begin, begin + utf16_length(text[first:last]), first, last))
        return found


def _letters(text: str, units: int) -> int:
    """Return how many code points the first ``units`` UTF-16 units of ``text`` hold."""
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def build_source_text(
    source: ParsedDocument, font: QFont, colours: Colours | None = None, at: int = 0
) -> SourceText:
    """Lay out ``source``, of a very long one the part around code point ``at``; the caller owns
    the document."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font)
    document.setDocumentMargin(16.0)
    writer = TextWriter(document, source.text, font, colours or colours_for(QPalette()))
    first, last = portion(source.blocks, at)
    made = SourceText(source, document, writer.runs, first=first, last=last)
    blocks = source.blocks[first:last]
    writer.cursor.beginEditBlock()
    if first > 0:
        writer.add_label("The source begins further up.")
    if any(isinstance(block.locator, SlideLocator) for block in blocks):
        slides = source.metadata.pages or 0 if made.has_end else 0
        made.slides = write_slides(writer, blocks, starts_whole=first == 0, slides=slides)
    elif any(block.kind is BlockKind.CUE for block in blocks):
        write_cues(writer, blocks)
    else:
        writer.write_all(blocks)
    if not made.has_end:
        writer.add_label("The source goes on further down.")
    writer.cursor.endEditBlock()
    # Notes stand below their slide, wherever the file has them.
    made.has_headers = writer.has_headers
    made.runs.sort(key=lambda run: run.start)
    return made


def portion(blocks: Sequence[Block], at: int) -> tuple[int, int]:
    """Return which blocks to lay out around code point ``at``: all if they are not too many."""
    if not blocks:
        return 0, 0
    if len(blocks) <= MOST_BLOCKS and blocks[-1].end - blocks[0].start <= MOST_CHARACTERS:
        return 0, len(blocks)
    here = max(bisect_right(blocks, at, key=lambda block: block.start) - 1, 0)
    first, last = here, here + 1
    # At least the neighbours, however long they are.
    while first > 0 and here - first < PORTION_BLOCKS:
        first -= 1
        if blocks[here].start - blocks[first].start > PORTION_CHARACTERS:
            break
    while last < len(blocks) and last - here < PORTION_BLOCKS:
        last += 1
        if blocks[last - 1].end - blocks[here].end > PORTION_CHARACTERS:
            break
    return first, last
