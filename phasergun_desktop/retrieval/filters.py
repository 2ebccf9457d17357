"""Filters on documents: what a search, a question or a draft may use of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.projects.layers import Layer

NO_MATCHING_DOCUMENTS = "There are no matching documents: the filters leave nothing to search."
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_DATE_IN_TEXT = re.compile(r"\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?")
# What an open end of a date is compared as: after every day of its month, every month of its year.
_LAST = 99


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


def parse_filter(text: str) -> Filter:
    """Return the filter ``key=value``. Raises ``ProjectError`` that says what is possible."""
    name, sign, value = text.partition("=")
    name, value = name.strip().casefold(), " ".join(value.split())
    known = [key.value for key in FilterKey]
    if name not in known:
        raise _wrong(
            f"“{name[:40]}” is not a filter.",
            did_you_mean(name, known) or f"Possible are {', '.join(known)}.",
        )
    if not sign or not value:
        raise _wrong(
            f"The filter “{name}” has no value.", f"Write it as {name}={_EXAMPLES[FilterKey(name)]}"
        )
    return checked_filter(Filter(FilterKey(name), value))


def checked_filter(one: Filter) -> Filter:
    """Return ``one`` if its value is possible for its key. Raises ``ProjectError``."""
    if not one.value.strip():
        raise _wrong(f"The filter “{one.key}” has no value.", f"Say what {one.key} to look for.")
    if one.key is FilterKey.LAYER and one.value.casefold() not in list(Layer):
        layers = [layer.value for layer in Layer]
        raise _wrong(
            f"“{one.value[:40]}” is not a layer.",
            did_you_mean(one.value, layers) or f"Possible are {', '.join(layers)}.",
        )
    if one.key in (FilterKey.AFTER, FilterKey.BEFORE) and _day(one.value, 1) is None:
        raise _wrong(
            f"“{one.value[:40]}” is not a date.",
            "Write a year, a month or a day: 2024, 2024-05 or 2024-05-31.",
        )
    return one


def allowed_documents(
    filters: Sequence[Filter], documents: Iterable[DocumentRecord]
) -> tuple[DocumentRecord, ...]:
    """Return those of ``documents`` that ``filters`` allow, in their order. Raises ``ProjectError``
    for a filter that is not possible."""
    by_key: dict[FilterKey, list[str]] = {}
    for one in filters:
        by_key.setdefault(one.key, []).append(checked_filter(one).value)
    return tuple(
        record
        for record in documents
        if all(
            any(_ALLOWS[key](record, value) for value in values) for key, values in by_key.items()
        )
    )


def filter_values(documents: Iterable[DocumentRecord]) -> dict[FilterKey, tuple[str, ...]]:
    """Return the values that documents have for each key but the dates, sorted."""
    found: dict[FilterKey, set[str]] = {key: set() for key in FilterKey}
    for record in documents:
        folders = record.file.split("/")[:-1]
        found[FilterKey.FOLDER] |= {
            "/".join(folders[:depth]) for depth in range(1, len(folders) + 1)
        }
        found[FilterKey.DOCUMENT].add(record.file)
        found[FilterKey.TAG] |= set(record.tags)
        for key, value in (
            (FilterKey.LAYER, record.layer.value),
            (FilterKey.FORMAT, record.format),
            (FilterKey.KIND, record.kind),
            (FilterKey.CONFIDENTIALITY, record.confidentiality),
            (FilterKey.LANGUAGE, record.metadata.language),
            (FilterKey.JOURNAL, record.metadata.journal),
        ):
            found[key].add(value.strip())
    return {key: tuple(sorted(values - {""}, key=str.casefold)) for key, values in found.items()}


def document_date(record: DocumentRecord) -> str:
    """Return the date of a document as ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``: when it was
    published, else modified, else created; empty where none is known."""
    metadata = record.metadata
    for stated in (metadata.published, metadata.modified, metadata.created):
        found = _DATE_IN_TEXT.search(stated)
        if found is not None and _day(found.group(), 1) is not None:
            return found.group()
    return ""


def _wrong(message: str, remedy: str) -> ProjectError:
    return ProjectError("This filter is not possible", message, remedy)


def _day(text: str, missing: int) -> tuple[int, int, int] | None:
    """Return a date as numbers, ``missing`` for what it leaves open; None where it is none."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = (int(part) if part else missing for part in found.groups())
    has_month, has_day = found[2] is not None, found[3] is not None
    if year < 1 or (has_month and not 1 <= month <= 12) or (has_day and not 1 <= day <= 31):
        return None
    return year, month, day


def _is_after(record: DocumentRecord, value: str) -> bool:
    """Whether the document is of that day, month or year, or later. One without a date is not."""
    date = _day(document_date(record), _LAST)
    wanted = _day(value, 1)
    return date is not None and wanted is not None and date >= wanted


def _is_before(record: DocumentRecord, value: str) -> bool:
    """Whether the document is of that day, month or year, or earlier."""
    date = _day(document_date(record), 1)
    wanted = _day(value, _LAST)
    return date is not None and wanted is not None and date <= wanted


def _is_in_folder(record: DocumentRecord, value: str) -> bool:
    folder = value.replace("\\", "/").strip("/").casefold()
    return record.file.casefold().startswith(f"{folder}/") if folder else True


def _is_document(record: DocumentRecord, value: str) -> bool:
    wanted = value.replace("\\", "/").strip("/").casefold()
    file = record.file.casefold()
    name = file.rpartition("/")[2]
    number = record.metadata.document_number.casefold()
    names = (file, name, name.rpartition(".")[0], record.title.casefold(), number)
    return any(wanted == each for each in names if each)


def _is_in_language(record: DocumentRecord, value: str) -> bool:
    """Whether the language is that of the code: ``en`` is ``en-US`` too."""
    wanted, language = value.casefold(), record.metadata.language.casefold().replace("_", "-")
    return bool(language) and (language == wanted or language.startswith(f"{wanted}-"))


def _equal(read: Callable[[DocumentRecord], str]) -> Callable[[DocumentRecord, str], bool]:
    return lambda record, value: read(record).strip().casefold() == value.strip().casefold()


_ALLOWS: dict[FilterKey, Callable[[DocumentRecord, str], bool]] = {
    FilterKey.LAYER: _equal(lambda record: record.layer.value),
    FilterKey.FOLDER: _is_in_folder,
    FilterKey.DOCUMENT: _is_document,
    FilterKey.FORMAT: lambda record, value: (
        record.format.casefold() == value.casefold().lstrip(".")
    ),
    FilterKey.KIND: _equal(lambda record: record.kind),
    FilterKey.TAG: lambda record, value: value.casefold() in [t.casefold() for t in record.tags],
    FilterKey.CONFIDENTIALITY: _equal(lambda record: record.confidentiality),
    FilterKey.LANGUAGE: _is_in_language,
    FilterKey.JOURNAL: _equal(lambda record: record.metadata.journal),
    FilterKey.AFTER: _is_after,
    FilterKey.BEFORE: _is_before,
}
_EXAMPLES = {
    FilterKey.LAYER: "sops",
    FilterKey.FOLDER: "Context/Ongoing",
    FilterKey.DOCUMENT: "RM-002",
    FilterKey.FORMAT: "pdf",
    FilterKey.KIND: "standard",
    FilterKey.TAG: "clinical",
    FilterKey.CONFIDENTIALITY: "internal",
    FilterKey.LANGUAGE: "en",
    FilterKey.JOURNAL: "Lancet",
    FilterKey.AFTER: "2024-05",
    FilterKey.BEFORE: "2024-05",
}
