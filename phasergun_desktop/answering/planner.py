"""Makes the plan: which passages each point of the outline will read, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from phasergun_desktop.answering.comparing.attributes import DEVICE_NAME, attribute_query
from phasergun_desktop.answering.comparing.devices import (
    ComparedDevice,
    compared_devices,
    files_of_other_devices,
    is_named_in,
)
from phasergun_desktop.answering.comparing.stated_values import stated_value
from phasergun_desktop.answering.discrepancies.between_sources import plan_discrepancies
from phasergun_desktop.answering.evidence_points import EvidenceFinder
from phasergun_desktop.answering.model import (
    DocumentSummary,
    Plan,
    PlannedNeed,
    PlannedPoint,
    PointKind,
)
from phasergun_desktop.answering.outlines.clauses import asked_parts
from phasergun_desktop.answering.outlines.outline import Outline
from phasergun_desktop.answering.outlines.plan_request import (
    is_headed,
    missing_items,
    plan_request,
    speaking_hits,
)
from phasergun_desktop.answering.outlines.procedure_steps import procedure_steps
from phasergun_desktop.answering.outlines.prompt_language import language_notes
from phasergun_desktop.answering.outlines.summaries import DocumentSummaries
from phasergun_desktop.answering.passes.hidden_instructions import (
    HiddenInstruction,
    summary_without_instructions,
    warnings_of,
    without_instructions,
)
from phasergun_desktop.answering.questions.refusals import Refusals
from phasergun_desktop.answering.sources import IndexedDocuments, Searcher
from phasergun_desktop.answering.writing.instructions import passages_text, step_task
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.standards import named_standards
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.subject import of_the_device
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.model import (
    Problem,
    QuestionAnswer,
    ReferenceKind,
    Resolution,
)
from phasergun_desktop.retrieval.model import Hit, SearchScope
from phasergun_desktop.retrieval.passages import select_passages

# A pair belongs to the point it resembles most; below this it belongs to none of them.
# How many times as many passages are looked at for an item of which the nearest do not speak.
_DEEPER = 3
_MIN_PAIR_SIMILARITY = 0.1
_FEW_DOCUMENTS = 3


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """The numbers of the profile that a plan needs; counts are per outline point.

    ``reading_tokens`` bounds what one step reads, ``passages_per_point`` how many passages. A
    point reads nothing, and is a gap, where fewer than ``min_chunks`` chunks have a cosine of
    ``min_similarity`` or the mean cosine weighted by 1/rank is below ``min_overall``. Summaries
    have at most ``summary_words`` words each and ``summary_tokens`` tokens together.
    """

    profile: str
    procedure_hits: int = 5
    context_hits: int = 3
    procedure_hits_unreferenced: int = 2
    context_hits_unreferenced: int = 2
    reading_tokens: int = 800
    passages_per_point: int = 3
    min_similarity: float = 0.2
    min_chunks: int = 0
    min_overall: float = -1.0
    summary_words: int = 250
    summary_tokens: int = 0


class Planner:
    """Turns a resolved prompt into a plan. ``count_tokens`` estimates the cost of a text."""

    def __init__(
        self,
        documents: IndexedDocuments,
        searcher: Searcher,
        evidence: EvidenceFinder,
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
        self._refusals = Refusals(documents, searcher)
        self._evidence = evidence
        self._summaries = DocumentSummaries(
            documents,
            count_tokens,
            words=settings.summary_words,
            budget_tokens=settings.summary_tokens,
        )

    def plan(self, resolution: Resolution, template: SectionTemplate | None = None) -> Plan:
        """Return the plan; a blocked prompt gets one without points.

        With a ``template`` its items are the outline; a prompt beside it restricts the sources
        and adds to it, an empty one drafts it from the whole project.
        """
        started = time.perf_counter()
        points: tuple[PlannedPoint, ...] = ()
        hidden: tuple[HiddenInstruction, ...] = ()
        title = ""
        needs: tuple[PlannedNeed, ...] = ()
        problems: tuple[Problem, ...] = ()
        if not resolution.is_too_long:
            request = plan_request(resolution, template, self._documents)
            resolution, outline = request.resolution, request.outline
            title = outline.title
            expanded = self._expanded(outline, resolution, has_steps=template is None)
            points = self._with_pairs(expanded, resolution)
            is_strict = template is not None
            points = tuple(self._with_passages(point, resolution, is_strict) for point in points)
            points, hidden = without_instructions(points, self._documents.parsed)
            if template is None:
                asked = of_the_device(read_request(resolution, title), self._documents.documents())
                needs = self._evidence.of(asked)
            missing = missing_items(points)
            problems = (*request.problems, *missing)
        summaries = tuple(map(summary_without_instructions, self._summaries.of(points)))
        retrieval_ms = (time.perf_counter() - started) * 1000
        return Plan(
            prompt=resolution.prompt,
            task=resolution.task,
            title=title,
            profile=self._settings.profile,
            references=resolution.references,
            problems=(*resolution.problems, *problems),
            points=points,
            tokens=self._cost(points, title, summaries),
            standards=named_standards([resolution.task], self._standards),
            retrieval_ms=retrieval_ms,
            template=template.name if template is not None else "",
            maximum_words=template.maximum_words if template is not None else 0,
            summaries=summaries,
            warnings=(*warnings_of(hidden), *language_notes(resolution.task)),
            discrepancies=plan_discrepancies(points, self._documents, resolution),
            needs=needs,
        )

    def plan_of(self, resolution: Resolution, needs: tuple[PlannedNeed, ...]) -> Plan:
        """Return the plan of a text that states what is selected in ``needs`` and nothing else."""
        request = plan_request(resolution, None, self._documents)
        points = tuple(self._evidence.points(needs))
        points, hidden = without_instructions(points, self._documents.parsed)
        return Plan(
            prompt=resolution.prompt,
            task=resolution.task,
            title=request.outline.title,
            profile=self._settings.profile,
            references=resolution.references,
            problems=resolution.problems,
            points=points,
            tokens=self._cost(points, request.outline.title, ()),
            standards=named_standards([resolution.task], self._standards),
            warnings=warnings_of(hidden),
            discrepancies=plan_discrepancies(points, self._documents, resolution),
            needs=needs,
        )

    def _expanded(
        self, outline: Outline, resolution: Resolution, *, has_steps: bool
    ) -> list[PlannedPoint]:
        """Give compared attributes to each device and, with ``has_steps``, a process its steps."""
        compared = [point for point in outline.points if point.kind is PointKind.COMPARE]
        rows = self._rows(outline, compared) if compared else []
        points: list[PlannedPoint] = []
        for point in outline.points:
            if point.kind is PointKind.COMPARE:
                points.extend(rows)
                rows = []
                continue
            steps: list[PlannedPoint] = []
            if point.kind is PointKind.PROCEDURE and has_steps:
                budget = self._settings.reading_tokens * 4
                steps = procedure_steps(point, resolution, self._documents, budget)
            points.extend(steps or [point])
        return points

    def _rows(self, outline: Outline, compared: Sequence[PlannedPoint]) -> list[PlannedPoint]:
        """Return a point per attribute and device; the first carries heading and requirement."""
        first = compared[0]
        devices = compared_devices(outline.devices, self._documents, first.scope)
        rows = [
            self._for_device(replace(point, heading="", is_required=False), device)
            for point in (*self._names(first, devices), *compared)
            for device in devices
        ]
        rows[0] = replace(rows[0], heading=first.heading, is_required=first.is_required)
        return rows

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

    def _with_passages(
        self, point: PlannedPoint, resolution: Resolution, is_strict: bool
    ) -> PlannedPoint:
        if point.passages or point.value is not None:
            return point
        refused = self._refusals.checked(point)
        if refused.denial is not None:
            return refused
        if point.kind is not PointKind.COMPARE:
            others = files_of_other_devices(point.query, self._documents)
            scope = replace(point.scope, excluded=point.scope.excluded | others)
            point = replace(point, scope=scope)
        hits = self._hits(point, resolution)
        if is_strict and point.kind is not PointKind.COMPARE:
            hits = self._speaking(point, resolution, hits)
        elif self._is_too_little(hits) and not _names_its_documents(point.scope):
            hits = [hit for hit in hits if is_headed(point, hit)]
        passages = select_passages(
            hits[: self._settings.passages_per_point],
            self._settings.reading_tokens,
            measure=self._count_tokens,
            per_hit_windows=1,
        )
        relevance = max((hit.similarity or 0.0 for hit in hits), default=0.0)
        return replace(point, passages=passages, relevance=relevance)

    def _is_too_little(self, hits: Sequence[Hit]) -> bool:
        """Whether what was found is not enough to write from (the profile's abstention)."""
        cosines = [hit.similarity or 0.0 for hit in hits]
        reached = sum(cosine >= self._settings.min_similarity for cosine in cosines)
        weights = [1.0 / rank for rank in range(1, len(cosines) + 1)]
        total = sum(weight * cosine for weight, cosine in zip(weights, cosines, strict=True))
        overall = total / sum(weights) if weights else 0.0
        return reached < self._settings.min_chunks or overall < self._settings.min_overall

    def _speaking(
        self, point: PlannedPoint, resolution: Resolution, hits: Sequence[Hit]
    ) -> list[Hit]:
        """Return which of ``hits`` speak of ``point``, then what speaks of it further down where
        none does, or where few of the device's own documents do: minutes that have an open threat
        among other things resemble no question, nor does a scanned test report."""
        speaking = speaking_hits(point.query, hits)
        wanted = self._settings.passages_per_point
        is_of_procedures = _part(point.scope, PROCEDURES) is not None
        if len(speaking) >= wanted or (speaking and is_of_procedures):
            return speaking
        deeper = speaking_hits(point.query, self._hits(point, resolution, depth=_DEEPER))
        known = {hit.chunk_id for hit in speaking}
        return [*speaking, *(hit for hit in deeper if hit.chunk_id not in known)][:wanted]

    def _hits(self, point: PlannedPoint, resolution: Resolution, depth: int = 1) -> list[Hit]:
        """Search procedures and context apart, each with its own count, and merge by score.

        With a ``depth`` above 1 so many times as many are taken, near to the point or not.
        """
        procedures = _part(point.scope, PROCEDURES)
        context = _part(point.scope, frozenset(Layer) - PROCEDURES)
        named = {reference.kind for reference in resolution.references}
        use = self._settings
        # A point that may look in one group alone has asked for that group.
        procedure_hits = (
            use.procedure_hits
            if named & {ReferenceKind.PROCEDURE, ReferenceKind.SCOPE} or context is None
            else use.procedure_hits_unreferenced
        )
        context_hits = (
            use.context_hits
            if named & {ReferenceKind.CONTEXT, ReferenceKind.MASTER_RECORD, ReferenceKind.SCOPE}
            or procedures is None
            else use.context_hits_unreferenced
        )
        found: list[Hit] = []
        for scope, count in ((context, context_hits), (procedures, procedure_hits)):
            if scope is not None:
                found.extend(self._found(point, scope, count * depth))
        found = [
            hit
            for hit in found
            if depth > 1
            or hit.similarity is None
            or hit.similarity >= use.min_similarity
            or hit.bm25
            or _names_its_documents(point.scope)
        ]
        # Scores of two searches do not compare (each is relative to its own best hit): the
        # cosine does.
        return sorted(found, key=lambda hit: (-(hit.similarity or 0.0), hit.rank, hit.chunk_id))

    def _found(self, point: PlannedPoint, scope: SearchScope, count: int) -> list[Hit]:
        """Search for all that a point asks for at once and, in turn, for each part of it."""
        parts = [point.query]
        if point.kind is not PointKind.COMPARE:
            parts = asked_parts(point.query)
        lists = [self._searcher.search(part, scope, count).hits for part in parts]
        found: dict[ChunkId, Hit] = {}
        for turn in zip_longest(*lists):
            for hit in turn:
                if hit is not None:
                    known = found.get(hit.chunk_id, hit)
                    nearer = max(known, hit, key=lambda each: each.similarity or 0.0)
                    # It has the words of one part and may resemble another one more.
                    found[hit.chunk_id] = replace(nearer, bm25=known.bm25 or hit.bm25)
        return list(found.values())[:count]

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
                assigned[_of_its_device(pair, writable[best], points)].append(pair)
        return tuple(
            replace(point, pairs=tuple(assigned.get(i, ()))) for i, point in enumerate(points)
        )

    def _cost(
        self,
        points: tuple[PlannedPoint, ...],
        title: str,
        summaries: tuple[DocumentSummary, ...],
    ) -> int:
        system = self._count_tokens(self._system) if points else 0
        return system + sum(
            self._count_tokens(passages_text(point.passages, summaries) + step_task(point, title))
            for point in points
            if point.value is None
        )


def _of_its_device(pair: QuestionAnswer, best: int, points: Sequence[PlannedPoint]) -> int:
    """Return the place of the point that ``pair`` answers: the devices of a comparison are asked
    for the same, so that what a question says of its device decides; the subject without."""
    attribute = points[best].attribute
    if points[best].kind is not PointKind.COMPARE:
        return best
    rows = [i for i, point in enumerate(points) if point.attribute == attribute]
    named = [i for i in rows if is_named_in(points[i].device, pair.question)]
    is_other = "predicate" in pair.question.casefold()
    return named[-1] if named else rows[-1] if is_other else rows[0]


def _names_its_documents(scope: SearchScope) -> bool:
    """Whether the prompt names the few documents that a point may use: the writer has said where
    it stands, and a short document on many things resembles none of them."""
    return not scope.layers and 0 < len(scope.files) <= _FEW_DOCUMENTS


def _part(scope: SearchScope, layers: frozenset[Layer]) -> SearchScope | None:
    """Return the part of ``scope`` that lies in ``layers`` (files named apart stay in both, the
    index knows their layer), or None where it allows nothing there."""
    kept = scope.layers & layers
    if not kept and not scope.files:
        return None
    return replace(scope, layers=kept, of_layers=layers)
