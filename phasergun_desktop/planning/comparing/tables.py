"""Comparison tables of documents: which column speaks of whom, and what each row states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.planning.subject import names_in
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
# What stands somewhere in a text whose tables have a column for a predicate.
_MAY_COMPARE = re.compile(
    r"predicate|prädikat|prédicat|predicad|vergleichs(?:produkt|gerät)|legally\W*marketed"
    # The head may have been put together of two rows.
    r"|reference\W*(?:\w+\W+){0,20}?device|(?:K|P|DEN)\d{6}",
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
    cells: tuple[StatedCell, ...]


def compared_rows(
    document: ParsedDocument, names: Sequence[str], others: Sequence[str] = ()
) -> list[ComparedRow]:
    """Return the rows of every table of ``document`` that has a column for its own subject and one
    for a predicate; rows of another width than the head are left out.

    ``names`` are what the document's subject is called, its submission number among them,
    ``others`` what other devices are called.
    """
    found = []

    @cache
    def columns_of(heads: tuple[str, ...]) -> tuple[Column | None, ...] | None:
        # Thousands of rows are none, which is told much faster than what their cells are.
        return read_columns(heads, names, others) if may_compare(" ".join(heads), others) else None

    for table in tables(document):
        columns: tuple[Column | None, ...] | None = None
        for block in table:
            texts = tuple(text for _, text in block.cells)
            head = columns_of(texts)
            if columns is None:
                columns = head or columns_of(tuple(name for name, _ in block.cells))
            elif head is not None and _roles(head) != _roles(columns):
                break  # A torn head: better nothing than a wrong column.
            if columns is None or len(texts) != len(columns) or block.is_table_header:
                continue
            columns = _with_numbers(columns, texts)
            row = _row(document, block, columns) if head is None else None
            if row is not None:
                found.append(row)
    return found


def may_compare(text: str, others: Sequence[str]) -> bool:
    """Whether a document of this text can have rows for ``compared_rows``, which reads much more
    of it; ``others`` as there."""
    folded = text.casefold()
    return _MAY_COMPARE.search(text) is not None or any(
        all(word in folded for word in name.casefold().split()) for name in others
    )


def tables(document: ParsedDocument) -> Iterator[list[Block]]:
    """Yield the runs of rows that nothing of the body stands between."""
    run: list[Block] = []
    for block in document.blocks:
        if not block.kind.is_body:
            continue
        is_row = block.kind is BlockKind.TABLE_ROW
        if run and not (is_row and _goes_on(block, run[-1])):
            yield run
            run = []
        if is_row:
            run.append(block)
    if run:
        yield run


def read_columns(
    heads: Sequence[str], names: Sequence[str], others: Sequence[str] = ()
) -> tuple[Column | None, ...] | None:
    """Return the columns by their heads, the first of which names the rows; None where there is
    not one of each role."""
    columns = (None, *(_column(head, names, others) for head in heads[1:]))
    return columns if len(set(_roles(columns)) - {None}) == len(ColumnRole) else None


def _goes_on(block: Block, before: Block) -> bool:
    if block.is_table_header:
        return False
    if before.is_table_header:
        return len(block.cells) == len(before.cells)
    return [name for name, _ in block.cells] == [name for name, _ in before.cells]


def _column(head: str, names: Sequence[str], others: Sequence[str]) -> Column | None:
    text = " ".join(_JOINED.sub(" ", head).split())
    if not text or len(text.split()) > _LONGEST_HEADER or _SAME.match(text):
        return None
    numbers = frozenset(number.upper() for number in _NUMBER.findall(text))
    is_own = _has_any(head, names)
    is_called_so = bool(_PREDICATE.search(text))
    is_device = _DEVICE_FIRST.match(text) and not is_called_so
    is_subject = is_own or bool(_SUBJECT.search(text) or is_device)
    has_other_number = any(not _has_any(number, names) for number in numbers)
    is_predicate = is_called_so or (not is_subject and (has_other_number or _has_any(head, others)))
    if is_subject == is_predicate or (is_subject and has_other_number and not is_own):
        return None
    return Column(ColumnRole.PREDICATE if is_predicate else ColumnRole.SUBJECT, text, numbers)


def _has_any(text: str, names: Sequence[str]) -> bool:
    return any(names_in(filter(None, names), text))


def _row(
    document: ParsedDocument, block: Block, columns: Sequence[Column | None]
) -> ComparedRow | None:
    first = next(place for place, column in enumerate(columns) if column is not None)
    label = " ".join(dict.fromkeys(text.strip() for _, text in block.cells[:first]))
    by_column: dict[Column, list[tuple[int, int]]] = {}
    for column, found in zip(columns, cell_places(document, block), strict=True):
        if column is not None and found is not None:
            by_column.setdefault(column, []).append(found)

    def text(place: tuple[int, int]) -> str:
        return " ".join(document.text[slice(*place)].split())

    # A head over several columns that differ says of none of them whose it is.
    single = {
        column: found[0]
        for column, found in by_column.items()
        if len({text(each) for each in found}) == 1 and text(found[0]) != label
    }
    cells = []
    for column, place in single.items():
        if not _SAME.match(text(place)):
            cells.append(StatedCell(column, *place))
            continue
        others = {text(p): p for other, p in single.items() if other.role is not column.role}
        if len(others) == 1 and not _SAME.match(next(iter(others))):
            cells.append(StatedCell(column, *place, referred=next(iter(others.values()))))
    return ComparedRow(label, tuple(cells)) if label and cells else None


def cell_places(document: ParsedDocument, block: Block) -> Iterator[tuple[int, int] | None]:
    """Yield where each cell stands in the text; None for one that states nothing."""
    position = block.start
    for head, cell in block.cells:
        label = document.text.find(head, position, block.end) if head else -1
        position = label + len(head) if label >= 0 else position
        found = find_words(document.text, cell, position, block.end) if cell.strip() else None
        position = found[1] if found is not None else position
        yield None if _NO_VALUE.fullmatch(cell) else found


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
