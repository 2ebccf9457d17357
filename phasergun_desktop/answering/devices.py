"""The devices of a comparison, each with the documents that speak of it and no others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.model import ResolvedReference
from phasergun_desktop.retrieval.model import SearchScope

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


def _of_device(
    name: str, records: list[DocumentRecord], documents: IndexedDocuments
) -> list[DocumentRecord]:
    wanted = name.casefold()
    by_name = [r for r in records if wanted in r.file.casefold() or wanted in r.title.casefold()]
    if by_name:
        return by_name
    by_text = [r for r in records if wanted in documents.parsed(r.document_id).text.casefold()]
    return by_text or records
