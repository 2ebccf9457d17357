"""Makes the plan: which passages each point of the outline will read, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.attributes import DEVICE_NAME, attribute_query
from phasergun_desktop.answering.devices import (
    ComparedDevice,
    compared_devices,
    files_of_other_devices,
)
from phasergun_desktop.answering.instructions import passages_text, step_task
from phasergun_desktop.answering.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.answering.outline import Outline, outline_of
from phasergun_desktop.answering.procedure_steps import procedure_steps
from phasergun_desktop.answering.sources import IndexedDocuments, Searcher
from phasergun_desktop.answering.stated_values import stated_value
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.standards import named_standards
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.model import (
    QuestionAnswer,
    ReferenceKind,
    Resolution,
)
from phasergun_desktop.retrieval.model import Hit, SearchScope
from phasergun_desktop.retrieval.passages import select_passages

# A pair belongs to the point it resembles most; below this it belongs to none of them.
_MIN_PAIR_SIMILARITY = 0.1


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """The numbers of the profile that a plan needs; counts are per outline point.

    ``reading_tokens`` bounds what one step reads, ``passages_per_point`` how many passages.
    """

    profile: str
    procedure_hits: int = 5
    context_hits: int = 3
    procedure_hits_unreferenced: int = 2
    context_hits_unreferenced: int = 2
    reading_tokens: int = 800
    passages_per_point: int = 3
    min_similarity: float = 0.2


class Planner:
    """Turns a resolved prompt into a plan. ``count_tokens`` estimates the cost of a text."""

    def __init__(
        self,
        documents: IndexedDocuments,
        searcher: Searcher,
        embedder: Embedder,
        settings: PlanSettings,
        *,
        system: str,
        standards: tuple[tuple[str, str], ...],
        count_tokens: Callable[[str], int],
    ) -> None:
        self._documents = documents
        self._searcher = searcher
        self._embedder = embedder
        self._settings = settings
        self._system = system
        self._standards = standards
        self._count_tokens = count_tokens

    def plan(self, resolution: Resolution) -> Plan:
        """Return the plan; a blocked prompt gets one without points."""
        started = time.perf_counter()
        points: tuple[PlannedPoint, ...] = ()
        title = ""
        if not resolution.is_blocked:
            outline = outline_of(resolution)
            title = outline.title
            points = self._with_pairs(self._expanded(outline, resolution), resolution)
            points = tuple(self._with_passages(point, resolution) for point in points)
        retrieval_ms = (time.perf_counter() - started) * 1000
        return Plan(
            prompt=resolution.prompt,
            task=resolution.task,
            title=title,
            profile=self._settings.profile,
            references=resolution.references,
            problems=resolution.problems,
            points=points,
            tokens=self._cost(points, title),
            standards=named_standards([resolution.task], self._standards),
            retrieval_ms=retrieval_ms,
        )

    def _expanded(self, outline: Outline, resolution: Resolution) -> list[PlannedPoint]:
        points: list[PlannedPoint] = []
        if any(point.kind is PointKind.COMPARE for point in outline.points):
            devices = compared_devices(outline.devices, self._documents, outline.points[0].scope)
            named = self._names(outline.points[0], devices)
            for point in (*named, *outline.points):
                points.extend(self._for_device(point, device) for device in devices)
            return points
        for point in outline.points:
            if point.kind is PointKind.PROCEDURE:
                steps = procedure_steps(
                    point, resolution, self._documents, self._settings.reading_tokens * 4
                )
                points.extend(steps or [point])
            else:
                points.append(point)
        return points

    def _names(
        self, first: PlannedPoint, devices: Sequence[ComparedDevice]
    ) -> tuple[PlannedPoint, ...]:
        """Return a point for the devices' names where every one's is stated: a predicate known
        by its number alone has to be identified (21 CFR 807.92(a)(3))."""
        point = replace(first, query=DEVICE_NAME, instruction=DEVICE_NAME, attribute=DEVICE_NAME)
        stated = all(self._for_device(point, device).value for device in devices)
        return (point,) if stated else ()

    def _for_device(self, point: PlannedPoint, device: ComparedDevice) -> PlannedPoint:
        """Give ``point`` to one device; a value that a document states by name needs no model."""
        value = stated_value(
            point.attribute,
            device.name,
            device.scope,
            self._documents,
            is_subject=device.is_subject,
        )
        return replace(
            point,
            device=device.name,
            scope=device.scope,
            query=attribute_query(point.attribute),
            value=value,
        )

    def _with_passages(self, point: PlannedPoint, resolution: Resolution) -> PlannedPoint:
        if point.passages or point.value is not None:
            return point
        if point.kind is not PointKind.COMPARE:
            others = files_of_other_devices(point.query, self._documents)
            scope = replace(point.scope, excluded=point.scope.excluded | others)
            point = replace(point, scope=scope)
        hits = self._hits(point, resolution)
        passages = select_passages(
            hits[: self._settings.passages_per_point],
            self._settings.reading_tokens,
            measure=self._count_tokens,
            per_hit_windows=1,
        )
        relevance = max((hit.similarity or 0.0 for hit in hits), default=0.0)
        return replace(point, passages=passages, relevance=relevance)

    def _hits(self, point: PlannedPoint, resolution: Resolution) -> list[Hit]:
        """Search procedures and context apart, each with its own count, and merge by score."""
        procedures = _part(point.scope, PROCEDURES)
        context = _part(point.scope, frozenset(Layer) - PROCEDURES)
        named = {reference.kind for reference in resolution.references}
        use = self._settings
        procedure_hits = (
            use.procedure_hits
            if named & {ReferenceKind.PROCEDURE, ReferenceKind.SCOPE}
            else use.procedure_hits_unreferenced
        )
        context_hits = (
            use.context_hits
            if named & {ReferenceKind.CONTEXT, ReferenceKind.MASTER_RECORD, ReferenceKind.SCOPE}
            else use.context_hits_unreferenced
        )
        found: list[Hit] = []
        for scope, count in ((context, context_hits), (procedures, procedure_hits)):
            if scope is not None:
                found.extend(self._searcher.search(point.query, scope, count).hits)
        found = [
            hit
            for hit in found
            if hit.similarity is None or hit.similarity >= use.min_similarity or hit.bm25
        ]
        # Scores of two searches do not compare (each is relative to its own best hit): the
        # cosine does.
        return sorted(found, key=lambda hit: (-(hit.similarity or 0.0), hit.rank, hit.chunk_id))

    def _with_pairs(
        self, points: list[PlannedPoint], resolution: Resolution
    ) -> tuple[PlannedPoint, ...]:
        pairs = [
            pair
            for reference in resolution.references
            if reference.kind is ReferenceKind.BOOTSTRAP
            for pair in reference.pairs
        ]
        writable = [i for i, point in enumerate(points) if point.kind is not PointKind.VERBATIM]
        if not pairs or not writable:
            return tuple(points)
        topics = self._embedder.embed([points[i].query for i in writable])
        assigned: dict[int, list[QuestionAnswer]] = {i: [] for i in writable}
        for pair in pairs:
            vector = self._embedder.embed([f"{pair.question} {pair.answer.text}"])[0]
            similarity = topics @ vector
            best = int(similarity.argmax())
            if float(similarity[best]) >= _MIN_PAIR_SIMILARITY:
                assigned[writable[best]].append(pair)
        return tuple(
            replace(point, pairs=tuple(assigned.get(i, ()))) for i, point in enumerate(points)
        )

    def _cost(self, points: tuple[PlannedPoint, ...], title: str) -> int:
        system = self._count_tokens(self._system) if points else 0
        return system + sum(
            self._count_tokens(passages_text(point.passages) + step_task(point, title))
            for point in points
            if point.value is None
        )


def _part(scope: SearchScope, layers: frozenset[Layer]) -> SearchScope | None:
    """Return the part of ``scope`` that lies in ``layers`` (files named apart stay in both, the
    index knows their layer), or None where it allows nothing there."""
    kept = scope.layers & layers
    if not kept and not scope.files:
        return None
    return replace(scope, layers=kept, of_layers=layers)
