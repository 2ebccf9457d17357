"""Write the slide decks of the sample project from their text sources."""

from __future__ import annotations

import io

import pptx
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Cm, Pt
from sample_project_source import Part, PartKind, Source, column_shares

NOTES = "Notes: "
_TITLE_ONLY = 5
_WIDTH_CM = 22.0


def pptx_bytes(source: Source) -> bytes:
    """Return the deck of a source text: each heading begins a slide; ``Notes:`` lines are notes.

    The bytes of the members do not depend on the time of the build; repack the result.
    """
    deck = pptx.Presentation()
    _set_properties(deck, source)
    slide: Slide | None = None
    body: list[Part] = []
    for part in source.parts:
        if part.kind is PartKind.HEADING:
            _fill(slide, body)
            slide, body = _new_slide(deck, part.text), []
        elif part.text.startswith(NOTES) and slide is not None:
            frame = slide.notes_slide.notes_text_frame
            if frame is not None:
                frame.text = part.text.removeprefix(NOTES)
        else:
            body.append(part)
    _fill(slide, body)
    # The template's preview picture would be that of an empty slide.
    package = deck.part.package
    for rel in [rel for rel in package.iter_rels() if rel.reltype.endswith("/thumbnail")]:
        package.drop_rel(rel.rId)
    for layout in list(deck.slide_layouts):
        if not layout.used_by_slides:
            deck.slide_layouts.remove(layout)
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def _set_properties(deck: Presentation, source: Source) -> None:
    properties = deck.core_properties
    written = source.written.replace(tzinfo=None)
    properties.title = source.title
    properties.subject = source.number
    properties.author = source.owner
    properties.last_modified_by = source.owner
    properties.created = written
    properties.modified = written
    properties.revision = 1


def _new_slide(deck: Presentation, title: str) -> Slide:
    slide: Slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    if slide.shapes.title is not None:
        slide.shapes.title.text = title
    return slide


def _fill(slide: Slide | None, body: list[Part]) -> None:
    """Put text parts into one box, and each table below it."""
    if slide is None:
        return
    texts = [part for part in body if part.kind is not PartKind.TABLE]
    top = 4.5
    if texts:
        box = slide.shapes.add_textbox(Cm(1.5), Cm(top), Cm(_WIDTH_CM), Cm(1.4 * len(texts)))
        frame = box.text_frame
        frame.word_wrap = True
        for index, part in enumerate(texts):
            paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
            paragraph.text = part.text
            paragraph.font.size = Pt(20)
            paragraph.space_after = Pt(8)
        top += 1.8 * len(texts)
    for part in body:
        if part.kind is PartKind.TABLE:
            _add_table(slide, part, top)


def _add_table(slide: Slide, part: Part, top_cm: float) -> None:
    rows, columns = len(part.rows), len(part.rows[0])
    shape = slide.shapes.add_table(
        rows, columns, Cm(1.5), Cm(top_cm), Cm(_WIDTH_CM), Cm(1.2 * rows)
    )
    table = shape.table
    table.first_row = part.has_header
    for index, share in enumerate(column_shares(part.rows)):
        table.columns[index].width = Cm(_WIDTH_CM * share)
    for row, texts in zip(table.rows, part.rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
            cell.text_frame.paragraphs[0].font.size = Pt(14)
