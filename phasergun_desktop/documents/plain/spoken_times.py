"""Reads the times of spoken words: seconds, milliseconds, ticks, clock times, ISO durations."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_STARTS = {
    "start": 0.0, "start_time": 0.0, "startTime": 0.0, "start_s": 1.0, "startSeconds": 1.0,
    "start_timestamp": 0.0, "startTimestamp": 0.0, "startOffset": 0.0, "begin": 0.0, "from": 0.0,
    "ts": 0.0, "offsetInTicks": 1e-7, "offsetMilliseconds": 1e-3, "offset": 0.0,
    "start_ms": 1e-3, "startMs": 1e-3, "tStartMs": 1e-3, "startTimeMs": 1e-3, "timestamp": 0.0,
    "time": 0.0,
}  # fmt: skip
_ENDS = {
    "end": 0.0, "end_time": 0.0, "endTime": 0.0, "end_s": 1.0, "endSeconds": 1.0,
    "end_timestamp": 0.0, "endTimestamp": 0.0, "endOffset": 0.0, "to": 0.0, "end_ts": 0.0,
    "end_ms": 1e-3, "endMs": 1e-3, "endTimeMs": 1e-3,
    "resultEndTime": 0.0, "resultEndOffset": 0.0,
}  # fmt: skip
_DURATIONS = {
    "durationInTicks": 1e-7, "durationMilliseconds": 1e-3, "dDurationMs": 1e-3,
    "duration_ms": 1e-3, "duration": 0.0, "dur": 0.0,
}  # fmt: skip
_CLOCK = re.compile(r"(?:(?P<h>\d{1,4}):)?(?P<m>\d{1,4}):(?P<s>\d{1,2}(?:[.,]\d+)?)")
_SECONDS = re.compile(r"(?P<s>\d+(?:\.\d+)?)\s*(?:s|sec|seconds)?")
_ISO = re.compile(r"PT(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?", re.IGNORECASE)
# Speech has 5 to 25 characters a second; whole numbers that make it slower by far are not
# seconds.
_SLOWEST, _SLOWEST_MS = 0.5, 0.0005
_LONGEST_S = 1e9


@dataclass(frozen=True, slots=True)
class Moment:
    """A time as written: ``unit`` is seconds per ``value``, 0 where a number has no unit."""

    value: float
    unit: float
    is_whole: bool = False

    def seconds(self, bare_unit: float) -> float:
        """Return the moment in seconds; ``bare_unit`` is that of a number without one."""
        return round(min(_LONGEST_S, max(0.0, self.value * (self.unit or bare_unit))), 3)

    def plus(self, duration: Moment) -> Moment:
        """Return the moment ``duration`` later; both are in the same unit."""
        if self.unit == duration.unit:
            whole = self.is_whole and duration.is_whole
            return Moment(self.value + duration.value, self.unit, whole)
        unit, other = self.unit or 1.0, duration.unit or 1.0
        return Moment(self.value * unit + duration.value * other, 1.0)


def bare_unit(
    starts: Sequence[Moment | None], ends: Sequence[Moment | None], characters: int
) -> float:
    """Return what a number without a unit counts in one file, in seconds, by how fast the
    ``characters`` would have been said."""
    bare = [each for each in (*starts, *ends) if each and not each.unit]
    if not bare or not all(each.is_whole for each in bare):
        return 1.0
    spans = [
        end.value - start.value
        for start, end in zip(starts, ends, strict=True)
        if start and end and end.value > start.value
    ]
    values = [each.value for each in bare]
    length = sum(spans) or max(values) - min(values)
    if not length or characters / length >= _SLOWEST:
        return 1.0
    return 1e-3 if characters / length >= _SLOWEST_MS else 1e-7


def times_of(item: Mapping[str, object]) -> tuple[Moment | None, Moment | None]:
    """Return when the words of ``item`` began and ended, None for what it does not say."""
    for name in ("offsets", "timestamps", "timestamp", "time", "interval"):
        value = item.get(name)
        if isinstance(value, dict):
            # whisper.cpp: its offsets are milliseconds, its timestamps clock times.
            unit = 1e-3 if name == "offsets" else 0.0
            pair = (_moment(value, _STARTS, unit), _moment(value, _ENDS, unit))
            if pair[0]:
                return pair
        if isinstance(value, list) and len(value) == 2:
            return _read(value[0], 0.0), _read(value[1], 0.0)
    start, end = _moment(item, _STARTS), _moment(item, _ENDS)
    duration = _moment(item, _DURATIONS)
    if start and not end and duration:
        end = start.plus(duration)
    return start, end


def times_of_words(item: Mapping[str, object]) -> tuple[Moment | None, Moment | None]:
    """Return when the first of an item's words began and the last ended (Google, Deepgram)."""
    readings = item.get("alternatives")
    first = readings[0] if isinstance(readings, list) and readings else item
    words = first.get("words") if isinstance(first, dict) else None
    if not isinstance(words, list) or not words:
        return None, None
    begins, ends = words[0], words[-1]
    return (
        _moment(begins, _STARTS) if isinstance(begins, dict) else None,
        _moment(ends, _ENDS) if isinstance(ends, dict) else None,
    )


def _moment(
    item: Mapping[str, object], names: Mapping[str, float], unit: float = 0.0
) -> Moment | None:
    for name, own_unit in names.items():
        if name in item:
            found = _read(item[name], own_unit or unit)
            if found is not None:
                return found
    return None


def _read(value: object, unit: float) -> Moment | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        number = float(value) if abs(value) < 1e18 else math.inf
        return Moment(number, unit, number.is_integer()) if math.isfinite(number) else None
    if isinstance(value, dict):
        seconds, nanos = value.get("seconds", 0), value.get("nanos", 0)
        whole = _read(seconds, 1.0)
        part = _read(nanos, 1e-9)
        if whole and part and value.keys() & {"seconds", "nanos"}:
            return Moment(round(whole.value + part.value * 1e-9, 6), 1.0)
        return None
    if not isinstance(value, str) or len(value) > 40:
        return None
    text = value.strip()
    for pattern in (_CLOCK, _ISO, _SECONDS):
        match = pattern.fullmatch(text)
        if match and text.upper() != "PT":
            parts = match.groupdict()
            hours, minutes = float(parts.get("h") or 0), float(parts.get("m") or 0)
            seconds = float((parts.get("s") or "0").replace(",", "."))
            return Moment(hours * 3600 + minutes * 60 + seconds, 1.0)
    return None
