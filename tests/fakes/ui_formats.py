"""Parsed slides, tables, transcripts and scans for tests of the window, built as readers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    LineLocator,
    Page,
    PageLocator,
    Rect,
    RowLocator,
    Segment,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.documents.table_blocks import TableRow, add_table
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.ui_documents import source_of

SLIDES = "Context/Ongoing/DR-3-Design-Review.pptx"
TABLE = "Context/Ongoing/Accuracy-Results.csv"
TRANSCRIPT = "Context/Ongoing/Usability-Session-4.vtt"
LONG = "Context/Ongoing/Log.txt"
SCAN = "Context/Ongoing/TR-0147-scan.png"

_SPEAKERS = ("Dr. Meyer", "Participant 7", "Moderator with a rather long name")
_LONG = (
    "The display says that the strip is damp. I would take another one, and if that happens "
    "twice I would call the number on the box, since the whole vial may have been left open."
)
_SAID = (
    "Please take a measurement as you would at home.",
    "I open the vial, take a strip out and close the vial again at once.",
    _LONG,
)


def slides(count: int = 3) -> SourceDocument:
    """A deck; slide 2 has no text, slide 3 has a table, notes and a comment."""
    made = DocumentBuilder()
    for number in range(1, count + 1):
        if number == 2:
            continue
        title = f"Design review {number}"
        made.add(BlockKind.HEADING, title, SlideLocator(number, 1), level=1)
        made.add(
            BlockKind.SLIDE,
            f"Accuracy study {number} is complete\n120 lay users took part\n"
            "All results lie within ISO 15197 limits",
            SlideLocator(number, 2),
        )
        if number % 3 == 0:
            rows = (
                ("Range", "Within ±15 mg/dL", "Within ±15 %"),
                ("< 100 mg/dL", f"{90 + number % 10} of 100", ""),
                ("≥ 100 mg/dL", "", f"{180 + number % 20} of 200"),
            )
            add_table(
                made,
                [
                    TableRow(cells, SlideLocator(number, 3), marked_header=index == 0)
                    for index, cells in enumerate(rows)
                ],
                group=("table", number),
            )
        made.add(BlockKind.HEADER_FOOTER, "Confidential", SlideLocator(number, 8))
        made.add(
            BlockKind.PARAGRAPH,
            f"Say that the results of study {number} were checked by the statistician.",
            SlideLocator(number, 9),
            heading_path=(title, "Speaker notes"),
        )
        made.add(BlockKind.NOTE, "Comment by QA: name the lot of the strips.", SlideLocator(number))
    return _source(11, SLIDES, "pptx", made, DocumentMetadata(title="Review", pages=count))


def table(rows: int = 60) -> SourceDocument:
    """A CSV file; row 14 (the header is row 1) is the long one, some cells are empty."""
    made = DocumentBuilder()
    header = ("Sample", "Lot", "Reference mg/dL", "Meter mg/dL", "Remark")
    lines = [TableRow(header, RowLocator(1), marked_header=True)]
    for number in range(2, rows + 2):
        remark = ""
        if number == 14:
            remark = (
                "Repeated with a new strip after the display had shown the damp strip "
                "warning; the first value was 212 mg/dL and is not part of the evaluation."
            )
        meter = "" if number % 10 == 5 else str(80 + number)
        lines.append(
            TableRow(
                (f"S-{number:05d}", f"L{number % 3 + 1}", str(82 + number), meter, remark),
                RowLocator(number),
            )
        )
    add_table(made, lines, group="csv")
    return _source(12, TABLE, "csv", made, DocumentMetadata(title="Accuracy results"))


def transcript(cues: int = 40, seconds: float = 3.6) -> SourceDocument:
    """A recording of a session with three speakers, a cue every ``seconds``."""
    made = DocumentBuilder()
    for number in range(cues):
        start = number * seconds
        speaker = _SPEAKERS[number // 2 % 3]
        made.add(
            BlockKind.CUE,
            _SAID[number % 3],
            TimeLocator(start, start + seconds, speaker),
        )
    return _source(13, TRANSCRIPT, "transcript", made, DocumentMetadata(title="Session 4"))


def long_text(paragraphs: int, words: int = 12) -> SourceDocument:
    """A plain text of so many paragraphs, each with its number."""
    made = DocumentBuilder()
    for number in range(paragraphs):
        text = f"Paragraph {number} " + "word " * words
        made.add(BlockKind.PARAGRAPH, text, LineLocator(2 * number + 1))
    return _source(15, LONG, "txt", made, DocumentMetadata(title="Log"))


def scan(confidences: Sequence[float] = (0.92,)) -> SourceDocument:
    """A recognised picture with a frame per confidence; a segment per word, a little crooked."""
    made = DocumentBuilder()
    for page, _confidence in enumerate(confidences, start=1):
        for paragraph in range(4):
            words = (
                f"Test record {paragraph + 1}: the meter was dropped from one metre onto "
                "concrete on each of its six sides and measured within its limits afterwards."
            ).split()
            text, marks, rects = "", [], []
            x, line = 72.0, 0
            for word in words:
                width = 6.0 * len(word)
                if x + width > 520.0:
                    x, line = 72.0, line + 1
                top = 90.0 + 90.0 * paragraph + 18.0 * line + (x - 72.0) * 0.012
                rect = Rect(x, top + len(word) % 3, x + width, top + 12.0 + len(word) % 2)
                text += " " if text else ""
                marks.append(Segment(len(text), len(text) + len(word), page, rect))
                rects.append(rect)
                text += word
                x += width + 6.0
            made.add(BlockKind.PARAGRAPH, text, PageLocator(page, tuple(rects)), marks=tuple(marks))
    pages = tuple(Page(595.0, 842.0, confidence) for confidence in confidences)
    return _source(14, SCAN, "image", made, DocumentMetadata(title="TR-0147"), pages)


def _source(
    number: int,
    file: str,
    kind: str,
    made: DocumentBuilder,
    metadata: DocumentMetadata,
    pages: tuple[Page, ...] = (),
) -> SourceDocument:
    metadata = replace(metadata, words=len(made.text.split()))
    return source_of(number, file, Layer.ONGOING, kind, made, metadata, pages)
