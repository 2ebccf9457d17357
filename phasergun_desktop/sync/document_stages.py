"""The stages of one document: read, cut into windows and chunks, embed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from phasergun_desktop.chunking.citable_units import UNITS_VERSION, split_units
from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.chunking.windows import WINDOWS_VERSION, pack_windows
from phasergun_desktop.documents.document_reader import (
    DocumentReader,
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.embedder import Embedder, SearchEmbedder, Vector
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.errors import DocumentError, DocumentProblem
from phasergun_desktop.index.index_writer import ChunkSet, IndexEntry
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.projects.categories import Categories, CategoryEntry
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.storage.small_files import open_ordinary
from phasergun_desktop.sync.folder_scan import ScannedFile

_ATTEMPTS = 3


class FileReading:
    """Reads the files below ``root``."""

    def __init__(
        self,
        root: Path,
        reader: DocumentReader,
        options: Callable[[], ReadingOptions] = ReadingOptions,
    ) -> None:
        self._root = root
        self._reader = reader
        self._options = options

    def read(
        self,
        scanned: ScannedFile,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> tuple[FileRecord, ParsedDocument]:
        """Parse a file whose content stays the same meanwhile (tried three times).

        ``on_progress`` is called on this thread. Raises ``DocumentError``, or
        ``FileNotFoundError`` when it has gone.
        """
        path = self._root / scanned.file
        for _ in range(_ATTEMPTS):
            record = self._stat(path, scanned)
            try:
                document = self._reader.parse(path, self._options(), on_progress)
            except DocumentError:
                # What went away or changed while it was read says nothing of the content.
                if self._stat(path, scanned) == record:
                    raise
                continue
            if self._stat(path, scanned) == record:
                return record, document
        raise DocumentError(
            "File is being written",
            "The file changed each time it was read.",
            "It is read again when it has been saved.",
            DocumentProblem.UNREACHABLE,
        )

    def _stat(self, path: Path, scanned: ScannedFile) -> FileRecord:
        try:
            found = path.stat()
            sha256 = digest_of(path)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise _unreadable(error) from error
        now = replace(scanned, size=found.st_size, mtime_ns=found.st_mtime_ns)
        return now.record(FileState.PENDING, sha256=sha256)


class DocumentStages:
    """Makes index entries; the same document always gives the same entry. ``own`` is the user's
    embedder for searches, where one was chosen."""

    def __init__(
        self,
        embedder: Embedder,
        chunking: Chunking,
        own: SearchEmbedder | None = None,
        lanes: EmbeddingLanes | None = None,
    ) -> None:
        self._embedder = embedder
        self._chunking = chunking
        self.own = own
        self._lanes = lanes or EmbeddingLanes(embedder)

    @property
    def identity(self) -> str:
        """The embedder's identity."""
        return self._embedder.identity

    @property
    def window_version(self) -> str:
        """What windows and units depend on besides the document."""
        return f"{WINDOWS_VERSION}:{UNITS_VERSION}:{self._embedder.max_tokens}"

    def chunker(self, layer: Layer) -> str:
        """The identity of the chunker for documents of ``layer``."""
        return self._chunking.for_document(is_procedure=layer.is_procedure).identity

    def entry(
        self, record: FileRecord, document: ParsedDocument, categories: Categories
    ) -> IndexEntry:
        """Cut ``document`` into windows, units and chunks. ``record`` has a layer."""
        layer = record.layer or Layer.DOCUMENTS
        chunks = self.chunk_set(layer, document)
        return IndexEntry(
            file=replace(record, state=FileState.INDEXED, reason=""),
            document=document,
            title=document.metadata.title or PurePosixPath(record.file).stem,
            entry=described(record.file, document, categories),
            windows=pack_windows(document, self._embedder, self._embedder.max_tokens - 2),
            units=split_units(document),
            window_version=self.window_version,
            chunks=chunks.chunks,
            chunker=chunks.chunker,
        )

    def chunk_set(self, layer: Layer, document: ParsedDocument) -> ChunkSet:
        """Return the chunks of ``document`` as the profile cuts those of ``layer``."""
        chunker = self._chunking.for_document(is_procedure=layer.is_procedure)
        return ChunkSet(document, chunker.identity, chunker.chunk(document))

    def embed(
        self, texts: dict[bytes, str], progress: Progress, own: SearchEmbedder | None = None
    ) -> Generator[Event, None, dict[bytes, Vector]]:
        """Embed ``texts`` (by hash), by ``own`` where it is given; see ``EmbeddingLanes.embed``."""
        lanes = self._lanes if own is None else self._lanes.one_for(own)
        return lanes.embed(texts, progress)


def described(file: str, document: ParsedDocument, categories: Categories) -> CategoryEntry:
    """Return category, kind, tags and confidentiality of a document."""
    headings = [
        " ".join(document.block_text(block).split())
        for block in document.blocks
        if block.kind is BlockKind.HEADING
    ]
    metadata = document.metadata
    return categories.describe(file, metadata.title, headings, metadata.front_matter)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file's content in hex. Raises OSError."""
    with open_ordinary(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _unreadable(error: OSError) -> DocumentError:
    return DocumentError(
        "Unreadable file",
        f"The file cannot be opened ({error.strerror or 'input/output error'}).",
        "Check that you may read it and that no other program keeps it locked.",
        DocumentProblem.UNREACHABLE,
    )
