"""The steps of a procedure as points of an outline, taken from its own headings."""

from __future__ import annotations

import re
from dataclasses import replace

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.text_units import is_numbered, without_heading_number
from phasergun_desktop.index.records import Chunk, ChunkId, DocumentRecord
from phasergun_desktop.references.model import ReferenceKind, Resolution
from phasergun_desktop.retrieval.model import Passage, SearchScope

_PROCEDURE_HEADING = re.compile(
    r"\b(?:procedure|process|steps|method|workflow|instructions?)\b", re.IGNORECASE
)
_MIN_STEPS, _MAX_STEPS = 3, 12


def procedure_steps(
    point: PlannedPoint, resolution: Resolution, documents: IndexedDocuments, budget: int
) -> list[PlannedPoint]:
    """Return a point per step of the procedure that the prompt refers to, else nothing.

    How a process is carried out is what its procedure says step by step; a search for the whole
    question would find three of six steps. Each step reads its own section (at most ``budget``
    characters). Scopes of the same sentence get one point of their own, so that each named
    source contributes.
    """
    named = [r for r in resolution.references if r.kind is ReferenceKind.PROCEDURE]
    files = {file for reference in named for file in reference.files}
    records = [record for record in documents.documents() if record.file in files]
    if len(records) != 1:
        return []
    record = records[0]
    document = documents.parsed(record.document_id)
    chunks = list(documents.chunks(record.document_id))
    steps = _steps(document)
    if not steps:
        return []
    _, _, extra = point.instruction.partition(". ")
    topic = (record.category or record.title).replace("_", " ")
    points = []
    purpose = next((h for h in document.blocks if _is_purpose(document, h)), None)
    if purpose is not None:
        start, end = _section(document, purpose)
        read = _passage(record, document, chunks, start, min(end, start + budget), purpose)
        query = f"purpose of the {topic} procedure"
        points.append(
            replace(
                point,
                kind=PointKind.DESCRIBE,
                query=query,
                instruction=query,
                passages=(read,),
            )
        )
    for heading, start, end in steps:
        title = without_heading_number(document.text[heading.start : heading.end])
        # The step's own heading is read with it: a list may stand under it in the draft.
        stop = min(end, start + budget)
        passage = _passage(record, document, chunks, heading.start, stop, heading)
        points.append(
            replace(
                point,
                query=title,
                instruction=f"{title}. {extra}".strip() if extra else title,
                passages=(passage,),
            )
        )
    points.extend(_scope_points(point, topic, resolution))
    return points


def _is_purpose(document: ParsedDocument, block: Block) -> bool:
    if block.kind is not BlockKind.HEADING:
        return False
    title = without_heading_number(document.text[block.start : block.end]).casefold()
    start, end = _section(document, block)
    return title == "purpose" and end > start


def _scope_points(point: PlannedPoint, topic: str, resolution: Resolution) -> list[PlannedPoint]:
    return [
        replace(
            point,
            kind=PointKind.DESCRIBE,
            query=topic,
            instruction=f"{topic} in {reference.label}",
            scope=SearchScope(layers=frozenset(), files=frozenset(reference.files)),
        )
        for reference in resolution.references
        if reference.kind is ReferenceKind.SCOPE and reference.files
    ]


def _steps(document: ParsedDocument) -> list[tuple[Block, int, int]]:
    """Return (heading, start, end) of the sections that are the procedure's steps."""
    headings = [block for block in document.blocks if block.kind is BlockKind.HEADING]
    families: dict[tuple[str, ...], list[Block]] = {}
    for heading in headings:
        families.setdefault(heading.heading_path, []).append(heading)
    best: list[Block] = []
    for path, family in families.items():
        numbered = [h for h in family if is_numbered(document.text[h.start : h.end])]
        steps = numbered if len(numbered) >= _MIN_STEPS else family
        is_procedure = bool(path) and bool(_PROCEDURE_HEADING.search(path[-1]))
        if is_procedure and _MIN_STEPS <= len(steps) <= _MAX_STEPS and len(steps) > len(best):
            best = steps
    found = []
    for step in best:
        start, end = _section(document, step)
        if end > start:
            found.append((step, start, end))
    return found if len(found) >= _MIN_STEPS else []


def _section(document: ParsedDocument, heading: Block) -> tuple[int, int]:
    start = end = heading.end
    for block in document.blocks[heading.ordinal + 1 :]:
        if block.kind is BlockKind.HEADING and block.level <= heading.level:
            break
        if block.kind.is_body:
            start = block.start if start == heading.end else start
            end = block.end
    return start, end


def _passage(
    record: DocumentRecord,
    document: ParsedDocument,
    chunks: list[Chunk],
    start: int,
    end: int,
    heading: Block,
) -> Passage:
    # The last block is kept whole or left out: half a sentence is no evidence.
    ends = [b.end for b in document.blocks if start < b.end <= end]
    end = max(ends, default=end)
    chunk = next((c for c in chunks if c.start <= start < c.end), None)
    return Passage(
        document_id=record.document_id,
        file=record.file,
        sha256=record.sha256,
        title=record.title,
        layer=record.layer,
        chunk_id=chunk.chunk_id if chunk else ChunkId(""),
        start=start,
        end=end,
        text=document.text[start:end],
        heading_path=(*heading.heading_path, document.text[heading.start : heading.end]),
        score=1.0,
    )
