"""The indexed documents of a project as planning and answering read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.records import Chunk, DocumentRecord
from phasergun_desktop.retrieval.filters import Filter, allowed_documents


class ProfiledDocuments:
    """Documents of the index with the chunks of one profile: those that ``filters`` allow. To
    whoever reads these, the others are not in the project."""

    def __init__(
        self, store: IndexStore, chunks: ChunkSets, filters: Sequence[Filter] = ()
    ) -> None:
        self._store = store
        self._chunks = chunks
        self._filters = tuple(filters)

    def filtered(self, filters: Sequence[Filter]) -> ProfiledDocuments:
        """Return those of these that ``filters`` allow."""
        return ProfiledDocuments(self._store, self._chunks, (*self._filters, *filters))

    def documents(self) -> Sequence[DocumentRecord]:
        """Return every document that is allowed, sorted by file."""
        found = self._store.documents()
        return allowed_documents(self._filters, found) if self._filters else found

    def parsed(self, document_id: int) -> ParsedDocument:
        """Return the document with its text and blocks; ``ProjectError`` where it is gone."""
        with _told_when_gone():
            return self._store.parsed(document_id)

    def text(self, document_id: int) -> str:
        """Return the text of a document; ``ProjectError`` where it is gone."""
        with _told_when_gone():
            return self._store.text(document_id)

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        """Return the document's chunks in order; ``ProjectError`` where it went meanwhile."""
        with _told_when_gone():
            return self._chunks.chunks(document_id)


@contextmanager
def _told_when_gone() -> Iterator[None]:
    # The index may be brought up to date while a draft is written.
    try:
        yield
    except KeyError as error:
        raise ProjectError(
            "A source is gone",
            "A document that was to be read has been removed from the project meanwhile.",
            "Start again: what is there now is used.",
        ) from error
