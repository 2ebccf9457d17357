"""Finds the passage that denies what a point takes for granted, before anything is written."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.grounding.candidates import CandidateSpan, candidate_spans
from phasergun_desktop.planning.model import PlannedPoint
from phasergun_desktop.planning.questions.premises import Premise, denial_of, premise_of
from phasergun_desktop.planning.sources import IndexedDocuments, Searcher
from phasergun_desktop.planning.subject import subjects_of
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Hit, Passage, SearchScope

# What the project says of itself, asked for or not: it outranks every other source.
_PROJECT_FACTS = frozenset({Layer.BOOTSTRAP, Layer.MASTER_RECORD})
_MOST_HITS = 8


class Refusals:
    """Looks questions up among the indexed documents."""

    def __init__(self, documents: IndexedDocuments, searcher: Searcher) -> None:
        self._documents = documents
        self._searcher = searcher

    def checked(self, point: PlannedPoint) -> PlannedPoint:
        """Return ``point``, with its ``denial`` where a source plainly says that what it takes for
        granted is not so; it then reads that passage and no other."""
        if point.pairs:
            return point
        names = list(subjects_of(self._documents).device.names)
        premise = premise_of(point.instruction, names)
        if premise is None:
            return point
        scope = _with_project_facts(point.scope)
        others = self._on_other_devices() if not _asks_of_another(point, premise) else frozenset()
        hits = self._searcher.search(
            point.query, replace(scope, excluded=scope.excluded | others), _MOST_HITS
        ).hits
        spans = self._project_facts(scope)
        spans.extend(span for hit in hits for span in self._spans(hit))
        found = denial_of(premise, spans)
        if found is None:
            return point
        passage = found.passage
        read = replace(passage, start=found.start, end=found.end, text=found.text)
        value = SourceValue(found.text, passage.file, found.start, found.end)
        return replace(point, passages=(read,), denial=value)

    def _on_other_devices(self) -> frozenset[str]:
        return frozenset(
            record.file
            for record in self._documents.documents()
            if record.layer is Layer.PREDICATES or record.kind == "decision_summary"
        )

    def _project_facts(self, scope: SearchScope) -> list[CandidateSpan]:
        """Return all that the project says of itself: "sterilised" does not find "sterile"."""
        spans: list[CandidateSpan] = []
        for record in self._documents.documents():
            if record.layer not in _PROJECT_FACTS or not scope.allows(record.file, record.layer):
                continue
            document = self._documents.parsed(record.document_id)
            for chunk in self._documents.chunks(record.document_id):
                passage = Passage(
                    document_id=record.document_id,
                    file=record.file,
                    sha256=record.sha256,
                    title=record.title,
                    layer=record.layer,
                    chunk_id=chunk.chunk_id,
                    start=chunk.start,
                    end=chunk.end,
                    text=document.text[chunk.start : chunk.end],
                    heading_path=(),
                    score=1.0,
                )
                spans.extend(candidate_spans(passage, document))
        return spans

    def _spans(self, hit: Hit) -> list[CandidateSpan]:
        passage = Passage(
            document_id=hit.document_id,
            file=hit.file,
            sha256=hit.sha256,
            title=hit.title,
            layer=hit.layer,
            chunk_id=hit.chunk_id,
            start=hit.start,
            end=hit.end,
            text=hit.text,
            heading_path=hit.heading_path,
            score=hit.score,
        )
        return candidate_spans(passage, self._documents.parsed(hit.document_id))


def _asks_of_another(point: PlannedPoint, premise: Premise) -> bool:
    """Whether the question is on another device, by its number or by what it is to this one."""
    query = point.query.casefold()
    return bool(premise.names) or "predicate" in query or "reference device" in query


def _with_project_facts(scope: SearchScope) -> SearchScope:
    """A scope that a prompt names is kept; the usual one also looks into what was answered."""
    if scope.layers >= ALWAYS_SEARCHED:
        return replace(scope, layers=scope.layers | _PROJECT_FACTS)
    return scope
