"""What the documents state of each compared device, attribute by attribute, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.comparing.compared_devices import (
    ComparedDevice,
    ComparisonRequest,
)
from phasergun_desktop.answering.comparing.tables import (
    ColumnRole,
    ComparedRow,
    StatedCell,
    compared_rows,
)
from phasergun_desktop.answering.evidence_points import unit_passage
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.answering.writing.verbatim import is_statement
from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.candidates import (
    CandidateSpan,
    is_of_a_third_device,
    whole_span,
)
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pool import PooledUnit, UnitPools
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.bootstrap import parse_bootstrap
from phasergun_desktop.references.master_record import parse_master_record
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Passage, SearchScope

# A label with at least this cosine to an attribute is another name of it, and a sentence with the
# attribute's words states it from the other on. Set on 20 FDA summaries and decision summaries,
# with the rows of their comparison tables: test time and time to result are below, measuring range
# and reportable range above; of four sentences above all state the row's value.
SAME_ATTRIBUTE = 0.69
STATES_ATTRIBUTE = 0.6
_FEW_MORE_WORDS = 2
_MOST_ROWS = 16
_LOOKED_AT = 12
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTS = re.compile(r"\s*[/(),;:]\s*")
_PREDICATE = re.compile("predicate", re.IGNORECASE)
_POINTER = re.compile(r"(?:see|refer to|siehe|voir|véase)\b", re.IGNORECASE)


def states_attribute(attribute: str, unit: PooledUnit, span: CandidateSpan) -> bool:
    """Whether ``unit`` states the attribute that it was pooled for."""
    words = set(content_words(f"{span.text} {' '.join(span.block.heading_path[-1:])}"))
    has_words = set(content_words(attribute)) <= words
    return has_words and unit.similarity >= STATES_ATTRIBUTE and not _POINTER.match(span.text)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A value that stands under a label, for one device; ``rank`` is 0 for what outranks others."""

    device: str
    label: str
    value: SourceValue
    rank: int
    referred: SourceValue | None = None


class ComparisonValues:
    """Finds the cells of a comparison."""

    def __init__(self, documents: IndexedDocuments, pools: UnitPools, embedder: Embedder) -> None:
        self._documents = documents
        self._pools = pools
        self._embedder = embedder

    def points(self, asked: ComparisonRequest, subjects: Subjects) -> tuple[PlannedPoint, ...]:
        """Return a point for each attribute and device, in the order of rows, with the value that
        a document states word for word, or without: a gap. None where there is nothing to list.
        """
        need = asked.needs[0]
        records = [r for r in self._documents.documents() if _may_be_read(r, need, asked.devices)]
        labelled = list(self._labelled(asked.devices, records, subjects))
        attributes = asked.attributes or _listed(labelled, asked.devices)
        if not attributes:
            return ()
        found = self._by_label(attributes, labelled)
        sentences = self._by_unit(attributes, asked, records, found)
        made = []
        for attribute in attributes:
            for device in asked.devices:
                cell = found.get((attribute, device.name))
                made.append(self._point(need, attribute, device, cell, sentences, records))
        return (replace(made[0], heading=need.heading), *made[1:])

    def _labelled(
        self,
        devices: Sequence[ComparedDevice],
        records: Sequence[DocumentRecord],
        subjects: Subjects,
    ) -> Iterator[_Labelled]:
        others = [name for device in devices if not device.is_own for name in device.subject.names]
        for record in records:
            document = self._documents.parsed(record.document_id)
            owner = next((each for each in devices if record.file in each.files), None)
            if owner is not None:
                yield from _fields(record, document, owner)
            names = (*subjects.of_file(record.file).names, record.metadata.k_number)
            foreign = [name for name in others if name not in names]
            for row in compared_rows(document, names, foreign):
                for cell in row.cells:
                    device = _device_of(cell, row, owner, devices)
                    if device is None:
                        continue
                    value = SourceValue(
                        document.text[cell.start : cell.end], record.file, cell.start, cell.end
                    )
                    referred = None
                    if cell.referred is not None:
                        start, end = cell.referred
                        referred = SourceValue(document.text[start:end], record.file, start, end)
                    rank = 1 if record.file in device.files else 2
                    yield _Labelled(device.name, row.label, value, rank, referred)

    def _by_label(
        self, attributes: Sequence[str], labelled: Sequence[_Labelled]
    ) -> dict[tuple[str, str], _Labelled]:
        """Return for each attribute and device the value under the label that is nearest to it."""
        names = [name for each in labelled for name in _names(each.label)]
        if not names:
            return {}
        of_value = [each for each in labelled for _ in _names(each.label)]
        vectors = self._embedder.embed([*attributes, *names])
        cosines = vectors[: len(attributes)] @ vectors[len(attributes) :].T
        found: dict[tuple[str, str], _Labelled] = {}
        for place, attribute in enumerate(attributes):
            near = sorted(
                (-nearness, each.rank, order)
                for order, (name, each) in enumerate(zip(names, of_value, strict=True))
                if (nearness := _nearness(attribute, name, float(cosines[place, order])))
                >= SAME_ATTRIBUTE
            )
            for *_, order in near:
                found.setdefault((attribute, of_value[order].device), of_value[order])
        return found

    def _by_unit(
        self,
        attributes: Sequence[str],
        asked: ComparisonRequest,
        records: Sequence[DocumentRecord],
        found: dict[tuple[str, str], _Labelled],
    ) -> dict[tuple[str, str], Passage]:
        """Return for the cells that no label states the best sentence of a document on the
        device."""
        by_id = {record.document_id: record for record in records}
        missing = [
            (attribute, device)
            for attribute in attributes
            for device in asked.devices
            if (attribute, device.name) not in found and device.files
        ]
        needs = tuple(
            Need(f"c{place}", attribute, 0, 0, attribute, _scope_of(device, records))
            for place, (attribute, device) in enumerate(missing)
        )
        pool = self._pools.pool(Request(needs, " ".join(attributes), 0), records)
        made: dict[tuple[str, str], Passage] = {}
        for need, (attribute, device) in zip(needs, missing, strict=True):
            others = [each for each in asked.devices if each is not device]
            for unit in pool.of_need[need.need_id][:_LOOKED_AT]:
                passage = self._stated(attribute, unit, by_id[unit.document_id], others)
                if passage is not None:
                    made[attribute, device.name] = passage
                    break
        return made

    def _stated(
        self,
        attribute: str,
        unit: PooledUnit,
        record: DocumentRecord,
        others: Sequence[ComparedDevice],
    ) -> Passage | None:
        """Return the unit as a passage where it states the attribute of the document's device."""
        passage = unit_passage(self._documents, record, unit.start, unit.end, unit.score)
        span = whole_span(passage, self._documents.parsed(record.document_id))
        is_row = span.block.kind is BlockKind.TABLE_ROW
        names_other = any(each.subject.is_asked_by(span.text) for each in others)
        if is_row or names_other or is_of_a_third_device(span) or not is_statement(span):
            return None
        return passage if states_attribute(attribute, unit, span) else None

    def _point(
        self,
        need: Need,
        attribute: str,
        device: ComparedDevice,
        cell: _Labelled | None,
        sentences: dict[tuple[str, str], Passage],
        records: Sequence[DocumentRecord],
    ) -> PlannedPoint:
        point = PlannedPoint(
            PointKind.COMPARE,
            heading="",
            query=attribute,
            instruction=attribute,
            scope=_scope_of(device, records),
            attribute=attribute,
            device=device.name,
        )
        sentence = sentences.get((attribute, device.name))
        if cell is not None:
            by_file = {record.file: record for record in records}
            stated = [cell.value, *([cell.referred] if cell.referred is not None else [])]
            passages = tuple(
                unit_passage(self._documents, by_file[v.file], v.start, v.end, 1.0) for v in stated
            )
            return replace(
                point,
                value=cell.value,
                referred=cell.referred,
                passages=passages,
                evidence=passages,
            )
        if sentence is not None:
            value = SourceValue(sentence.text, sentence.file, sentence.start, sentence.end)
            return replace(point, value=value, passages=(sentence,), evidence=(sentence,))
        return point


def _names(label: str) -> list[str]:
    """Return a label and, where it gives several names ("Intended use/indications"), each."""
    whole = " ".join(_JOINED.sub(" ", label).split())
    return list(dict.fromkeys(part for part in (whole, *_PARTS.split(whole)) if part))


def _nearness(attribute: str, name: str, cosine: float) -> float:
    """A label with all words of the attribute and few more is just near enough."""
    wanted, words = set(content_words(attribute)), set(content_words(name))
    is_narrower = bool(wanted) and wanted <= words and len(words - wanted) <= _FEW_MORE_WORDS
    return round(max(cosine, SAME_ATTRIBUTE if is_narrower else 0.0), 2)


def _may_be_read(record: DocumentRecord, need: Need, devices: Sequence[ComparedDevice]) -> bool:
    """Whether the prompt allows the document: the devices' own stand in what is always searched."""
    return need.scope.allows(record.file, record.layer) and (
        record.layer in (Layer.PREDICATES, Layer.REGULATORY_STRATEGY)
        or any(record.file in device.files for device in devices)
    )


def _scope_of(device: ComparedDevice, records: Sequence[DocumentRecord]) -> SearchScope:
    files = frozenset(record.file for record in records if record.file in device.files)
    return SearchScope(layers=frozenset(), files=files)


def _fields(
    record: DocumentRecord, document: ParsedDocument, device: ComparedDevice
) -> Iterator[_Labelled]:
    """Yield the fields of a document; of another device's those before it speaks of a predicate,
    which is a third device."""
    if record.layer is Layer.BOOTSTRAP:
        read = parse_bootstrap(document, record.file)
        for named in read.fields:
            yield _Labelled(device.name, named.name.replace("_", " "), named.value, 0)
        for pair in read.pairs:
            yield _Labelled(device.name, pair.question, pair.answer, 0)
        return
    third = _PREDICATE.search(document.text) if not device.is_own else None
    end = third.start() if third is not None else len(document.text)
    rank = 0 if record.layer is Layer.MASTER_RECORD else 1
    for field in parse_master_record(document, record.file).fields:
        if field.value.end <= end:
            yield _Labelled(device.name, field.name, field.value, rank)


def _device_of(
    cell: StatedCell,
    row: ComparedRow,
    owner: ComparedDevice | None,
    devices: Sequence[ComparedDevice],
) -> ComparedDevice | None:
    """Return whose value a cell is. "Subject" is the document's own device; a predicate must be
    named by its head, but in a paper of the company's that has one predicate column where one
    device is compared."""
    column = cell.column
    if column.role is ColumnRole.SUBJECT:
        return owner
    others = [each for each in devices if each is not owner]
    named = [
        each
        for each in others
        if column.numbers & {name.upper() for name in each.subject.names}
        or (not column.numbers and each.subject.is_named_in(column.name))
    ]
    if len(named) == 1:
        return named[0]
    heads = {other.column for other in row.cells if other.column.role is ColumnRole.PREDICATE}
    is_the_only = owner is not None and owner.is_own and len(others) == 1 and len(heads) == 1
    return others[0] if is_the_only and not column.numbers else None


def _listed(labelled: Sequence[_Labelled], devices: Sequence[ComparedDevice]) -> tuple[str, ...]:
    """Return the labels of the rows that state something of two devices or more."""
    of_label: dict[str, set[str]] = {}
    for each in labelled:
        if each.rank > 0:
            of_label.setdefault(each.label, set()).add(each.device)
    both = [label for label, named in of_label.items() if len(named) > 1]
    return tuple(both[:_MOST_ROWS])
