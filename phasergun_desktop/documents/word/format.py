"""Reads Word files: headings by style, paragraphs, lists, tables row by row, notes, margins.

The XML is read directly: a file with a missing or broken part is still read, nothing
outside of the file is ever fetched, and tracked changes come out as accepted.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.tables import TableRow, add_table
from phasergun_desktop.documents.word.package import (
    ParagraphStyle,
    W,
    WordPackage,
    open_word_package,
)
from phasergun_desktop.documents.word.text import flat_children, is_on, read_paragraph

_NO_STYLE = ParagraphStyle()
_MAX_SPAN = 200
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})


def read_docx(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of a Word file to ``builder``; return its properties.

    Raises DocumentError where the file is damaged.
    """
    package = open_word_package(data)
    _BodyReader(builder, package).read()
    core = package.core
    return FileProperties(
        title=core.get("title", ""),
        author=core.get("creator", ""),
        created=core.get("created", ""),
        modified=core.get("modified", ""),
        language=core.get("language", ""),
        pages=package.pages,
    )


class _BodyReader:
    """Walks the body in its order and appends blocks."""

    def __init__(self, builder: DocumentBuilder, package: WordPackage) -> None:
        self._builder = builder
        self._package = package
        self._paragraph = 0
        self._table = 0
        self._carried = ""
        self._list_number = 0
        self._in_list = False

    def read(self) -> None:
        """Append body, then notes, then headers and footers."""
        self._read_container(self._package.body)
        for label, note in self._package.notes:
            if note.get(f"{W}type") not in _SEPARATORS:
                self._add_aside(BlockKind.NOTE, note, f"{label.capitalize()}: ")
        seen: set[str] = set()
        for margin in self._package.margins:
            self._add_aside(BlockKind.HEADER_FOOTER, margin, "", seen)

    def _read_container(self, container: Element) -> None:
        for child in flat_children(container):
            if child.tag == f"{W}p":
                self._read_paragraph(child)
            elif child.tag == f"{W}tbl":
                self._in_list = False
                self._read_table(child)
            elif child.tag == f"{W}altChunk":
                self._builder.warn("Content that is embedded as another file was not read.")

    def _read_paragraph(self, element: Element) -> None:
        self._paragraph += 1
        found = read_paragraph(element)
        text = f"{self._carried}{found.text}"
        self._carried = ""
        if found.mark_deleted:
            # The end of this paragraph is deleted: it goes on in the next one.
            self._carried = f"{text} " if text else ""
        elif text:
            self._add_paragraph(element, text)
        for box in found.boxes:
            self._read_container(box)

    def _add_paragraph(self, element: Element, text: str) -> None:
        properties = element.find(f"{W}pPr")
        style = self._style(properties)
        level = _outline_level(properties) or style.level
        locator = ParagraphLocator(self._builder.heading_path, paragraph=self._paragraph)
        if level and len(text) <= 400:
            self._in_list = False
            self._builder.add(BlockKind.HEADING, text, locator, level=level)
            return
        numbering = properties.find(f"{W}numPr") if properties is not None else None
        if style.is_list or _is_numbered(numbering):
            self._list_number += not self._in_list
            self._in_list = True
            self._builder.add(
                BlockKind.LIST_ITEM,
                text,
                locator,
                level=_list_depth(numbering),
                group=("list", self._list_number),
            )
            return
        self._in_list = False
        kind = BlockKind.CAPTION if style.is_caption else BlockKind.PARAGRAPH
        self._builder.add(kind, text, locator)

    def _style(self, properties: Element | None) -> ParagraphStyle:
        named = properties.find(f"{W}pStyle") if properties is not None else None
        style_id = named.get(f"{W}val", "") if named is not None else ""
        return self._package.styles.get(style_id, _NO_STYLE)

    def _read_table(self, table: Element) -> None:
        self._table += 1
        number = self._table
        nested: list[Element] = []
        rows: list[TableRow] = []
        path = self._builder.heading_path
        above: dict[int, str] = {}
        for index, row in enumerate(_rows(table), start=1):
            locator = ParagraphLocator(path, table=number, row=index)
            rows.append(_table_row(row, locator, above, nested))
        add_table(self._builder, rows, group=("table", number))
        for inner in nested:
            if inner.tag == f"{W}tbl":
                self._read_table(inner)
            else:
                self._read_container(inner)

    def _add_aside(
        self, kind: BlockKind, element: Element, label: str, seen: set[str] | None = None
    ) -> None:
        texts = [read_paragraph(item).text for item in element.iter(f"{W}p")]
        text = "\n".join(item for item in texts if item)
        if not text or (seen is not None and text in seen):
            return
        if seen is not None:
            seen.add(text)
        self._builder.add(kind, label + text, ParagraphLocator(), heading_path=())


def _rows(table: Element) -> list[Element]:
    """Return the rows of a table except those whose insertion was deleted."""
    rows = [row for row in flat_children(table) if row.tag == f"{W}tr"]
    return [row for row in rows if row.find(f"{W}trPr/{W}del") is None]


def _table_row(
    row: Element, locator: ParagraphLocator, above: dict[int, str], nested: list[Element]
) -> TableRow:
    """Lay a row out on the table's grid; ``above`` holds what vertical merges repeat."""
    texts: list[str] = []
    bold: list[bool] = []
    cells = [cell for cell in flat_children(row) if cell.tag == f"{W}tc"]
    texts.extend([""] * _number(row.find(f"{W}trPr/{W}gridBefore"), 0))
    for cell in cells:
        properties = cell.find(f"{W}tcPr")
        span = _number(properties.find(f"{W}gridSpan") if properties is not None else None, 1)
        merge = properties.find(f"{W}vMerge") if properties is not None else None
        text, all_bold = _cell_text(cell, nested)
        column = len(texts)
        if merge is None:
            above.pop(column, None)
        elif merge.get(f"{W}val") == "restart":
            above[column] = text
        else:
            text = text or above.get(column, "")
        texts.extend([text] * max(1, span))
        if text:
            bold.append(all_bold)
    properties = row.find(f"{W}trPr")
    return TableRow(
        tuple(texts),
        locator,
        spanning=len(cells) == 1 and len(texts) > 1,
        marked_header=is_on(properties, "tblHeader"),
        emphasised=bool(bold) and all(bold),
    )


def _cell_text(cell: Element, nested: list[Element]) -> tuple[str, bool]:
    lines: list[str] = []
    bold: list[bool] = []
    carried = ""
    for child in flat_children(cell):
        if child.tag == f"{W}tbl":
            nested.append(child)
        elif child.tag == f"{W}p":
            found = read_paragraph(child)
            nested.extend(found.boxes)
            text = carried + found.text
            carried = f"{text} " if found.mark_deleted else ""
            if text and not carried:
                lines.append(text)
                bold.append(found.bold)
    return "\n".join([*lines, carried.strip()] if carried else lines), bool(bold) and all(bold)


def _number(element: Element | None, default: int) -> int:
    value = element.get(f"{W}val", "") if element is not None else ""
    return min(_MAX_SPAN, int(value)) if value.isdigit() else default


def _outline_level(properties: Element | None) -> int:
    value = _number(properties.find(f"{W}outlineLvl") if properties is not None else None, 9)
    return value + 1 if value < 9 else 0


def _is_numbered(numbering: Element | None) -> bool:
    if numbering is None:
        return False
    identity = numbering.find(f"{W}numId")
    return identity is not None and identity.get(f"{W}val") != "0"


def _list_depth(numbering: Element | None) -> int:
    return _number(numbering.find(f"{W}ilvl") if numbering is not None else None, 0) + 1
