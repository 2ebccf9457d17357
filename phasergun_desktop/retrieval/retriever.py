"""Search: keywords and vectors over the windows of a scope, answered as chunks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.document_codec import locator_from_json
from phasergun_desktop.embedding.embedder import Embedder, Vector
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import KeywordHit, KeywordIndex
from phasergun_desktop.index.records import DocumentRecord, Window
from phasergun_desktop.index.rows import PlacedWindow
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.index.window_sets import WindowSets
from phasergun_desktop.profiles.model import FusionMethod, Profile
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.candidates import (
    ChunkCandidate,
    ScoredWindow,
    group_by_chunk,
)
from phasergun_desktop.retrieval.fusion import SCORE_DIGITS, convex_scores, reciprocal_rank_scores
from phasergun_desktop.retrieval.model import (
    Hit,
    SearchResult,
    SearchScope,
    SearchTimings,
    Span,
)
from phasergun_desktop.retrieval.query_cache import QueryVectors


class Retriever:
    """Searches one project with one profile. Safe to use from several threads."""

    def __init__(
        self,
        store: IndexStore,
        vectors: VectorCache,
        embedder: Embedder,
        profile: Profile,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._keywords = KeywordIndex(store)
        self._queries = QueryVectors(embedder)
        self._chunks = ChunkSets(store, chunking_for(profile.chunking))
        self._windows = WindowSets(store)
        self._settings = profile.retrieval
        self._counted = profile.confidence.counted

    def search(
        self,
        query: str,
        scope: SearchScope,
        limit: int,
        *,
        is_fast: bool = False,
        keyword_candidates: int | None = None,
        vector_candidates: int | None = None,
    ) -> SearchResult:
        """Return the ``limit`` best chunks of the documents that ``scope`` allows; ``is_fast``
        leaves out reranking.

        The scope applies before every limit. Candidates count windows. Equal scores: the
        master record first, then by chunk id.
        """
        clock = _Clock()
        query = query[: self._settings.query_max_chars]
        if limit <= 0 or not query.strip():
            return SearchResult(())
        vector = self._queries.vector(query)
        clock.lap("embed")
        with self._store.reading():
            self._vectors.refresh()
            documents = {
                record.document_id: record
                for record in self._store.documents()
                if scope.allows(record.file, record.layer)
            }
            if not documents:
                return SearchResult((), clock.timings())
            by_words = self._keywords.search(
                query, keyword_candidates or self._settings.keyword_candidates, documents
            )
            clock.lap("keyword")
            similarity = self._similarities(
                vector,
                documents,
                by_words,
                vector_candidates or self._settings.vector_candidates,
            )
            clock.lap("vector")
            candidates, placed = self._candidates(by_words, similarity, documents)
            clock.lap("fuse")
            threshold = self._settings.threshold
            kept = [c for c in candidates if c.similarity is None or c.similarity >= threshold]
            hits = tuple(
                self._hit(rank, candidate, placed, documents)
                for rank, candidate in enumerate(kept[:limit], start=1)
            )
        score = _weighted_mean([each.similarity or 0.0 for each in candidates[: self._counted]])
        return SearchResult(hits, clock.timings(), score)

    def _similarities(
        self,
        vector: Vector,
        documents: Mapping[int, DocumentRecord],
        by_words: tuple[KeywordHit, ...],
        count: int,
    ) -> dict[int, float]:
        everything = len(documents) == len(self._store.documents())
        allowed = None if everything else self._store.window_ids(documents)
        also = [hit.window_id for hit in by_words]
        found = self._vectors.search(vector, count, allowed, also)
        return {each: round(cosine, SCORE_DIGITS) for each, cosine in found.items()}

    def _candidates(
        self,
        by_words: tuple[KeywordHit, ...],
        similarity: Mapping[int, float],
        documents: Mapping[int, DocumentRecord],
    ) -> tuple[list[ChunkCandidate], Mapping[int, PlacedWindow]]:
        """Return the chunks that were found, best first, and the places of their windows."""
        bm25 = {hit.window_id: round(hit.score, SCORE_DIGITS) for hit in by_words}
        scores = self._fused(bm25, similarity)
        placed = self._windows.named(scores.keys())
        scored = [
            ScoredWindow(
                each.window,
                self._weighted(each.window, scores[name]),
                similarity.get(name),
                bm25.get(name),
            )
            for name, each in placed.items()
            if each.window.document_id in documents
        ]
        chunks = self._chunks.chunks_of({each.window.document_id for each in scored})
        candidates = group_by_chunk(scored, chunks)
        candidates.sort(key=lambda each: _order(each, documents))
        return candidates, placed

    def _fused(
        self, bm25: Mapping[int, float], similarity: Mapping[int, float]
    ) -> dict[int, float]:
        fusion = self._settings.fusion
        if fusion.method is FusionMethod.RECIPROCAL_RANK:
            return reciprocal_rank_scores(bm25, similarity, fusion.rank_constant)
        return convex_scores(bm25, similarity, fusion.keyword_weight)

    def _weighted(self, window: Window, score: float) -> float:
        """Return ``score`` with the weight of the profile for sections of this heading."""
        headings = " ".join(window.heading_path).casefold()
        for section in self._settings.section_weights:
            if section.heading.casefold() in headings:
                return round(min(1.0, score * section.weight), SCORE_DIGITS)
        return score

    def _hit(
        self,
        rank: int,
        candidate: ChunkCandidate,
        placed: Mapping[int, PlacedWindow],
        documents: Mapping[int, DocumentRecord],
    ) -> Hit:
        chunk, best = candidate.chunk, candidate.windows[0]
        record = documents[chunk.document_id]
        text = self._store.text_slice(chunk.document_id, chunk.start, chunk.end)
        place = placed[best.window.window_id]
        words = [each.bm25 for each in candidate.windows if each.bm25 is not None]
        return Hit(
            rank=rank,
            score=candidate.score,
            chunk_id=chunk.chunk_id,
            document_id=chunk.document_id,
            file=record.file,
            sha256=record.sha256,
            title=record.title,
            layer=record.layer,
            start=chunk.start,
            end=chunk.end,
            text=text,
            heading_path=best.window.heading_path,
            locator=locator_from_json(json.loads(place.locator)),
            block_id=f"b{place.block}",
            similarity=candidate.similarity,
            bm25=max(words, default=None),
            windows=tuple(_spans(candidate)),
        )


def _weighted_mean(cosines: Sequence[float]) -> float:
    """Return the mean of ``cosines``, best rank first, each weighted by 1/rank; 0 for none."""
    weights = [1.0 / rank for rank in range(1, len(cosines) + 1)]
    total = sum(weight * cosine for weight, cosine in zip(weights, cosines, strict=True))
    return round(total / sum(weights), SCORE_DIGITS) if weights else 0.0


def _spans(candidate: ChunkCandidate) -> Iterator[Span]:
    """Yield the windows of the chunk that were found, best first, each cut to the chunk."""
    chunk = candidate.chunk
    for each in candidate.windows:
        window = each.window
        start, end = max(window.start, chunk.start), min(window.end, chunk.end)
        yield Span(start, end, each.score)


def _order(
    candidate: ChunkCandidate, documents: Mapping[int, DocumentRecord]
) -> tuple[float, bool, str]:
    layer = documents[candidate.chunk.document_id].layer
    return (-candidate.score, layer is not Layer.MASTER_RECORD, candidate.chunk.chunk_id)


class _Clock:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = (now - self._last) * 1000
        self._last = now

    def timings(self) -> SearchTimings:
        return SearchTimings(
            embed_ms=self._laps.get("embed", 0.0),
            keyword_ms=self._laps.get("keyword", 0.0),
            vector_ms=self._laps.get("vector", 0.0),
            fuse_ms=self._laps.get("fuse", 0.0),
            total_ms=(time.perf_counter() - self._start) * 1000,
        )
