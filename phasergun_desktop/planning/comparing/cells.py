"""What the documents state of each compared device, attribute by attribute, word for word."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.grounding.candidate_spans import (
    CandidateSpan,
    is_of_a_third_device,
    whole_span,
)
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.comparing.compared_devices import (
    ComparedDevice,
    ComparisonRequest,
    compared_devices,
    read_comparison,
)
from phasergun_desktop.planning.comparing.tables import (
    ColumnRole,
    StatedCell,
    compared_rows,
    may_compare,
)
from phasergun_desktop.planning.evidence_points import unit_passage
from phasergun_desktop.planning.model import (
    PlannedNeed,
    PlannedPoint,
    PlannedUnit,
    PointKind,
)
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pool import PooledUnit, UnitPools
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.planning.verbatim import is_statement
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.bootstrap import parse_bootstrap
from phasergun_desktop.references.master_record import parse_master_record
from phasergun_desktop.references.model import Resolution, SourceValue
from phasergun_desktop.retrieval.model import Passage, SearchScope
from phasergun_desktop.text.words import content_words

# A label with at least this cosine to an attribute is another name of it, and a sentence with the
# attribute's words states it from the other on. Set on 20 FDA summaries and decision summaries,
# with the rows of their comparison tables: the detection level is no detection method (0.76), the
# operating principle the principle of operation (0.79); sentences above the other state the value.
SAME_ATTRIBUTE = 0.78
STATES_ATTRIBUTE = 0.55
# A predicate that is known by its number has to be identified (21 CFR 807.92(a)(3)).
_NAME = "device name/trade name"
_FEW_MORE_WORDS = 2
_MOST_ROWS = 16
_LOOKED_AT = 30
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTS = re.compile(r"\s*[/(),;:]\s*")
_PREDICATE = re.compile("predicate", re.IGNORECASE)
_NUMBERED = re.compile(r"^\W*(?:[\d.]+|[A-Z]{1,4}[.)]?)\s+")
_POINTER = re.compile(r"(?:see|refer to|siehe|voir|véase)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a document states of ``device`` under ``label``; ``rank`` is 0 for what outranks all
    others. ``is_row``: it is a cell of a comparison table."""

    device: str
    label: str
    value: SourceValue
    rank: int
    referred: SourceValue | None = None
    is_row: bool = False


def states_attribute(attribute: str, unit: PooledUnit, span: CandidateSpan) -> bool:
    """Whether ``unit`` states the attribute that it was pooled for: its section is headed so, or
    it has the words and is near."""
    if _POINTER.match(span.text):
        return False
    wanted = set(content_words(attribute))
    is_near = wanted <= set(content_words(span.text)) and unit.similarity >= STATES_ATTRIBUTE
    return is_near or _is_headed(wanted, span)


def _is_headed(wanted: set[str], span: CandidateSpan) -> bool:
    headings = [set(content_words(_NUMBERED.sub("", h))) for h in span.block.heading_path]
    return any(wanted <= words and len(words - wanted) <= 1 for words in headings)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The points of a table, and the needs that it answers."""

    needs: tuple[Need, ...]
    points: tuple[PlannedPoint, ...]

    @property
    def whole(self) -> tuple[Need, ...]:
        """The needs whose cells are all stated."""
        return tuple(
            need for need in self.needs if all(p.value is not None for p in self._cells(need))
        )

    def with_cells(self, planned: PlannedNeed) -> PlannedNeed:
        """Return ``planned`` with the cells of its attributes before its units."""
        if planned.need not in self.needs:
            return planned
        cells = dict.fromkeys(each for p in self._cells(planned.need) for each in p.evidence)
        units = tuple(PlannedUnit(each, selected=True, is_cell=True) for each in cells)
        return replace(planned, units=(*units, *planned.units))

    def _cells(self, need: Need) -> list[PlannedPoint]:
        """Return the points of the attributes that a need names; the first has those of none."""
        if need != self.needs[0]:
            return [p for p in self.points if p.attribute.casefold() in need.query.casefold()]
        others = " ".join(each.query for each in self.needs[1:]).casefold()
        return [point for point in self.points if point.attribute.casefold() not in others]


class ComparisonFinder:
    """Finds what a prompt compares and the cells of its table."""

    def __init__(self, documents: IndexedDocuments, pools: UnitPools, embedder: Embedder) -> None:
        self._documents = documents
        self._pools = pools
        self._embedder = embedder

    def of(self, resolution: Resolution, request: Request, subjects: Subjects) -> Comparison | None:
        """Return the comparison that the prompt asks for; None where it asks for none, or no cell
        of two devices is stated: what is said of one alone is said in sentences."""
        asked = read_comparison(resolution, request, subjects, self._documents.documents())
        points = self.points(asked, subjects) if asked is not None else ()
        cells = (point for point in points if point.value and point.attribute != _NAME)
        stated = {point.device for point in cells}
        return Comparison(asked.needs, points) if asked is not None and len(stated) > 1 else None

    def of_item(
        self, need: Need, attributes: Sequence[str], task: str, subjects: Subjects
    ) -> Comparison | None:
        """Return the comparison of the device with its predicate, or those that ``task`` names;
        None where no predicate is known."""
        text = f"compare with the predicate: {task}"
        devices = compared_devices(text, subjects, self._documents.documents())
        asked = ComparisonRequest(devices, tuple(attributes), (need,))
        points = self.points(asked, subjects) if len(devices) > 1 else ()
        return Comparison((need,), points) if points else None

    def points(self, asked: ComparisonRequest, subjects: Subjects) -> tuple[PlannedPoint, ...]:
        """Return a point for each attribute and device, row by row, with the value that a document
        states word for word, or without: a gap. Where the prompt lists no attributes they are the
        rows of the devices' own comparison tables that two devices have; none: no points."""
        need, devices = asked.needs[0], asked.devices
        records = {
            record.document_id: record
            for record in self._documents.documents()
            if need.scope.allows(record.file, record.layer)
        }
        labelled = [
            stated
            for record in records.values()
            for stated in self._stated_in(record, devices, subjects)
        ]
        rows = {_names(each.label)[0].casefold(): each.label for each in labelled if each.is_row}
        attributes = asked.attributes or tuple(rows.values())
        found = self._by_label((_NAME, *attributes), labelled)
        if not asked.attributes:
            attributes = _rows_of_two(attributes, devices, found)
        found |= self._by_unit(attributes, devices, records, found, subjects)
        names = [found.pop((_NAME, device.name), None) for device in devices]
        if None not in names and any(attribute in attributes for attribute, _ in found):
            found |= {(_NAME, each.device): each for each in names if each is not None}
            attributes = (_NAME, *attributes)
        points = [
            self._point(need, attribute, device, found.get((attribute, device.name)), records)
            for attribute in attributes
            for device in devices
        ]
        return tuple(
            replace(point, heading=need.heading) if place == 0 else point
            for place, point in enumerate(points)
        )

    def _stated_in(
        self, record: DocumentRecord, devices: Sequence[ComparedDevice], subjects: Subjects
    ) -> Iterator[_Stated]:
        owner = next((each for each in devices if record.file in each.files), None)
        others = [n for each in devices if not each.is_own for n in each.subject.whole_names]
        if owner is None and not may_compare(self._documents.text(record.document_id), others):
            return
        document = self._documents.parsed(record.document_id)
        names = (*subjects.of_file(record.file).whole_names, record.metadata.k_number)
        compared = compared_rows(document, names, [name for name in others if name not in names])
        if owner is not None:
            yield from _fields(record, document, owner, subjects)
        for row in compared:
            is_single = sum(each.column.role is ColumnRole.PREDICATE for each in row.cells) == 1
            for cell in row.cells:
                device = _device_of(cell, owner, devices, subjects, is_single=is_single)
                if device is not None:
                    places = [(cell.start, cell.end), *([cell.referred] if cell.referred else [])]
                    values = [SourceValue(document.text[s:e], record.file, s, e) for s, e in places]
                    rank = 1 if owner is device else 2
                    referred = values[1] if cell.referred else None
                    yield _Stated(device.name, row.label, values[0], rank, referred, is_row=True)

    def _by_label(
        self, attributes: Sequence[str], labelled: Sequence[_Stated]
    ) -> dict[tuple[str, str], _Stated]:
        """Return for each attribute and device the value under the label that is nearest to it."""
        named = [(name, each) for each in labelled for name in _names(each.label)]
        if not named or not attributes:
            return {}
        called = {attribute: _names(attribute) for attribute in attributes}
        texts = dict.fromkeys([name for names in called.values() for name in names])
        texts |= dict.fromkeys(name for name, _ in named)
        vectors = dict(zip(texts, self._embedder.embed(list(texts)), strict=True))
        found: dict[tuple[str, str], _Stated] = {}
        for attribute in attributes:
            near = [
                (
                    -max(
                        _nearness(wanted, name, float(vectors[wanted] @ vectors[name]))
                        for wanted in called[attribute]
                    ),
                    each.rank,
                    at,
                )
                for at, (name, each) in enumerate(named)
            ]
            for distance, _, at in sorted(near):
                if -distance >= SAME_ATTRIBUTE:
                    found.setdefault((attribute, named[at][1].device), named[at][1])
        return found

    def _by_unit(
        self,
        attributes: Sequence[str],
        devices: Sequence[ComparedDevice],
        records: Mapping[int, DocumentRecord],
        known: Mapping[tuple[str, str], _Stated],
        subjects: Subjects,
    ) -> dict[tuple[str, str], _Stated]:
        """Return for what no label states the best sentence of a document on the device."""
        missing = [(a, d) for a in attributes for d in devices if (a, d.name) not in known]
        needs = tuple(
            Need(str(at), attribute, 0, 0, attribute, _scope_of(device, records))
            for at, (attribute, device) in enumerate(missing)
        )
        found: dict[tuple[str, str], _Stated] = {}
        for need, (attribute, device) in zip(needs, missing, strict=True):
            # Each by itself: a cell is looked for, not a text in which one unit has one place.
            request = Request((need,), attribute, 0)
            pool = self._pools.pool(request, tuple(records.values()), is_read=False)
            spans = [
                span
                for unit in pool.of_need[need.need_id][:_LOOKED_AT]
                if states_attribute(attribute, unit, span := self._span(unit, records))
                and _is_of_its_device(span, device, devices, subjects)
            ]
            if spans:
                wanted = set(content_words(attribute))
                headed = [span for span in spans if _is_headed(wanted, span)]
                span = min(headed, key=lambda s: (s.passage.file, s.start)) if headed else spans[0]
                value = SourceValue(span.text, span.passage.file, span.start, span.end)
                found[attribute, device.name] = _Stated(device.name, attribute, value, 2)
        return found

    def _span(self, unit: PooledUnit, records: Mapping[int, DocumentRecord]) -> CandidateSpan:
        record = records[unit.document_id]
        passage = unit_passage(self._documents, record, unit.start, unit.end, unit.score)
        return whole_span(passage, self._documents.parsed(unit.document_id))

    def _point(
        self,
        need: Need,
        attribute: str,
        device: ComparedDevice,
        stated: _Stated | None,
        records: Mapping[int, DocumentRecord],
    ) -> PlannedPoint:
        values = [v for v in (stated.value, stated.referred) if v is not None] if stated else []
        by_file = {record.file: record for record in records.values()}
        passages: tuple[Passage, ...] = tuple(
            unit_passage(self._documents, by_file[v.file], v.start, v.end, 1.0) for v in values
        )
        return PlannedPoint(
            PointKind.COMPARE,
            heading="",
            query=attribute,
            instruction=attribute,
            scope=_scope_of(device, records),
            passages=passages,
            attribute=attribute,
            device=device.name,
            value=stated.value if stated else None,
            referred=stated.referred if stated else None,
            evidence=passages,
        )


def _rows_of_two(
    attributes: Sequence[str],
    devices: Sequence[ComparedDevice],
    found: Mapping[tuple[str, str], _Stated],
) -> tuple[str, ...]:
    """Return the attributes that two devices have, each row of values once."""
    rows: dict[tuple[str, ...], str] = {}
    for attribute in (_NAME, *attributes):
        cells = [found.get((attribute, device.name)) for device in devices]
        if sum(cell is not None for cell in cells) > 1:
            rows.setdefault(tuple(cell.value.text if cell else "" for cell in cells), attribute)
    return tuple(attribute for attribute in rows.values() if attribute != _NAME)[:_MOST_ROWS]


def _names(label: str) -> list[str]:
    """Return a label and, where it gives several names ("Intended use/indications"), each."""
    whole = " ".join(_JOINED.sub(" ", label).split())
    return list(dict.fromkeys(part for part in (whole, *_PARTS.split(whole)) if part))


def _nearness(attribute: str, name: str, cosine: float) -> float:
    """A label with all words of the attribute and few more is just near enough."""
    wanted, words = set(attribute.casefold().split()), set(name.casefold().split())
    is_narrower = bool(wanted) and wanted <= words and len(words - wanted) <= _FEW_MORE_WORDS
    return round(max(cosine, SAME_ATTRIBUTE if is_narrower else 0.0), 2)


def _scope_of(device: ComparedDevice, records: Mapping[int, DocumentRecord]) -> SearchScope:
    files = frozenset(each.file for each in records.values() if each.file in device.files)
    return SearchScope(layers=frozenset(), files=files)


def _fields(
    record: DocumentRecord, document: ParsedDocument, device: ComparedDevice, subjects: Subjects
) -> Iterator[_Stated]:
    """Yield the fields of a document; of another device's those before their section speaks of a
    predicate, which is a third device."""
    if record.layer is Layer.BOOTSTRAP:
        read = parse_bootstrap(document, record.file)
        for named in read.fields:
            yield _Stated(device.name, named.name.replace("_", " "), named.value, 0)
        for pair in read.pairs:
            yield _Stated(device.name, pair.question, pair.answer, 0)
        return
    headings = [block.end for block in document.blocks if block.kind is BlockKind.HEADING]
    thirds = [] if device.is_own else [m.start() for m in _PREDICATE.finditer(document.text)]
    rank = 0 if record.layer is Layer.MASTER_RECORD else 1
    for field in parse_master_record(document, record.file).fields:
        above = bisect_right(headings, field.value.start)
        section = headings[above - 1] if above else 0
        is_third = bisect_left(thirds, section) < bisect_left(thirds, field.value.end)
        if not is_third and _is_under(device, [field.section], subjects):
            yield _Stated(device.name, field.name, field.value, rank)


def _is_under(device: ComparedDevice, path: Sequence[str], subjects: Subjects) -> bool:
    """Whether no heading above says that what follows is on another than ``device``."""
    other = subjects.of_headings(path)
    return other is None or bool(set(other.names) & set(device.subject.names))


def _is_of_its_device(
    span: CandidateSpan,
    device: ComparedDevice,
    devices: Sequence[ComparedDevice],
    subjects: Subjects,
) -> bool:
    """Whether a span states something of the device that its document is on."""
    names_other = any(e.subject.is_asked_by(span.text) for e in devices if e is not device)
    is_foreign = names_other or not _is_under(device, span.block.heading_path, subjects)
    is_row = span.block.kind is BlockKind.TABLE_ROW
    return not (is_row or is_foreign or is_of_a_third_device(span)) and is_statement(span)


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
    predicates = [each for each in devices if each.name in subjects.predicates]
    is_known = is_own_paper and len(predicates) == 1 and len(subjects.predicates) == 1
    return predicates[0] if is_known else None
