"""The vector index of a project, kept in step with SQLite, with a snapshot beside it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import logging
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import BinaryIO

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.vector_index import VectorIndex
from phasergun_desktop.index.vector_rows import Ids
from phasergun_desktop.paths import private_file
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.problems import storage_errors

SNAPSHOT_FILE = "vectors.bin"
SNAPSHOT_RECORD = "vectors.json"
_FORMAT = 3
_DIGEST_BYTES = 16
# A file is summed up in blocks, in each by rows of so many bytes.
_BLOCK, _ROW = 1 << 20, 1 << 10
# A narrow scope of a graph is compared exactly, straight from the database.
_NARROW = 4_000

_log = logging.getLogger(__name__)


class VectorCache:
    """Vectors of one embedder (``identity``, ``dimensions``); derived, never the truth."""

    def __init__(
        self,
        store: IndexStore,
        folder: Path,
        *,
        identity: str,
        dimensions: int,
        index: VectorIndex | None = None,
    ) -> None:
        self._store = store
        self._folder = folder
        self._identity = identity
        self._dimensions = dimensions
        self._index = index or VectorIndex(dimensions)
        self._lock = threading.Lock()
        self._version = -1
        self._saved_version = -1
        self._index_id = ""

    def __len__(self) -> int:
        return len(self._index)

    def refresh(self) -> None:
        """Bring the vectors in step with the database; cheap when nothing has changed."""
        with self._lock, self._store.reading():
            version = self._store.version()
            if version == self._version:
                return
            if self._version < 0:
                self._open()
            if self._version != version:
                self._catch_up()

    def search(
        self,
        vector: Vector,
        limit: int,
        allowed: Ids | None = None,
        also: Collection[int] = (),
    ) -> dict[int, float]:
        """Return the cosine similarity (-1..1) of the ``limit`` nearest windows by id.

        ``vector`` has shape (dimensions,) and norm 1; ``allowed`` (window ids, rising) applies
        before the limit; the windows ``also`` are in the answer in any case, where they have a
        vector. Exact up to 100,000 windows, and for narrow scopes at any size.
        """
        is_narrow = allowed is not None and len(allowed) <= _NARROW
        if allowed is not None and is_narrow and not self._index.is_exact:
            near = self._exact(vector, limit, allowed)
        else:
            near, _ = self._index.query(vector, limit, allowed)
        # All by one rule: windows of the same text must not differ in the last digit.
        return self._cosines(vector, {*near.tolist(), *also})

    def snapshot(self) -> bool:
        """Write the vectors beside the database if they have changed; True if written."""
        with self._lock:
            if self._version < 0 or self._version == self._saved_version:
                return False
            target = self._folder / SNAPSHOT_FILE
            # One name for all: only the one that writes the index comes here, and what it left
            # when it was killed is written over by the next.
            temporary = target.with_name(f"{SNAPSHOT_FILE}.tmp")
            with storage_errors(target):
                try:
                    private_file(temporary)
                    self._index.save(temporary)
                    record = self._record()
                    digest = _digest(temporary, record)
                    temporary.replace(target)
                finally:
                    temporary.unlink(missing_ok=True)
            # Written last: a record that does not fit its file is not used.
            content = json.dumps({**record, "digest": digest})
            write_atomically(self._folder / SNAPSHOT_RECORD, content)
            self._saved_version = self._version
            return True

    def _record(self) -> dict[str, object]:
        return {
            "format": _FORMAT,
            # That of the index they were read of: it may have been mended since.
            "index_id": self._index_id,
            "identity": self._identity,
            "dimensions": self._dimensions,
            "version": self._version,
            "graph": not self._index.is_exact,
            "ids": _packed(self._index.ids),
            "removed": _packed(self._index.removed_ids),
        }

    def _open(self) -> None:
        if not (self._folder / SNAPSHOT_RECORD).is_file():
            self._rebuild("no file of them was saved")
            return
        try:
            loaded = self._load()
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as problem:
            _log.warning("%s cannot be used: %s", SNAPSHOT_FILE, type(problem).__name__)
            loaded = False
        if not loaded:
            self._rebuild("their file is damaged or of another index")

    def _load(self) -> bool:
        record = json.loads((self._folder / SNAPSHOT_RECORD).read_text("utf-8"))
        digest = record.pop("digest")
        fits = (
            record["format"] == _FORMAT
            and record["index_id"] == self._store.index_id()
            and record["identity"] == self._identity
            and record["dimensions"] == self._dimensions
            and int(record["version"]) <= self._store.version()
        )
        path, ids = self._folder / SNAPSHOT_FILE, _unpacked(record["ids"])
        # A damaged file is read without a complaint, by hnswlib too: the digest is looked at first.
        if not fits:
            return False
        if record["graph"]:
            if _digest(path, record) != digest:
                return False
            self._index.load_graph(path, ids, _unpacked(record["removed"]))
        else:
            content = path.read_bytes()
            if digest_of(io.BytesIO(content), record) != digest:
                return False
            vectors = np.frombuffer(content, "<f4").reshape(len(ids), self._dimensions)
            self._index.build(ids, vectors)
        self._version = self._saved_version = int(record["version"])
        self._index_id = record["index_id"]
        return True

    def _catch_up(self) -> None:
        if self._index_id != self._store.index_id():
            self._rebuild("the index was mended or made anew")
            return
        changes = self._store.vectors.changes(self._version, self._identity, self._dimensions)
        if np.isin(changes.ids, self._index.ids).any():
            self._rebuild("some were made anew")
            return
        if self._index.needs_rebuild(len(changes.ids)):
            self._rebuild("they have outgrown their room, or many are gone")
            return
        self._index.remove(changes.removed)
        self._index.add(changes.ids, changes.vectors)
        self._version = changes.version

    def _rebuild(self, why: str) -> None:
        _log.info("The vectors are built again from the index: %s.", why)
        everything = self._store.vectors.changes(0, self._identity, self._dimensions)
        self._index.build(everything.ids, everything.vectors)
        self._version = everything.version
        self._index_id = self._store.index_id()

    def _exact(self, vector: Vector, limit: int, allowed: Ids) -> Ids:
        found = self._cosines(vector, allowed.tolist())
        ids = sorted(found, key=lambda each: (-found[each], each))[:limit]
        return np.array(ids, dtype=np.int64)

    def _cosines(self, vector: Vector, window_ids: Collection[int]) -> dict[int, float]:
        """Return the cosines of those of ``window_ids`` that have a vector."""
        compared = self._index.compare(vector, window_ids)
        return self.stored_cosines(vector, window_ids) if compared is None else compared

    def stored_cosines(self, vector: Vector, window_ids: Collection[int]) -> dict[int, float]:
        """Return the cosines of those of ``window_ids`` that have a vector, read from the database
        for these alone."""
        found = self._store.vectors.of_windows(window_ids, self._identity)
        if not found:
            return {}
        # Not the product of the matrix: that adds up some of the rows in another order.
        cosines = np.einsum("ij,j->i", np.stack(list(found.values())), vector)
        return dict(zip(found, cosines.tolist(), strict=True))


def _digest(path: Path, record: Mapping[str, object]) -> str:
    with path.open("rb") as stream:
        return digest_of(stream, record)


def digest_of(stream: BinaryIO, record: Mapping[str, object]) -> str:
    """Return the digest of ``record`` and of the sums of what ``stream`` holds, along the rows and
    the columns of each block: a cryptographic digest of everything is what a first search would
    wait for longest, and nobody but a failing disk changes the file."""
    digest = hashlib.blake2b(json.dumps(record).encode(), digest_size=_DIGEST_BYTES)
    while block := stream.read(_BLOCK):
        whole = len(block) // _ROW * _ROW
        words = np.frombuffer(block, "<u8", whole // 8).reshape(-1, _ROW // 8)
        for axis in (0, 1):
            digest.update(words.sum(axis=axis, dtype="<u8").tobytes())
        digest.update(block[whole:])
    return digest.hexdigest()


def _packed(ids: Ids) -> str:
    return base64.b64encode(ids.astype("<i8").tobytes()).decode("ascii")


def _unpacked(text: str) -> Ids:
    return np.frombuffer(base64.b64decode(text), dtype="<i8").astype(np.int64)
