"""The values that the items of a template take word for word from a record or a letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from phasergun_desktop.answering.comparing.stated_values import stated_value
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.profiles.section_template import ItemSubject, TemplateItem
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.master_record import (
    MasterRecord,
    RecordField,
    parse_master_record,
)
from phasergun_desktop.references.model import ResolvedReference, SourceValue
from phasergun_desktop.retrieval.model import SearchScope

_K_NUMBER = re.compile(r"K\d{6}", re.IGNORECASE)
_NUMBER_FIELD = "510(k) number"


def master_records(documents: IndexedDocuments) -> list[MasterRecord]:
    """Return the master records of the project, with their fields."""
    return [
        parse_master_record(documents.parsed(record.document_id), record.file)
        for record in documents.documents()
        if record.layer is Layer.MASTER_RECORD
    ]


def stated_field(records: Iterable[MasterRecord], names: Iterable[str]) -> RecordField | None:
    """Return the first of ``names`` that the master record states, and states once."""
    for name in names:
        found = [each for record in records for each in record.find_fields(name)]
        if found and len({each.value.text.casefold() for each in found}) == 1:
            return found[0]
    return None


def item_fields(
    item: TemplateItem,
    base: SearchScope,
    records: Sequence[MasterRecord],
    devices: tuple[ResolvedReference, ...],
    scope: SearchScope,
    documents: IndexedDocuments,
) -> list[tuple[str, SourceValue]]:
    """Return those fields of ``item`` that are stated, each value once: by the master record, or
    for a predicate by its own documents in ``scope``."""
    allowed = [each for each in records if base.allows(each.file, Layer.MASTER_RECORD)]
    found: dict[str, tuple[str, SourceValue]] = {}
    for name in item.fields:
        called = name
        if item.subject is ItemSubject.PREDICATE:
            value = _of_predicate(name, devices, scope, documents)
        else:
            field = stated_field(allowed, (name,))
            value = field.value if field else None
            called = field.name if field else name
        if value is not None:
            found.setdefault(value.text.casefold(), (called, value))
    return list(found.values())


def _of_predicate(
    name: str,
    devices: tuple[ResolvedReference, ...],
    scope: SearchScope,
    documents: IndexedDocuments,
) -> SourceValue | None:
    value = devices[1].value if len(devices) > 1 else None
    if value is None:
        return None
    if name.casefold() == _NUMBER_FIELD:
        return value if _K_NUMBER.fullmatch(value.text.strip()) else None
    return stated_value(name, value.text, scope, documents, is_subject=False)
