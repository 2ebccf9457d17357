"""What planning, writing and consistency need from the index, named as protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.records import Chunk, DocumentRecord
from phasergun_desktop.retrieval.model import SearchResult, SearchScope


class IndexedDocuments(Protocol):
    """Reads documents of the index."""

    def documents(self) -> Sequence[DocumentRecord]:
        """Every indexed document, sorted by file."""
        ...

    def parsed(self, document_id: int) -> ParsedDocument:
        """The document with its text and blocks."""
        ...

    def text(self, document_id: int) -> str:
        """The text of a document alone, which is read much faster."""
        ...

    def chunks(self, document_id: int) -> Sequence[Chunk]:
        """The document's chunks in order, as the profile cuts them."""
        ...


class Searcher(Protocol):
    """Finds chunks within a scope."""

    def search(self, query: str, scope: SearchScope, limit: int) -> SearchResult:
        """Hits, best first, at most ``limit``, only documents that ``scope`` allows."""
        ...
