"""Appends the slides of a presentation as blocks, whichever format they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.model import BlockKind, SlideLocator
from phasergun_desktop.documents.slides.placement import Shape, flat, in_reading_order
from phasergun_desktop.documents.table_blocks import TableRow, add_table

_SPEAKER_NOTES = "Speaker notes"

# Returns the texts and tables that a shape holds beside its own text.
Contents = Callable[[Shape, SlideLocator], Iterable[str | list[TableRow]]]


class Deck:
    """The slides so far, and what they share: texts of layouts and masters, margins."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._margins: set[str] = set()
        self._background: dict[str, int] = {}
        self._hidden: list[int] = []

    def add_slide(self, number: int, shapes: Sequence[Shape], contents: Contents) -> str:
        """Append title and shapes of a slide; return the title, empty for none."""
        self._builder.leave_headings()
        heading = next((shape for shape in flat(shapes) if shape.is_title and shape.text), None)
        title = folded(heading.text) if heading is not None else ""
        if heading is not None:
            locator = _locator(number, heading)
            self._builder.add(BlockKind.HEADING, title, locator, level=1)
        ordered = [shape for shape in in_reading_order(shapes) if shape is not heading]
        for shape in ordered:
            locator = _locator(number, shape)
            if shape.is_margin:
                continue
            if shape.text:
                self._add_text(shape.text, locator)
                continue
            for index, content in enumerate(contents(shape, locator)):
                if isinstance(content, str):
                    self._add_text(content, locator)
                else:
                    add_table(self._builder, content, group=(number, shape.number, index))
        for shape in ordered:
            if shape.is_margin:
                self.add_margin(shape.text, _locator(number, shape))
        return title

    def _add_text(self, text: str, locator: SlideLocator) -> None:
        """Append the paragraphs of a shape, one a line; several are items of a list, each with its
        own statement and seldom with a full stop."""
        lines = text.split("\n")
        kind = BlockKind.LIST_ITEM if len(lines) > 1 else BlockKind.SLIDE
        for line in lines:
            self._builder.add(kind, line, locator, group=locator)

    def add_notes(self, number: int, title: str, shapes: Sequence[Shape]) -> None:
        """Append the speaker's notes of the slide with a title."""
        path = (title, _SPEAKER_NOTES) if title else (_SPEAKER_NOTES,)
        locator = SlideLocator(number)
        for shape in in_reading_order(shapes):
            if shape.is_margin:
                # A number is that of the page with the notes.
                self.add_margin("" if shape.text.isdigit() else shape.text, locator)
                continue
            for text in shape.text.split("\n"):
                self._builder.add(BlockKind.PARAGRAPH, text, locator, heading_path=path)

    def add_comment(self, number: int, text: str) -> None:
        """Append a reviewer's comment on a slide."""
        if text.strip():
            self._builder.add(BlockKind.NOTE, f"Comment: {text}", SlideLocator(number))

    def add_margin(self, text: str, locator: SlideLocator) -> None:
        """Append a footer, date or number once for all slides that show the same."""
        if text and text not in self._margins:
            self._margins.add(text)
            self._builder.add(BlockKind.HEADER_FOOTER, text, locator, heading_path=())

    def note_background(self, number: int, shapes: Sequence[Shape]) -> None:
        """Remember what a layout or master shows on slide ``number``."""
        for shape in flat(shapes):
            if shape.text and not shape.is_placeholder:
                self._background.setdefault(shape.text, number)

    def note_hidden(self, number: int) -> None:
        """Remember that slide ``number`` is hidden in the show."""
        self._hidden.append(number)

    def finish(self) -> None:
        """Append what layouts and masters show on slides, and say which slides are hidden."""
        for text, number in self._background.items():
            self.add_margin(text, SlideLocator(number))
        if self._hidden:
            slides = ", ".join(str(number) for number in self._hidden[:50])
            self._builder.warn(f"Slides that are hidden in the show were read too: {slides}.")


def _locator(slide: int, shape: Shape) -> SlideLocator:
    return SlideLocator(slide, shape.number or None)
