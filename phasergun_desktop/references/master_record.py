"""The master record: its sections, and the fields in each, with their exact place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.references.versions import field_key
from phasergun_desktop.text.words import word_set


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field; ``value`` is the value alone, without name and surrounding space."""

    name: str
    section: str
    value: SourceValue


@dataclass(frozen=True, slots=True)
class RecordSection:
    """A section; ``content`` is None when nothing stands under its heading."""

    name: str
    content: SourceValue | None


@dataclass(frozen=True, slots=True)
class MasterRecord:
    """The sections and fields of the document ``file``, in its order.

    Fields before the first heading have the section ``""``.
    """

    file: str
    sections: tuple[RecordSection, ...]
    fields: tuple[RecordField, ...]

    def find_fields(self, name: str, section: str | None = None) -> tuple[RecordField, ...]:
        """Return the fields called ``name``, in ``section`` or (None) anywhere."""
        return tuple(
            each
            for each in self.fields
            if field_key(each.name) == field_key(name)
            and (section is None or field_key(each.section) == field_key(section))
        )

    def find_section(self, name: str) -> RecordSection | None:
        """Return the section called ``name``."""
        return next(
            (each for each in self.sections if field_key(each.name) == field_key(name)), None
        )

    def names(self) -> tuple[str, ...]:
        """Return the names of all fields and sections, once each."""
        names = [each.name for each in self.fields] + [each.name for each in self.sections]
        return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    is_heading: bool = False


# The value is stripped by hand: a pattern for that takes a square of the time on long blanks.
_FIELD = re.compile(r"\s*(?P<name>[^\W\d_][^:\n|]{0,79}?)\s*[:：]\s*(?P<value>\S.*)$", re.DOTALL)
_SECTION = re.compile(r"\s*(?P<name>[^\W_][^:\n|]{0,79}?)\s*[:：]\s*$")
_SMALL_WORDS = word_set("a an and as at by for from in of on or the to with per via")
_HEADER_WORDS = word_set(
    "field fields name item attribute parameter property entry key value description details "
    "content information"
)
_MOST_NAME_WORDS = 9


def parse_master_record(document: ParsedDocument, file: str) -> MasterRecord:
    """Read the sections and fields of ``document``.

    Sections are headings or lines in title case that end in ``:``; fields are lines
    ``Name: value`` or rows of a table with two columns.
    """
    fields: list[RecordField] = []
    headings: list[tuple[str, int]] = []  # name, where its content begins
    starts: list[int] = []  # where each heading begins, which ends the section before
    section = ""
    for block in document.blocks:
        if not block.kind.is_body:
            continue
        if block.kind is BlockKind.TABLE_ROW:
            found = _row_field(document, block, section, file)
            fields.extend([found] if found else [])
            continue
        for line in _lines(document, block):
            name = _section_name(document, line)
            if name is not None:
                section = name
                headings.append((name, line.end))
                starts.append(line.start)
                continue
            found = _line_field(document, line, section, file)
            fields.extend([found] if found else [])
    ends = [*starts[1:], _body_end(document)] if starts else []
    sections = tuple(
        RecordSection(name, _slice(document, file, begin, end))
        for (name, begin), end in zip(headings, ends, strict=True)
    )
    return MasterRecord(file, sections, tuple(fields))


def is_title_case(text: str) -> bool:
    """Whether every word but the small ones begins with a capital or a digit."""
    words = [word.strip("()/&,–-") for word in text.split()]
    words = [word for word in words if word]
    return bool(words) and all(
        not word[0].islower() or (index > 0 and word in _SMALL_WORDS)
        for index, word in enumerate(words)
    )


def _lines(document: ParsedDocument, block: Block) -> Iterator[_Line]:
    start = block.start
    for text in document.block_text(block).splitlines(keepends=True):
        end = start + len(text)
        if text.strip():
            yield _Line(start, end, block.kind is BlockKind.HEADING)
        start = end


def _section_name(document: ParsedDocument, line: _Line) -> str | None:
    text = document.text[line.start : line.end].strip()
    if line.is_heading:
        # A field may have been given a heading style; it stays a field.
        return None if _FIELD.fullmatch(text) else text.rstrip(":： ").strip()
    match = _SECTION.fullmatch(text)
    if match is None or not is_title_case(match["name"]):
        return None
    return match["name"] if len(match["name"].split()) <= _MOST_NAME_WORDS else None


def _line_field(
    document: ParsedDocument, line: _Line, section: str, file: str
) -> RecordField | None:
    match = _FIELD.match(document.text, line.start, line.end)
    if match is None or len(match["name"].split()) > _MOST_NAME_WORDS:
        return None
    if match["value"].startswith("//"):
        return None  # an address, not a field
    start = match.start("value")
    end = start + len(match["value"].rstrip())
    return RecordField(match["name"], section, _value(document, file, start, end))


def _row_field(
    document: ParsedDocument, block: Block, section: str, file: str
) -> RecordField | None:
    if len(block.cells) != 2:
        return None
    name, value = (text.strip() for _, text in block.cells)
    label = name.rstrip(":： ").strip()
    if not label or not value or len(label.split()) > _MOST_NAME_WORDS:
        return None
    words = f"{label} {value}".casefold().split()
    if block.is_table_header and all(word in _HEADER_WORDS for word in words):
        return None
    after = document.text.find(name, block.start, block.end)
    place = find_words(document.text, value, max(after, block.start) + len(name), block.end)
    if place is None:
        return None
    return RecordField(label, section, _value(document, file, *place))


def find_words(text: str, words: str, start: int, end: int) -> tuple[int, int] | None:
    """Find ``words`` in ``text[start:end]``, however the white space between them differs."""
    first, *others = words.split() or ("",)
    said = " ".join((first, *others))
    at = text.find(said, start, end)
    # A pattern for each of a thousand cells takes as long as reading them.
    if at == text.find(first, start, end):
        return (at, at + len(said)) if first and at >= 0 else None
    match = re.compile(r"\s+".join(map(re.escape, (first, *others)))).search(text, start, end)
    return match.span() if match else None


def _slice(document: ParsedDocument, file: str, start: int, end: int) -> SourceValue | None:
    piece = document.text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    last = start + len(piece.rstrip())
    return _value(document, file, begin, last) if begin < last else None


def _value(document: ParsedDocument, file: str, start: int, end: int) -> SourceValue:
    return SourceValue(document.text[start:end], file, start, end)


def _body_end(document: ParsedDocument) -> int:
    return max((block.end for block in document.blocks if block.kind.is_body), default=0)
