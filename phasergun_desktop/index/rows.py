"""Rows of the index as records, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from phasergun_desktop.documents.document_codec import (
    decoded,
    encoded,
)
from phasergun_desktop.documents.model import DocumentMetadata, Page
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import (
    Chunk,
    ChunkId,
    DocumentRecord,
    FileRecord,
    FileState,
    Window,
)
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.storage.row_digests import row_digest

# SQLite's rows have no types that a checker knows.
Row = Sequence[object]

# Where several profiles have cut a document, the chunks of one of them are counted.
SELECT_FILE = (
    "SELECT f.file, f.layer, f.state, f.reason, f.size, f.mtime_ns, f.sha256, f.problem, d.pages, "
    "(SELECT count(*) FROM chunks c WHERE c.document_id = d.document_id AND c.chunker = "
    "(SELECT max(s.chunker) FROM chunk_sets s WHERE s.document_id = d.document_id)) "
    "FROM files f LEFT JOIN documents d ON d.file = f.file"
)
INSERT_FILE = (
    "INSERT OR REPLACE INTO files (file, layer, state, reason, size, mtime_ns, sha256, problem, "
    "digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SELECT_DOCUMENT = (
    "SELECT document_id, file, layer, sha256, format, title, category, kind, tags, "
    "confidentiality, metadata, page_sizes, parser_version, window_version, sequence, mime, "
    "warnings FROM documents"
)
SELECT_WINDOW = (
    "SELECT window_id, document_id, start, end, heading_path, block, locator FROM windows"
)
SELECT_CHUNK = "SELECT chunk_id, document_id, start, end, heading_path, prefix FROM chunks"


def file_from_row(row: Row) -> FileRecord:
    """Return the record of ``SELECT_FILE``."""
    file, layer, state, reason, size, mtime_ns, sha256, problem, pages, chunks = row
    return FileRecord(
        file=str(file),
        layer=None if layer is None else Layer(str(layer)),
        state=FileState(str(state)),
        reason=str(reason),
        size=as_int(size),
        mtime_ns=as_int(mtime_ns),
        sha256=str(sha256),
        problem=DocumentProblem(str(problem)),
        pages=None if pages is None else as_int(pages),
        chunks=as_int(chunks),
    )


def file_to_row(record: FileRecord) -> tuple[object, ...]:
    """Return the values of ``INSERT_FILE``."""
    layer = None if record.layer is None else record.layer.value
    values = (
        record.file,
        layer,
        record.state.value,
        record.reason,
        record.size,
        record.mtime_ns,
        record.sha256,
        record.problem.value,
    )
    return (*values, row_digest(values))


def document_from_row(row: Row) -> DocumentRecord:
    """Return the record of ``SELECT_DOCUMENT``."""
    return DocumentRecord(
        document_id=as_int(row[0]),
        file=str(row[1]),
        layer=Layer(str(row[2])),
        sha256=str(row[3]),
        format=str(row[4]),
        title=str(row[5]),
        category=str(row[6]),
        kind=str(row[7]),
        tags=strings(row[8]),
        confidentiality=str(row[9]),
        metadata=decoded(json.loads(str(row[10])), DocumentMetadata),
        pages=decoded(json.loads(str(row[11])), tuple[Page, ...]),
        mime=str(row[15]),
        warnings=strings(row[16]),
    )


def metadata_text(metadata: DocumentMetadata) -> str:
    """Return ``metadata`` as the JSON that is stored."""
    return json.dumps(encoded(metadata), ensure_ascii=False)


def pages_text(pages: Sequence[Page]) -> str:
    """Return ``pages`` as the JSON that is stored."""
    return json.dumps(encoded(pages))


def window_from_row(row: Row) -> Window:
    """Return the record of ``SELECT_WINDOW``."""
    return Window(
        window_id=as_int(row[0]),
        document_id=as_int(row[1]),
        start=as_int(row[2]),
        end=as_int(row[3]),
        heading_path=strings(row[4]),
        block=as_int(row[5]),
        locator=str(row[6]),
    )


def chunk_from_row(row: Row) -> Chunk:
    """Return the record of ``SELECT_CHUNK``."""
    return Chunk(
        chunk_id=ChunkId(str(row[0])),
        document_id=as_int(row[1]),
        start=as_int(row[2]),
        end=as_int(row[3]),
        heading_path=strings(row[4]),
        prefix=str(row[5]),
    )


def strings_text(values: Sequence[str]) -> str:
    """Return a sequence of strings as the JSON that is stored."""
    return json.dumps(list(values), ensure_ascii=False)


# The chunks and windows of a section have the same headings.
@lru_cache(maxsize=4096)
def strings(value: object) -> tuple[str, ...]:
    """Return the strings of stored JSON."""
    return tuple(str(item) for item in json.loads(str(value)))


def as_int(value: object) -> int:
    """Return a stored whole number."""
    if not isinstance(value, int):
        raise TypeError(f"a whole number is stored here, not {type(value).__name__}")
    return value


def as_bytes(value: object) -> bytes:
    """Return a stored blob."""
    if not isinstance(value, bytes):
        raise TypeError(f"bytes are stored here, not {type(value).__name__}")
    return value


def text_hash(text: str) -> bytes:
    """Return the 16 bytes that name an embedded text."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def vector_blob(vector: Vector) -> bytes:
    """Return a vector of shape (dimensions,) as little-endian float32."""
    return vector.astype("<f4").tobytes()


def vectors_from(blobs: Sequence[bytes], dimensions: int) -> Vector:
    """Return stored vectors as float32 of shape (len(blobs), dimensions)."""
    if not blobs:
        return np.zeros((0, dimensions), dtype=np.float32)
    flat = np.frombuffer(b"".join(blobs), dtype="<f4")
    return flat.reshape(len(blobs), -1).astype(np.float32)
