"""Documents that the plan reads although a newer one is there, or they say they are superseded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.value_differences import file_name
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.candidate_spans import block_before
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.references.revisions import (
    HEAD_CHARACTERS,
    is_named_superseded,
    newer_versions,
    revision_named,
    says_superseded,
)


def revision_discrepancies(
    material: Material, documents: IndexedDocuments
) -> Iterator[Discrepancy]:
    """Yield one for each document that the plan reads and that is not in force any more."""
    newer_of = newer_versions(material.every)
    for read in material.documents:
        if not read.spans:
            continue
        newer = newer_of.get(read.record.file)
        if newer is not None:
            document = documents.parsed(newer.document_id)
            yield Discrepancy(
                DiscrepancyKind.SUPERSEDED,
                f"{file_name(read)} is {_named(read.record)}; {newer.file.rsplit('/', 1)[-1]} in "
                f"the same project is {_named(newer)}. The draft reads the older one.",
                (_title_place(read.record, read.document), _title_place(newer, document)),
            )
            continue
        match = says_superseded(read.document.text)
        if match is not None:
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            end = match.start() + len(match.group().rstrip())
            yield Discrepancy(
                DiscrepancyKind.SUPERSEDED,
                f"{file_name(read)} says that it is not in force any more: "
                f"“{' '.join(match.group().split())}”. The draft reads it.",
                (read.place(start, end, read.document.text[start:end]), _first_read(read)),
            )
        elif is_named_superseded(read.record.file):
            yield Discrepancy(
                DiscrepancyKind.SUPERSEDED,
                f"{file_name(read)} is not in force any more, by its name. The draft reads it.",
                (_title_place(read.record, read.document), _first_read(read)),
            )


def _named(record: DocumentRecord) -> str:
    # As their order was told: by the names, where both have one.
    return f"revision {revision_named(record.file)[1] or record.metadata.revision}"


def _title_place(record: DocumentRecord, document: ParsedDocument) -> SourcePlace:
    """Return where the document says its revision, else its first line."""
    wanted = record.metadata.revision
    pattern = rf"(?i)\b(?:rev(?:ision)?|version)\b[^\n]{{0,12}}?{re.escape(wanted)}(?![\w.])"
    match = re.compile(pattern).search(document.text, 0, HEAD_CHARACTERS) if wanted else None
    if match is not None:
        start, end = match.span()
    else:
        first = next((each for each in document.blocks if each.end > each.start), None)
        start, end = (first.start, first.end) if first is not None else (0, 0)
    block = next((b for b in document.blocks if b.start <= start < max(b.end, b.start + 1)), None)
    return SourcePlace(
        file=record.file,
        title=record.title or record.file,
        quote=document.text[start:end],
        start=start,
        end=end,
        sha256=record.sha256,
        layer=record.layer,
        heading_path=block.heading_path if block is not None else (),
        locator=block.locator if block is not None else None,
        block_id=block.block_id if block is not None else "",
    )


def _first_read(read: ReadDocument) -> SourcePlace:
    """Return the first block that the plan reads."""
    start, end = min(read.spans)
    block = next(
        (b for b in read.document.blocks if b.start < end and start < b.end and b.kind.is_body),
        block_before(read.document, start),
    )
    return read.place(block.start, block.end, "", block)
