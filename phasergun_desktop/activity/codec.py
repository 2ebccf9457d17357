"""An activity as canonical JSON, which is what the chain's hashes cover."""

from __future__ import annotations

import json
import math
import numbers
from dataclasses import asdict, fields
from typing import Any

from phasergun_desktop.activity.model import Activity, ActivityKind, LoggedCitation

_TEXTS = tuple(each.name for each in fields(Activity) if isinstance(each.default, str))
_TEXT_LISTS = ("prompt_sha256", "chunk_ids", "errors")


def encode_activity(activity: Activity) -> str:
    """Return the activity as JSON: sorted keys, ASCII, no spaces; the same input, same text."""
    values = {key: _plain(value) for key, value in asdict(activity).items()}
    return json.dumps(
        values, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain
    )


def decode_activity(text: str) -> Activity:
    """Return the activity; fields of newer versions are left out, absent ones have defaults.

    Raises ``ValueError`` when the text is not an activity.
    """
    try:
        stored = json.loads(text)
    except RecursionError as error:
        raise ValueError("not an activity") from error
    if not isinstance(stored, dict):
        raise ValueError("not an activity")
    known = {each.name for each in fields(Activity)}
    values: dict[str, Any] = {key: value for key, value in stored.items() if key in known}
    if any(not isinstance(values.get(name, ""), str) for name in _TEXTS):
        raise ValueError("not an activity")
    try:
        values["kind"] = ActivityKind(values["kind"])
        values["citations"] = tuple(LoggedCitation(**each) for each in values.get("citations", ()))
        for name in _TEXT_LISTS:
            values[name] = tuple(values.get(name, ()))
        return Activity(**values)
    except (KeyError, TypeError) as error:
        raise ValueError("not an activity") from error


def _plain(value: object) -> object:
    # Scores come from numpy, whose numbers JSON does not take; a mean over no hits is NaN.
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value) if math.isfinite(value) else None
    return value
