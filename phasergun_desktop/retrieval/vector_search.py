"""The windows near a query: by the bundled embedder, or by one of the user's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from phasergun_desktop.embedding.embedder import Embedder, Vector
from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.own_vector_caches import OwnVectorCaches
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.index.vector_rows import Ids
from phasergun_desktop.kept_values import KeptValues
from phasergun_desktop.profiles.model import VectorGraphSettings
from phasergun_desktop.retrieval.fusion import SCORE_DIGITS
from phasergun_desktop.retrieval.query_text import by_bundled_model, by_keywords_alone

# Of the vectors of queries, and of what was found for them.
QUERIES_KEPT = 128
_VECTORS_KEPT_S = 3600.0


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """The vector of a query by the bundled embedder, None where it failed. Where the user's own
    embedder searches, it is called ``embedder``, ``own`` is its vector, and ``cache`` what that is
    compared with. ``warnings`` say what failed."""

    bundled: Vector | None
    embedder: str = ""
    own: Vector | None = None
    cache: VectorCache | None = None
    warnings: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether no embedder made one."""
        return self.bundled is None and self.own is None


class VectorSearch:
    """Searches ``vectors``, those of ``embedder``, or those of the user's embedder with ``graph``.
    Safe to use from several threads.

    The user's embedder finds windows; their similarity is always that of ``embedder``, for which
    thresholds, abstention and confidence have their figures.
    """

    def __init__(
        self,
        vectors: VectorCache,
        embedder: Embedder,
        graph: VectorGraphSettings,
        own: OwnVectorCaches | None,
    ) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._graph = graph
        self._own = own
        self._kept: KeptValues[tuple[str, str], Vector] = KeptValues(
            QUERIES_KEPT, seconds=_VECTORS_KEPT_S
        )

    @property
    def own_embedder(self) -> str:
        """The user's embedder that searches now; empty where the bundled one does."""
        try:
            own = self._own.get(self._graph) if self._own is not None else None
        except ModelError:
            return ""
        return "" if own is None else own[0].identity

    def asked(self, query: str, version: int) -> QueryVectors:
        """Return the vectors of ``query`` for ``version`` of the index, which is being read."""
        warnings: list[str] = []
        identity, of_own, cache = "", None, None
        try:
            own = self._own.get(self._graph) if self._own is not None else None
            if own is not None:
                embedder, cache = own
                of_own = self._kept.get(
                    (embedder.identity, query), lambda: embedder.embed_query(query), version
                )
                identity = embedder.identity
        except ModelError as error:
            warnings.append(by_bundled_model(error))
        try:
            bundled = self._kept.get(("", query), lambda: self._embedder.embed([query])[0], version)
        except ModelError as error:
            bundled = None
            if of_own is None:
                warnings.append(by_keywords_alone(error))
        return QueryVectors(bundled, identity, of_own, cache, tuple(warnings))

    def near(
        self, asked: QueryVectors, count: int, allowed: Ids | None, also: Collection[int]
    ) -> dict[int, float]:
        """Return the cosines of the ``count`` nearest windows and of those of ``also``; see
        ``VectorCache.search``."""
        vector, cache = asked.bundled, self._vectors
        if asked.own is not None and asked.cache is not None:
            vector, cache = asked.own, asked.cache
        if vector is None:
            return {}
        cache.refresh()
        return _rounded(cache.search(vector, count, allowed, also))

    def similarity(
        self, asked: QueryVectors, near: Mapping[int, float], windows: Collection[int]
    ) -> Mapping[int, float]:
        """Return the cosines of ``windows`` by the bundled embedder, of which those in ``near`` are
        known where it searched."""
        if asked.own is None:
            return near
        if asked.bundled is None:
            return {}
        return _rounded(self._vectors.stored_cosines(asked.bundled, windows))


def _rounded(cosines: Mapping[int, float]) -> dict[int, float]:
    return {each: round(cosine, SCORE_DIGITS) for each, cosine in cosines.items()}
