"""What the index knows of each file, document and chunk."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from phasergun_desktop.documents.model import DocumentMetadata, Page
from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.projects.layers import Layer

ChunkId = NewType("ChunkId", str)


class FileState(StrEnum):
    """What became of a file; ``pending`` also while it is being read."""

    INDEXED = "indexed"
    PENDING = "pending"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the project folder and its state. ``file`` is relative, with ``/``."""

    file: str
    layer: Layer | None
    state: FileState
    reason: str = ""
    size: int = 0
    mtime_ns: int = 0
    sha256: str = ""
    problem: DocumentProblem = DocumentProblem.OTHER
    pages: int | None = None
    chunks: int = 0


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """An indexed document without its text. ``document_id`` is valid in this index only.

    ``mime`` is the type that was found in the file, ``warnings`` are sentences on what could not
    be read as it should.
    """

    document_id: int
    file: str
    layer: Layer
    sha256: str
    format: str
    title: str
    category: str
    kind: str
    tags: tuple[str, ...]
    confidentiality: str
    metadata: DocumentMetadata
    pages: tuple[Page, ...] = ()
    mime: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a document that the embedder reads whole: ``start``..``end`` of its text.

    ``block`` is the ordinal of the block it starts in, ``locator`` its place, JSON as in the codec.
    """

    window_id: int
    document_id: int
    start: int
    end: int
    heading_path: tuple[str, ...]
    block: int
    locator: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document as the profile cuts it. ``prefix`` (a repeated heading) is outside
    ``start``..``end``."""

    chunk_id: ChunkId
    document_id: int
    start: int
    end: int
    heading_path: tuple[str, ...]
    prefix: str = ""
