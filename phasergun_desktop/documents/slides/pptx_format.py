"""Reads presentations: slides in order, their shapes in reading order, notes and comments.

The XML is read directly: a file with a missing or broken part is still read, every flavour of
the format (macros, templates, shows, Strict) is, and nothing outside of the file is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container.office_package import OfficePackage, Relation
from phasergun_desktop.documents.container.xml_parts import DGM, A, C, R
from phasergun_desktop.documents.container.zip_parts import PartTooLargeError, part_key
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import SlideLocator
from phasergun_desktop.documents.slides.charts import read_chart
from phasergun_desktop.documents.slides.deck import Deck
from phasergun_desktop.documents.slides.placement import Shape, flat
from phasergun_desktop.documents.slides.shapes import P, placeholder_places, shapes_of
from phasergun_desktop.documents.slides.slide_text import diagram_lines, paragraphs, table_rows
from phasergun_desktop.documents.table_blocks import TableRow

_CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_MAX_SLIDES = 20_000
_SLIDE_PART = re.compile(r"ppt/slides/slide(\d{1,9})\.xml")
_PROGRAM_NAME = re.compile(r"[\w. ()-]{1,40}")


def read_pptx(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of a presentation to ``builder``; return its properties.

    Raises DocumentError where the file is damaged or password protected.
    """
    package = OfficePackage(data, "PowerPoint")
    names = _slide_names(package)
    reader = _DeckReader(builder, package)
    for number, name in enumerate(names[:_MAX_SLIDES], start=1):
        reader.read_slide(number, name)
    reader.deck.finish()
    for remark in package.remarks:
        builder.warn(remark)
    core = package.core_properties()
    return FileProperties(
        title=core.get("title", ""),
        author=core.get("creator", ""),
        created=core.get("created", ""),
        modified=core.get("modified", ""),
        language=core.get("language", ""),
        pages=len(names),
    )


def _slide_names(package: OfficePackage) -> list[str]:
    """Return the parts of the slides in their order; by number where no part says an order."""
    main = next(package.targets(package.relations, "officeDocument"), "ppt/presentation.xml")
    root = package.xml(main)
    if root is not None:
        relations = package.relations_of(main)
        listed = [
            relations[slide.get(f"{R}id", "")].target
            for slide in root.iterfind(f"{P}sldIdLst/{P}sldId")
            if slide.get(f"{R}id", "") in relations
        ]
        if listed:
            return listed
    numbered = [
        (int(match[1]), name)
        for name in package.parts.names
        if (match := _SLIDE_PART.fullmatch(part_key(name)))
    ]
    if not numbered and root is None:
        raise package.damaged("it has no slides")
    return [name for _, name in sorted(numbered)]


class _DeckReader:
    """Reads slide by slide and keeps what slides share."""

    def __init__(self, builder: DocumentBuilder, package: OfficePackage) -> None:
        self._builder = builder
        self._package = package
        self._layouts: dict[str, tuple[list[Shape], bool, str]] = {}
        self.deck = Deck(builder)

    def read_slide(self, number: int, name: str) -> None:
        """Append one slide: title, shapes, notes, comments."""
        root, damage = self._package.readable(name)
        if isinstance(damage, PartTooLargeError):
            raise self._package.failure(damage)
        if damage is not None:
            end = " to its end" if root is not None else ""
            self._builder.warn(f"Slide {number} was not read{end}: {damage}.")
        if root is None:
            return
        try:
            self._read_root(number, name, root)
        except RecursionError:
            self._builder.warn(f"Slide {number} was not read to its end: it is nested too deeply.")

    def _read_root(self, number: int, name: str, root: Element) -> None:
        if root.get("show") in ("0", "false"):
            self.deck.note_hidden(number)
        relations = self._package.relations_of(name)
        layout, shows_master, master_name = self._layout(_target(relations, "slideLayout"))
        master, _, _ = self._layout(master_name)
        places = placeholder_places([*flat(layout), *flat(master)])
        title = self.deck.add_slide(
            number,
            shapes_of(root, places),
            lambda shape, locator: self._contents(shape, locator, relations),
        )
        notes = self._package.xml(_target(relations, "notesSlide"))
        if notes is not None:
            self.deck.add_notes(number, title, shapes_of(notes, {}))
        for relation in relations.values():
            if relation.kind == "comments":
                self._read_comments(number, self._package.xml(relation.target))
        if _shows_master(root):
            self.deck.note_background(number, layout)
            self.deck.note_background(number, master if shows_master else [])

    def _layout(self, name: str) -> tuple[list[Shape], bool, str]:
        """Return shapes of a layout or master, whether it shows its master, the master's name."""
        if name not in self._layouts:
            root = self._package.xml(name)
            self._layouts[name] = (
                shapes_of(root, {}) if root is not None else [],
                root is None or _shows_master(root),
                _target(self._package.relations_of(name) if name else {}, "slideMaster"),
            )
        return self._layouts[name]

    def _read_comments(self, number: int, root: Element | None) -> None:
        for comment in root.iter() if root is not None else ():
            # Comments of old, and of the threaded kind with their replies.
            if comment.tag.rpartition("}")[2] in ("cm", "reply"):
                texts = [
                    text
                    for child in comment
                    if child.tag.rpartition("}")[2] in ("text", "txBody")
                    for text in (paragraphs(child) or [(child.text or "").strip()])
                ]
                self.deck.add_comment(number, "\n".join(texts))

    def _contents(
        self, shape: Shape, locator: SlideLocator, relations: dict[str, Relation]
    ) -> Iterator[str | list[TableRow]]:
        frame = shape.element
        if frame is None or frame.tag != f"{P}graphicFrame":
            return
        for table in frame.iter(f"{A}tbl"):
            yield table_rows(table, locator)
        for reference in frame.iter(f"{DGM}relIds"):
            data = self._part(relations, reference.get(f"{R}dm", ""))
            if data is not None:
                yield "\n".join(diagram_lines(data))
        for reference in frame.iter(f"{C}chart"):
            part = self._part(relations, reference.get(f"{R}id", ""))
            if part is not None:
                texts, tables = read_chart(part)
                yield "\n".join(texts)
                for rows in tables:
                    yield [
                        TableRow(cells, locator, marked_header=place == 0)
                        for place, cells in enumerate(rows)
                    ]
        if frame.find(f".//{_CX}chart") is not None:
            self._builder.warn("A chart of a kind of 2016 or later was not read.")
        for embedded in frame.iter(f"{P}oleObj"):
            name = embedded.get("progId", "")
            kind = f" ({name})" if _PROGRAM_NAME.fullmatch(name) else ""
            self._builder.warn(f"An embedded object of another program{kind} was not read.")

    def _part(self, relations: dict[str, Relation], relationship: str) -> Element | None:
        relation = relations.get(relationship)
        return self._package.xml(relation.target) if relation is not None else None


def _shows_master(root: Element) -> bool:
    return root.get("showMasterSp", "1") not in ("0", "false")


def _target(relations: dict[str, Relation], kind: str) -> str:
    return next((relation.target for relation in relations.values() if relation.kind == kind), "")
