"""Older entries removed from the log; a checkpoint stands for them in the chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from phasergun_desktop.activity.model import Activity, ActivityEntry, ActivityKind, Removed


def first_kept(days: int) -> str:
    """Return the moment before which entries are older than ``days``: ISO 8601 in UTC."""
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")


def checkpoint_for(gone: Sequence[ActivityEntry], before: Removed, project: str) -> Activity:
    """Return the checkpoint that stands for ``gone`` (at least one), the first entries of a log in
    order, and for all that the one ``before`` stands for."""
    activities = [entry.activity for entry in gone]
    return Activity(
        ActivityKind.CHECKPOINT,
        status="complete",
        project=project,
        removed=Removed(
            upto=gone[-1].number,
            last_hash=gone[-1].hash,
            entries=before.entries + len(gone),
            first_at=before.first_at or gone[0].at,
            last_at=gone[-1].at,
            questions=before.questions + _count(activities, ActivityKind.ASK),
            drafts=before.drafts + _count(activities, ActivityKind.DRAFT),
            prompt_tokens=before.prompt_tokens + sum(each.prompt_tokens for each in activities),
            completion_tokens=before.completion_tokens
            + sum(each.completion_tokens for each in activities),
            cost=before.cost + sum(each.cost or 0.0 for each in activities),
        ),
    )


def _count(activities: Iterable[Activity], kind: ActivityKind) -> int:
    return sum(each.kind is kind for each in activities)
