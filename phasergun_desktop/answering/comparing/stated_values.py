"""Values that a document states under the attribute's own name, for one device, by rule."""

from __future__ import annotations

from phasergun_desktop.answering.comparing.attributes import attribute_names
from phasergun_desktop.answering.comparing.clearance_letters import letter_field
from phasergun_desktop.answering.comparing.devices import is_named_in
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.master_record import find_words, parse_master_record
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import SearchScope

# Cells that point at another cell instead of stating a value.
_NO_VALUES = frozenset({"", "same", "n/a", "na", "-", "--", "–", "none", "see above", "identical"})
_MAX_EXTRA_WORDS = 2


def stated_value(
    attribute: str,
    device: str,
    scope: SearchScope,
    documents: IndexedDocuments,
    *,
    is_subject: bool,
) -> SourceValue | None:
    """Return the value of ``attribute`` that a field or a table row states for ``device``.

    The subject's master record comes first: it outranks every other source for project facts.
    FDA's letter on a 510(k) is next, which names the device as it was cleared. Then come rows of
    comparison tables in the device's own documents whose row label is the attribute and whose
    column names the device; the model would have to guess the column.
    """
    records = [r for r in documents.documents() if scope.allows(r.file, r.layer)]
    if is_subject:
        value = _record_field(attribute, records, documents)
        if value is not None:
            return value
    for record in records:
        letter = letter_field(attribute, device, documents.parsed(record.document_id), record.file)
        if letter is not None:
            return letter
    best: tuple[int, SourceValue] | None = None
    for record in records:
        document = documents.parsed(record.document_id)
        for block in document.blocks:
            if block.kind is not BlockKind.TABLE_ROW or block.is_table_header or not block.cells:
                continue
            extra = _extra_words(attribute, block.cells[0][1])
            if extra is None or (best is not None and best[0] <= extra):
                continue
            value = _cell_of(device, block, document, record)
            if value is not None:
                best = (extra, value)
    return best[1] if best else None


def _record_field(
    attribute: str, records: list[DocumentRecord], documents: IndexedDocuments
) -> SourceValue | None:
    for record in records:
        if record.layer is not Layer.MASTER_RECORD:
            continue
        fields = parse_master_record(documents.parsed(record.document_id), record.file)
        for name in attribute_names(attribute):
            found = fields.find_fields(name)
            if len(found) == 1:
                return found[0].value
    return None


def _extra_words(attribute: str, label: str) -> int | None:
    """Return how many words ``label`` has beyond a name of ``attribute``; None if it has none."""
    words = set(content_words(label))
    counts = []
    for name in attribute_names(attribute):
        wanted = set(content_words(name))
        # "Accuracy, 70 to 100 percent" is still the accuracy: numbers narrow a label.
        extra = [word for word in words - wanted if not word.isdigit()]
        if wanted and wanted <= words and len(extra) <= _MAX_EXTRA_WORDS:
            counts.append(len(extra))
    return min(counts, default=None)


def _cell_of(
    device: str, block: Block, document: ParsedDocument, record: DocumentRecord
) -> SourceValue | None:
    for header, cell in _columns_of(device, block):
        if fold(cell).strip(" .") in _NO_VALUES:
            continue
        label = document.text.find(header, block.start, block.end)
        start = label + len(header) if label >= 0 else block.start
        place = find_words(document.text, cell, start, block.end)
        if place is not None:
            return SourceValue(document.text[slice(*place)], record.file, *place)
    return None


def _columns_of(device: str, block: Block) -> list[tuple[str, str]]:
    """Return the cells of ``block`` in columns of ``device``: those headed by its name alone come
    before those that name it among other words, which must be the only ones."""
    cells = block.cells[1:]
    own = [(header, cell) for header, cell in cells if fold(header).strip() == fold(device).strip()]
    if own:
        return own
    naming = [(header, cell) for header, cell in cells if is_named_in(device, header)]
    return naming if len({header for header, _ in naming}) == 1 else []
