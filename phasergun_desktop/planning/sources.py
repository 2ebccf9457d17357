"""What planning, writing and consistency need from the index, named as protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from phasergun_desktop.index.records import Chunk
from phasergun_desktop.references.documents import DocumentSource
from phasergun_desktop.retrieval.model import SearchResult, SearchScope


class IndexedDocuments(DocumentSource, Protocol):
    """Reads documents of the index."""

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        """The document's chunks in order, as the profile cuts them."""
        ...


class Searcher(Protocol):
    """Finds chunks within a scope."""

    def search(self, query: str, scope: SearchScope, limit: int) -> SearchResult:
        """Hits, best first, at most ``limit``, only documents that ``scope`` allows."""
        ...
