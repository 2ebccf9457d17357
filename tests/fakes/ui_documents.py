"""Small parsed documents for tests of the window, built as readers do."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    LineLocator,
    Page,
    PageLocator,
    ParagraphLocator,
    ParsedDocument,
    Rect,
    Segment,
)
from phasergun_desktop.documents.table_blocks import TableRow, add_table
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.session import SourceDocument

DEVICE = "Context/Initiation/Device-Description.docx"
SOP = "Procedures/SOPs/SOP-003-risk-management.md"
PREDICATE = "Context/Predicates/K231192-summary-of-a-cleared-device-with-a-very-long-name.pdf"
PAGE = Page(612.0, 792.0)


def device_description() -> SourceDocument:
    """A Word document with headings, a list and a table; one letter lies beyond UTF-16."""
    made = DocumentBuilder()

    def place(paragraph: int) -> ParagraphLocator:
        return ParagraphLocator(("Device Description", "Principle of operation"), paragraph)

    made.add(BlockKind.HEADING, "Device Description", place(1), level=1)
    made.add(BlockKind.HEADING, "Principle of operation", place(2), level=2)
    made.add(
        BlockKind.PARAGRAPH,
        "The \U0001d6fc-Sense meter measures glucose in capillary whole blood amperometrically. "
        "The strip carries glucose dehydrogenase with flavin adenine dinucleotide (FAD-GDH). "
        "A measurement takes 5 s and needs 0.6 µL of blood.",
        place(3),
    )
    made.add(
        BlockKind.LIST_ITEM, "Results are sent to a phone over Bluetooth Low Energy.", place(4)
    )
    made.add(BlockKind.HEADING, "Components", place(5), level=2)
    headings = ("Device Description", "Components")
    rows = (
        ("Component", "Part number"),
        ("Meter", "GS-100"),
        ("Test strips", "GS-TS-50"),
        ("Control", "GS-C2"),
    )
    add_table(
        made,
        [
            TableRow(cells, ParagraphLocator(headings, None, 1, row), marked_header=row == 1)
            for row, cells in enumerate(rows, start=1)
        ],
        group="components",
    )
    for number in range(12):
        made.add(
            BlockKind.PARAGRAPH,
            f"Performance target {number + 1}: the measuring range is 20 to {600 - number} mg/dL, "
            "verified with samples over the whole range by the procedure named in the plan.",
            place(6 + number),
        )
    metadata = DocumentMetadata(title="Device Description")
    return source_of(1, DEVICE, Layer.INITIATION, "docx", made, metadata)


def risk_procedure() -> SourceDocument:
    """A Markdown procedure."""
    made = DocumentBuilder()
    made.add(BlockKind.HEADING, "Risk management", LineLocator(1), level=1)
    made.add(
        BlockKind.PARAGRAPH,
        "The project manager plans risk management before design input is approved. "
        "The plan is recorded in the risk management plan, form F-003-1.",
        LineLocator(3),
    )
    made.add(BlockKind.CODE, "severity x probability\n  = risk level", LineLocator(6))
    made.add(
        BlockKind.PARAGRAPH,
        "Residual risk is evaluated against the criteria of the plan and recorded in the risk "
        "management report, form F-003-4.",
        LineLocator(10),
    )
    metadata = DocumentMetadata(title="SOP-003 Risk management")
    return source_of(2, SOP, Layer.SOPS, "md", made, metadata)


def predicate_summary(pages: int = 3) -> SourceDocument:
    """A PDF of several pages, two lines a paragraph."""
    made = DocumentBuilder()
    for page in range(1, pages + 1):
        for paragraph in range(8):
            top = 80.0 + paragraph * 80.0
            lines = (
                f"Page {page}, paragraph {paragraph + 1}: the predicate device measures glucose",
                f"in the range of {20 + paragraph} to {500 + page} mg/dL with test strips.",
            )
            rects = tuple(
                Rect(72.0, top + 18.0 * i, 72.0 + 5.6 * len(line), top + 18.0 * i + 14.0)
                for i, line in enumerate(lines)
            )
            end = len(lines[0])
            made.add(
                BlockKind.PARAGRAPH,
                "\n".join(lines),
                PageLocator(page, rects),
                heading_path=("Comparison",),
                marks=(
                    Segment(0, end, page, rects[0]),
                    Segment(end + 1, end + 1 + len(lines[1]), page, rects[1]),
                ),
            )
    metadata = DocumentMetadata(title="K231192", pages=pages)
    return source_of(3, PREDICATE, Layer.PREDICATES, "pdf", made, metadata, (PAGE,) * pages)


def source_of(
    number: int,
    file: str,
    layer: Layer,
    kind: str,
    made: DocumentBuilder,
    metadata: DocumentMetadata,
    pages: tuple[Page, ...] = (),
) -> SourceDocument:
    """Return what was made as a document of the project."""
    record = DocumentRecord(
        document_id=number,
        file=file,
        layer=layer,
        sha256=f"{number:064x}",
        format=kind,
        title=metadata.title,
        category="",
        kind="",
        tags=(),
        confidentiality="",
        metadata=metadata,
        pages=pages,
    )
    document = ParsedDocument(
        format=kind,
        mime="",
        text=made.text,
        blocks=made.blocks,
        metadata=metadata,
        parser_version="fake",
        pages=pages,
        warnings=made.warnings,
    )
    return SourceDocument(record, document)
