"""The chunks of a profile: stored ones, or made on first use for a profile new to the index."""

from __future__ import annotations

from collections.abc import Collection

from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import chunk_id_of
from phasergun_desktop.index.records import Chunk, ChunkId, DocumentRecord
from phasergun_desktop.kept_values import KeptValues

_KEPT = 4096


class ChunkSets:
    """Gives the chunks of documents as one profile cuts them; never writes to the index."""

    def __init__(self, store: IndexStore, chunking: Chunking) -> None:
        self._store = store
        self._chunking = chunking
        self._kept: KeptValues[tuple[int, int, str], tuple[Chunk, ...]] = KeptValues(_KEPT)

    def chunks_of(self, documents: Collection[int]) -> dict[int, tuple[Chunk, ...]]:
        """Return the chunks of ``documents`` in reading order; unknown documents are left out."""
        version = self._store.version()
        records = self._store.documents_by_id()
        wanted: dict[str, list[int]] = {}
        found: dict[int, tuple[Chunk, ...]] = {}
        for document_id in documents:
            if document_id not in records:
                continue
            chunker = self._chunker(records[document_id])
            kept = self._kept.peek((document_id, version, chunker))
            if kept is None:
                wanted.setdefault(chunker, []).append(document_id)
            else:
                found[document_id] = kept
        for chunker, missing in wanted.items():
            stored = self._store.chunks_of(missing, chunker)
            for document_id in missing:
                chunks = stored.get(document_id)
                if chunks is None:
                    chunks = self._cut(records[document_id])
                found[document_id] = chunks
                self._kept.put((document_id, version, chunker), chunks)
        return found

    def chunks(self, document_id: int) -> tuple[Chunk, ...]:
        """Return the chunks of one document; empty for an unknown one."""
        return self.chunks_of([document_id]).get(document_id, ())

    def missing(self) -> tuple[int, ...]:
        """Return the documents whose chunks are still to be made: neither stored nor kept."""
        version = self._store.version()
        made = {each.record.document_id: each.chunkers for each in self._store.document_versions()}
        found = []
        for record in self._store.documents():
            chunker = self._chunker(record)
            kept = self._kept.peek((record.document_id, version, chunker))
            if kept is None and chunker not in made.get(record.document_id, ()):
                found.append(record.document_id)
        return tuple(found)

    def _chunker(self, record: DocumentRecord) -> str:
        return self._chunking.for_document(is_procedure=record.layer.is_procedure).identity

    def _cut(self, record: DocumentRecord) -> tuple[Chunk, ...]:
        document = self._store.parsed(record.document_id)
        chunker = self._chunking.for_document(is_procedure=record.layer.is_procedure)
        return tuple(
            Chunk(
                chunk_id=ChunkId(chunk_id_of(record.file, document, span)),
                document_id=record.document_id,
                start=span.start,
                end=span.end,
                heading_path=span.heading_path,
                prefix=span.prefix,
            )
            for span in chunker.chunk(document)
        )
