"""Bootstrap documents: questions with their answers, and fields, with their exact place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.references.model import QuestionAnswer, SourceValue
from phasergun_desktop.references.versions import field_key
from phasergun_desktop.text.words import word_set


@dataclass(frozen=True, slots=True)
class BootstrapField:
    """A field ``NAME: value``; the value without surrounding space."""

    name: str
    value: SourceValue


@dataclass(frozen=True, slots=True)
class BootstrapDocument:
    """What a document answers. ``unanswered`` are questions without an answer."""

    pairs: tuple[QuestionAnswer, ...]
    fields: tuple[BootstrapField, ...]
    unanswered: tuple[str, ...] = ()

    def find_fields(self, name: str) -> tuple[BootstrapField, ...]:
        """Return the fields called ``name``."""
        return tuple(each for each in self.fields if field_key(each.name) == field_key(name))


class _MarkKind(StrEnum):
    QUESTION = "question"
    ANSWER = "answer"
    FIELD = "field"
    END = "end"


@dataclass(frozen=True, slots=True)
class _Mark:
    kind: _MarkKind
    start: int
    end: int
    name: str = ""


_MARK = re.compile(
    r"(?<![\w/-])(?:(?P<question>Q\s?\d{0,3})|(?P<answer>A\s?\d{0,3})|(?P<field>[A-Z][A-Z0-9_]+))"
    r"[*_]{0,3}\s?:(?!//)"
)
# Words in capitals that stand in running text without beginning a field.
_NOT_FIELDS = word_set(
    "NOTE NB WARNING CAUTION IMPORTANT DANGER TODO TBD EXAMPLE ISO IEC EN FDA CFR ASTM AAMI ANSI "
    "URL HTTP HTTPS"
)
_AROUND = " \t\r\n\u00a0*_"


def parse_bootstrap(document: ParsedDocument, file: str) -> BootstrapDocument:
    """Read the pairs and fields of ``document``.

    ``Q:`` and ``A:`` begin anywhere in a paragraph and end at the next mark or heading; a field
    begins at ``NAME:`` in capitals and ends at the next mark. Word joins such lines to one
    paragraph, therefore the beginning of a line means nothing.
    """
    reader = _Reader(document, file)
    for mark in _marks(document):
        reader.take(mark)
    reader.take(_Mark(_MarkKind.END, len(document.text), len(document.text)))
    return BootstrapDocument(tuple(reader.pairs), tuple(reader.fields), tuple(reader.unanswered))


class _Reader:
    def __init__(self, document: ParsedDocument, file: str) -> None:
        self.pairs: list[QuestionAnswer] = []
        self.fields: list[BootstrapField] = []
        self.unanswered: list[str] = []
        self._document = document
        self._file = file
        self._open: _Mark | None = None
        self._question: str | None = None

    def take(self, mark: _Mark) -> None:
        """Close what is open at ``mark`` and open it, unless it is part of running text."""
        open_kind = self._open.kind if self._open else None
        if mark.kind is _MarkKind.ANSWER and open_kind is not _MarkKind.QUESTION:
            return  # "hepatitis A: …" inside an answer
        self._close(mark.start)
        if mark.kind is not _MarkKind.ANSWER and self._question is not None:
            self.unanswered.append(self._question)
            self._question = None
        self._open = None if mark.kind is _MarkKind.END else mark

    def _close(self, end: int) -> None:
        if self._open is None:
            return
        value = self._value(self._open.end, end)
        if self._open.kind is _MarkKind.QUESTION:
            self._question = " ".join(value.text.split())
        elif self._open.kind is _MarkKind.ANSWER and self._question is not None:
            if value.text:
                self.pairs.append(QuestionAnswer(self._question, value))
                self._question = None
        elif self._open.kind is _MarkKind.FIELD and value.text:
            self.fields.append(BootstrapField(self._open.name, value))

    def _value(self, start: int, end: int) -> SourceValue:
        text = self._document.text
        while start < end and text[start] in _AROUND:
            start += 1
        while end > start and text[end - 1] in _AROUND:
            end -= 1
        return SourceValue(text[start:end], self._file, start, end)


def _marks(document: ParsedDocument) -> list[_Mark]:
    marks: list[_Mark] = []
    for block in document.blocks:
        if not block.kind.is_body or block.kind is BlockKind.HEADING:
            # What is open ends before a heading, a header or a note.
            marks.append(_Mark(_MarkKind.END, block.start, block.end))
        elif block.kind is BlockKind.TABLE_ROW:
            marks.extend(_row_marks(document, block))
        else:
            marks.extend(_text_marks(document, block))
    return marks


def _text_marks(document: ParsedDocument, block: Block) -> list[_Mark]:
    marks: list[_Mark] = []
    for match in _MARK.finditer(document.text, block.start, block.end):
        if match["question"]:
            kind = _MarkKind.QUESTION
        elif match["answer"]:
            kind = _MarkKind.ANSWER
        elif match["field"] in _NOT_FIELDS:
            continue
        else:
            kind = _MarkKind.FIELD
        marks.append(_Mark(kind, match.start(), match.end(), match["field"] or ""))
    return marks


def _row_marks(document: ParsedDocument, block: Block) -> list[_Mark]:
    """A row of two cells, NAME and value, is a field; any other row is read as text."""
    if len(block.cells) == 2:
        name = block.cells[0][1].strip().rstrip(":")
        if re.fullmatch(r"[A-Z][A-Z0-9_]+", name) and not block.is_table_header:
            start = document.text.find(block.cells[0][1].strip(), block.start, block.end)
            value = block.cells[1][1].strip()
            begin = document.text.find(value, start + len(name), block.end) if value else -1
            if start >= 0 and begin >= 0:
                field_mark = _Mark(_MarkKind.FIELD, start, begin, name)
                end = begin + len(value)
                return [field_mark, _Mark(_MarkKind.END, end, block.end)]
    return _text_marks(document, block)
