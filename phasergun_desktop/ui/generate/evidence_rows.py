"""The lines of the evidence board: what each shows, what it leads to and what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from phasergun_desktop.planning.model import Plan, PlannedPoint, PlannedUnit, PointKind
from phasergun_desktop.references.model import Problem, Severity, SourceValue
from phasergun_desktop.text.snippets import one_line
from phasergun_desktop.ui.generate.evidence_words import (
    name_of,
    point_state,
    reference_words,
    source_line,
    stated_elsewhere,
)
from phasergun_desktop.ui.generate.ticked_evidence import NeedRows
from phasergun_desktop.ui.wording import count, file_name

MORE_AT_ONCE = 12
# The code of the problem that a reference to a hidden document is.
_HIDDEN = "hidden_document"


class RowKind(StrEnum):
    """What a line is."""

    PROBLEM = "problem"
    GROUP = "group"
    NOTE = "note"
    NEED = "need"
    UNIT = "unit"
    MORE = "more"
    SHOW_MORE = "show_more"


@dataclass(frozen=True, slots=True)
class Replacement:
    """What may stand in the prompt where ``problem`` is."""

    problem: Problem
    text: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line: ``text``, and ``second`` in a quieter colour. ``key`` is the same for the same line
    of the next plan; ``leads_to`` is what a click opens (a problem, a passage, a file) or does (a
    replacement). ``need`` is the place of its need, -1 for none; ``is_open`` says how it is first
    shown."""

    kind: RowKind
    key: str
    text: str
    second: str = ""
    icon: str = ""
    need: int = -1
    unit: PlannedUnit | None = None
    leads_to: object = None
    is_gap: bool = False
    is_open: bool = True
    rows: tuple[BoardRow, ...] = field(default=())


def board_rows(plan: Plan, needs: Sequence[NeedRows], shown: dict[int, int]) -> list[BoardRow]:
    """Return the lines of ``plan`` with what is ticked in ``needs``; ``shown`` says how many of the
    passages that were considered are listed below a need."""
    rows = [_problem_row(problem) for problem in plan.problems]
    rows += [
        BoardRow(RowKind.PROBLEM, f"warning {each}", f"Warning: {each}", icon="warning")
        for each in plan.warnings
    ]
    if plan.references:
        references = tuple(_reference_rows(plan))
        rows.append(
            BoardRow(
                RowKind.GROUP,
                "references",
                f"{count(len(references), 'reference')} in the prompt",
                rows=references,
                is_open=not all(each.resolved for each in plan.references),
            )
        )
    for at, need in enumerate(needs):
        own = tuple(p for p in plan.points if p.need_id == need.planned.need.need_id)
        state = point_state(need, own, stated_elsewhere(at, needs))
        rows.append(_need_row(at, need, own, shown.get(at, MORE_AT_ONCE), state))
    return rows


def _problem_row(problem: Problem) -> BoardRow:
    blocks = problem.severity is Severity.BLOCKS
    word, icon = ("Stops generation", "blocks") if blocks else ("Warning", "warning")
    text = f"{problem.message} {problem.remedy}".strip()
    key = f"problem {problem.code} {text}"
    rows = tuple(
        BoardRow(RowKind.NOTE, f"{key} {each}", f"Use {one_line(each)}", "", "reference",
                 leads_to=Replacement(problem, each))
        for each in problem.replacements
    )  # fmt: skip
    said = f"{word}: {text}"
    return BoardRow(
        RowKind.PROBLEM, key, said, icon=icon, leads_to=problem, is_gap=blocks, rows=rows
    )


def _reference_rows(plan: Plan) -> Iterator[BoardRow]:
    hidden = {(one.start, one.end) for one in plan.problems if one.code == _HIDDEN}
    for at, reference in enumerate(plan.references):
        is_hidden = (reference.start, reference.end) in hidden
        means, file = reference_words(reference, is_hidden=is_hidden)
        icon = "reference" if reference.resolved else "blocks"
        yield BoardRow(
            RowKind.NOTE, f"reference {at}", reference.text, means, icon, leads_to=file or None
        )


def _need_row(
    at: int,
    need: NeedRows,
    points: tuple[PlannedPoint, ...],
    most: int,
    state: tuple[str, bool],
) -> BoardRow:
    asked = need.planned.need
    key = f"need {asked.need_id} {asked.query}"
    below = [*_word_for_word(key, points), *(_unit_row(at, unit, key) for unit in need.shown)]
    if need.more:
        listed = [_unit_row(at, unit, key) for unit in need.more[:most]]
        left = len(need.more) - len(listed)
        if left:
            text = f"Show {min(left, MORE_AT_ONCE)} more"
            listed.append(BoardRow(RowKind.SHOW_MORE, f"{key} show more", text, need=at))
        were = "passage that was" if len(need.more) == 1 else "passages that were"
        more = "more " if need.shown else ""
        below.append(
            BoardRow(
                RowKind.MORE,
                f"{key} more",
                f"{len(need.more):,} {more}{were} considered",
                need=at,
                rows=tuple(listed),
                is_open=False,
            )
        )
    return BoardRow(
        RowKind.NEED,
        key,
        f"{at + 1}. {name_of(need)}",
        state[0],
        need=at,
        is_gap=state[1],
        rows=tuple(below),
    )


def _unit_row(at: int, unit: PlannedUnit, key: str) -> BoardRow:
    passage = unit.passage
    return BoardRow(
        RowKind.UNIT,
        f"{key} {passage.file} {passage.text}",
        one_line(passage.text),
        source_line(passage),
        need=at,
        unit=unit,
        leads_to=passage,
    )


def _word_for_word(key: str, points: Sequence[PlannedPoint]) -> Iterator[BoardRow]:
    """Yield what stands in the text word for word: values, answers, and the table in short."""
    cells = [point for point in points if point.kind is PointKind.COMPARE]
    if cells:
        rows = tuple(_cell_row(f"{key} cell {at}", cell) for at, cell in enumerate(cells))
        attributes = {cell.attribute for cell in cells}
        devices = {cell.device for cell in cells}
        size = f"{count(len(attributes), 'row')}, {count(len(devices), 'device')}"
        yield BoardRow(RowKind.GROUP, f"{key} table", f"Table: {size}", rows=rows, is_open=False)
    for at, point in enumerate(points):
        if point in cells:
            continue
        if point.value is not None:
            label = point.instruction if point.kind is PointKind.VERBATIM else ""
            yield _value_row(f"{key} value {at}", label, point.value)
        for pair in point.pairs:
            row = _value_row(f"{key} answer {pair.question}", "", pair.answer)
            yield replace(row, second=f"answers “{one_line(pair.question)}” · {row.second}")


def _value_row(key: str, label: str, value: SourceValue) -> BoardRow:
    text = f"{label} {one_line(value.text)}".strip()
    where = f"{file_name(value.file)} · word for word"
    return BoardRow(RowKind.NOTE, key, text, where, "passage", leads_to=value.file)


def _cell_row(key: str, point: PlannedPoint) -> BoardRow:
    name = f"{point.attribute}: {point.device}"
    if point.value is None:
        return BoardRow(RowKind.NOTE, key, name, "not found", is_gap=True)
    text = f"{name}: {one_line(point.value.text)}"
    leads_to: object = point.evidence[0] if point.evidence else point.value.file
    where = f"{file_name(point.value.file)} · word for word"
    return BoardRow(RowKind.NOTE, key, text, where, leads_to=leads_to)
