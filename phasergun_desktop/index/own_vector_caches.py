"""The vectors of a project by the user's own embedder, beside those of the bundled one."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.embedding.embedder import SearchEmbedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.stored_vectors import OWN_EMBEDDER
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.index.vector_caches import VectorCaches
from phasergun_desktop.profiles.model import VectorGraphSettings


class OwnVectorCaches:
    """Gives the embedder that ``chosen`` returns now, None for the bundled one, with its vectors,
    which are kept in ``folder``. Safe on any thread."""

    def __init__(
        self, store: IndexStore, folder: Path, chosen: Callable[[], SearchEmbedder | None]
    ) -> None:
        self._store = store
        self._folder = folder
        self._chosen = chosen
        self._lock = threading.Lock()
        self._made: tuple[str, VectorCaches] | None = None

    def get(self, graph: VectorGraphSettings) -> tuple[SearchEmbedder, VectorCache] | None:
        """Return both, None where the bundled embedder is chosen; ask while the index is being
        read. Raises ``ModelError`` where the chosen one cannot be used or has not read every
        document."""
        embedder = self._chosen()
        identity = "" if embedder is None else embedder.identity
        with self._lock:
            if identity != self._store.meta(OWN_EMBEDDER):
                # Windows do not change when it reads them.
                self._made = None
            elif embedder is not None and (self._made is None or self._made[0] != identity):
                caches = VectorCaches(
                    self._store, self._folder, identity=identity, dimensions=embedder.dimensions
                )
                self._made = identity, caches
            made = self._made
        if embedder is None:
            return None
        if made is None:
            raise ModelError(
                "Documents not read yet",
                "The embedder of your own has not read all documents yet.",
                "It reads them when the index is brought up to date, in an open window at once or "
                "by `phasergun index`.",
            )
        return embedder, made[1].get(graph)

    def snapshot(self) -> None:
        """Write beside the database what has changed, and delete what is not used any more. Raises
        ``StorageError``."""
        if not self._store.meta(OWN_EMBEDDER):
            shutil.rmtree(self._folder, ignore_errors=True)
        elif self._made is not None:
            self._made[1].snapshot()
