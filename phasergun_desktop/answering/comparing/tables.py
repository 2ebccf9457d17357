"""Comparison tables of documents: which column speaks of whom, and what each row states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.references.master_record import find_words

_LONGEST_HEADER = 30  # words
# A cell of so many words that has a submission number is about nothing else.
_NUMBER_WORDS = 2
_NUMBER = re.compile(r"(?:K|P|DEN)\d{6}", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?:subject|new|proposed|candidate|modified|submitted|this|our|present"
    r"|neue[srn]?|vorliegende[srn]?|nouveau|nouvelle|proposée?|présente?|nuev[oa]|propuest[oa])\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:predicate|reference device|legally marketed|prädikat|vergleichs(?:produkt|gerät)"
    r"|prédicat|predicad)",
    re.IGNORECASE,
)
_DEVICE_FIRST = re.compile(
    r"(?:the )?(?:device|product|gerät|produkt|dispositif|producto)s?\b", re.IGNORECASE
)
_SAME = re.compile(
    r"\W*(?:(?:the )?same|identical|unchanged|equivalent|ditto|idem|gleich|identisch|unverändert"
    r"|identique|même|igual|idéntic[oa]|mism[oa])\b",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(r"\W*(?:n/?a|see above|not applicable|tbd)?\W*", re.IGNORECASE)
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")


class ColumnRole(StrEnum):
    """Whose values a column holds: those of the document's own subject or of a predicate."""

    SUBJECT = "subject"
    PREDICATE = "predicate"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a comparison table. ``numbers`` are the submissions that its head names,
    ``name`` is the text of its head."""

    role: ColumnRole
    name: str
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StatedCell:
    """A cell: ``start``..``end`` of the document's text, in ``column``. ``referred`` are the
    places of the other columns' values where the cell says that it is the same."""

    column: Column
    start: int
    end: int
    referred: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of a comparison table: what it is about and the cells that state a value."""

    label: str
    block: Block
    cells: tuple[StatedCell, ...]


def compared_rows(
    document: ParsedDocument, names: Sequence[str], others: Sequence[str] = ()
) -> list[ComparedRow]:
    """Return the rows of every table of ``document`` that has a column for its own subject and one
    for a predicate; rows of another width than the head are left out.

    ``names`` are what the document's subject is called, its submission number among them,
    ``others`` what other devices are called.
    """
    reading = _Reading(document, names, others)
    return [row for table in _tables(document) for row in reading.rows(table)]


def _tables(document: ParsedDocument) -> Iterator[list[Block]]:
    """Yield the runs of rows that nothing of the body stands between."""
    run: list[Block] = []
    for block in document.blocks:
        if not block.kind.is_body:
            continue
        starts = block.is_table_header or (run and not _is_headed_like(block, run[-1]))
        if run and (block.kind is not BlockKind.TABLE_ROW or starts):
            yield run
            run = []
        if block.kind is BlockKind.TABLE_ROW:
            run.append(block)
    if run:
        yield run


def _is_headed_like(block: Block, before: Block) -> bool:
    if before.is_table_header:
        return len(block.cells) == len(before.cells)
    return [name for name, _ in block.cells] == [name for name, _ in before.cells]


class _Reading:
    """Reads one table of a document."""

    def __init__(
        self, document: ParsedDocument, names: Sequence[str], others: Sequence[str]
    ) -> None:
        self._document = document
        self._names = [name.casefold() for name in names if name]
        self._others = [name.casefold() for name in others if name]

    def rows(self, table: Sequence[Block]) -> Iterator[ComparedRow]:
        """Yield the rows that state something of both."""
        columns: tuple[Column | None, ...] | None = None
        for block in table:
            texts = [text for _, text in block.cells]
            found = self._columns(texts)
            if columns is None:
                columns = found or self._columns([name for name, _ in block.cells])
            elif found is not None and _roles(found) != _roles(columns):
                columns = None  # A torn head: better nothing than a wrong column.
            if columns is None or len(texts) != len(columns) or block.is_table_header:
                continue
            columns = _with_numbers(columns, texts)
            row = self._row(block, columns) if found is None else None
            if row is not None:
                yield row

    def _columns(self, heads: Sequence[str]) -> tuple[Column | None, ...] | None:
        """Return the columns by their heads; None where there is not one of each role."""
        columns = (None, *(self._column(head) for head in heads[1:]))
        roles = {column.role for column in columns if column is not None}
        return columns if len(roles) == len(ColumnRole) else None

    def _column(self, head: str) -> Column | None:
        text = " ".join(_JOINED.sub(" ", head).split())
        if not text or len(text.split()) > _LONGEST_HEADER or _SAME.match(text):
            return None
        numbers = frozenset(number.upper() for number in _NUMBER.findall(text))
        folded = text.casefold()
        is_own = any(name in folded for name in self._names)
        is_subject = is_own or _SUBJECT.search(text) or _DEVICE_FIRST.match(text)
        other = [number for number in numbers if number.casefold() not in self._names]
        is_other = other or any(name in folded for name in self._others)
        is_predicate = _PREDICATE.search(text) or (is_other and not is_subject)
        if bool(is_subject) == bool(is_predicate) or (is_subject and other and not is_own):
            return None
        role = ColumnRole.PREDICATE if is_predicate else ColumnRole.SUBJECT
        return Column(role, text, numbers)

    def _row(self, block: Block, columns: Sequence[Column | None]) -> ComparedRow | None:
        first = next(place for place, column in enumerate(columns) if column is not None)
        label = " ".join(dict.fromkeys(text.strip() for _, text in block.cells[:first]))
        places = list(self._places(block))
        by_column: dict[Column, list[tuple[int, int]]] = {}
        for column, found in zip(columns, places, strict=True):
            if column is not None and found is not None:
                by_column.setdefault(column, []).append(found)
        single = {
            column: found[0]
            for column, found in by_column.items()
            if len({self._text(each) for each in found}) == 1
        }
        cells = [self._cell(column, single) for column in single]
        stated = tuple(
            cell
            for cell in cells
            if cell is not None and self._text((cell.start, cell.end)) != label
        )
        return ComparedRow(label, block, stated) if label and stated else None

    def _places(self, block: Block) -> Iterator[tuple[int, int] | None]:
        """Yield where each cell stands in the text; None for one that states nothing."""
        text, position = self._document.text, block.start
        for head, cell in block.cells:
            label = text.find(head, position, block.end) if head else -1
            position = label + len(head) if label >= 0 else position
            found = find_words(text, cell, position, block.end) if cell.strip() else None
            position = found[1] if found is not None else position
            yield None if _NO_VALUE.fullmatch(cell) else found

    def _cell(self, column: Column, single: dict[Column, tuple[int, int]]) -> StatedCell | None:
        """Return the cell, with what it refers to where it says that it is the same."""
        place = single[column]
        if not _SAME.match(self._text(place)):
            return StatedCell(column, *place)
        others = [found for other, found in single.items() if other.role is not column.role]
        if len({self._text(each) for each in others}) != 1 or _SAME.match(self._text(others[0])):
            return None
        return StatedCell(column, *place, referred=others[0])

    def _text(self, place: tuple[int, int]) -> str:
        return " ".join(self._document.text[slice(*place)].split())


def _roles(columns: Sequence[Column | None]) -> list[ColumnRole | None]:
    return [column.role if column is not None else None for column in columns]


def _with_numbers(
    columns: tuple[Column | None, ...], texts: Sequence[str]
) -> tuple[Column | None, ...]:
    """Return the columns with the submission numbers that a row of numbers gives them; a head
    that was merged over several columns has the numbers of all."""
    found: dict[str, set[str]] = {}
    for column, text in zip(columns, texts, strict=True):
        match = _NUMBER.search(text)
        if column is not None and match is not None and len(text.split()) <= _NUMBER_WORDS:
            found.setdefault(column.name, set()).add(match[0].upper())
    return tuple(
        replace(column, numbers=column.numbers | found.get(column.name, set()))
        if column is not None
        else None
        for column in columns
    )
