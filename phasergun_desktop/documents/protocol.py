"""What the rest of the product asks of a reader of documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from phasergun_desktop.documents.model import ParsedDocument

# Goes up when a document would be parsed differently. It stands here for those who compare it
# without loading a parser: parsing is done in another process.
PARSER_VERSION = "1"


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as rendered: PNG bytes, and the size of the page in points."""

    png: bytes
    width: float
    height: float


class DocumentReader(Protocol):
    """Parses documents and renders pages, somewhere that a bad file can do no harm."""

    def parse(self, path: Path) -> ParsedDocument:
        """Read ``path``. Raises DocumentError with a sentence and a remedy."""
        ...

    def render_page(self, path: Path, page: int, scale: float) -> PageImage:
        """Render page ``page`` (from 1) of a PDF at ``scale`` pixels per point.

        Raises DocumentError.
        """
        ...

    def close(self) -> None:
        """End the reader; it must not be used afterwards."""
        ...
