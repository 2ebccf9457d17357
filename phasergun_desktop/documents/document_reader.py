"""What the rest of the product asks of a reader of documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from phasergun_desktop.documents.model import ParsedDocument

# Goes up when a document would be parsed differently. It stands here for those who compare it
# without loading a parser: parsing is done in another process.
PARSER_VERSION = "14"
# The formats whose text may have to be recognised.
_RECOGNISED = frozenset({"pdf", "image"})


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What the user has set for reading the documents of a project.

    ``languages`` are tesseract's names joined by ``+`` (``eng+deu``). Every one of ``passwords``
    is tried on a document that is protected.
    """

    languages: str = "eng"
    passwords: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """Page ``page`` (from 1) of ``pages`` begins; ``recognised``: its text is being recognised."""

    page: int
    pages: int
    recognised: bool = False


def reading_version(options: ReadingOptions, tesseract: str) -> str:
    """Return what a parsed document depends on besides its file; ``tesseract`` is the path of the
    program, empty where there is none.

    A program that is installed later, or another language, gives another version, and what was
    read without it is read again.
    """
    return f"{PARSER_VERSION} ocr:{options.languages if tesseract else 'none'}"


def is_read_alike(stored: str, current: str, document_format: str) -> bool:
    """Whether a document read by the version ``stored`` would be read alike by ``current``.

    Text recognition concerns PDF files and pictures alone.
    """
    if stored == current:
        return True
    is_same_parser = stored.partition(" ")[0] == current.partition(" ")[0]
    return is_same_parser and document_format not in _RECOGNISED


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as rendered: PNG bytes, and the size of the page in points."""

    png: bytes
    width: float
    height: float


class DocumentReader(Protocol):
    """Parses documents and renders pages, somewhere that a bad file can do no harm."""

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``. Raises DocumentError with a sentence and a remedy."""
        ...

    def render_page(
        self, path: Path, page: int, scale: float, options: ReadingOptions | None = None
    ) -> PageImage:
        """Render page ``page`` (from 1) of a PDF or image at ``scale`` pixels per point.

        Raises DocumentError.
        """
        ...

    def warm(self) -> None:
        """Start what the first document would wait for."""
        ...

    def close(self) -> None:
        """End the reader; it must not be used afterwards."""
        ...
