"""The chunks that a profile retrieves for a question, beside the evidence of its plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from phasergun_desktop.planning.evidence_edits import with_evidence
from phasergun_desktop.planning.model import Plan, PlannedNeed
from phasergun_desktop.profiles.model import Profile, RetrievalSettings
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, PROCEDURES, Layer
from phasergun_desktop.retrieval.model import Hit, Passage, SearchResult, SearchScope
from phasergun_desktop.retrieval.reranking import ShouldStop
from phasergun_desktop.workspace.engines import Engine


def with_retrieved(
    plan: Plan,
    engine: Engine,
    files: frozenset[str] | None,
    earlier: Sequence[Passage],
    *,
    is_fast: bool,
    should_stop: ShouldStop | None = None,
) -> Plan:
    """Return ``plan`` with the chunks that ``engine`` retrieves for its parts out of ``files``
    (None: all), and behind them up to as many of ``earlier`` as the profile wants.

    A part is searched in its own scope; of several the best of each come first. A part for which
    the profile abstains has no evidence. See ``Retriever.search`` on ``should_stop``.
    """
    settings = engine.profile.retrieval
    reranks = len(plan.needs) > 1 and not is_fast
    search = partial(engine.retriever.search, should_stop=should_stop)
    results: list[SearchResult] = []
    fresh: list[Hit] = []
    for planned in plan.needs:
        scope = replace(planned.need.scope, within=_both(planned.need.scope.within, files))
        query = planned.need.whole_query
        shares = tuple(_shares(settings, scope))
        # Where each may give all, there is nothing to share out.
        is_shared = any(count < settings.limit for _, count in shares)
        reranked = reranks and not is_shared
        result = search(query, scope, settings.given(reranks=reranked), reranks=reranked)
        results.append(result)
        of_need = list(result.hits)
        if is_shared:
            found = [search(query, group, count, reranks=reranks) for group, count in shares]
            of_need = [hit for each in found for hit in each.hits]
        of_need.sort(key=lambda hit: (-hit.score, hit.chunk_id))
        fresh += [replace(hit, rank=at) for at, hit in enumerate(of_need, start=1)]
    fresh.sort(key=_order)
    kept = tuple(dict.fromkeys(map(passage_of, fresh)))[: settings.limit]
    places = {passage.place for passage in kept}
    cited = [
        passage
        for passage in earlier
        if passage.place not in places
        and (files is None or passage.file in files)
        and any(each.need.scope.allows(passage.file, passage.layer) for each in plan.needs)
    ]
    warnings = tuple(dict.fromkeys(warning for result in results for warning in result.warnings))
    needs = [
        replace(need, retrieval_score=result.retrieval_score)
        for need, result in zip(plan.needs, results, strict=True)
    ]
    left_out = [abstains(engine.profile, result) for result in results]
    if any(left_out):
        needs = [
            _unticked(need) if is_left_out else need
            for need, is_left_out in zip(needs, left_out, strict=True)
        ]
        plan = with_evidence(plan, needs)
    else:
        plan = replace(plan, needs=tuple(needs))
    return replace(
        plan,
        retrieved=(*kept, *cited[: settings.earlier_passages]),
        retrieval_score=sum(r.retrieval_score for r in results) / len(results) if results else 0.0,
        retrieval_ms=plan.retrieval_ms + sum(r.timings.total_ms for r in results),
        warnings=(*plan.warnings, *warnings),
    )


def _shares(settings: RetrievalSettings, scope: SearchScope) -> Iterator[tuple[SearchScope, int]]:
    """Yield the procedures of ``scope`` and its other documents, each with the number of chunks
    that it may give: one where the prompt names its sources, another where it does not."""
    is_open = scope.layers >= ALWAYS_SEARCHED
    procedures = (
        settings.procedure_passages_unreferenced if is_open else settings.procedure_passages
    )
    context = settings.context_passages_unreferenced if is_open else settings.context_passages
    within = frozenset(Layer) if scope.of_layers is None else scope.of_layers
    yield replace(scope, of_layers=within & PROCEDURES), procedures
    yield replace(scope, of_layers=within - PROCEDURES), context


def abstains(profile: Profile, result: SearchResult) -> bool:
    """Whether ``profile`` leaves a question of which this was retrieved without an answer. What was
    found by keywords alone has no cosines, and is not judged by them."""
    settings = profile.abstention
    cosines = [hit.similarity for hit in result.hits if hit.similarity is not None]
    if result.hits and not cosines:
        return False
    enough = sum(cosine >= settings.min_score for cosine in cosines) >= settings.min_chunks
    is_far = result.retrieval_score < settings.min_overall
    return not enough or is_far or profile.confidence.falls_back(result.retrieval_score)


def _unticked(need: PlannedNeed) -> PlannedNeed:
    units = tuple(replace(unit, selected=False) for unit in need.units)
    return replace(need, units=units, may_be_stated=False)


def passage_of(hit: Hit) -> Passage:
    """Return a chunk that was found as a passage."""
    return Passage(
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


def _order(hit: Hit) -> tuple[int, float, str]:
    return hit.rank, -hit.score, hit.chunk_id


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return one if other is None else other
    return one & other
