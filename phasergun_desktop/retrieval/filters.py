"""Filters on documents: what a search, a question or a draft may use of a project."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FilterKey(StrEnum):
    """What a filter looks at. ``after`` and ``before`` are compared with the document's date."""

    LAYER = "layer"
    FOLDER = "folder"
    DOCUMENT = "document"
    FORMAT = "format"
    KIND = "kind"
    TAG = "tag"
    CONFIDENTIALITY = "confidentiality"
    LANGUAGE = "language"
    JOURNAL = "journal"
    AFTER = "after"
    BEFORE = "before"


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition. Filters of one key allow what any of them allows, those of several keys what
    each of them allows."""

    key: FilterKey
    value: str
