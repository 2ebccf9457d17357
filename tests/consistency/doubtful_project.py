"""Small projects for the tests on discrepancies: lines of text by file, and what a plan reads."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.consistency.between_sources import source_discrepancies
from phasergun_desktop.index.records import Chunk, ChunkId
from phasergun_desktop.planning.model import Discrepancy, PlannedPoint, PointKind
from phasergun_desktop.planning.subject import subjects_of
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED
from phasergun_desktop.references.bootstrap import parse_bootstrap
from phasergun_desktop.references.model import ReferenceKind, ResolvedReference
from phasergun_desktop.retrieval.model import Passage, SearchScope
from tests.fakes.fake_documents import FakeDocuments, fake_document

RECORD = "Context/Project-Master-Record.docx"
MINUTES = "Context/Ongoing/Minutes.md"
REPORT = "Context/Ongoing/Report.md"
DESCRIPTION = "Context/Initiation/Description.docx"
PREDICATE = "Context/Predicates/K111222.md"
BOOTSTRAP = "Bootstrap/Plan-V1.2.docx"


class DoubtfulDocuments(FakeDocuments):
    """Documents whose chunks nobody asks for."""

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        return ()


def documents_of(files: dict[str, str]) -> DoubtfulDocuments:
    """Make documents of lines; see ``fake_document``."""
    return DoubtfulDocuments(
        {file: fake_document(text.strip().splitlines()) for file, text in files.items()}
    )


def point_reading(documents: DoubtfulDocuments, *files: str) -> PlannedPoint:
    """A point that reads the whole of ``files``."""
    passages = []
    for record in documents.documents():
        if record.file in files:
            text = documents.parsed(record.document_id).text
            passages.append(
                Passage(
                    record.document_id, record.file, record.sha256, record.title, record.layer,
                    ChunkId(record.file), 0, len(text), text, (), 1.0,
                )
            )  # fmt: skip
    scope = SearchScope(layers=ALWAYS_SEARCHED)
    return PlannedPoint(PointKind.DESCRIBE, "", "query", "State it", scope, tuple(passages))


def bootstrap_reference(documents: DoubtfulDocuments) -> ResolvedReference:
    """The reference to the bootstrap document with its pairs."""
    record = next(each for each in documents.documents() if each.file == BOOTSTRAP)
    parsed = parse_bootstrap(documents.parsed(record.document_id), BOOTSTRAP)
    return ResolvedReference(
        ReferenceKind.BOOTSTRAP, "[Bootstrap|Plan]", 0, 16, "plan", (BOOTSTRAP,), None, parsed.pairs
    )


def found(
    files: dict[str, str], *read: str, references: Sequence[ResolvedReference] = ()
) -> tuple[Discrepancy, ...]:
    """Return the discrepancies of a plan that reads ``read`` (without any: all files).

    Every side must quote its document exactly.
    """
    documents = documents_of(files)
    if not references and BOOTSTRAP in files:
        references = [bootstrap_reference(documents)]
    wanted = read or tuple(file for file in files if file != BOOTSTRAP)
    result = source_discrepancies(
        [point_reading(documents, *wanted)], documents, references, subjects_of(documents)
    )
    by_file = {record.file: record for record in documents.documents()}
    for each in result:
        assert len(each.sides) == 2
        for side in each.sides:
            text = documents.parsed(by_file[side.file].document_id).text
            assert side.quote
            assert text[side.start : side.end] == side.quote
            assert side.value in side.quote
            assert side.sha256 == by_file[side.file].sha256
            assert side.locator is not None
    return result
