"""The devices of a comparison, each with the documents that speak of it and no others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.grounding.words import fold
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.master_record import parse_master_record
from phasergun_desktop.references.model import ReferenceKind, ResolvedReference
from phasergun_desktop.retrieval.model import SearchScope

_MIN_NAME = 4
_NAMES_DEVICE = re.compile(
    r"\b(?:predicate|device|product|(?:trade|brand|proprietary) name)\b",
    re.IGNORECASE,
)
_OF_A_DEVICE = re.compile(
    r"\b(?:class|classification|code|type|manufacturer|company|applicant|regulation|panel|version"
    r"|owner|description|category)\b",
    re.IGNORECASE,
)
_SUBJECT_LAYERS = frozenset(
    {
        Layer.MASTER_RECORD,
        Layer.PRIMARY_CONTEXT,
        Layer.INITIATION,
        Layer.ONGOING,
        Layer.DOCUMENTS,
    }
)


@dataclass(frozen=True, slots=True)
class ComparedDevice:
    """A device by its name in the prompt, and where its values may come from."""

    name: str
    scope: SearchScope
    is_subject: bool = False


def is_device_field(reference: ResolvedReference) -> bool:
    """Whether a reference to the master record names a device: its class, its code or who makes
    it does not."""
    field = reference.text.rpartition("|")[2].strip(" []")
    return bool(_NAMES_DEVICE.search(field)) and not _OF_A_DEVICE.search(field)


def named_devices(references: Iterable[ResolvedReference]) -> list[ResolvedReference]:
    """Return the references to the master record that name a device, each device once."""
    named: dict[str, ResolvedReference] = {}
    for reference in references:
        is_field = reference.kind is ReferenceKind.MASTER_RECORD and reference.value is not None
        if is_field and reference.value is not None and is_device_field(reference):
            named.setdefault(fold(reference.value.text), reference)
    return list(named.values())


def is_named_in(name: str, text: str) -> bool:
    """Whether ``text`` has ``name`` as whole words: "G2" is not in "G20"."""
    return re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)) is not None


def compared_devices(
    references: tuple[ResolvedReference, ...], documents: IndexedDocuments, scope: SearchScope
) -> list[ComparedDevice]:
    """Return the subject device and its predicate.

    The subject's values come from the project's own documents, the predicate's from the
    documents in ``Predicates/`` that carry its name or number in file name or title, else in
    their text, else all of them: a value of another predicate must never be taken for it.
    """
    names = [reference.value.text for reference in references if reference.value is not None]
    records = documents.documents()
    # What the prompt does not allow is not used for a device either.
    allowed = frozenset(r.file for r in records if scope.allows(r.file, r.layer))
    subject = replace(
        scope,
        layers=(scope.layers & _SUBJECT_LAYERS) or _SUBJECT_LAYERS,
        files=frozenset(
            record.file
            for record in records
            if record.file in scope.files and record.layer not in PROCEDURES | {Layer.PREDICATES}
        ),
        within=allowed,
    )
    predicates = [record for record in records if record.layer is Layer.PREDICATES]
    name = names[1] if len(names) > 1 else "the predicate device"
    files = frozenset(record.file for record in _of_device(name, predicates, documents))
    return [
        ComparedDevice(names[0] if names else "the subject device", subject, True),
        ComparedDevice(name, SearchScope(layers=frozenset(), files=files, within=allowed)),
    ]


def files_of_other_devices(query: str, documents: IndexedDocuments) -> frozenset[str]:
    """Return the documents on other devices that cannot answer ``query``.

    A predicate's review states a battery capacity too, and a model takes it for that of the
    device that was asked about. Where the query names the project's own device by the first word
    of its name (the brand; the others say what sort of device it is), a predicate's document or
    decision summary without that word is on another device.
    """
    asked = {word.strip(".,;:?()").casefold() for word in query.split()}
    names = {name.split()[0].casefold() for name in own_names(documents) if name.split()}
    named = {word for word in asked & names if len(word) >= _MIN_NAME}
    if not named:
        return frozenset()
    return frozenset(
        record.file
        for record in documents.documents()
        if (record.layer is Layer.PREDICATES or record.kind == "decision_summary")
        and any(word not in documents.parsed(record.document_id).text.casefold() for word in named)
    )


def own_names(documents: IndexedDocuments) -> list[str]:
    """Return the names of the project's own device, as its master record has them."""
    return [
        field.value.text
        for record in documents.documents()
        if record.layer is Layer.MASTER_RECORD
        for field in parse_master_record(
            documents.parsed(record.document_id), record.file
        ).find_fields("Device Name")
    ]


def _of_device(
    name: str, records: list[DocumentRecord], documents: IndexedDocuments
) -> list[DocumentRecord]:
    # File names part words with "_" as well.
    by_name = [r for r in records if is_named_in(name, f"{r.file} {r.title}".replace("_", " "))]
    if by_name:
        return by_name
    by_text = [r for r in records if is_named_in(name, documents.parsed(r.document_id).text)]
    return by_text or records
