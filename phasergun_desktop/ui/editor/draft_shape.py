"""A draft as plain values: paragraphs, tables and runs, free of any toolkit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from phasergun_desktop.drafts.renumbering import renumbered_line
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.ui.editor.acceptance import acceptance_of, accepted_at

NO_UNIT = -1
NO_FOOTNOTE = 0
CELL_SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one unit, or a footnote mark (``footnote`` set, ``text`` empty).

    ``unit`` and ``footnote`` are keys of the editor's book, not numbers that a reader sees.
    ``accepted`` is the writer's mark of acceptance.
    """

    text: str
    unit: int = NO_UNIT
    footnote: int = NO_FOOTNOTE
    is_bold: bool = False
    is_italic: bool = False
    accepted: str = ""


class ParagraphKind(StrEnum):
    """What a paragraph is."""

    HEADING = "heading"
    TEXT = "text"
    LIST_ITEM = "list_item"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A heading (``level`` 1 to 6), a paragraph or a list item (``level`` is its depth; 0 and 1 are
    the outermost)."""

    kind: ParagraphKind
    runs: tuple[Run, ...]
    level: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; every cell is a tuple of runs."""

    cells: tuple[tuple[Run, ...], ...]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Consecutive rows."""

    rows: tuple[Row, ...]


DraftShape = tuple[Paragraph | Table, ...]


def footnotes_in_order(shape: DraftShape) -> tuple[int, ...]:
    """Return the keys of the footnotes by their first mark."""
    seen: dict[int, None] = {}
    for run in _all_runs(shape):
        if run.footnote != NO_FOOTNOTE:
            seen.setdefault(run.footnote)
    return tuple(seen)


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
    """Return ``shape`` with every unit and footnote key mapped; 0 drops a mark."""

    def runs(old: tuple[Run, ...]) -> tuple[Run, ...]:
        kept: list[Run] = []
        for run in old:
            key = unit(run.unit) if run.unit != NO_UNIT else NO_UNIT
            if run.footnote == NO_FOOTNOTE:
                kept.append(replace(run, unit=key))
            elif mark := footnote(run.footnote):
                kept.append(replace(run, unit=key, footnote=mark))
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
    """Return a table row with the marks in their cells; without cells of their own, in the last."""
    cells = unit.cells or (unit.text,)
    per_cell = unit.citations_per_cell
    if not any(per_cell):
        per_cell = ((),) * (len(cells) - 1) + (unit.citations,)
    accepted = _mark_of(unit)
    built = []
    for index, cell in enumerate(cells):
        numbers = per_cell[index] if index < len(per_cell) else ()
        marks = tuple(
            Run("", key, footnote_keys[number], accepted=accepted)
            for number in numbers
            if number in footnote_keys
        )
        built.append((Run(cell, key, is_bold=unit.is_header, accepted=accepted), *marks))
    return Row(tuple(built), unit.is_header)


def _mark_of(unit: DraftSentence) -> str:
    if not unit.is_accepted:
        return ""
    text = CELL_SEPARATOR.join(unit.cells) if unit.cells else unit.text
    return acceptance_of(text, unit.accepted)


def units_of_shape(
    shape: DraftShape,
    known: Mapping[int, DraftSentence],
    checked: Mapping[tuple[int, str], DraftSentence] = MappingProxyType({}),
) -> tuple[tuple[DraftSentence, ...], tuple[int, ...]]:
    """Return the units as they stand now, and the key each came from.

    Citations are numbers by position (1 is the first mark). A unit whose words the writer
    changed keeps what was found about the old ones and needs a check, unless ``checked`` (by key
    and words) has it; text of the writer's own carries no claim. An acceptance holds for the
    words that were accepted.
    """
    numbers = {key: number for number, key in enumerate(footnotes_in_order(shape), start=1)}
    units: list[DraftSentence] = []
    keys: list[int] = []
    for piece in shape:
        if isinstance(piece, Table):
            for row in piece.rows:
                unit, key = _unit_of_row(row, known, numbers, checked)
                units.append(unit)
                keys.append(key)
        else:
            for unit, key in _units_of_paragraph(piece, known, numbers, checked):
                units.append(unit)
                keys.append(key)
    return tuple(units), tuple(keys)


def numbered_footnotes(shape: DraftShape, known: Mapping[int, Footnote]) -> tuple[Footnote, ...]:
    """Return the footnotes that still have a mark, numbered by position."""
    kept = []
    for number, key in enumerate(footnotes_in_order(shape), start=1):
        if key in known:
            old = known[key]
            rendered = renumbered_line(old.rendered, number)
            kept.append(replace(old, number=number, rendered=rendered))
    return tuple(kept)


def _cited(runs: tuple[Run, ...], numbers: Mapping[int, int]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for run in runs:
        if run.footnote in numbers:
            found.setdefault(numbers[run.footnote])
    return tuple(found)


def _text(runs: tuple[Run, ...]) -> str:
    return " ".join("".join(run.text for run in runs).split())


def _unit_of_row(
    row: Row,
    known: Mapping[int, DraftSentence],
    numbers: Mapping[int, int],
    checked: Mapping[tuple[int, str], DraftSentence],
) -> tuple[DraftSentence, int]:
    everything = tuple(run for cell in row.cells for run in cell)
    key = next((run.unit for run in everything if run.unit != NO_UNIT), NO_UNIT)
    base = known.get(key) or DraftSentence("")
    cells = tuple(_text(cell) for cell in row.cells)
    joined = CELL_SEPARATOR.join(cells)
    text = base.text if cells == base.cells else joined
    is_changed = key in known and not row.is_header and cells != base.cells
    base = _as_found(base, checked.get((key, text)), is_changed)
    unit = replace(
        base,
        accepted=_accepted(everything, joined),
        text=text,
        kind=UnitKind.TABLE_ROW,
        cells=cells,
        citations=_cited(everything, numbers),
        citations_per_cell=tuple(_cited(cell, numbers) for cell in row.cells),
        is_header=row.is_header,
    )
    return unit, key


def _as_found(base: DraftSentence, found: DraftSentence | None, is_changed: bool) -> DraftSentence:
    """Return ``base`` with what is known about its words as they are now."""
    if found is not None:
        return replace(
            base,
            support=found.support,
            score=found.score,
            problems=found.problems,
            needs_check=False,
        )
    return replace(base, needs_check=base.needs_check or is_changed)


def _accepted(runs: tuple[Run, ...], text: str) -> str:
    mark = next((run.accepted for run in runs if run.accepted), "")
    return accepted_at(mark, text) if mark else ""


def _units_of_paragraph(
    paragraph: Paragraph,
    known: Mapping[int, DraftSentence],
    numbers: Mapping[int, int],
    checked: Mapping[tuple[int, str], DraftSentence],
) -> list[tuple[DraftSentence, int]]:
    groups: list[tuple[int, list[Run]]] = []
    for run in paragraph.runs:
        is_blank = run.footnote == NO_FOOTNOTE and not run.text.strip()
        if (groups and (is_blank or run.unit == groups[-1][0])) or (
            groups and run.unit == NO_UNIT and run.footnote != NO_FOOTNOTE
        ):
            groups[-1][1].append(run)
        elif not is_blank:
            groups.append((run.unit, [run]))
    if paragraph.kind is not ParagraphKind.TEXT and len(groups) > 1:
        # A heading or list item is one unit, however it was pieced together.
        first = next((key for key, _runs in groups if key != NO_UNIT), NO_UNIT)
        groups = [(first, [run for _key, runs in groups for run in runs])]
    units = []
    for index, (key, runs) in enumerate(groups):
        base = known.get(key) or DraftSentence("")
        kind, text = _kind(paragraph, base), _text(tuple(runs))
        states = kind in (UnitKind.SENTENCE, UnitKind.LIST_ITEM)
        is_changed = key in known and states and text != " ".join(base.text.split())
        base = _as_found(base, checked.get((key, text)), is_changed)
        units.append(
            (
                replace(
                    base,
                    text=text,
                    kind=kind,
                    accepted=_accepted(tuple(runs), text),
                    citations=_cited(tuple(runs), numbers),
                    starts_paragraph=index == 0,
                    level=paragraph.level,
                    cells=(),
                    citations_per_cell=(),
                    is_header=False,
                ),
                key,
            )
        )
    return units


def _kind(paragraph: Paragraph, base: DraftSentence) -> UnitKind:
    if paragraph.kind is ParagraphKind.HEADING:
        return UnitKind.HEADING
    if paragraph.kind is ParagraphKind.LIST_ITEM:
        return UnitKind.LIST_ITEM
    return UnitKind.TODO if base.kind is UnitKind.TODO else UnitKind.SENTENCE
