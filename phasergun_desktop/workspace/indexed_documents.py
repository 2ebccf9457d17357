"""The indexed documents of a project as planning and answering read them."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.records import Chunk, DocumentRecord


class ProfiledDocuments:
    """Documents of the index with the chunks of one profile."""

    def __init__(self, store: IndexStore, chunks: ChunkSets) -> None:
        self._store = store
        self._chunks = chunks

    def documents(self) -> Sequence[DocumentRecord]:
        """Return every indexed document, sorted by file."""
        return self._store.documents()

    def parsed(self, document_id: int) -> ParsedDocument:
        """Return the document with its text and blocks."""
        return self._store.parsed(document_id)

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        """Return the document's chunks in order."""
        return self._chunks.chunks(document_id)
