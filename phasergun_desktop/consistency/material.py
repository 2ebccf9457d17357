"""What is compared: the documents that a plan may use, and which of their text it reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from phasergun_desktop.consistency.statements import Statement, statements
from phasergun_desktop.documents.model import Block, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import block_before
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.model import PlannedPoint
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import Role, Subjects
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.catalog import RULE_KINDS
from phasergun_desktop.references.model import ResolvedReference
from phasergun_desktop.text.words import content_words

# What is looked through beyond the passages that are read; the order is that of the layers.
_MOST_CHARACTERS = 150_000
_CHARACTERS_PER_WORD = 7
_PROJECT_LAYERS = (
    Layer.MASTER_RECORD,
    Layer.PRIMARY_CONTEXT,
    Layer.INITIATION,
    Layer.ONGOING,
    Layer.DOCUMENTS,
)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document with the spans of its text that the plan reads (code points); ``is_whole``:
    it is compared as a whole, else within these spans only. Documents of one ``subject`` are
    compared with each other, and none without; ``own`` are the words of its name."""

    record: DocumentRecord
    document: ParsedDocument
    subject: str
    own: frozenset[str]
    spans: tuple[tuple[int, int], ...]
    is_whole: bool

    def reads(self, start: int, end: int) -> bool:
        """Whether the plan reads some of ``start``..``end``."""
        return any(first < end and start < last for first, last in self.spans)

    def place(
        self, start: int, end: int, value: str = "", block: Block | None = None
    ) -> SourcePlace:
        """Return the passage ``start``..``end`` to be shown."""
        block = block or block_before(self.document, start)
        return SourcePlace(
            file=self.record.file,
            title=self.record.title or self.record.file,
            quote=self.document.text[start:end],
            start=start,
            end=end,
            sha256=self.record.sha256,
            layer=self.record.layer,
            heading_path=block.heading_path,
            locator=block.locator,
            block_id=block.block_id,
            value=value,
        )


@dataclass(frozen=True, slots=True)
class Material:
    """The documents to compare, those that the plan reads first."""

    documents: tuple[ReadDocument, ...]
    references: tuple[ResolvedReference, ...]
    every: tuple[DocumentRecord, ...]
    _statements: dict[str, list[Statement]] = field(default_factory=dict)

    def statements(self, read: ReadDocument) -> list[Statement]:
        """Return what ``read`` states, of its whole text or of what the plan reads of it."""
        file = read.record.file
        if file not in self._statements:
            spans = ((0, len(read.document.text)),) if read.is_whole else read.spans
            self._statements[file] = [
                replace(each, around=each.around | read.own)
                for span in spans
                for each in statements(read.document, *span)
            ]
        return self._statements[file]

    def of_file(self, file: str) -> ReadDocument | None:
        """Return the document of ``file`` if it is compared."""
        return next((one for one in self.documents if one.record.file == file), None)


def material(
    points: Sequence[PlannedPoint],
    documents: IndexedDocuments,
    references: Sequence[ResolvedReference],
    subjects: Subjects,
) -> Material:
    """Collect what ``points`` read, the master record, and the project's own documents that the
    scope of a point allows, as far as they are not too much to be compared at once."""
    spans = _spans(points, references)
    records = tuple(documents.documents())
    chosen: list[ReadDocument] = []
    left = _MOST_CHARACTERS

    def rank(record: DocumentRecord) -> tuple[bool, int, str]:
        order = _PROJECT_LAYERS.index(record.layer) if record.layer in _PROJECT_LAYERS else 99
        return record.file not in spans, order, record.file

    for record in sorted(records, key=rank):
        subject = _subject_of(record, subjects)
        own = frozenset(content_words(" ".join(subjects.of_file(record.file).names)))
        is_read = record.file in spans
        length = record.metadata.words * _CHARACTERS_PER_WORD
        is_small = length <= left
        is_allowed = record.layer is Layer.MASTER_RECORD or any(
            point.scope.allows(record.file, record.layer) for point in points
        )
        beyond = record.layer in _PROJECT_LAYERS and subject == "project" and is_allowed
        if not is_read and not (beyond and is_small):
            continue
        if is_small:
            left -= length
        document = documents.parsed(record.document_id)
        chosen.append(
            ReadDocument(
                record, document, subject, own, tuple(spans.get(record.file, ())), is_small
            )
        )
    return Material(tuple(chosen), tuple(references), records)


def _subject_of(record: DocumentRecord, subjects: Subjects) -> str:
    """Return what the statements of ``record`` are about; "" where they are not compared.

    Procedures speak of how the company works, the other documents of the project's device or of
    another. What is superseded states nothing any more.
    """
    subject = subjects.of_file(record.file)
    if (
        record.kind in RULE_KINDS
        or record.layer is Layer.GENERAL
        or subject.role is Role.SUPERSEDED
    ):
        return ""
    if subject.role is not Role.DEVICE:
        return next(iter(subject.names), "")
    return "procedures" if record.layer in PROCEDURES else "project"


def _spans(
    points: Sequence[PlannedPoint], references: Sequence[ResolvedReference]
) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    values = [point.value for point in points if point.value is not None]
    values += [reference.value for reference in references if reference.value is not None]
    for pairs in (*(point.pairs for point in points), *(each.pairs for each in references)):
        values += [pair.answer for pair in pairs]
    for value in values:
        spans.setdefault(value.file, []).append((value.start, value.end))
    for point in points:
        for passage in point.passages:
            spans.setdefault(passage.file, []).append((passage.start, passage.end))
    return spans
