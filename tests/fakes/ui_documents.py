"""Small parsed documents for tests of the window, in the forms that the parsers give them."""

from __future__ import annotations

from phasergun_desktop.documents.model import (
    Block,
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
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.session import SourceDocument

DEVICE = "Context/Initiation/Device-Description.docx"
SOP = "Procedures/SOPs/SOP-003-risk-management.md"
PREDICATE = "Context/Predicates/K231192-summary-of-a-cleared-device-with-a-very-long-name.pdf"
PAGE = Page(612.0, 792.0)


class _Text:
    """Collects blocks and keeps their places."""

    def __init__(self) -> None:
        self.text = ""
        self.blocks: list[Block] = []

    def add(self, kind: BlockKind, text: str, **more: object) -> Block:
        start = len(self.text)
        block = Block(
            ordinal=len(self.blocks),
            kind=kind,
            start=start,
            end=start + len(text),
            **more,  # type: ignore[arg-type]  # the fields of Block by name
        )
        self.text += text + "\n\n"
        self.blocks.append(block)
        return block


def device_description() -> SourceDocument:
    """A Word document with headings, a list and a table; one letter lies beyond UTF-16."""
    made = _Text()

    def place(paragraph: int) -> ParagraphLocator:
        return ParagraphLocator(("Device Description", "Principle of operation"), paragraph)

    path = ("Device Description",)
    made.add(BlockKind.HEADING, "Device Description", locator=place(1), level=1)
    made.add(
        BlockKind.HEADING,
        "Principle of operation",
        locator=place(2),
        level=2,
        heading_path=path,
    )
    both = (*path, "Principle of operation")
    made.add(
        BlockKind.PARAGRAPH,
        "The \U0001d6fc-Sense meter measures glucose in capillary whole blood amperometrically. "
        "The strip carries glucose dehydrogenase with flavin adenine dinucleotide (FAD-GDH). "
        "A measurement takes 5 s and needs 0.6 µL of blood.",
        locator=place(3),
        heading_path=both,
    )
    made.add(
        BlockKind.LIST_ITEM,
        "Results are sent to a phone over Bluetooth Low Energy.",
        locator=place(4),
        heading_path=both,
    )
    made.add(BlockKind.HEADING, "Components", locator=place(5), level=2, heading_path=path)
    headers = ("Component", "Part number")
    for row, cells in enumerate(
        (headers, ("Meter", "GS-100"), ("Test strips", "GS-TS-50"), ("Control", "GS-C2")), start=1
    ):
        is_header = row == 1
        text = (
            " | ".join(cells)
            if is_header
            else " | ".join(f"{h}: {c}" for h, c in zip(headers, cells, strict=True))
        )
        made.add(
            BlockKind.TABLE_ROW,
            text,
            locator=ParagraphLocator(("Device Description", "Components"), None, 1, row),
            heading_path=(*path, "Components"),
            cells=tuple(zip(headers, cells, strict=True)),
            is_table_header=is_header,
        )
    for number in range(12):
        made.add(
            BlockKind.PARAGRAPH,
            f"Performance target {number + 1}: the measuring range is 20 to {600 - number} mg/dL, "
            "verified with samples over the whole range by the procedure named in the plan.",
            locator=place(6 + number),
            heading_path=(*path, "Components"),
        )
    return _source(1, DEVICE, Layer.INITIATION, "docx", "Device Description", made)


def risk_procedure() -> SourceDocument:
    """A Markdown procedure."""
    made = _Text()
    made.add(BlockKind.HEADING, "Risk management", locator=LineLocator(1), level=1)
    path = ("Risk management",)
    made.add(
        BlockKind.PARAGRAPH,
        "The project manager plans risk management before design input is approved. "
        "The plan is recorded in the risk management plan, form F-003-1.",
        locator=LineLocator(3),
        heading_path=path,
    )
    made.add(
        BlockKind.CODE,
        "severity x probability\n  = risk level",
        locator=LineLocator(6),
        heading_path=path,
    )
    made.add(
        BlockKind.PARAGRAPH,
        "Residual risk is evaluated against the criteria of the plan and recorded in the risk "
        "management report, form F-003-4.",
        locator=LineLocator(10),
        heading_path=path,
    )
    return _source(2, SOP, Layer.SOPS, "md", "SOP-003 Risk management", made)


def predicate_summary(pages: int = 3) -> SourceDocument:
    """A PDF of several pages, two lines a paragraph."""
    made = _Text()
    for page in range(1, pages + 1):
        for paragraph in range(8):
            top = 80.0 + paragraph * 80.0
            lines = (
                f"Page {page}, paragraph {paragraph + 1}: the predicate device measures glucose",
                f"in the range of {20 + paragraph} to {500 + page} mg/dL with test strips.",
            )
            start = len(made.text)
            rects = tuple(
                Rect(72.0, top + 18.0 * i, 72.0 + 5.6 * len(line), top + 18.0 * i + 14.0)
                for i, line in enumerate(lines)
            )
            ends = (start + len(lines[0]), start + len(lines[0]) + 1 + len(lines[1]))
            made.add(
                BlockKind.PARAGRAPH,
                "\n".join(lines),
                locator=PageLocator(page, rects),
                heading_path=("Comparison",),
                segments=(
                    Segment(start, ends[0], page, rects[0]),
                    Segment(ends[0] + 1, ends[1], page, rects[1]),
                ),
            )
    return _source(3, PREDICATE, Layer.PREDICATES, "pdf", "K231192", made, (PAGE,) * pages)


def _source(
    number: int,
    file: str,
    layer: Layer,
    kind: str,
    title: str,
    made: _Text,
    pages: tuple[Page, ...] = (),
) -> SourceDocument:
    metadata = DocumentMetadata(title=title, pages=len(pages) or None)
    record = DocumentRecord(
        document_id=number,
        file=file,
        layer=layer,
        sha256=f"{number:064x}",
        format=kind,
        title=title,
        category="",
        kind="",
        tags=(),
        confidentiality="",
        metadata=metadata,
        pages=pages,
    )
    document = ParsedDocument(
        format=kind,
        mime="text/plain",
        text=made.text,
        blocks=tuple(made.blocks),
        metadata=metadata,
        parser_version="fake",
        pages=pages,
    )
    return SourceDocument(record, document)
