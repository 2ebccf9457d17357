"""Reads Word files of before 2007 without another program: paragraphs, headings, lists, tables.

The blocks and their locators are those of the same document as DOCX.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from phasergun_desktop.documents.builder import DocumentBuilder, folded_lines
from phasergun_desktop.documents.office.word_binary import Part, WordBinary, open_word_binary
from phasergun_desktop.documents.office.word_blocks import NO_SHAPE, NO_STYLE, WordBlocks
from phasergun_desktop.documents.office.word_lists import read_numbering
from phasergun_desktop.documents.office.word_runs import Run
from phasergun_desktop.documents.office.word_styles import (
    RowShape,
    Style,
    paragraph_shape,
    read_styles,
)
from phasergun_desktop.documents.word.numbering import Numbering

_CELL_END, _PARAGRAPH_END, _BREAK = "\x07", "\r", "\x0c"
_ENDS = re.compile("[\x07\r\x0c]")
# The code of a field up to its result, innermost first; a field without a result is all code.
_FIELD = re.compile("\x13[^\x13\x14\x15]*(?:\x14([^\x13\x15]*))?\x15")
_MAX_NESTED_FIELDS = 20
_CHARACTERS = str.maketrans(
    {
        **{chr(code): None for code in (*range(9), *range(14, 32), 127)},
        "\t": " ",
        "\x0b": "\n",
        "\x0e": "\n",
        "\x1e": "-",
        "\xa0": " ",
    }
)
# The first texts of the headers part are the lines between text and notes.
_SEPARATORS = 6


def read_doc(data: bytes, builder: DocumentBuilder) -> None:
    """Append the blocks of a Word file. Raises ValueError, OSError or struct.error if it cannot."""
    _DocReader(open_word_binary(data), builder).read()


@dataclass(frozen=True, slots=True)
class _Paragraph:
    start: int
    end: int
    mark: str
    text: str


class _DocReader:
    """Walks the parts of one file and appends blocks."""

    def __init__(self, word: WordBinary, builder: DocumentBuilder) -> None:
        self._word = word
        self._styles: tuple[Style, ...] = ()
        if word.styles:
            try:
                self._styles = read_styles(word.styles)
            except struct.error:
                builder.warn("The styles of the file are damaged; headings may be missing.")
        self._bold_starts = [start for start, _ in word.bold]
        self._plain_starts = [start for start, _ in word.plain]
        self._blocks = WordBlocks(builder, self._numbering(builder))

    def _numbering(self, builder: DocumentBuilder) -> Numbering | None:
        word = self._word
        try:
            return read_numbering(word.lists, word.list_levels, word.list_uses)
        except (struct.error, IndexError):
            builder.warn("The lists of the file are damaged; numbers may be missing.")
            return None

    def read(self) -> None:
        """Append body, text boxes, notes, comments, headers and footers."""
        word = self._word
        for part in (word.main, word.boxes):
            for paragraph in self._paragraphs(part.start, part.end):
                self._read_paragraph(paragraph)
            self._blocks.go_to(0)
        for label, part in (("Footnote", word.footnotes), ("Endnote", word.endnotes)):
            for text in self._texts(part):
                self._blocks.add_note(label, text)
        for text, author in zip_longest(self._texts(word.comments), word.authors, fillvalue=""):
            self._blocks.add_note(f"Comment by {author}" if author else "Comment", text)
        skipped = _SEPARATORS if word.headers.starts else 0
        for text in self._texts(word.headers, skipped):
            self._blocks.add_margin(text)

    def _texts(self, part: Part, skipped: int = 0) -> Iterator[str]:
        """Yield the texts of a part of notes or margins, empty ones too."""
        starts = part.starts[skipped:] if part.starts else (part.start,)
        ends = (*starts[1:], part.end) if starts else ()
        for start, end in zip(starts, ends, strict=True):
            lines = (paragraph.text for paragraph in self._paragraphs(start, end))
            yield "\n".join(line for line in lines if line)

    def _paragraphs(self, start: int, end: int) -> Iterator[_Paragraph]:
        raw = self._word.text[start:end]
        # What a field computes goes on over paragraphs: codes are taken out before these are cut.
        raw = _without_codes(raw)
        place = 0
        for found in _ENDS.finditer(raw):
            if found[0] == _BREAK and not self._ends_section(start + found.start()):
                continue
            yield self._paragraph_of(start, raw, place, found.start(), found[0])
            place = found.end()
        if place < len(raw):
            yield self._paragraph_of(start, raw, place, len(raw), _PARAGRAPH_END)

    def _ends_section(self, position: int) -> bool:
        """Whether a break ends its paragraph; that of a page stands in one."""
        offset = self._word.pieces.offset(position) if self._word.pieces is not None else None
        run = self._word.paragraphs.at(offset)
        return offset is None or run is None or run.end <= offset + 2

    def _paragraph_of(self, base: int, raw: str, start: int, end: int, mark: str) -> _Paragraph:
        return _Paragraph(base + start, base + end, mark, self._clean(raw[start:end]))

    def _clean(self, raw: str) -> str:
        text = raw.translate(_CHARACTERS)
        if self._word.codepage:
            text = text.encode("latin-1", "replace").decode(self._word.codepage, "replace")
        elif any("\ud800" <= character <= "\udfff" for character in text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return folded_lines(text)

    def _read_paragraph(self, paragraph: _Paragraph) -> None:
        run = self._run_of(paragraph)
        if run is None and self._word.pieces is None:
            self._read_old(paragraph)
            return
        shape, style = NO_SHAPE, NO_STYLE
        if run is not None:
            shape = paragraph_shape(run.changes, self._word.data)
            style = self._styles[run.style] if run.style < len(self._styles) else style
        self._blocks.go_to(shape.depth)
        if not shape.depth:
            bold = self._is_bold(paragraph, style)
            self._blocks.add_paragraph(paragraph.text, shape, style, bold=bold)
        elif shape.ends_row:
            self._blocks.end_row(shape.row)
        else:
            self._blocks.add_line(paragraph.text, shape, style)
            if paragraph.mark == _CELL_END or shape.ends_cell:
                self._blocks.end_cell(bold=self._is_bold(paragraph, style))

    def _read_old(self, paragraph: _Paragraph) -> None:
        """Tell tables by their marks alone: a cell's end right after a cell's end ends the row."""
        if paragraph.mark == _CELL_END:
            if self._blocks.in_row and paragraph.start == paragraph.end:
                self._blocks.end_row(RowShape())
                return
            self._blocks.go_to(1)
            self._blocks.add_line(paragraph.text)
            self._blocks.end_cell()
        elif self._blocks.in_row:
            self._blocks.add_line(paragraph.text)
        else:
            self._blocks.go_to(0)
            self._blocks.add_paragraph(paragraph.text, NO_SHAPE, NO_STYLE)

    def _run_of(self, paragraph: _Paragraph) -> Run | None:
        if self._word.pieces is None:
            return None
        return self._word.paragraphs.at(self._word.pieces.offset(paragraph.end))

    def _is_bold(self, paragraph: _Paragraph, style: Style) -> bool:
        """Say whether the paragraph is bold from its first character to its last."""
        if style.is_bold:
            last = bisect_left(self._plain_starts, paragraph.end) - 1
            return last < 0 or self._word.plain[last][1] <= paragraph.start
        place = bisect_right(self._bold_starts, paragraph.start) - 1
        at = paragraph.start
        while place >= 0 and place < len(self._word.bold) and at < paragraph.end:
            start, end = self._word.bold[place]
            if not start <= at < end:
                return False
            at = end
            place += 1
        return at >= paragraph.end > paragraph.start


def _without_codes(raw: str) -> str:
    """Return ``raw`` with the codes of fields as zeros, its length unchanged."""
    for _ in range(_MAX_NESTED_FIELDS):
        replaced = _FIELD.sub(_blank, raw)
        if replaced == raw:
            break
        raw = replaced
    return raw


def _blank(match: re.Match[str]) -> str:
    result = match[1] or ""
    return "\0" * (len(match[0]) - len(result) - 1) + result + "\0"
