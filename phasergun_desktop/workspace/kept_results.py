"""A result as it is kept: the stored draft and the entry of the activity log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from phasergun_desktop.activity.model import Activity, ActivityKind, LoggedCitation
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.renumbering import with_number
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.language_models.language_model import GenerationMetrics
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.workspace.json_form import plan_json
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus


def draft_of(result: AnswerResult, draft_id: str, prompt_file: str, title: str) -> Draft:
    """Return ``result`` as a draft made now; ``title`` is used where its plan has none."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Draft(
        draft_id=draft_id,
        title=result.plan.title or title,
        prompt_file=prompt_file,
        prompt=result.plan.prompt,
        status=result.status.value,
        units=result.sentences,
        footnotes=tuple(with_number(note, note.number) for note in result.footnotes),
        created=now,
        modified=now,
        model=result.metrics.model,
        profile=result.plan.profile,
        confidence_level=result.confidence.level.value,
        confidence_score=result.confidence.score,
        confidence_rationale=result.confidence.rationale,
        plan_json=json.dumps(plan_json(result.plan), ensure_ascii=False),
        confidence_criteria=result.confidence.criteria,
        discrepancies=result.discrepancies,
        warnings=result.warnings,
        template=result.plan.template,
        model_digest=result.metrics.model_digest,
        prompt_sha256=tuple(result.metrics.prompt_sha256),
        calls=tuple(result.metrics.calls),
        trace=tuple(result.metrics.trace),
    )


def edits_of(draft: Draft, edits: Sequence[Edit], project: str) -> list[Activity]:
    """Return what the writer did with a draft as entries of the log."""
    return [
        Activity(
            ActivityKind.ACCEPT if one.kind is EditKind.ACCEPTED else ActivityKind.EDIT,
            prompt=one.before,
            answer=one.after,
            status=one.kind.value,
            project=project,
            subject=draft.draft_id,
        )
        for one in edits
    ]


def activity_of(
    kind: ActivityKind, result: AnswerResult, project: str, subject: str, cost: float | None = None
) -> Activity:
    """Return what was asked and what came back as an entry of the log."""
    metrics = result.metrics
    passages = (each.chunk_id for each in result.plan.passages)
    units = (unit for need in result.plan.needs for unit in need.units if unit.selected)
    cosines = [unit.similarity for unit in units]
    return Activity(
        kind,
        prompt=result.plan.prompt,
        answer=result.text,
        status=result.status.value,
        citations=tuple(
            LoggedCitation(note.number, note.file, note.sha256, note.start, note.end)
            for note in result.footnotes
        ),
        confidence=result.confidence.score,
        retrieval_ms=metrics.retrieval_ms,
        generation_ms=metrics.generation_ms,
        total_ms=metrics.total_ms,
        prompt_tokens=metrics.prompt_tokens,
        cached_tokens=metrics.cached_tokens,
        completion_tokens=metrics.completion_tokens,
        model=metrics.model,
        prompt_sha256=tuple(metrics.prompt_sha256),
        chunk_ids=_once((*passages, *metrics.chunk_ids)),
        average_similarity=sum(cosines) / len(cosines) if cosines else None,
        profile=result.plan.profile,
        project=project,
        errors=(
            *(problem.message for problem in result.plan.problems),
            *((result.error.message,) if result.error is not None else ()),
        ),
        subject=subject,
        cost=cost,
        agent=result.plan.agent,
    )


def _once(chunk_ids: Iterable[str]) -> tuple[str, ...]:
    """Return each id once, without those of passages that lie in no chunk."""
    return tuple(dict.fromkeys(filter(None, chunk_ids)))


def search_of(
    query: str, found: SearchResult | PhaserGunError, profile: str, project: str
) -> Activity:
    """Return a search, or one that failed, as an entry of the log."""
    entry = Activity(ActivityKind.SEARCH, prompt=query, profile=profile, project=project)
    if isinstance(found, PhaserGunError):
        return replace(entry, status=AnswerStatus.ERROR.value, errors=(found.message,))
    return replace(
        entry,
        status=(AnswerStatus.COMPLETE if found.hits else AnswerStatus.ABSTAINED).value,
        retrieval_ms=found.timings.total_ms,
        total_ms=found.timings.total_ms,
        chunk_ids=tuple(hit.chunk_id for hit in found.hits),
        average_similarity=found.retrieval_score if found.hits else None,
    )


def failure_of(
    kind: ActivityKind, plan: Plan, error: PhaserGunError, project: str, model: str
) -> Activity:
    """Return a draft or a question that came to nothing as an entry of the log, with all that was
    found for it: a model may have read it. ``model`` is "" for none."""
    found = (each.chunk_id for each in (*plan.passages, *plan.retrieved))
    return Activity(
        kind,
        prompt=plan.prompt,
        status=AnswerStatus.ERROR.value,
        retrieval_ms=plan.retrieval_ms,
        chunk_ids=_once(found),
        model=model,
        profile=plan.profile,
        agent=plan.agent,
        project=project,
        errors=(error.message,),
    )


def indexing_of(report: SyncReport, project: str) -> Activity:
    """Return a sync that changed the index as an entry of the log."""
    return Activity(
        ActivityKind.INDEX,
        status="cancelled" if report.cancelled else "complete",
        total_ms=report.seconds * 1000,
        project=project,
    )


def rewriting_of(
    draft: Draft,
    status: str,
    project: str,
    calls: Sequence[GenerationMetrics],
    *,
    chunk_ids: Sequence[str] = (),
    answer: str = "",
    errors: tuple[str, ...] = (),
) -> Activity:
    """Return the rewriting of a part of ``draft`` as an entry of the log; its model and what it
    cost are the caller's to add."""
    return Activity(
        ActivityKind.DRAFT,
        prompt=draft.prompt,
        answer=answer,
        status=status,
        generation_ms=sum(call.total_ms for call in calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        prompt_sha256=tuple(call.prompt_sha256 for call in calls),
        chunk_ids=_once(chunk_ids),
        profile=draft.profile,
        project=project,
        errors=errors,
        subject=draft.draft_id,
    )
