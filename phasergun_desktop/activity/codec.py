"""An activity as canonical JSON, which is what the chain's hashes cover.

Texts stand beside that, with a salt: without them, nobody finds out by trial what they were.
"""

from __future__ import annotations

import hashlib
import json
import math
import numbers
import secrets
from dataclasses import asdict, fields
from typing import Any

from phasergun_desktop.activity.model import Activity, ActivityKind, LoggedCitation, Removed

# What can be left out of a log without breaking its chain.
TEXTS = ("prompt", "answer", "errors")
TEXTS_DIGEST = "texts_sha256"

_TEXTS = tuple(each.name for each in fields(Activity) if isinstance(each.default, str))
_TEXT_LISTS = ("prompt_sha256", "chunk_ids", "errors")


def encode_activity(activity: Activity) -> str:
    """Return the activity as JSON: sorted keys, ASCII, no spaces; the same input, same text."""
    return canonical({key: _plain(value) for key, value in asdict(activity).items()})


def divide(activity: Activity) -> tuple[str, str]:
    """Return the activity without its texts but with their digest, and the texts."""
    values = {key: _plain(value) for key, value in asdict(activity).items()}
    texts: dict[str, object] = {key: values.pop(key) for key in TEXTS}
    texts["salt"] = secrets.token_hex(16)
    told = canonical(texts)
    values[TEXTS_DIGEST] = hashlib.sha256(told.encode()).hexdigest()
    return canonical(values), told


def canonical(values: object) -> str:
    """Return values as JSON: sorted keys, ASCII, no spaces; the same input, same text."""
    return json.dumps(
        values, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain
    )


def decode_entry(body: str, texts: str | None) -> Activity:
    """Return the activity of an entry; its texts are empty where they are left out.

    Raises ``ValueError`` when it is not an activity.
    """
    if texts is None:
        return decode_activity(body)
    try:
        parts = [json.loads(each) for each in (body, texts)]
    except RecursionError as error:
        raise ValueError("not an activity") from error
    if not all(isinstance(each, dict) for each in parts):
        raise ValueError("not an activity")
    return _activity({**parts[0], **parts[1]})


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
    return _activity(stored)


def _activity(stored: dict[str, Any]) -> Activity:
    known = {each.name for each in fields(Activity)}
    values: dict[str, Any] = {key: value for key, value in stored.items() if key in known}
    if any(not isinstance(values.get(name, ""), str) for name in _TEXTS):
        raise ValueError("not an activity")
    try:
        values["kind"] = ActivityKind(values["kind"])
        values["citations"] = tuple(LoggedCitation(**each) for each in values.get("citations", ()))
        for name in _TEXT_LISTS:
            values[name] = tuple(values.get(name, ()))
        if values.get("removed") is not None:
            values["removed"] = Removed(**values["removed"])
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
