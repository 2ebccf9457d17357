"""Which documents speak of one and the same thing, so that their statements can be compared."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import NUMBER
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.catalog import RULE_KINDS
from phasergun_desktop.references.master_record import MasterRecord, parse_master_record
from phasergun_desktop.text.words import content_words

_FACT_LAYERS = frozenset(
    {
        Layer.MASTER_RECORD,
        Layer.PRIMARY_CONTEXT,
        Layer.INITIATION,
        Layer.ONGOING,
        Layer.DOCUMENTS,
        Layer.BOOTSTRAP,
        Layer.REGULATORY_STRATEGY,
    }
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The project's device: the words of its name, and the names of others in the project."""

    device: frozenset[str]
    others: tuple[str, ...]
    records: tuple[tuple[DocumentRecord, MasterRecord], ...]

    def names_other(self, text: str) -> bool:
        """Whether ``text`` speaks of another device: a predicate by name, or a K-number."""
        folded = text.casefold()
        return any(name in folded for name in self.others) or bool(NUMBER.search(text))


def subject_of(documents: IndexedDocuments) -> Subject:
    """Read the master records of the project."""
    records = tuple(
        (record, parse_master_record(documents.parsed(record.document_id), record.file))
        for record in documents.documents()
        if record.layer is Layer.MASTER_RECORD
    )
    device: set[str] = set()
    others: list[str] = []
    for _, master in records:
        for field in master.fields:
            name = field.name.casefold()
            if "predicate" in name or "reference device" in name:
                others.append(field.value.text.casefold())
            elif name in ("device name", "product name", "trade name", "model number"):
                device.update(content_words(field.value.text))
    return Subject(frozenset(device), tuple(others), records)


def subject_key(record: DocumentRecord) -> str:
    """Return what the statements of ``record`` are about; "" where they are not compared.

    The project's own documents speak of its device, procedures of how the company works. A
    predicate's documents speak of that device and are compared with each other only.
    """
    if record.kind in RULE_KINDS or record.layer is Layer.GENERAL:
        return ""
    if record.layer is Layer.PREDICATES or record.kind == "decision_summary":
        return record.metadata.k_number
    number = record.metadata.k_number
    if number:
        return number
    if record.layer in PROCEDURES:
        return "procedures"
    return "project" if record.layer in _FACT_LAYERS else ""
