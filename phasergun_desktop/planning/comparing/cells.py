"""What the documents state of each compared device, attribute by attribute, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.grounding.candidate_spans import (
    CandidateSpan,
    whole_span,
)
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.comparing.compared_devices import (
    OURS,
    ComparedDevice,
    compared_devices,
)
from phasergun_desktop.planning.comparing.comparison_request import (
    Comparison,
    ComparisonRequest,
    read_comparison,
)
from phasergun_desktop.planning.comparing.labelled_values import (
    LabelledValue,
    is_of_a_third,
    is_under_own_heading,
    labelled_values,
)
from phasergun_desktop.planning.comparing.tables import (
    cell_places,
)
from phasergun_desktop.planning.evidence_points import unit_passage
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import Subjects
from phasergun_desktop.planning.verbatim import as_written, without_its_head
from phasergun_desktop.references.model import Resolution, SourceValue
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.text.words import content_words

# A label with at least this cosine to an attribute is another name of it. Set on 20 FDA summaries
# and decision summaries, with the rows of their comparison tables: the detection level is no
# detection method (0.76), the operating principle the principle of operation (0.79).
SAME_ATTRIBUTE = 0.78
# What a comparison is made of where neither the prompt nor the predicate's paper lists it.
_USUAL = listed("prompts", "compared_attributes")
_FEW_MORE_WORDS = 2
_MOST_ROWS = 24
# So many of the units nearest to an attribute are looked at, and so many of these read: fewer where
# there are many attributes. So many are read for all devices together, a second of two cores.
_NEAREST, _READ, _FEWEST_READ, _MOST_READ = 120, 8, 3, 320
# What the attribute's words in a unit and its headings count beside the cosine in this order.
_WORDS_COUNT = 0.3
# Above these log odds a unit is taken to answer the question for an attribute: of the project's
# device, and, with the share of the attribute's words that stand in it, of another, whose paper is
# short so that the best unit in it stands out. Set on 193 and 234 cells of fifteen projects
# (``packaging/selector_data``), that of others again for the weights of now: 143 of 164 filled ones
# are right there (128 of 149 from -2.7). Of 195 and 233 on fifteen others that some unit states 82
# and 124 are filled right (107 from -2.7), labels included.
_OF_OWN, _OF_OTHERS, _WORDS_READ = 2.9, -4.0, 8.5
_PARTS = re.compile(r"\s*[/(),;:]\s*")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_POINTER = re.compile(r"(?:see|refer to|siehe|voir|véase)\b", re.IGNORECASE)


class ComparisonFinder:
    """Finds what a prompt compares and the cells of its table."""

    def __init__(self, documents: IndexedDocuments, pools: UnitPools, embedder: Embedder) -> None:
        self._documents = documents
        self._pools = pools
        self._embedder = embedder

    def of(self, resolution: Resolution, request: Request, subjects: Subjects) -> Comparison | None:
        """Return the comparison that the prompt asks for; None where it asks for none, or no cell
        of two devices is stated: what is said of one alone is said in sentences."""
        asked = read_comparison(resolution, request, subjects, self._documents)
        points = self.points(asked, subjects) if asked is not None else ()
        stated = {point.device for point in points if point.value}
        if asked is None or len(stated) < 2:
            return None
        return Comparison(asked.needs, points)

    def of_item(
        self, need: Need, attributes: Sequence[str], task: str, subjects: Subjects
    ) -> Comparison | None:
        """Return the comparison of the device with its predicate, or those that ``task`` names;
        None where no predicate is known."""
        devices = compared_devices(f"compare with the predicate: {task}", subjects, self._documents)
        asked = ComparisonRequest(devices, tuple(attributes), (need,))
        points = self.points(asked, subjects) if len(devices) > 1 else ()
        return Comparison((need,), points) if points else None

    def points(self, asked: ComparisonRequest, subjects: Subjects) -> tuple[PlannedPoint, ...]:
        """Return a point for each attribute and device, row by row, with the value that a document
        states word for word, or without: a gap. Where the prompt lists no attributes they are the
        labels of the other devices' papers and those of most comparisons, as far as two devices
        have them."""
        need = asked.needs[0]
        # Where none are listed, what another device has tells what is looked for of the project's.
        devices = sorted(asked.devices, key=lambda each: each.is_own)
        records = {
            record.document_id: record
            for record in self._documents.documents()
            if need.scope.allows(record.file, record.layer)
        }
        labelled = [
            stated
            for record in records.values()
            for stated in labelled_values(record, self._documents, asked.devices, subjects)
            if not is_instruction_like(f"{stated.label}: {stated.value.text}")
        ]
        others = {device.name for device in devices if not device.is_own}
        labels = {_names(e.label)[0].casefold(): e.label for e in labelled if e.device in others}
        attributes = asked.attributes or (*[*labels.values()][:_MOST_ROWS], *_USUAL)
        found = self._by_label(attributes, labelled)
        for device in devices:
            of_others = {attribute for attribute, _ in found}
            # A row has two cells at least, unless the prompt wants it.
            wanted = [
                a for a in attributes if asked.attributes or not device.is_own or a in of_others
            ]
            found |= self._by_unit(wanted, device, asked.devices, records, found, subjects)
        if not asked.attributes:
            attributes = _rows_of_two(attributes, devices, found)
        points = [
            self._point(need, attribute, device, found.get((attribute, device.name)), records)
            for attribute in attributes
            for device in asked.devices
        ]
        return tuple(
            replace(point, heading=need.heading) if place == 0 else point
            for place, point in enumerate(points)
        )

    def _by_label(
        self, attributes: Sequence[str], labelled: Sequence[LabelledValue]
    ) -> dict[tuple[str, str], LabelledValue]:
        """Return for each attribute and device the value under the label that is nearest to it and
        to no other attribute more."""
        named = [(name, each) for each in labelled for name in _names(each.label)]
        if not named or not attributes:
            return {}
        called = {attribute: _names(attribute) for attribute in attributes}
        texts = dict.fromkeys([name for names in called.values() for name in names])
        labels = dict.fromkeys(name for name, _ in named)
        texts |= labels
        vectors = dict(zip(texts, self._embedder.embed(list(texts)), strict=True))
        found: dict[tuple[str, str], LabelledValue] = {}
        nearness = {
            (attribute, name): max(
                _nearness(wanted, name, float(vectors[wanted] @ vectors[name]))
                for wanted in called[attribute]
            )
            for attribute in attributes
            for name in labels
        }
        # "Patient weight" is no weight of the device where both are rows.
        most = {name: max(nearness[each, name] for each in attributes) for name in labels}
        for attribute in attributes:
            near = sorted(
                (-nearness[attribute, name], each.rank, at)
                for at, (name, each) in enumerate(named)
                if nearness[attribute, name] >= max(SAME_ATTRIBUTE, most[name])
            )
            for *_, at in near:
                found.setdefault((attribute, named[at][1].device), named[at][1])
        return found

    def _by_unit(
        self,
        attributes: Sequence[str],
        device: ComparedDevice,
        devices: Sequence[ComparedDevice],
        records: Mapping[int, DocumentRecord],
        known: Mapping[tuple[str, str], LabelledValue],
        subjects: Subjects,
    ) -> dict[tuple[str, str], LabelledValue]:
        """Return for what no label states the unit of a document on ``device`` that answers the
        question for the attribute best."""
        missing = [a for a in attributes if (a, device.name) not in known]
        # What a label gives another attribute.
        taken = [v.value for (_, name), v in known.items() if name == device.name]
        room = _MOST_READ // (max(1, len(missing)) * len(devices))
        most = min(_READ, max(_FEWEST_READ, room))
        on_it = [record for record in records.values() if record.file in device.files]
        if not missing or not on_it:
            return {}
        table, rows, cosines = self._pools.cosines(missing, on_it)

        @cache
        def span_of(row: int) -> CandidateSpan | None:
            record = records[int(table.documents[row])]
            start, end = int(table.start[row]), int(table.end[row])
            document = self._documents.parsed(record.document_id)
            span = whole_span(unit_passage(self._documents, record, start, end, 1.0), document)
            is_third = not device.is_own and is_of_a_third(document, end)
            is_third |= any(v.file == record.file and start <= v.start < end for v in taken)
            is_its = not is_third and _is_of_its_device(span, device, devices, subjects)
            return span if is_its else None

        answers: list[tuple[float, int, str, CandidateSpan]] = []
        for attribute, near in zip(missing, cosines, strict=True):
            wanted = set(content_words(attribute))
            looked_at = []
            for at in np.argsort(-near.round(6), kind="stable")[:_NEAREST].tolist():
                span = span_of(int(rows[at]))
                if span is not None:
                    above = (span.passage.file, *span.block.heading_path)
                    first = near[at] + _WORDS_COUNT * _share(wanted, *above, span.text)
                    looked_at.append((first, int(rows[at]), span))
            looked_at = sorted(looked_at, key=lambda each: (-each[0], each[1]))[:most]
            question = f"What is the {attribute}?"
            read_rows = [row for _, row, _ in looked_at]
            read = self._pools.reader.answering(question, table, read_rows, on_it)
            if read is None:
                continue
            if not device.is_own:
                read = read + [_WORDS_READ * _share(wanted, span.text) for *_, span in looked_at]
            least = _OF_OWN if device.is_own else _OF_OTHERS
            answers += [
                (odds, row, attribute, span)
                for odds, (_, row, span) in zip(read.round(6).tolist(), looked_at, strict=True)
                if odds > least
            ]
        return {
            (attribute, device.name): LabelledValue(
                device.name,
                attribute,
                _value(span, self._documents.parsed(span.passage.document_id), device),
                2,
            )
            for attribute, span in _each_its_own(answers)
        }

    def _point(
        self,
        need: Need,
        attribute: str,
        device: ComparedDevice,
        stated: LabelledValue | None,
        records: Mapping[int, DocumentRecord],
    ) -> PlannedPoint:
        values = [v for v in (stated.value, stated.referred) if v is not None] if stated else []
        by_file = {record.file: record for record in records.values()}
        passages = tuple(
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


def _each_its_own(
    answers: Sequence[tuple[float, int, str, CandidateSpan]],
) -> Iterator[tuple[str, CandidateSpan]]:
    """Yield for each attribute the best of its ``answers`` (odds, row, attribute, span) that is
    left: a row of a table states one thing, the one that it answers best."""
    filled: set[str] = set()
    given: set[int] = set()
    for _, row, attribute, span in sorted(answers, key=lambda each: (-each[0], each[1])):
        if attribute in filled or row in given:
            continue
        filled.add(attribute)
        if span.block.kind is BlockKind.TABLE_ROW:
            given.add(row)
        yield attribute, span


def _rows_of_two(
    attributes: Sequence[str],
    devices: Sequence[ComparedDevice],
    found: Mapping[tuple[str, str], LabelledValue],
) -> tuple[str, ...]:
    """Return the attributes that two devices have; the usual ones add nothing that is stated."""
    rows: list[str] = []
    used: set[tuple[str, int]] = set()
    for attribute in attributes:
        cells = [found[attribute, d.name].value for d in devices if (attribute, d.name) in found]
        places = {(cell.file, cell.end) for cell in cells}
        if len(cells) > 1 and not (attribute in _USUAL and used & places):
            rows.append(attribute)
            used |= places
    return tuple(rows)[:_MOST_ROWS]


def _value(span: CandidateSpan, document: ParsedDocument, device: ComparedDevice) -> SourceValue:
    """Return what a cell states: of a row the value alone, where its head says whose it is or it
    has no other, with its label where that has the unit ("Noise (dB(A)) | max. 60")."""
    bare = without_its_head(span)
    start, end = bare.start, bare.end
    at = _cell_on(span, device)
    if at is not None:
        (_, label), (_, cell) = span.block.cells[0], span.block.cells[at]
        has_unit = any(value.unit for value in extract_values(cell))
        lacks_it = label.rstrip().endswith((")", "]")) and re.search(r"\d", cell) and not has_unit
        if len(span.block.cells) > 2 or not lacks_it:
            start, end = [*cell_places(document, span.block)][at] or (start, end)
    return SourceValue(document.text[start:end], span.passage.file, start, end)


def _cell_on(span: CandidateSpan, device: ComparedDevice) -> int | None:
    """Return which cell of a row is on ``device``; None for all of them, or where it is no row."""
    if span.block.kind is not BlockKind.TABLE_ROW:
        return None
    heads = [head for head, _ in span.block.cells]
    named = (at for at, head in enumerate(heads) if at and device.subject.is_named_in(head))
    return next(named, 1 if len(heads) == 2 else None)


def _share(wanted: set[str], *texts: str) -> float:
    """Return the share of the ``wanted`` words that stand in ``texts``."""
    return len(wanted & set(content_words(" ".join(texts)))) / max(1, len(wanted))


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


def _is_of_its_device(
    span: CandidateSpan,
    device: ComparedDevice,
    devices: Sequence[ComparedDevice],
    subjects: Subjects,
) -> bool:
    """Whether a span states something of the device that its document is on."""
    at = _cell_on(span, device)
    said = span.text if at is None else span.block.cells[at][1]
    path = span.block.heading_path
    is_foreign = any(e.subject.is_asked_by(said) for e in devices if e is not device)
    # What stands under "Comparison with the predicate" in a column on the device is on that.
    if at is None or not device.subject.is_named_in(span.block.cells[at][0]):
        is_foreign |= not is_under_own_heading(device, path, subjects)
    is_foreign |= not device.is_own and OURS.search(said) is not None
    is_on_it = device.is_under(path, span.passage.file)
    # Its label says what a fragment is of: "Noise 60 dB(A)" needs no verb.
    text = as_written(span)[0]
    is_told = len(text.split()) > 1 and not (text.endswith("?") or _POINTER.match(text))
    return is_on_it and is_told and not is_foreign
