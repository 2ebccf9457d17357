"""The charts of the log: entries a day, time, confidence, abstentions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from statistics import fmean, median

from phasergun_desktop.activity.model import Activity, ActivityEntry, ActivityKind
from phasergun_desktop.ui.activity.activity_words import seconds_of
from phasergun_desktop.ui.chart import Series

_ANSWERS = (ActivityKind.ASK, ActivityKind.DRAFT)
# A longer time is shown by weeks.
_MOST_DAYS = 92
_Figure = Callable[[Sequence[Activity]], float | None]


def series_of(entries: Sequence[ActivityEntry]) -> tuple[Series, ...]:
    """Return the charts of ``entries``; days are those of UTC, as in the log."""
    days: dict[date, list[Activity]] = {}
    for entry in entries:
        try:
            days.setdefault(date.fromisoformat(entry.at[:10]), []).append(entry.activity)
        except ValueError:
            continue
    step = 1 if not days or (max(days) - min(days)).days < _MOST_DAYS else 7
    spans = _spans(days, step)
    per = "day" if step == 1 else "week"
    figures: tuple[tuple[str, _Figure, str, int, bool], ...] = (
        (f"Entries per {per}", lambda found: float(len(found)), "", 0, False),
        (f"Time per answer (median of a {per})", _seconds, "s", 1, True),
        (f"Confidence (mean of a {per})", _confidence, "%", 0, True),
        (f"Not in the documents, per {per}", _abstained, "", 0, False),
    )
    names = tuple(day.isoformat() for day in spans)
    return tuple(
        Series(name, names, tuple(figure(each) for each in spans.values()), unit, decimals, is_line)
        for name, figure, unit, decimals, is_line in figures
    )


def _spans(days: dict[date, list[Activity]], step: int) -> dict[date, list[Activity]]:
    if not days:
        return {}
    first = min(days)
    spans: dict[date, list[Activity]] = {
        first + timedelta(days=at): [] for at in range(0, (max(days) - first).days + 1, step)
    }
    for day, found in days.items():
        spans[first + timedelta(days=(day - first).days // step * step)] += found
    return spans


def _seconds(found: Sequence[Activity]) -> float | None:
    times = [s for one in found if one.kind in _ANSWERS and (s := seconds_of(one)) is not None]
    return median(times) if times else None


def _confidence(found: Sequence[Activity]) -> float | None:
    shares = [
        100 * one.confidence
        for one in found
        if one.kind in _ANSWERS and one.confidence is not None and one.status == "complete"
    ]
    return fmean(shares) if shares else None


def _abstained(found: Sequence[Activity]) -> float | None:
    return float(sum(one.kind in _ANSWERS and one.status == "abstained" for one in found))
