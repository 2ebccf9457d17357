"""What documents state under a label, in fields and tables, and of which device."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import (
    block_before,
)
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.comparing.compared_devices import (
    PREDICATE,
    ComparedDevice,
)
from phasergun_desktop.planning.comparing.tables import (
    ColumnRole,
    StatedCell,
    compared_rows,
    may_compare,
)
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.bootstrap import parse_bootstrap
from phasergun_desktop.references.master_record import parse_master_record
from phasergun_desktop.references.model import SourceValue


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """What a document states of ``device`` under ``label``; ``rank`` is 0 for what outranks all
    others."""

    device: str
    label: str
    value: SourceValue
    rank: int
    referred: SourceValue | None = None


def labelled_values(
    record: DocumentRecord,
    documents: IndexedDocuments,
    devices: Sequence[ComparedDevice],
    subjects: Subjects,
) -> Iterator[LabelledValue]:
    """Yield the fields of a document on a device and the cells of its comparison tables."""
    owners = [each for each in devices if record.file in each.files]
    others = [n for each in devices if not each.is_own for n in each.subject.whole_names]
    if not owners and not may_compare(documents.text(record.document_id), others):
        return
    document = documents.parsed(record.document_id)
    for owner in owners:
        yield from _fields(record, document, owner, subjects)
    only = owners[0] if len(owners) == 1 else None
    names = (*subjects.of_file(record.file).whole_names, record.metadata.k_number)
    for row in compared_rows(document, names, [name for name in others if name not in names]):
        is_single = sum(each.column.role is ColumnRole.PREDICATE for each in row.cells) == 1
        for cell in row.cells:
            device = _device_of(cell, only, devices, subjects, is_single=is_single)
            if device is not None:
                places = [(cell.start, cell.end), *([cell.referred] if cell.referred else [])]
                values = [SourceValue(document.text[s:e], record.file, s, e) for s, e in places]
                rank = 1 if only is device else 2
                referred = values[1] if cell.referred else None
                yield LabelledValue(device.name, row.label, values[0], rank, referred)


def _fields(
    record: DocumentRecord, document: ParsedDocument, device: ComparedDevice, subjects: Subjects
) -> Iterator[LabelledValue]:
    """Yield the fields of a document; of another device's those before their section speaks of a
    predicate, which is a third device."""
    if record.layer is Layer.BOOTSTRAP:
        read = parse_bootstrap(document, record.file)
        for named in read.fields:
            yield LabelledValue(device.name, named.name.replace("_", " "), named.value, 0)
        for pair in read.pairs:
            yield LabelledValue(device.name, pair.question, pair.answer, 0)
        return
    rank = 0 if record.layer is Layer.MASTER_RECORD else 1
    if device.is_own and rank:
        return  # Its many papers have fields on much else.
    for field in parse_master_record(document, record.file).fields:
        path = block_before(document, field.value.start).heading_path
        is_third = not device.is_own and is_of_a_third(document, field.value.end)
        is_its = device.is_under(path, record.file) and is_under_own_heading(device, path, subjects)
        if is_its and not is_third:
            yield LabelledValue(device.name, field.name, field.value, rank)


def is_of_a_third(document: ParsedDocument, end: int) -> bool:
    """Whether the section of a paper on another device speaks of a predicate up to ``end``: that is
    a third device."""
    place = bisect_right(document.blocks, end, key=lambda block: block.start) - 1
    above = (document.blocks[at] for at in range(place, -1, -1))
    section = next((block.end for block in above if block.kind is BlockKind.HEADING), 0)
    return PREDICATE.search(document.text, section, end) is not None


def is_under_own_heading(device: ComparedDevice, path: Sequence[str], subjects: Subjects) -> bool:
    """Whether no heading above says that what follows is on another than ``device``."""
    other = subjects.of_headings(path)
    return other is None or bool(set(other.names) & set(device.subject.names))


def _device_of(
    cell: StatedCell,
    owner: ComparedDevice | None,
    devices: Sequence[ComparedDevice],
    subjects: Subjects,
    *,
    is_single: bool,
) -> ComparedDevice | None:
    """Return whose value a cell is: "subject" is the device of the document, a predicate the one
    that the head names, or the project's own where a paper of the company's has one such column.
    """
    column = cell.column
    if column.role is ColumnRole.SUBJECT:
        return owner
    for each in devices:
        numbers = {name.upper() for name in each.subject.names}
        is_named = each.subject.is_named_in(column.name) and not column.numbers
        if each is not owner and (column.numbers & numbers or is_named):
            return each
    is_own_paper = owner is not None and owner.is_own and is_single and not column.numbers
    predicates = [d for d in devices if set(d.subject.names) & set(subjects.predicates)]
    is_known = is_own_paper and len(predicates) == 1 and len(subjects.predicates) == 1
    return predicates[0] if is_known else None
