"""Reads presentations: slides in order, their shapes in reading order, notes and comments.

The XML is read directly: a file with a missing or broken part is still read, every flavour of
the format (macros, templates, shows, Strict) is, and nothing outside of the file is fetched.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.container.office_package import OfficePackage, Relation
from phasergun_desktop.documents.container.zip_parts import PartTooLargeError, part_key
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, SlideLocator
from phasergun_desktop.documents.slides.charts import read_chart
from phasergun_desktop.documents.slides.graphics import diagram_lines, table_rows
from phasergun_desktop.documents.slides.placement import Box, flat
from phasergun_desktop.documents.slides.shapes import (
    MARGINS,
    TITLES,
    Shape,
    in_reading_order,
    placeholder_places,
    shapes_of,
)
from phasergun_desktop.documents.slides.slide_names import CX, DGM, A, C, P, R
from phasergun_desktop.documents.slides.slide_text import paragraphs
from phasergun_desktop.documents.table_blocks import TableRow, add_table

SPEAKER_NOTES = "Speaker notes"
_MAX_SLIDES = 20_000
_SLIDE_PART = re.compile(r"ppt/slides/slide(\d{1,9})\.xml")
_PROGRAM_NAME = re.compile(r"[\w. ()-]{1,40}")


def read_pptx(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of a presentation to ``builder``; return its properties.

    Raises DocumentError where the file is damaged or password protected.
    """
    package = OfficePackage(data, "PowerPoint")
    names = _slide_names(package)
    deck = _DeckReader(builder, package)
    for number, name in enumerate(names[:_MAX_SLIDES], start=1):
        deck.read_slide(number, name)
    deck.finish()
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
        self._places: dict[tuple[str, str], dict[tuple[str, str], Box]] = {}
        self._hidden: list[int] = []
        # Text that layouts and masters put on slides, with the first slide that shows it.
        self._background: dict[str, int] = {}
        self._margins: set[str] = set()

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
            self._hidden.append(number)
        relations = self._package.relations_of(name)
        layout_name = _target(relations, "slideLayout")
        layout_relations = self._package.relations_of(layout_name) if layout_name else {}
        master_name = _target(layout_relations, "slideMaster")
        shapes = shapes_of(root, self._placeholder_places(layout_name, master_name))
        title = self._read_shapes(number, shapes, relations)
        self._read_notes(number, title, relations)
        self._read_comments(number, relations)
        if root.get("showMasterSp", "1") not in ("0", "false"):
            self._note_background(number, layout_name, master_name)

    def finish(self) -> None:
        """Append what layouts and masters show on slides, and say which slides are hidden."""
        for text, number in self._background.items():
            self._add_margin(text, SlideLocator(number))
        if self._hidden:
            slides = ", ".join(str(number) for number in self._hidden[:50])
            self._builder.warn(f"Slides that are hidden in the show were read too: {slides}.")

    def _placeholder_places(self, layout: str, master: str) -> dict[tuple[str, str], Box]:
        if (layout, master) not in self._places:
            self._places[layout, master] = placeholder_places(
                self._package.xml(layout), self._package.xml(master)
            )
        return self._places[layout, master]

    def _note_background(self, number: int, layout: str, master: str) -> None:
        for name in (layout, master):
            root = self._package.xml(name) if name else None
            if root is None:
                continue
            for shape in flat(shapes_of(root, {})):
                text = "\n".join(paragraphs(shape.element.find(f"{P}txBody")))
                if text and not shape.placeholder:
                    self._background.setdefault(text, number)
            if root.get("showMasterSp", "1") in ("0", "false"):
                return

    def _read_notes(self, number: int, title: str, relations: dict[str, Relation]) -> None:
        name = _target(relations, "notesSlide")
        root = self._package.xml(name) if name else None
        if root is None:
            return
        path = (title, SPEAKER_NOTES) if title else (SPEAKER_NOTES,)
        for shape in in_reading_order(shapes_of(root, {})):
            found = paragraphs(shape.element.find(f"{P}txBody"))
            if shape.placeholder == "sldNum":
                continue
            if shape.placeholder in MARGINS:
                self._add_margin("\n".join(found), SlideLocator(number))
                continue
            for text in found:
                self._builder.add(
                    BlockKind.PARAGRAPH, text, SlideLocator(number), heading_path=path
                )

    def _read_comments(self, number: int, relations: dict[str, Relation]) -> None:
        for relation in relations.values():
            root = self._package.xml(relation.target) if relation.kind == "comments" else None
            for comment in root.iter() if root is not None else ():
                tag = comment.tag.rpartition("}")[2]
                # Comments of old, and of the threaded kind with their replies.
                if tag not in ("cm", "reply"):
                    continue
                texts = [
                    text
                    for child in comment
                    if child.tag.rpartition("}")[2] in ("text", "txBody")
                    for text in (paragraphs(child) or [(child.text or "").strip()])
                ]
                if any(texts):
                    self._builder.add(
                        BlockKind.NOTE, "Comment: " + "\n".join(texts), SlideLocator(number)
                    )

    def _read_shapes(self, number: int, shapes: list[Shape], relations: dict[str, Relation]) -> str:
        """Append the shapes of a slide and return its title, empty for none."""
        self._builder.leave_headings()
        title, heading = "", None
        for shape in flat(shapes):
            if shape.placeholder in TITLES:
                title = folded(" ".join(paragraphs(shape.element.find(f"{P}txBody"))))
                if title:
                    heading = shape.number
                    locator = SlideLocator(number, shape.number)
                    self._builder.add(BlockKind.HEADING, title, locator, level=1)
                    break
        aside: list[tuple[str, SlideLocator]] = []
        for shape in in_reading_order(shapes):
            if shape.number == heading:
                continue
            locator = SlideLocator(number, shape.number)
            text = "\n".join(paragraphs(shape.element.find(f"{P}txBody")))
            if shape.placeholder in MARGINS:
                aside.append((text, locator))
            elif text:
                self._builder.add(BlockKind.SLIDE, text, locator)
            elif shape.element.tag == f"{P}graphicFrame":
                self._read_frame(shape.element, locator, relations)
        for text, locator in aside:
            self._add_margin(text, locator)
        return title

    def _read_frame(
        self, frame: Element, locator: SlideLocator, relations: dict[str, Relation]
    ) -> None:
        for table in frame.iter(f"{A}tbl"):
            add_table(
                self._builder,
                table_rows(table, locator),
                group=("table", locator.slide, locator.shape),
            )
        for reference in frame.iter(f"{DGM}relIds"):
            data = self._part(relations, reference.get(f"{R}dm", ""))
            if data is not None:
                self._builder.add(BlockKind.SLIDE, "\n".join(diagram_lines(data)), locator)
        for reference in frame.iter(f"{C}chart"):
            part = self._part(relations, reference.get(f"{R}id", ""))
            if part is not None:
                self._add_chart(part, locator)
        if frame.find(f".//{CX}chart") is not None:
            self._builder.warn("A chart of a kind of 2016 or later was not read.")
        for embedded in frame.iter(f"{P}oleObj"):
            name = embedded.get("progId", "")
            kind = f" ({name})" if _PROGRAM_NAME.fullmatch(name) else ""
            self._builder.warn(f"An embedded object of another program{kind} was not read.")

    def _add_chart(self, part: Element, locator: SlideLocator) -> None:
        chart = read_chart(part)
        self._builder.add(BlockKind.SLIDE, "\n".join(chart.texts), locator)
        for index, table in enumerate(chart.tables):
            rows = [
                TableRow(cells, locator, marked_header=place == 0)
                for place, cells in enumerate(table)
            ]
            add_table(self._builder, rows, group=("chart", locator.slide, locator.shape, index))

    def _part(self, relations: dict[str, Relation], relationship: str) -> Element | None:
        relation = relations.get(relationship)
        return self._package.xml(relation.target) if relation is not None else None

    def _add_margin(self, text: str, locator: SlideLocator) -> None:
        """Append a footer, date or number once for all slides that show the same."""
        if text and text not in self._margins:
            self._margins.add(text)
            self._builder.add(BlockKind.HEADER_FOOTER, text, locator, heading_path=())


def _target(relations: dict[str, Relation], kind: str) -> str:
    return next((relation.target for relation in relations.values() if relation.kind == kind), "")
