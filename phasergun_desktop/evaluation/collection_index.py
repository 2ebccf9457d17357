"""A test collection in an index of the product's own, kept beside those of the projects."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.evaluation.collection_files import CollectionDocument
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.projects.categories import Categories
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.sync.document_indexer import DocumentIndexer
from phasergun_desktop.sync.document_stages import DocumentStages
from phasergun_desktop.sync.renewal import Renewal

# Goes up when a document of a collection would be laid out differently.
_LAYOUT_VERSION = "1"


def collection_id(corpus_sha256: str) -> str:
    """Return the name of the index of a corpus."""
    return hashlib.sha256(f"{_LAYOUT_VERSION} {corpus_sha256}".encode()).hexdigest()[:32]


def index_collection(
    folder: Path, documents: Sequence[CollectionDocument], stages: DocumentStages
) -> Job[int]:
    """Bring the index in ``folder`` up to date with ``documents``; return how many it has.

    A document is named by its id, as a file would be. What an earlier run has indexed, to its end
    or not, is kept. Raises ``StorageError`` and ``ModelError``.
    """
    with closing(open_index(folder)) as database:
        store = IndexStore(database)
        yield from store.integrity.mend()
        indexer = DocumentIndexer(store, IndexWriter(database), stages)
        known = {record.file for record in store.documents()}
        for done, each in enumerate(documents):
            progress = Progress("Indexing", done, len(documents), "documents")
            yield progress
            if each.document_id in known:
                continue
            document = _parsed(each)
            if not document.blocks:
                continue
            record = FileRecord(
                each.document_id,
                Layer.DOCUMENTS,
                FileState.INDEXED,
                sha256=hashlib.sha256(document.text.encode()).hexdigest(),
            )
            entry = stages.entry(record, document, Categories())
            yield from indexer.write(entry, progress)
            known.add(each.document_id)
        yield from indexer.renew_stages(Categories(), Renewal(is_allowed=True))
        if indexer.own_problem is not None:
            raise indexer.own_problem
        return len(store.documents())


def _parsed(document: CollectionDocument) -> ParsedDocument:
    builder = DocumentBuilder()
    if document.title:
        builder.add(BlockKind.HEADING, document.title, LineLocator(1), level=1)
    builder.add(BlockKind.PARAGRAPH, document.text, LineLocator(2))
    return ParsedDocument(
        format="txt",
        mime="text/plain",
        text=builder.text,
        blocks=builder.blocks,
        metadata=DocumentMetadata(title=document.title),
        parser_version=_LAYOUT_VERSION,
    )
