"""Lays the tables of a Word file out on their grid."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from msgspec import structs

from phasergun_desktop.documents.builder import folded_lines
from phasergun_desktop.documents.model import ParagraphLocator
from phasergun_desktop.documents.table_blocks import TableRow
from phasergun_desktop.documents.word.numbering import Numbering
from phasergun_desktop.documents.word.places import own_parts
from phasergun_desktop.documents.word.styles import Styles
from phasergun_desktop.documents.word.word_names import (
    CELL,
    PARAGRAPH,
    PARAGRAPH_PROPERTIES,
    ROW,
    TABLE,
    W,
    is_on,
    number,
    value,
)
from phasergun_desktop.documents.word.word_text import (
    ParagraphText,
    flat_children,
    read_paragraph,
)

_MAX_SPAN = 200
_ROW_PROPERTIES, _CELL_PROPERTIES = f"{W}trPr", f"{W}tcPr"
_DELETED, _CELL_DELETED = f"{W}del", f"{W}cellDel"


# What is anchored in the cells of a row, each with the place of its cell: paragraphs that hold
# more than text, tables, and embedded files.
RowContents = list[tuple[ParagraphText | Element, ParagraphLocator]]


@dataclass(slots=True)
class _Cell:
    """``text`` is the cell's own text, ``shown`` has the numbers of list items as well."""

    text: str = ""
    shown: str = ""
    is_bold: bool = False


class TableReader:
    """Reads tables row by row, merged cells repeated, deleted rows and cells left out.

    The numbers of list items are in what a row says, not in the texts of its cells: by these a
    table is searched and compared. A cell that holds nothing but its number has that as text. A
    row that has nothing but numbers is an empty row of a form.
    """

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self._styles = styles
        self._numbering = numbering

    def read(
        self, table: Element, locator: ParagraphLocator
    ) -> tuple[list[TableRow], list[RowContents]]:
        """Return the rows of ``table`` and what is in each; ``locator`` has its number."""
        rows: list[TableRow] = []
        contents: list[RowContents] = []
        above: dict[int, tuple[str, str]] = {}
        for index, row in enumerate(own_parts(table, ROW), start=1):
            properties = row.find(_ROW_PROPERTIES)
            if properties is None or properties.find(_DELETED) is None:
                place = ParagraphLocator(locator.heading_path, table=locator.table, row=index)
                contents.append([])
                rows.append(self._row(row, properties, place, above, contents[-1]))
        self._mark_first_row(table, rows)
        return rows, contents

    def _mark_first_row(self, table: Element, rows: list[TableRow]) -> None:
        look = table.find(f"{W}tblPr/{W}tblLook")
        if look is None or not rows:
            return
        style = value(table.find(f"{W}tblPr/{W}tblStyle"))
        if _shows_first_row(look) and self._styles.has_bold_first_row(style):
            rows[0] = replace(rows[0], emphasised=True)

    def _row(
        self,
        row: Element,
        properties: Element | None,
        locator: ParagraphLocator,
        above: dict[int, tuple[str, str]],
        found: RowContents,
    ) -> TableRow:
        before = properties.find(f"{W}gridBefore") if properties is not None else None
        cells: list[tuple[_Cell, int, str]] = []
        for index, element in enumerate(own_parts(row, CELL), start=1):
            stated = element.find(_CELL_PROPERTIES)
            if stated is not None and stated.find(_CELL_DELETED) is not None:
                continue
            cell = self._cell(element, index, locator, found)
            cells.append((cell, _span(stated), _merge(stated)))
        is_blank = not any(cell.text for cell, _, _ in cells)
        texts = [("", "")] * number(before, 0, _MAX_SPAN)
        repeated: set[int] = set()
        for cell, span, merge in cells:
            text = ("", "") if is_blank else (cell.text or cell.shown, cell.shown)
            column = len(texts)
            if merge == "beside" and not text[0]:
                text = texts[-1] if texts else text
            elif merge == "below" and not text[0] and not is_blank:
                text = above.get(column, text)
            else:
                above[column] = text
            texts.extend([text] * span)
            repeated.update(range(column + 1, column + span))
        read = [cell for cell, _, _ in cells]
        bold = [cell.is_bold for cell in read if cell.text]
        own = tuple(text for text, _ in texts)
        shown = tuple(text for _, text in texts)
        return TableRow(
            own,
            locator,
            spanning=len(read) == 1 and len(texts) > 1,
            marked_header=is_on(properties, f"{W}tblHeader"),
            emphasised=bool(bold) and all(bold),
            repeated=frozenset(repeated),
            shown=shown if shown != own else (),
        )

    def _cell(
        self, element: Element, column: int, row: ParagraphLocator, found: RowContents
    ) -> _Cell:
        paragraphs: list[tuple[str, str]] = []
        bold: list[bool] = []
        carried = ""
        for child in flat_children(element):
            if child.tag != PARAGRAPH:
                if child.tag not in (ROW, CELL):
                    found.append((child, structs.replace(row, column=column)))
                continue
            content = read_paragraph(child, self._styles)
            if content.has_more:
                found.append((content, structs.replace(row, column=column)))
            raw = carried + content.raw
            carried = raw if content.goes_on else ""
            if content.goes_on:
                continue
            label = self._numbering.next(child.find(PARAGRAPH_PROPERTIES))
            paragraphs.append((label.text, folded_lines(raw)))
            if paragraphs[-1][1]:
                bold.append(content.is_bold or label.style.is_bold)
        if carried:
            paragraphs.append(("", folded_lines(carried)))
        return _Cell(
            "\n".join(text for _, text in paragraphs if text),
            "\n".join(f"{label}{text}".strip() for label, text in paragraphs if label or text),
            bool(bold) and all(bold),
        )


def _shows_first_row(look: Element) -> bool:
    """Say whether the style of the first row applies: stated by name, before 2010 by a bit."""
    bits = value(look)
    if re.fullmatch("[0-9A-Fa-f]{1,8}", bits) and int(bits, 16) & 0x20:
        return True
    return look.get(f"{W}firstRow", "") in ("1", "true", "on")


def _span(properties: Element | None) -> int:
    span = number(properties.find(f"{W}gridSpan") if properties is not None else None, 1, _MAX_SPAN)
    return max(1, span)


def _merge(properties: Element | None) -> str:
    """Return how a cell is merged: ``below`` another one, ``beside`` one, or not."""
    if properties is None:
        return ""
    merge = properties.find(f"{W}vMerge")
    if merge is not None:
        return "" if value(merge) == "restart" else "below"
    across = properties.find(f"{W}hMerge")
    return "beside" if across is not None and value(across) != "restart" else ""


def table_lines(table: Element, styles: Styles) -> tuple[list[str], list[Element]]:
    """Return a table as one line per row, and what is inside of its cells."""
    lines: list[str] = []
    inside: list[Element] = []
    for row in own_parts(table, ROW):
        texts: list[str] = []
        for cell in own_parts(row, CELL):
            pieces: list[str] = []
            for child in flat_children(cell):
                if child.tag == PARAGRAPH:
                    content = read_paragraph(child, styles)
                    pieces.append(content.text)
                    inside.extend(content.boxes)
                elif child.tag == TABLE:
                    inside.append(child)
            texts.append(" ".join(" ".join(pieces).split()))
        lines.append(" | ".join(text for text in texts if text))
    return lines, inside
