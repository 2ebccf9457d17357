"""Reads Word files of before 2007 without another program: paragraphs, headings, lists, tables.

The blocks and their locators are those of the same document as DOCX.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.office.word_binary import Part, WordBinary, open_word_binary
from phasergun_desktop.documents.office.word_lists import read_numbering
from phasergun_desktop.documents.office.word_styles import (
    ParagraphShape,
    paragraph_shape,
    read_styles,
)
from phasergun_desktop.documents.office.word_xml import RowShape, WordXml
from phasergun_desktop.documents.word.word_format import read_word

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


def read_doc(file: CompoundFile, builder: DocumentBuilder) -> None:
    """Append the blocks of a Word file. Raises ValueError, OSError or struct.error if it cannot."""
    word = open_word_binary(file)
    xml = WordXml()
    for kind, read, sources in (
        ("styles", read_styles, (word.styles,)),
        ("numbering", read_numbering, (word.lists, word.list_levels, word.list_uses)),
    ):
        try:
            xml.document.parts[kind] = [read(*sources)]
        except (struct.error, IndexError):
            builder.warn(f"The {kind} of the file is damaged; headings or numbers may be missing.")
    _DocReader(word, xml).read()
    read_word(xml.document, builder)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    start: int
    end: int
    mark: str
    text: str


class _DocReader:
    """Walks the parts of one file and writes them as Word XML."""

    def __init__(self, word: WordBinary, xml: WordXml) -> None:
        self._word = word
        self._xml = xml
        self._bold_starts = [start for start, _ in word.bold]
        # Most paragraphs of a file are alike.
        self._shapes: dict[tuple[int, bytes], ParagraphShape] = {}
        # What refers to notes from which places, those that are still to come.
        self._references: list[tuple[int, tuple[str, str]]] = []

    def read(self) -> None:
        """Write notes, comments, body, text boxes, headers and footers."""
        word = self._word
        for kind, part, authors in (
            ("footnote", word.footnotes, ()),
            ("endnote", word.endnotes, ()),
            ("comment", word.comments, word.authors),
        ):
            for index, text in enumerate(self._texts(part)):
                # Of a file before Word 97 it is not known what refers to a note.
                mark = part.marks[index] if index < len(part.marks) else word.main.end - 1
                reference = self._xml.add_note(kind, text, (*authors[index : index + 1], "")[0])
                self._references.append((mark, reference))
        self._references.sort()
        for part in (word.main, word.boxes):
            for paragraph in self._paragraphs(part.start, part.end):
                self._read_paragraph(paragraph)
            self._xml.go_to(0)
        skipped = _SEPARATORS if word.headers.starts else 0
        for text in self._texts(word.headers, skipped):
            self._xml.add_margin(text)

    def _texts(self, part: Part, skipped: int = 0) -> Iterator[str]:
        """Yield the texts of a part of notes or margins, empty ones too."""
        starts = part.starts[skipped:] if part.starts else (part.start,)
        ends = (*starts[1:], part.end) if starts else ()
        for start, end in zip(starts, ends, strict=True):
            lines = (paragraph.text for paragraph in self._paragraphs(start, end))
            yield "\n".join(lines)

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
        elif not text.isascii():
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text

    def _read_paragraph(self, paragraph: _Paragraph) -> None:
        pieces = self._word.pieces
        if pieces is None:
            self._read_old(paragraph)
            return
        run = self._word.paragraphs.at(pieces.offset(paragraph.end))
        said = (run.style, run.changes) if run is not None else (0, b"")
        if said not in self._shapes:
            self._shapes[said] = paragraph_shape(*said, self._word.data)
        shape = self._shapes[said]
        self._xml.go_to(shape.depth)
        if shape.depth and shape.ends_row:
            self._xml.end_row(shape.row)
            return
        references: list[tuple[str, str]] = []
        while self._references and self._references[0][0] <= paragraph.end:
            references.append(self._references.pop(0)[1])
        self._xml.add_paragraph(
            paragraph.text,
            shape.properties,
            bold=self._is_bold(paragraph),
            references=references,
        )
        if shape.depth and (paragraph.mark == _CELL_END or shape.ends_cell):
            self._xml.end_cell()

    def _read_old(self, paragraph: _Paragraph) -> None:
        """Tell tables by their marks alone: a cell's end right after a cell's end ends the row."""
        ends_cell = paragraph.mark == _CELL_END
        if ends_cell and self._xml.in_row and paragraph.start == paragraph.end:
            self._xml.end_row(RowShape())
            return
        self._xml.go_to(1 if ends_cell or self._xml.in_row else 0)
        self._xml.add_paragraph(paragraph.text)
        if ends_cell:
            self._xml.end_cell()

    def _is_bold(self, paragraph: _Paragraph) -> bool:
        """Say whether the paragraph is set in bold from its first character to its last."""
        place = bisect_right(self._bold_starts, paragraph.start) - 1
        at = paragraph.start
        while 0 <= place < len(self._word.bold) and at < paragraph.end:
            start, end = self._word.bold[place]
            if not start <= at < end:
                break
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
