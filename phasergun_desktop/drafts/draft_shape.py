"""A draft as plain values: paragraphs, tables and runs, free of any toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import groupby
from types import MappingProxyType

from phasergun_desktop.drafts.acceptance import acceptance_of, accepted_at
from phasergun_desktop.drafts.piece_memo import PieceMemo
from phasergun_desktop.drafts.renumbering import with_number
from phasergun_desktop.grounding.model import STATEMENTS, DraftSentence, Footnote, UnitKind
from phasergun_desktop.grounding.rendering import row_cells
from phasergun_desktop.text.values import is_label

NO_UNIT = -1
NO_FOOTNOTE = 0
CELL_SEPARATOR = " | "
# A unit's key, its words and the keys of its footnotes: what a check was made of.
Checked = tuple[int, str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one unit, or a footnote mark (``footnote`` set, ``text`` empty).

    ``unit`` and ``footnote`` are keys of the editor's book, not numbers that a reader sees.
    ``accepted`` is the writer's mark of acceptance. ``start``..``end`` are UTF-16 positions from
    the beginning of its paragraph or row in the document that it was read from.
    """

    text: str
    unit: int = NO_UNIT
    footnote: int = NO_FOOTNOTE
    is_bold: bool = False
    is_italic: bool = False
    accepted: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


class ParagraphKind(StrEnum):
    """What a paragraph is."""

    HEADING = "heading"
    TEXT = "text"
    LIST_ITEM = "list_item"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A heading (``level`` 1 to 6), a paragraph or a list item (``level`` is its depth; 0 and 1 are
    the outermost). ``block`` is its number in the document that it was read from, ``start`` the
    UTF-16 position of its beginning there."""

    kind: ParagraphKind
    runs: tuple[Run, ...]
    level: int = 0
    block: int = field(default=0, compare=False)
    start: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; every cell is a tuple of runs. ``block`` and ``start`` are those of the
    paragraph that it begins with."""

    cells: tuple[tuple[Run, ...], ...]
    is_header: bool = False
    block: int = field(default=0, compare=False)
    start: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """Consecutive rows."""

    rows: tuple[Row, ...]


DraftShape = tuple[Paragraph | Table, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A unit as it stands in the text, with the keys of its footnotes; ``is_marked``: it has a
    mark of acceptance."""

    key: int
    unit: DraftSentence
    notes: frozenset[int]
    is_marked: bool


def footnotes_in_order(shape: DraftShape) -> tuple[int, ...]:
    """Return the keys of the footnotes by their first mark."""
    seen: dict[int, None] = {}
    for run in _all_runs(shape):
        if run.footnote != NO_FOOTNOTE:
            seen.setdefault(run.footnote)
    return tuple(seen)


def words_alone(shape: DraftShape) -> tuple[Run, ...] | None:
    """Return the runs of a ``shape`` that is words of one paragraph, which go into another one
    where they are pasted; None for whole pieces."""
    (one, *more) = shape or (None,)
    is_text = isinstance(one, Paragraph) and one.kind is ParagraphKind.TEXT and not more
    return one.runs if isinstance(one, Paragraph) and is_text else None


def _all_runs(shape: DraftShape) -> list[Run]:
    runs: list[Run] = []
    for piece in shape:
        if isinstance(piece, Paragraph):
            runs.extend(piece.runs)
        else:
            for row in piece.rows:
                for cell in row.cells:
                    runs.extend(cell)
    return runs


def rekeyed(
    shape: DraftShape, unit: Callable[[int], int], footnote: Callable[[int], int]
) -> DraftShape:
    """Return ``shape`` with every unit and footnote key mapped; 0 drops a mark. Words of a unit
    that is none any more are nobody's accepted ones."""

    def runs(old: tuple[Run, ...]) -> tuple[Run, ...]:
        kept: list[Run] = []
        for run in old:
            key = unit(run.unit) if run.unit != NO_UNIT else NO_UNIT
            accepted = "" if key == NO_UNIT != run.unit else run.accepted
            if run.footnote == NO_FOOTNOTE:
                kept.append(replace(run, unit=key, accepted=accepted))
            elif mark := footnote(run.footnote):
                kept.append(replace(run, unit=key, accepted=accepted, footnote=mark))
        return tuple(kept)

    pieces: list[Paragraph | Table] = []
    for piece in shape:
        if isinstance(piece, Paragraph):
            pieces.append(replace(piece, runs=runs(piece.runs)))
        else:
            rows = tuple(
                replace(row, cells=tuple(runs(cell) for cell in row.cells)) for row in piece.rows
            )
            pieces.append(Table(rows))
    return tuple(pieces)


def keys_of(unit: DraftSentence, footnote_keys: Mapping[int, int]) -> frozenset[int]:
    """Return the keys of the footnotes that the unit cites."""
    return frozenset(footnote_keys[number] for number in unit.cited if number in footnote_keys)


def runs_of_unit(
    unit: DraftSentence, key: int, footnote_keys: Mapping[int, int]
) -> tuple[Run, ...]:
    """Return the text of a unit followed by its marks."""
    marks = (footnote_keys[number] for number in unit.citations if number in footnote_keys)
    accepted = _mark_of(unit)
    return (
        Run(unit.text, key, accepted=accepted),
        *(Run("", key, mark, accepted=accepted) for mark in marks),
    )


def row_of_unit(unit: DraftSentence, key: int, footnote_keys: Mapping[int, int]) -> Row:
    """Return a table row with the marks in their cells; those of no cell stand in the last."""
    accepted = _mark_of(unit)
    built = []
    for text, numbers in row_cells(unit):
        marks = tuple(
            Run("", key, footnote_keys[number], accepted=accepted)
            for number in numbers
            if number in footnote_keys
        )
        built.append((Run(text, key, is_bold=unit.is_header, accepted=accepted), *marks))
    return Row(tuple(built), unit.is_header)


def _mark_of(unit: DraftSentence) -> str:
    if not unit.is_accepted:
        return ""
    text = CELL_SEPARATOR.join(unit.cells) if unit.cells else unit.text
    return acceptance_of(text, unit.accepted)


def statements_of(
    shape: DraftShape,
    known: Mapping[int, DraftSentence],
    checked: Mapping[Checked, DraftSentence],
    memo: PieceMemo | None = None,
    changes: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Statement, ...]:
    """Return the units of a ``shape`` whose runs have the keys of their statements.

    Citations are numbers by position (1 is the first mark). What is known of a unit is what was
    ``checked`` for its words and footnotes as they are; else it needs a check. An acceptance
    holds for the words that were accepted. What was found of a piece is taken from ``memo`` while
    the number in ``changes`` of each of its units is the same.
    """
    numbers = numbers_in(shape)
    memo = memo or PieceMemo()

    def state(runs: Iterable[Run]) -> tuple[tuple[int, int], ...]:
        return tuple((changes.get(run.unit, 0), numbers.get(run.footnote, 0)) for run in runs)

    found: list[Statement] = []
    for piece in shape:
        if isinstance(piece, Paragraph):
            made = partial(_of_paragraph, piece, known, numbers, checked)
            about = (piece.kind, piece.level, state(piece.runs))
            found += memo.get("statements", piece.runs, about, made)
            continue
        for row in piece.rows:
            one = partial(_of_row, row, known, numbers, checked)
            about_row = (row.is_header, *map(state, row.cells))
            found.append(memo.get("row", row.cells, about_row, one))
    return tuple(found)


def numbers_in(shape: DraftShape) -> dict[int, int]:
    """Return the number of each footnote key: its place among the first marks, from 1."""
    return {key: number for number, key in enumerate(footnotes_in_order(shape), start=1)}


def numbered_footnotes(shape: DraftShape, known: Mapping[int, Footnote]) -> tuple[Footnote, ...]:
    """Return the footnotes that still have a mark, numbered by position."""
    marked = enumerate(footnotes_in_order(shape), start=1)
    return tuple(with_number(known[key], number) for number, key in marked if key in known)


def runs_by_unit(paragraph: Paragraph) -> Iterator[tuple[int, tuple[Run, ...]]]:
    """Yield each unit of a paragraph with its runs; space between them is passed over."""
    for unit, group in groupby(paragraph.runs, lambda run: run.unit):
        runs = tuple(group)
        if unit != NO_UNIT or any(run.footnote or run.text.strip() for run in runs):
            yield unit, runs


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit: a bullet or a full stop alone states nothing."""
    return any(map(str.isalnum, text))


def text_of_runs(runs: Iterable[Run]) -> str:
    """Return the words of ``runs``, without their marks."""
    return " ".join("".join(run.text for run in runs).split())


def _cited(runs: tuple[Run, ...], numbers: Mapping[int, int]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for run in runs:
        if run.footnote in numbers:
            found.setdefault(numbers[run.footnote])
    return tuple(found)


def _of_row(
    row: Row,
    known: Mapping[int, DraftSentence],
    numbers: Mapping[int, int],
    checked: Mapping[Checked, DraftSentence],
) -> Statement:
    everything = tuple(run for cell in row.cells for run in cell)
    key = next((run.unit for run in everything if run.unit != NO_UNIT), NO_UNIT)
    base = known.get(key) or DraftSentence("")
    cells = tuple(text_of_runs(cell) for cell in row.cells)
    joined = CELL_SEPARATOR.join(cells)
    unit = replace(
        base,
        accepted=_accepted(everything, joined),
        text=base.text if cells == base.cells else joined,
        kind=UnitKind.TABLE_ROW,
        cells=cells,
        citations=_cited(everything, numbers),
        citations_per_cell=tuple(_cited(cell, numbers) for cell in row.cells),
        is_header=row.is_header,
    )
    return _as_found(unit, key, everything, checked)


def _as_found(
    unit: DraftSentence, key: int, runs: tuple[Run, ...], checked: Mapping[Checked, DraftSentence]
) -> Statement:
    """Return ``unit`` with what is known about its words and footnotes as they are now."""
    notes = frozenset(run.footnote for run in runs if run.footnote != NO_FOOTNOTE)
    found = checked.get((key, " ".join(unit.text.split()), notes))
    if found is None:
        states = has_words(unit.text) and unit.kind in STATEMENTS and not unit.is_header
        unit = replace(unit, needs_check=states)
    else:
        unit = replace(
            unit,
            support=found.support,
            score=found.score,
            problems=found.problems,
            needs_check=False,
        )
    return Statement(key, unit, notes, any(run.accepted for run in runs))


def _accepted(runs: tuple[Run, ...], text: str) -> str:
    mark = next((run.accepted for run in runs if run.accepted), "")
    return accepted_at(mark, text) if mark else ""


def _of_paragraph(
    paragraph: Paragraph,
    known: Mapping[int, DraftSentence],
    numbers: Mapping[int, int],
    checked: Mapping[Checked, DraftSentence],
) -> list[Statement]:
    found: list[Statement] = []
    for key, runs in runs_by_unit(paragraph):
        base = known.get(key) or DraftSentence("")
        text = text_of_runs(runs)
        unit = replace(
            base,
            text=text,
            kind=_kind(paragraph, base),
            accepted=_accepted(runs, text),
            citations=_cited(runs, numbers),
            starts_paragraph=not found,
            level=paragraph.level,
            cells=(),
            citations_per_cell=(),
            is_header=base.is_header and (text == base.text or is_label(text)),
        )
        found.append(_as_found(unit, key, runs, checked))
    return found


def _kind(paragraph: Paragraph, base: DraftSentence) -> UnitKind:
    if paragraph.kind is ParagraphKind.HEADING:
        return UnitKind.HEADING
    if paragraph.kind is ParagraphKind.LIST_ITEM:
        return UnitKind.LIST_ITEM
    return UnitKind.TODO if base.kind is UnitKind.TODO else UnitKind.SENTENCE
