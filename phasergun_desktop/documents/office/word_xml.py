"""Writes what DOC and RTF files hold as the XML of Word files, which is read in one place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, SubElement

from phasergun_desktop.documents.word.package import WordDocument
from phasergun_desktop.documents.word.word_names import (
    CELL,
    PARAGRAPH,
    ROW,
    RUN,
    RUN_PROPERTIES,
    TABLE,
    VAL,
    W,
)

# Edges of cells that are this near to one another (twentieths of a point) are one column's.
_SAME_EDGE = 60
_MAX_COLUMNS = 200


@dataclass(slots=True)
class RowShape:
    """The cells of a row: ``edges`` from the left in twentieths of a point, one more than cells.

    ``goes_on`` says per cell whether it continues the cell above it, ``is_joined`` whether it
    continues the cell to its left.
    """

    edges: list[int] = field(default_factory=list)
    goes_on: list[bool] = field(default_factory=list)
    is_joined: list[bool] = field(default_factory=list)
    is_header: bool = False


@dataclass(slots=True)
class _Table:
    """A table as far as it has been written, with the row and the cell under way."""

    element: Element
    rows: list[tuple[Element, RowShape]] = field(default_factory=list)
    row: Element | None = None
    cell: Element | None = None


class WordXml:
    """The XML of one file, written in the order of its text."""

    def __init__(self) -> None:
        self.document = WordDocument(Element(f"{W}body"))
        self._open: list[_Table] = []

    @property
    def in_row(self) -> bool:
        """Whether a row has been begun whose end has not come."""
        return bool(self._open) and self._open[-1].row is not None

    def go_to(self, depth: int) -> None:
        """Say in how many tables what follows is; tables that are left are closed."""
        while len(self._open) > depth:
            self._close(self._open.pop())
        while len(self._open) < depth:
            self._open.append(_Table(SubElement(self._holder(), TABLE)))

    def add_paragraph(
        self,
        text: str,
        properties: Element | None = None,
        *,
        bold: bool = False,
        references: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Add a paragraph to the cell under way, or to the body; lines are divided by ``\\n``."""
        _add_paragraph(self._holder(), text, properties, bold, references)

    def end_cell(self) -> None:
        """End the cell under way."""
        self._holder()
        self._open[-1].cell = None

    def end_row(self, shape: RowShape) -> None:
        """End the row under way."""
        table = self._open[-1]
        if table.row is not None:
            table.rows.append((table.row, shape))
        table.row = table.cell = None

    def add_note(self, kind: str, text: str, author: str = "") -> tuple[str, str]:
        """Add a footnote, endnote or comment; return what a paragraph refers to it by."""
        notes = self.document.parts.setdefault(f"{kind}s", [Element(f"{W}{kind}s")])[0]
        name = str(len(notes))
        fields = {f"{W}id": name, f"{W}author": author}
        _add_paragraph(SubElement(notes, f"{W}{kind}", fields), text)
        return kind, name

    def add_margin(self, text: str) -> None:
        """Add a header or footer."""
        margin = Element(f"{W}hdr")
        _add_paragraph(margin, text)
        self.document.parts.setdefault("header", []).append(margin)

    def _holder(self) -> Element:
        """Return what holds the next paragraph; in a table a cell is begun for it."""
        if not self._open:
            return self.document.main
        table = self._open[-1]
        if table.row is None:
            table.row = SubElement(table.element, ROW)
        if table.cell is None:
            table.cell = SubElement(table.row, CELL)
        return table.cell

    def _close(self, table: _Table) -> None:
        """State the merged cells of a table, whose columns are known at its end."""
        edges = {edge for _, shape in table.rows for edge in shape.edges}
        columns: list[int] = []
        for edge in sorted(edges):
            if not columns or edge - columns[-1] > _SAME_EDGE:
                columns.append(edge)
        for row, shape in table.rows:
            if shape.is_header:
                SubElement(SubElement(row, f"{W}trPr"), f"{W}tblHeader")
            merged: Element | None = None
            for index, cell in enumerate(row.findall(CELL)):
                span = 1
                if len(columns) <= _MAX_COLUMNS and index + 1 < len(shape.edges):
                    # An edge is at most _SAME_EDGE right of its column's.
                    first, last = (
                        bisect_left(columns, edge - _SAME_EDGE)
                        for edge in shape.edges[index : index + 2]
                    )
                    span = max(1, last - first)
                is_joined = any(shape.is_joined[index : index + 1])
                if merged is not None and is_joined and not "".join(cell.itertext()).strip():
                    row.remove(cell)
                    merged.set(VAL, str(int(merged.get(VAL, "1")) + span))
                    continue
                properties = SubElement(cell, f"{W}tcPr")
                merged = stated(properties, "gridSpan", span)
                if any(shape.goes_on[index : index + 1]):
                    stated(properties, "vMerge", "continue")


def stated(parent: Element, name: str, value: object) -> Element:
    """Add an element ``w:name`` with a ``w:val`` to ``parent``."""
    return SubElement(parent, f"{W}{name}", {VAL: str(value)})


def _add_paragraph(
    holder: Element,
    text: str,
    properties: Element | None = None,
    bold: bool = False,
    references: Sequence[tuple[str, str]] = (),
) -> None:
    paragraph = SubElement(holder, PARAGRAPH)
    if properties is not None:
        paragraph.append(properties)
    if not text and not references:
        return
    run = SubElement(paragraph, RUN)
    if bold:
        SubElement(SubElement(run, RUN_PROPERTIES), f"{W}b")
    for number, line in enumerate(text.split("\n")):
        if number:
            SubElement(run, f"{W}br")
        SubElement(run, f"{W}t").text = line
    for kind, name in references:
        SubElement(run, f"{W}{kind}Reference", {f"{W}id": name})
