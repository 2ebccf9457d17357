"""Lays out a presentation: a card a slide, with its shapes, tables, notes and comments."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QBrush, QTextBlockFormat, QTextFrameFormat

from phasergun_desktop.documents.model import Block, BlockKind, SlideLocator
from phasergun_desktop.ui.sources.text_writer import ASIDES, TextWriter

# The last heading above what a presenter says (see the reader of slides).
SPEAKER_NOTES = "Speaker notes"
MOST_SLIDES = 2000


def write_slides(
    writer: TextWriter, blocks: Sequence[Block], *, starts_whole: bool = True, slides: int = 0
) -> list[int]:
    """Write the slides of ``blocks``; return the position at which each begins.

    A slide without text has no blocks; it is said, so that the numbers are those of the file:
    between the others, before them where the deck ``starts_whole``, and up to ``slides``.
    """
    found: dict[int, list[Block]] = {}
    for block in blocks:
        found.setdefault(_slide_of(block), []).append(block)
    first = 1 if starts_whole else min(found)
    last = max(*found, min(slides, MOST_SLIDES))
    if last - first < MOST_SLIDES:
        for number in range(max(first, 1), last + 1):
            found.setdefault(number, [])
    return [_write_card(writer, number, found[number]) for number in sorted(found)]


def is_speaker_note(block: Block) -> bool:
    """Whether the block is what the presenter says, not what the slide shows."""
    return block.kind is BlockKind.PARAGRAPH and block.heading_path[-1:] == (SPEAKER_NOTES,)


def _slide_of(block: Block) -> int:
    return block.locator.slide if isinstance(block.locator, SlideLocator) else 0


def _write_card(writer: TextWriter, slide: int, blocks: Sequence[Block]) -> int:
    card = _frame(writer, QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    card.setBottomMargin(12.0)
    card.setPadding(12.0)
    writer.start_frame(card)
    start = writer.cursor.position()
    name = f"Slide {slide}" if slide else "Presentation"
    writer.new_paragraph(_label_layout(), writer.label_look)
    writer.cursor.insertText(name if blocks else f"{name}: no text", writer.label_look)
    writer.write_all([one for one in blocks if _belongs_on_slide(one)])
    notes = [one for one in blocks if is_speaker_note(one)]
    if notes:
        _write_notes(writer, notes)
    for kind in ASIDES:
        for block in blocks:
            if block.kind is kind:
                writer.add_block(block)
    writer.end_frame()
    return start


def _write_notes(writer: TextWriter, blocks: Sequence[Block]) -> None:
    frame = _frame(writer, QTextFrameFormat.BorderStyle.BorderStyle_Dotted)
    frame.setTopMargin(6.0)
    frame.setPadding(8.0)
    writer.start_frame(frame)
    writer.new_paragraph(_label_layout(), writer.label_look)
    writer.cursor.insertText(SPEAKER_NOTES, writer.label_look)
    for block in blocks:
        writer.add_block(block)
    writer.end_frame()


def _belongs_on_slide(block: Block) -> bool:
    return block.kind not in ASIDES and not is_speaker_note(block)


def _label_layout() -> QTextBlockFormat:
    layout = QTextBlockFormat()
    layout.setBottomMargin(4.0)
    return layout


def _frame(writer: TextWriter, style: QTextFrameFormat.BorderStyle) -> QTextFrameFormat:
    made = QTextFrameFormat()
    made.setBorder(1.0)
    made.setBorderStyle(style)
    made.setBorderBrush(QBrush(writer.colours.rule))
    return made
