"""A draft's units as Markdown with ``[n]`` marks and a Sources list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind

SOURCES_HEADING = "Sources"

Remark = Callable[[DraftSentence], str]


class GroupKind(StrEnum):
    """What consecutive units make together."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """One heading, or the units of one paragraph, list or table, in order."""

    kind: GroupKind
    units: tuple[DraftSentence, ...]


_GROUP_OF = {
    UnitKind.HEADING: GroupKind.HEADING,
    UnitKind.LIST_ITEM: GroupKind.LIST,
    UnitKind.TABLE_ROW: GroupKind.TABLE,
    UnitKind.SENTENCE: GroupKind.PARAGRAPH,
    UnitKind.TODO: GroupKind.PARAGRAPH,
}


def group_units(units: Sequence[DraftSentence]) -> tuple[UnitGroup, ...]:
    """Join the units that belong together; every unit is in exactly one group, in order.

    A paragraph ends before a unit that opens one, a table before a header row.
    """
    groups: list[tuple[GroupKind, list[DraftSentence]]] = []
    for unit in units:
        kind = _GROUP_OF[unit.kind]
        opens = (
            kind is GroupKind.HEADING
            or (kind is GroupKind.PARAGRAPH and unit.starts_paragraph)
            or (kind is GroupKind.TABLE and unit.is_header)
        )
        if groups and groups[-1][0] is kind and not opens:
            groups[-1][1].append(unit)
        else:
            groups.append((kind, [unit]))
    return tuple(UnitGroup(kind, tuple(members)) for kind, members in groups)


def marks(citations: Sequence[int]) -> str:
    """The marks as they stand in text: ``[1][2]``."""
    return "".join(f"[{number}]" for number in citations)


def row_cells(unit: DraftSentence) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The cells of a table row, each with the footnote numbers that stand in it.

    Citations that belong to no cell stand in the last one, so that none is lost.
    """
    texts = unit.cells or (unit.text,)
    placed = list(unit.citations_per_cell[: len(texts)])
    placed += [()] * (len(texts) - len(placed))
    seen = {number for cell in placed for number in cell}
    rest = tuple(number for number in unit.citations if number not in seen)
    placed[-1] = (*placed[-1], *rest)
    return tuple(zip(texts, placed, strict=True))


def no_remark(unit: DraftSentence) -> str:
    """Say nothing about the unit."""
    del unit
    return ""


def render_markdown(
    units: Sequence[DraftSentence],
    footnotes: Sequence[Footnote],
    remark: Remark = no_remark,
) -> str:
    """Return the draft as Markdown; it ends with the Sources list where there are footnotes.

    Marks follow the text directly, behind its full stop (``… 600 mg/dL.[1][2]``), as notes do
    in print. The text of a unit stays as it is; inside a table row line breaks become spaces
    and ``|`` is escaped. ``remark`` gives what follows a unit's marks, nothing unless told.
    """
    parts = [_render_group(group, remark) for group in group_units(units)]
    if footnotes:
        parts.append(render_sources(footnotes))
    return "\n\n".join(parts) + "\n" if parts else ""


def render_sources(footnotes: Sequence[Footnote], line_end: str = "") -> str:
    """Return the rule, the heading and one line per footnote, each ending with ``line_end``."""
    lines = "\n".join(f"{source_line(footnote)}{line_end}" for footnote in footnotes)
    return f"---\n## {SOURCES_HEADING}\n\n{lines}"


def source_line(footnote: Footnote) -> str:
    """The line of the Sources list, on one line and with its number in front."""
    text = _one_line(footnote.rendered or footnote.title or footnote.file)
    number = f"[{footnote.number}]"
    return text if text.startswith(number) else f"{number} {text}"


def _render_group(group: UnitGroup, remark: Remark) -> str:
    if group.kind is GroupKind.HEADING:
        unit = group.units[0]
        hashes = "#" * min(max(unit.level, 1) + 1, 6)
        return f"{hashes} {_one_line(unit.text)}{marks(unit.citations)}{remark(unit)}"
    if group.kind is GroupKind.LIST:
        return "\n".join(f"{_bullet(unit)}{_with_marks(unit, remark)}" for unit in group.units)
    if group.kind is GroupKind.TABLE:
        return _render_table(group.units, remark)
    return " ".join(_with_marks(unit, remark) for unit in group.units)


def _with_marks(unit: DraftSentence, remark: Remark) -> str:
    return f"{unit.text}{marks(unit.citations)}{remark(unit)}"


def _bullet(unit: DraftSentence) -> str:
    return "  " * max(unit.level - 1, 0) + "- "


def _render_table(rows: Sequence[DraftSentence], remark: Remark) -> str:
    rendered = [[f"{_in_cell(text)}{marks(cited)}" for text, cited in row_cells(r)] for r in rows]
    for row, cells in zip(rows, rendered, strict=True):
        cells[-1] += remark(row).replace("|", "\\|")
    width = max(len(row) for row in rendered)
    if not rows[0].is_header:
        rendered.insert(0, [""] * width)
    lines = [_pipe_row(row, width) for row in rendered]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def _pipe_row(cells: Sequence[str], width: int) -> str:
    padded = [*cells, *[""] * (width - len(cells))]
    return "|" + "".join(f" {cell} |" for cell in padded)


def _in_cell(text: str) -> str:
    return _one_line(text).replace("|", "\\|")


def _one_line(text: str) -> str:
    return " ".join(text.split())
