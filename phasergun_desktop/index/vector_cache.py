"""The vector index of a project, kept in step with SQLite, with a snapshot beside it."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import threading
from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.vector_index import Ids, VectorIndex
from phasergun_desktop.paths import private_file
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.problems import storage_errors

SNAPSHOT_FILE = "vectors.bin"
SNAPSHOT_RECORD = "vectors.json"
_FORMAT = 1
# A narrow scope of a large index is compared exactly, straight from the database.
_NARROW = 4_000
_LARGE = 16_000

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

    @property
    def identity(self) -> str:
        """The embedder whose vectors these are."""
        return self._identity

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
        allowed: Collection[int] | None = None,
        also: Collection[int] = (),
    ) -> dict[int, float]:
        """Return the cosine similarity (-1..1) of the ``limit`` nearest windows by id.

        ``vector`` has shape (dimensions,) and norm 1; ``allowed`` (window ids) applies before
        the limit; the windows ``also`` are in the answer in any case, where they have a vector.
        Exact up to 100,000 windows, and for narrow scopes at any size.
        """
        if self._index.is_exact and len(self._index) <= _LARGE:
            ids, similarities = self._index.compare_all(vector)
            found = dict(zip(ids.tolist(), similarities.tolist(), strict=True))
            near = ids if allowed is None else ids[np.isin(ids, _array(allowed))]
            names = [*near[:limit].tolist(), *also]
            return {name: found[name] for name in names if name in found}
        if allowed is not None and len(allowed) <= _NARROW:
            ids, similarities = self._exact(vector, limit, allowed)
        else:
            ids, similarities = self._index.query(vector, limit, allowed)
        found = dict(zip(ids.tolist(), similarities.tolist(), strict=True))
        missing = [name for name in also if name not in found]
        rows = self._store.vectors.of_windows(missing, self._identity)
        found.update((name, float(row @ vector)) for name, row in rows.items())
        return found

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
                    digest = _digest(temporary)
                    temporary.replace(target)
                finally:
                    temporary.unlink(missing_ok=True)
            record = {
                "format": _FORMAT,
                "index_id": self._store.index_id(),
                "identity": self._identity,
                "dimensions": self._dimensions,
                "version": self._version,
                "digest": digest,
                "graph": not self._index.is_exact,
                "ids": _packed(self._index.ids()),
                "removed": _packed(self._index.removed_ids()),
            }
            # Written last: a record that does not fit its file is not used.
            write_atomically(self._folder / SNAPSHOT_RECORD, json.dumps(record))
            self._saved_version = self._version
            return True

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
        fits = (
            record["format"] == _FORMAT
            and record["index_id"] == self._store.index_id()
            and record["identity"] == self._identity
            and record["dimensions"] == self._dimensions
            and int(record["version"]) <= self._store.version()
        )
        path = self._folder / SNAPSHOT_FILE
        # hnswlib reads a damaged file without looking: the digest is looked at first.
        if not fits or _digest(path) != record["digest"]:
            return False
        self._index.load(
            path,
            _unpacked(record["ids"]),
            _unpacked(record["removed"]),
            is_graph=bool(record["graph"]),
        )
        self._version = self._saved_version = int(record["version"])
        self._index_id = record["index_id"]
        return True

    def _catch_up(self) -> None:
        if self._index_id != self._store.index_id():
            self._rebuild("the index was mended or made anew")
            return
        changes = self._store.vectors.changes(self._version, self._identity, self._dimensions)
        held = self._index.ids()
        new = [place for place, each in enumerate(changes.ids) if each not in held]
        if len(new) < len(changes.ids):
            self._rebuild("some were made anew")
            return
        if self._index.needs_rebuild(len(new)):
            self._rebuild("they have outgrown their room, or many are gone")
            return
        self._index.remove(changes.removed)
        ids = np.array([changes.ids[place] for place in new], dtype=np.int64)
        self._index.add(ids, changes.vectors[new])
        self._version = changes.version

    def _rebuild(self, why: str) -> None:
        _log.info("The vectors are built again from the index: %s.", why)
        everything = self._store.vectors.changes(0, self._identity, self._dimensions)
        self._index.build(np.array(everything.ids, dtype=np.int64), everything.vectors)
        self._version = everything.version
        self._index_id = self._store.index_id()

    def _exact(
        self, vector: Vector, limit: int, allowed: Collection[int]
    ) -> tuple[Ids, NDArray[np.float32]]:
        found = self._store.vectors.of_windows(allowed, self._identity)
        ids = np.array(sorted(found), dtype=np.int64)
        if not len(ids):
            return ids, np.zeros(0, dtype=np.float32)
        rows = np.stack([found[int(each)] for each in ids])
        similarities = (rows @ vector).astype(np.float32)
        order = np.lexsort((ids, -similarities))[:limit]
        return ids[order], similarities[order]


def _array(ids: Collection[int]) -> Ids:
    return np.fromiter(ids, np.int64, len(ids))


def _digest(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _packed(ids: Collection[int]) -> str:
    return base64.b64encode(np.array(sorted(ids), dtype="<i8").tobytes()).decode("ascii")


def _unpacked(text: str) -> list[int]:
    found: list[int] = np.frombuffer(base64.b64decode(text), dtype="<i8").tolist()
    return found
