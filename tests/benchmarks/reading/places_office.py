"""Goes to a place of a Word file or a presentation by counting in its XML, and reads there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.model import ParagraphLocator, SlideLocator
from tests.benchmarks.reading.word_cells import own_paragraphs, paragraph_text

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_REFERENCES = {
    f"{_W}footnoteReference": "footnotes",
    f"{_W}endnoteReference": "endnotes",
    f"{_W}commentReference": "comments",
}
_LEAVES = tuple(f"{_P}{name}" for name in ("sp", "pic", "graphicFrame", "cxnSp", "contentPart"))


class WordPlaces:
    """Counts paragraphs, tables, rows and cells as the reader of Word files documents it."""

    def __init__(self, path: Path) -> None:
        from docx import Document

        document = Document(str(path))
        body = document.element.body
        self._paragraphs = [
            each
            for each in body.iter(f"{_W}p")
            if next(each.iterancestors(f"{_W}tbl"), None) is None
        ]
        self._tables = list(body.iter(f"{_W}tbl"))
        self._part = document.part

    def paragraph(self, locator: ParagraphLocator) -> str | None:
        """Return the paragraph, or the cell, at ``locator``; None where there is none."""
        if locator.table is not None:
            cells = self._row(locator)
            if cells is None or locator.column is None or locator.column > len(cells):
                return None
            return _cell_text(cells[locator.column - 1])
        if locator.paragraph is None or not 0 < locator.paragraph <= len(self._paragraphs):
            return None
        found = paragraph_text(self._paragraphs[locator.paragraph - 1])
        index = locator.paragraph
        # The end of a paragraph may be deleted: then it goes on in the next one.
        while index < len(self._paragraphs) and _end_deleted(self._paragraphs[index - 1]):
            found += " " + paragraph_text(self._paragraphs[index])
            index += 1
        return found

    def row(self, locator: ParagraphLocator) -> list[str] | None:
        """Return the texts of the cells of the row at ``locator``, those without text too."""
        cells = self._row(locator)
        return None if cells is None else [_cell_text(_origin(each)) for each in cells]

    def anchored(self, locator: ParagraphLocator) -> list[str]:
        """Return the texts that are anchored in the paragraph, row or cell of ``locator``: notes
        and comments as a whole, strings of charts and diagrams one by one."""
        found: list[str] = []
        for element in self._elements(locator):
            for reference in element.iter(*_REFERENCES):
                note = self._notes.get((_REFERENCES[reference.tag], reference.get(f"{_W}id", "")))
                if note is not None:
                    found.append("\n".join(paragraph_text(each) for each in note.iter(f"{_W}p")))
            for child in element.iter():
                for name, value in child.attrib.items():
                    if name.startswith(_R) and value in self._part.rels:
                        found.extend(self._part_strings(value))
        return found

    def _elements(self, locator: ParagraphLocator) -> list[Any]:
        if locator.table is not None:
            cells = self._row(locator) or []
            return cells if locator.column is None else cells[locator.column - 1 :][:1]
        return self._paragraphs[(locator.paragraph or 1) - 1 :][:1]

    def _part_strings(self, relationship: str) -> Iterator[str]:
        relation = self._part.rels[relationship]
        if not relation.is_external and "xml" in relation.target_part.content_type:
            yield from _strings(relation.target_part.blob)

    @property
    def _notes(self) -> dict[tuple[str, str], Any]:
        from docx.oxml.parser import parse_xml

        found: dict[tuple[str, str], Any] = {}
        for relation in self._part.rels.values():
            kind = relation.reltype.rpartition("/")[2]
            if kind in ("footnotes", "endnotes", "comments") and not relation.is_external:
                for note in parse_xml(relation.target_part.blob):
                    found[kind, note.get(f"{_W}id", "")] = note
        return found

    def _row(self, locator: ParagraphLocator) -> list[Any] | None:
        if locator.table is None or locator.row is None:
            return None
        if not 0 < locator.table <= len(self._tables):
            return None
        table = self._tables[locator.table - 1]
        rows = [
            each for each in table.iter(f"{_W}tr") if next(each.iterancestors(f"{_W}tbl")) is table
        ]
        if not 0 < locator.row <= len(rows):
            return None
        row = rows[locator.row - 1]
        return [each for each in row.iter(f"{_W}tc") if next(each.iterancestors(f"{_W}tr")) is row]


def _origin(cell: Any) -> Any:
    """Return the first of the cells that are merged down the column of ``cell``."""
    while cell is not None:
        merge = cell.find(f"{_W}tcPr/{_W}vMerge")
        if merge is None or merge.get(f"{_W}val") == "restart":
            return cell
        above = next(cell.iterancestors(f"{_W}tr")).getprevious()
        found = [] if above is None else list(above.iter(f"{_W}tc"))
        column = _column(cell)
        upper = next((each for each in found if _column(each) == column), None)
        if upper is None:
            return cell
        cell = upper
    return cell


def _column(cell: Any) -> int:
    """Return the column of the table's grid, from 0, at which a cell begins."""
    row = next(cell.iterancestors(f"{_W}tr"))
    before = row.find(f"{_W}trPr/{_W}gridBefore")
    column = int(before.get(f"{_W}val", "0")) if before is not None else 0
    for each in row.iter(f"{_W}tc"):
        if each is cell:
            break
        span = each.find(f"{_W}tcPr/{_W}gridSpan")
        column += int(span.get(f"{_W}val", "1")) if span is not None else 1
    return column


def _cell_text(cell: Any) -> str:
    return "\n".join(paragraph_text(each) for each in own_paragraphs(cell))


def _end_deleted(paragraph: Any) -> bool:
    return paragraph.find(f"{_W}pPr/{_W}rPr/{_W}del") is not None


class SlidePlaces:
    """Counts slides and shapes (those in groups one by one) in the order of the file."""

    def __init__(self, path: Path) -> None:
        from pptx import Presentation

        self._slides = list(Presentation(str(path)).slides)

    def shape(self, locator: SlideLocator) -> str | None:
        """Return the text of the shape, None where there is none."""
        element = self._element(locator)
        if element is None:
            return None
        return "\n".join(_slide_text(each) for each in element.iter(f"{_A}p"))

    def rows(self, locator: SlideLocator) -> list[list[str]]:
        """Return the cells of the table in the shape, row by row."""
        element = self._element(locator)
        if element is None:
            return []
        return [
            [
                "\n".join(_slide_text(each) for each in cell.iter(f"{_A}p"))
                for cell in row.iter(f"{_A}tc")
            ]
            for row in element.iter(f"{_A}tr")
        ]

    def beside(self, locator: SlideLocator) -> list[str]:
        """Return the texts that belong to the slide without being on it: notes, comments,
        charts, diagrams, its layout and master; a paragraph or string each."""
        if not 0 < locator.slide <= len(self._slides):
            return []
        found: list[str] = []
        seen: set[str] = set()
        parts = [self._slides[locator.slide - 1].part]
        while parts:
            part = parts.pop()
            name = str(part.partname)
            if name in seen or ("xml" not in part.content_type):
                continue
            seen.add(name)
            found.extend(_strings(part.blob))
            # A slide leads to its notes, layout and charts; those must not lead to other slides.
            parts.extend(
                relation.target_part
                for relation in part.rels.values()
                if not relation.is_external and relation.reltype.rpartition("/")[2] != "slide"
            )
        return found

    def _element(self, locator: SlideLocator) -> Any | None:
        if not 0 < locator.slide <= len(self._slides) or locator.shape is None:
            return None
        tree = self._slides[locator.slide - 1].element
        leaves = [
            each
            for each in tree.iter(*_LEAVES)
            if next(each.iterancestors(_FALLBACK), None) is None
        ]
        return leaves[locator.shape - 1] if 0 < locator.shape <= len(leaves) else None


def _slide_text(paragraph: Any) -> str:
    return "".join(
        "\n" if each.tag == f"{_A}br" else (each.text or "")
        for each in paragraph.iter(f"{_A}t", f"{_A}br")
    )


def _strings(blob: bytes) -> Iterator[str]:
    """Yield the text of every paragraph, and of every element that has text of its own."""
    from docx.oxml.parser import parse_xml

    try:
        root = parse_xml(blob)
    except SyntaxError:
        return
    for paragraph in root.iter(f"{_A}p"):
        yield _slide_text(paragraph)
    for paragraph in root.iter(f"{_W}p"):
        yield paragraph_text(paragraph)
    for element in root.iter():
        if isinstance(element.tag, str) and (element.text or "").strip():
            yield element.text or ""
