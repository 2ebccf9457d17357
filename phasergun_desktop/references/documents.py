"""What the resolution of references needs to know of the indexed documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.records import DocumentRecord


class DocumentSource(Protocol):
    """The indexed documents of one project."""

    def documents(self) -> Sequence[DocumentRecord]:
        """Return every indexed document, sorted by file."""
        ...

    def parsed(self, document_id: int) -> ParsedDocument:
        """Return the text and blocks of a document that ``documents`` listed."""
        ...

    def text(self, document_id: int) -> str:
        """Return the text of a document that ``documents`` listed: much less than its blocks."""
        ...
