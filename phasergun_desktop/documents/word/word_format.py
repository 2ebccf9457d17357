"""Reads Word files: headings by style, numbered paragraphs, lists, tables row by row, notes.

The XML is read directly: a file with a missing or broken part is still read,
nothing outside of the file is ever fetched, and tracked changes come out as accepted. Numbers
that Word counts ("4.2.1 Scope", "(a)") are part of the text, bullets are not. What the numbers of
a locator count is defined in ``places``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import DocumentBuilder, folded, folded_lines
from phasergun_desktop.documents.container.xml_parts import R
from phasergun_desktop.documents.encodings import decode_text, looks_like_text
from phasergun_desktop.documents.headings import heading_depth, is_caption
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.plain.html_pages import add_html
from phasergun_desktop.documents.table_blocks import table_rows
from phasergun_desktop.documents.word.asides import margin_texts, note_texts, part_text
from phasergun_desktop.documents.word.grid import TableReader
from phasergun_desktop.documents.word.numbering import Label, Numbering
from phasergun_desktop.documents.word.package import WordDocument, WordPackage
from phasergun_desktop.documents.word.places import places
from phasergun_desktop.documents.word.styles import Styles
from phasergun_desktop.documents.word.word_names import ALT_CHUNK, PARAGRAPH, TABLE, W, value
from phasergun_desktop.documents.word.word_text import (
    ParagraphText,
    flat_children,
    read_paragraph,
)
from phasergun_desktop.errors import DocumentError

_MAX_HEADING = 400
_NOT_READ = "Content that is embedded as another file was not read."
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_SAMPLE = 4096
_MAX_EMBEDDING = 3
_LOOKED_AHEAD = 6
_NOT_OF_A_TABLE = re.compile(
    r"^(?:fig|abb|chart|photo|image|picture|equation|diagram)", re.IGNORECASE
)

# An element, and where it stands if not where its own number says.
_Placed = tuple[Element, ParagraphLocator | None]


def read_docx(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of a Word file to ``builder``; return its properties.

    Raises DocumentError where the file is damaged beyond reading, a bomb, or has a password.
    """
    return _read_package(WordPackage(data), builder)


def read_word(document: WordDocument, builder: DocumentBuilder) -> None:
    """Append the blocks of a document of another format."""
    _BodyReader(builder, document).read()


def _read_package(
    package: WordPackage,
    builder: DocumentBuilder,
    inside: ParagraphLocator | None = None,
    depth: int = 0,
) -> FileProperties:
    before = len(builder.blocks)
    reader = _BodyReader(builder, package, inside, depth)
    reader.read()
    if package.remarks and len(builder.blocks) == before:
        raise package.damaged("there is no readable text in it")
    for remark in package.remarks:
        builder.warn(remark)
    builder.warn_of_inner_files(package.inner_files())
    return package.properties(reader.styles.language)


class _BodyReader:
    """Walks the body in its order and appends blocks, then notes, headers and footers.

    ``within`` is where the whole file stands when it is embedded in another one, ``depth`` how
    often it is.
    """

    def __init__(
        self,
        builder: DocumentBuilder,
        package: WordPackage | WordDocument,
        within: ParagraphLocator | None = None,
        depth: int = 0,
    ) -> None:
        self._builder = builder
        self._package = package
        self.styles = Styles(next(package.parts_of("styles"), None))
        self._within = within
        self._depth = depth
        self._numbering = Numbering(next(package.parts_of("numbering"), None), self.styles)
        self._tables = TableReader(self.styles, self._numbering)
        self._body = package.body()
        self._places = places(self._body)
        self._anchors: dict[tuple[str, str], ParagraphLocator] = {}
        self._carried: tuple[ParagraphText, ParagraphLocator, Element] | None = None
        self._caption = ""
        self._list_number = 0
        self._in_list = False

    def read(self) -> None:
        """Append everything."""
        elements = list(flat_children(self._body))
        for index, element in enumerate(elements, start=1):
            is_table = element.tag == TABLE
            title = self._table_title(elements[index : index + _LOOKED_AHEAD]) if is_table else ""
            self._add(element, title)
        self._add_carried()
        notes = note_texts(self._package, self.styles)
        for reference, locator in self._anchors.items():
            if reference in notes:
                self._builder.add(
                    BlockKind.NOTE, notes[reference], locator, heading_path=locator.heading_path
                )
        for text in margin_texts(self._package, self.styles):
            self._builder.add(BlockKind.HEADER_FOOTER, text, ParagraphLocator(), heading_path=())

    def _add(self, element: Element, title: str) -> None:
        """Append ``element`` and what is anchored in it, without recursion."""
        stack: list[Iterator[_Placed]] = [iter([(element, self._within)])]
        while stack:
            placed = next(stack[-1], None)
            if placed is None:
                stack.pop()
                continue
            current, inside = placed
            if current.tag == PARAGRAPH:
                stack.append(iter(self._add_paragraph(current, inside)))
            elif current.tag == TABLE:
                stack.append(self._added_table(current, title))
                title = ""
            elif current.tag == ALT_CHUNK:
                self._add_embedded(current)
            else:
                stack.append((child, inside) for child in flat_children(current))

    def _add_paragraph(self, element: Element, inside: ParagraphLocator | None) -> list[_Placed]:
        """Append a paragraph and return the text boxes that are anchored in it."""
        found = read_paragraph(element, self.styles)
        locator = inside or ParagraphLocator(
            self._builder.heading_path, paragraph=self._places.get(element)
        )
        for reference in found.references:
            self._anchors.setdefault(reference, locator)
        if self._carried is not None:
            before, started, _ = self._carried
            self._carried = None
            found.raw = before.raw + found.raw
            locator = started if before.raw.strip() else locator
        if found.goes_on:
            # The end of this paragraph is deleted: it goes on in the next one.
            self._carried = (found, locator, element)
        else:
            self._add_text(element, found, locator)
        self._add_beside(found.parts, locator)
        return [(box, inside) for box in found.boxes]

    def _add_carried(self) -> None:
        if self._carried is not None:
            found, locator, element = self._carried
            self._carried = None
            self._add_text(element, found, locator)

    def _add_text(self, element: Element, found: ParagraphText, locator: ParagraphLocator) -> None:
        properties = element.find(f"{W}pPr")
        label = self._numbering.next(properties)
        text = found.text
        if not text:
            return
        text = f"{label.text}{text}"
        self._caption = ""
        level = self._heading_level(label, properties, found, text)
        if level:
            self._in_list = False
            self._builder.add(BlockKind.HEADING, text, locator, level=level)
        elif label.style.is_caption or is_caption(text):
            self._in_list = False
            self._caption = folded(text)
            self._builder.add(BlockKind.CAPTION, text, locator)
        elif label.depth:
            self._list_number += not self._in_list
            self._in_list = True
            self._builder.add(
                BlockKind.LIST_ITEM,
                text,
                locator,
                level=label.depth,
                group=("list", self._list_number),
            )
        else:
            self._in_list = False
            self._builder.add(BlockKind.PARAGRAPH, text, locator)

    def _heading_level(
        self, label: Label, properties: Element | None, found: ParagraphText, text: str
    ) -> int:
        """Return 1 to 9 for a heading: by its outline level, its style, or a bold "3.2 Scope"."""
        if len(text) > _MAX_HEADING:
            return 0
        stated = value(properties.find(f"{W}outlineLvl") if properties is not None else None)
        level = int(stated) + 1 if stated in set("012345678") else label.style.level
        if not level and (found.is_bold or label.style.is_bold):
            level = heading_depth(text, emphasised=True)
        return level

    def _table_title(self, following: Iterable[Element]) -> str:
        """Return the caption of the table that comes now: the one before it, else after it."""
        if self._caption:
            title = self._caption
            return "" if _NOT_OF_A_TABLE.match(title) else title
        texts: list[str] = []
        for element in following:
            if element.tag != PARAGRAPH:
                # A caption between two tables is that of the second.
                return ""
            text = folded_lines(read_paragraph(element, self.styles).raw)
            if text:
                texts.append(text if not texts and self._names_table(element, text) else "")
            if texts and not texts[0]:
                return ""
            if len(texts) > 1:
                break
        return folded(texts[0]) if texts else ""

    def _names_table(self, element: Element, text: str) -> bool:
        style = self.styles.paragraph(value(element.find(f"{W}pPr/{W}pStyle")))
        return (style.is_caption or is_caption(text)) and not _NOT_OF_A_TABLE.match(text)

    def _added_table(self, table: Element, title: str) -> Iterator[_Placed]:
        """Append a table row by row; yield what is inside of each row after it."""
        self._add_carried()
        self._in_list = False
        self._caption = ""
        number = self._places.get(table)
        rows, contents = self._tables.read(
            table, self._within or ParagraphLocator(self._builder.heading_path, table=number)
        )
        if self._within is not None:
            rows = [replace(row, locator=self._within) for row in rows]
        group = ("table", self._depth, number or id(table))
        for index in table_rows(self._builder, rows, group=group, title=title):
            for found, locator in contents[index]:
                place = self._within or locator
                if not isinstance(found, ParagraphText):
                    yield found, place
                    continue
                for reference in found.references:
                    self._anchors.setdefault(reference, locator)
                self._add_beside(found.parts, locator)
                for box in found.boxes:
                    yield box, place

    def _add_beside(self, parts: list[str], locator: ParagraphLocator) -> None:
        """Append the texts of charts and diagrams."""
        for part in parts:
            text = part_text(self._package.linked(part))
            self._builder.add(BlockKind.PARAGRAPH, text, locator)

    def _add_embedded(self, element: Element) -> None:
        self._add_carried()
        self._in_list = False
        name, data = self._package.embedded(element.get(f"{R}id", ""))
        if data is None or self._depth >= _MAX_EMBEDDING:
            self._builder.warn(_NOT_READ)
        elif data.startswith(b"PK"):
            place = ParagraphLocator(self._builder.heading_path)
            try:
                _read_package(WordPackage(data), self._builder, place, self._depth + 1)
            except DocumentError:
                self._builder.warn(_NOT_READ)
        elif not _add_embedded_text(self._builder, name, data):
            self._builder.warn(_NOT_READ)


def _add_embedded_text(builder: DocumentBuilder, name: str, data: bytes) -> bool:
    """Append the text of an embedded HTML or text file; False where it is something else."""
    if not looks_like_text(data[:_SAMPLE]) or data.startswith(b"{\\rtf"):
        return False
    text = decode_text(data).text
    locator = ParagraphLocator(builder.heading_path)
    if name.lower().endswith(_HTML_SUFFIXES) or "<html" in text[:_SAMPLE].lower():
        add_html(builder, text, lambda _line: locator)
    else:
        for paragraph in text.split("\n\n"):
            builder.add(BlockKind.PARAGRAPH, paragraph, locator)
    return True
