"""A draft's units as Markdown with ``[n]`` marks and a Sources list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.grounding.citation_style import DRAFT_CITATIONS, marks_of
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind

SOURCES_HEADING = DRAFT_CITATIONS.sources_heading

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


def paragraphs_of(group: UnitGroup) -> tuple[tuple[DraftSentence, ...], ...]:
    """Return the units of ``group`` by paragraph: those of each item of a list."""
    made: list[list[DraftSentence]] = []
    for unit in group.units:
        if unit.starts_paragraph or not made:
            made.append([])
        made[-1].append(unit)
    return tuple(map(tuple, made))


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
    heading: str = SOURCES_HEADING,
    line_end: str = "",
) -> str:
    """Return the draft as Markdown; it ends with the Sources list under ``heading`` where there are
    footnotes; ``line_end`` ends each of its lines.

    Marks follow the text directly, behind its full stop (``… 600 mg/dL.[1][2]``), as notes do
    in print. The text of a unit stays as it is; inside a table row line breaks become spaces
    and ``|`` is escaped. ``remark`` gives what follows a unit's marks, nothing unless told.
    """
    notes = {note.number: note for note in footnotes}
    writer = _Writer(remark, lambda citations: marks_of(citations, notes))
    parts = [writer.group(group) for group in group_units(units)]
    if footnotes:
        parts.append(_render_sources(footnotes, line_end, heading))
    return "\n\n".join(parts) + "\n" if parts else ""


def _render_sources(footnotes: Sequence[Footnote], line_end: str, heading: str) -> str:
    """Return the rule, the heading and one line per footnote, each ending with ``line_end``."""
    lines = "\n".join(f"{source_line(footnote)}{line_end}" for footnote in footnotes)
    return f"---\n## {heading.lstrip('# ')}\n\n{lines}"


def source_line(footnote: Footnote) -> str:
    """The line of the Sources list, on one line and with its number in front."""
    text = _one_line(footnote.rendered or footnote.title or footnote.file)
    is_numbered = re.match(rf"\[[^\]]*\b{footnote.number}\]", text)
    return text if is_numbered else f"[{footnote.number}] {text}"


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes groups with the remarks and marks that were asked for."""

    remark: Remark
    marks: Callable[[Sequence[int]], str]

    def group(self, group: UnitGroup) -> str:
        if group.kind is GroupKind.HEADING:
            unit = group.units[0]
            hashes = "#" * min(max(unit.level, 1) + 1, 6)
            return f"{hashes} {_one_line(unit.text)}{self._after(unit)}"
        if group.kind is GroupKind.LIST:
            items = paragraphs_of(group)
            return "\n".join(f"{_bullet(item[0])}{self._line(item)}" for item in items)
        if group.kind is GroupKind.TABLE:
            return self._table(group.units)
        return self._line(group.units)

    def _line(self, units: Sequence[DraftSentence]) -> str:
        return " ".join(f"{unit.text}{self._after(unit)}" for unit in units)

    def _after(self, unit: DraftSentence) -> str:
        return f"{self.marks(unit.citations)}{self.remark(unit)}"

    def _table(self, rows: Sequence[DraftSentence]) -> str:
        rendered = [
            [f"{_in_cell(text)}{_in_cell(self.marks(cited))}" for text, cited in row_cells(row)]
            for row in rows
        ]
        for row, cells in zip(rows, rendered, strict=True):
            cells[-1] += self.remark(row).replace("|", "\\|")
        width = max(len(row) for row in rendered)
        if not rows[0].is_header:
            rendered.insert(0, [""] * width)
        lines = [_pipe_row(row, width) for row in rendered]
        lines.insert(1, "|" + " --- |" * width)
        return "\n".join(lines)


def _bullet(unit: DraftSentence) -> str:
    return "  " * max(unit.level - 1, 0) + "- "


def _pipe_row(cells: Sequence[str], width: int) -> str:
    padded = [*cells, *[""] * (width - len(cells))]
    return "|" + "".join(f" {cell} |" for cell in padded)


def _in_cell(text: str) -> str:
    return _one_line(text).replace("|", "\\|")


def _one_line(text: str) -> str:
    return " ".join(text.split())
