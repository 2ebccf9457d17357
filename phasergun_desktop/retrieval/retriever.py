"""Search: keywords and vectors over the windows of a scope, answered as chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.document_codec import locator_from_json
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import KeywordHit, KeywordIndex
from phasergun_desktop.index.own_vector_caches import OwnVectorCaches
from phasergun_desktop.index.records import DocumentRecord, Window
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.index.window_table import WindowTables
from phasergun_desktop.kept_values import KeptValues
from phasergun_desktop.profiles.model import FusionMethod, Profile
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.candidates import ChunkCandidate, ScoredWindow, group_by_chunk
from phasergun_desktop.retrieval.fusion import (
    SCORE_DIGITS,
    convex_scores,
    reciprocal_rank_scores,
    weighted_mean,
)
from phasergun_desktop.retrieval.model import Hit, SearchResult, SearchScope, Span
from phasergun_desktop.retrieval.query_text import cleaned
from phasergun_desktop.retrieval.reranking import (
    LateInteraction,
    Reranker,
    ShouldStop,
    mixed,
    not_reranked,
)
from phasergun_desktop.retrieval.search_clock import Clock
from phasergun_desktop.retrieval.vector_search import QUERIES_KEPT, QueryVectors, VectorSearch
from phasergun_desktop.text.other_names import NamesNow, OtherNames

_RESULTS_KEPT_S = 300.0
# A chunk, its score and the reranker's.
_Ranked = tuple[ChunkCandidate, float, float | None]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is searched: a cleaned query in a scope, and how much of it is wanted. ``embedder``
    names the user's own that searches, if one does, and ``reranker`` what gives the second
    order."""

    query: str
    scope: SearchScope
    limit: int
    reranks: bool
    embedder: str = ""
    reranker: str = ""


@dataclass(frozen=True, slots=True)
class _Searched:
    """The documents that a scope allows, by their ids; ``is_everything``: it allows all."""

    documents: Mapping[int, DocumentRecord]
    is_everything: bool


class Retriever:
    """Searches one project with one profile. Safe to use from several threads. ``reranker``
    (late interaction, where none is given) orders the best chunks again where that is wanted,
    ``own`` are the vectors by an embedder of the user's own (see ``VectorSearch``), and ``names``
    gives the names of things as the settings say them now."""

    def __init__(
        self,
        store: IndexStore,
        vectors: VectorCache,
        embedder: Embedder,
        profile: Profile,
        *,
        chunks: ChunkSets | None = None,
        windows: WindowTables | None = None,
        keywords: KeywordIndex | None = None,
        reranker: Reranker | None = None,
        own: OwnVectorCaches | None = None,
        names: NamesNow = OtherNames,
    ) -> None:
        self._store = store
        self._names = names
        self._vectors = VectorSearch(vectors, embedder, profile.retrieval.graph, own)
        self._windows = windows or WindowTables(store)
        self._keywords = keywords or KeywordIndex(store, self._windows)
        self._results: KeptValues[_Asked, SearchResult] = KeptValues(
            QUERIES_KEPT, seconds=_RESULTS_KEPT_S
        )
        self._chunks = chunks or ChunkSets(store, chunking_for(profile.chunking))
        self._scopes: KeptValues[SearchScope, _Searched] = KeptValues(
            QUERIES_KEPT, seconds=_RESULTS_KEPT_S
        )
        self._reranker = reranker or LateInteraction(embedder)
        self._settings = profile.retrieval
        self._counted = profile.confidence.counted

    @property
    def reranker(self) -> str:
        """What would give the second order now; empty where the profile wants none."""
        return self._reranker.identity if self._settings.rerank.enabled else ""

    @property
    def own_embedder(self) -> str:
        """The user's embedder that searches now; empty where the bundled one does."""
        return self._vectors.own_embedder

    def warm(self) -> None:
        """Read ahead what searches need of the index."""
        self._keywords.warm()

    def search(
        self,
        query: str,
        scope: SearchScope,
        limit: int,
        *,
        reranks: bool = False,
        should_stop: ShouldStop | None = None,
    ) -> SearchResult:
        """Return the ``limit`` best chunks of the documents that ``scope`` allows; with ``reranks``
        in the order of the reranker, where the profile has it enabled.

        The scope applies before every limit. What has other names in the project is looked for by
        these too. Equal scores: the master record first, then by chunk id. Where the user's own
        embedder fails the bundled one searches, where that fails too keywords alone, and where the
        reranker fails the order stays; a warning says so. A reranker that takes long asks
        ``should_stop`` (and raises ``Cancelled``).
        """
        clock = Clock()
        settings = self._settings
        query = (cleaned(query) if settings.clean_query else query)[: settings.query_max_chars]
        if limit <= 0 or not query.strip():
            return SearchResult(())
        query = self._names().written_out(query)
        asked = _Asked(query, scope, limit, reranks=reranks and settings.rerank.enabled)
        if asked.reranks:
            asked = replace(asked, reranker=self._reranker.identity)
        with self._store.reading():
            version = self._store.version()
            vectors = self._vectors.asked(query, version)
            asked = replace(asked, embedder=vectors.embedder)
            if vectors.is_empty:
                found = self._found(replace(asked, reranks=False), vectors, clock)
                return replace(found, warnings=vectors.warnings)
            clock.lap("embed")

            def kept(asked: _Asked) -> SearchResult:
                return self._results.get(
                    asked, lambda: self._found(asked, vectors, clock, should_stop), version
                )

            warnings = vectors.warnings
            try:
                result = kept(asked)
            except ModelError as error:
                result = kept(replace(asked, reranks=False))
                warnings = (*warnings, not_reranked(error))
        return replace(result, timings=clock.timings(), warnings=warnings)

    def _found(
        self,
        asked: _Asked,
        vectors: QueryVectors,
        clock: Clock,
        should_stop: ShouldStop | None = None,
    ) -> SearchResult:
        with self._store.reading():
            searched = self._scopes.get(
                asked.scope, lambda: self._allowed(asked.scope), self._store.version()
            )
            documents = searched.documents
            if not documents:
                return SearchResult((), clock.timings())
            by_words = self._keywords.search(
                asked.query,
                self._settings.keyword_candidates,
                None if searched.is_everything else documents,
            )
            clock.lap("keyword")
            near = self._near(vectors, searched, by_words, self._settings.vector_candidates)
            clock.lap("vector")
            candidates = self._candidates(by_words, near, vectors, documents)
            clock.lap("fuse")
            threshold = self._settings.threshold
            kept = [c for c in candidates if c.similarity is None or c.similarity >= threshold]
            ranked: list[_Ranked] = [(each, each.score, None) for each in kept[: asked.limit]]
            if asked.reranks:
                ranked = self._reranked(asked, kept, should_stop)
                clock.lap("rerank")
            hits = tuple(
                replace(self._hit(rank, candidate, documents), score=score, rerank=again)
                for rank, (candidate, score, again) in enumerate(ranked, start=1)
            )
        score = weighted_mean([each.similarity or 0.0 for each in candidates[: self._counted]])
        return SearchResult(hits, clock.timings(), score)

    def _reranked(
        self, asked: _Asked, candidates: Sequence[ChunkCandidate], should_stop: ShouldStop | None
    ) -> list[_Ranked]:
        """Return as many of the best candidates as are asked for, in their new order, each with its
        mixed score and that of the reranker."""
        rules = self._settings.rerank
        best = candidates[: max(rules.candidates, asked.limit)]
        texts = [self._text_of_best(each) for each in best]
        found = self._reranker.scores(asked.query, texts, should_stop)
        again = [round(one, SCORE_DIGITS) for one in found]
        scores = mixed([each.score for each in best], again, rules.weight)
        order = sorted(range(len(best)), key=lambda at: (-scores[at], at))
        return [(best[at], scores[at], again[at]) for at in order[: asked.limit]]

    def _text_of_best(self, candidate: ChunkCandidate) -> str:
        window = candidate.windows[0].window
        text = self._store.text_slice(window.document_id, window.start, window.end)
        return " ".join((*window.heading_path[-1:], text))

    def _allowed(self, scope: SearchScope) -> _Searched:
        everything = self._store.documents()
        allowed = {
            record.document_id: record
            for record in everything
            if scope.allows(record.file, record.layer)
        }
        return _Searched(allowed, is_everything=len(allowed) == len(everything))

    def _near(
        self,
        vectors: QueryVectors,
        searched: _Searched,
        by_words: tuple[KeywordHit, ...],
        count: int,
    ) -> dict[int, float]:
        allowed = None
        if not searched.is_everything:
            table = self._windows.table()
            allowed = table.ids[self._windows.allowed(searched.documents)]
        return self._vectors.near(vectors, count, allowed, [hit.window_id for hit in by_words])

    def _candidates(
        self,
        by_words: tuple[KeywordHit, ...],
        near: Mapping[int, float],
        vectors: QueryVectors,
        documents: Mapping[int, DocumentRecord],
    ) -> list[ChunkCandidate]:
        """Return the chunks that were found, best first."""
        bm25 = {hit.window_id: round(hit.score, SCORE_DIGITS) for hit in by_words}
        scores = self._fused(bm25, near)
        similarity = self._vectors.similarity(vectors, near, scores)
        scored = [
            ScoredWindow(
                window,
                self._weighted(window, scores[name]),
                similarity.get(name),
                bm25.get(name),
            )
            for name, window in self._store.windows(scores.keys()).items()
            if window.document_id in documents
        ]
        chunks = self._chunks.chunks_of({each.window.document_id for each in scored})
        candidates = group_by_chunk(scored, chunks)
        candidates.sort(key=lambda each: _order(each, documents))
        return candidates

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
        documents: Mapping[int, DocumentRecord],
    ) -> Hit:
        chunk, best = candidate.chunk, candidate.windows[0].window
        record = documents[chunk.document_id]
        text = self._store.text_slice(chunk.document_id, chunk.start, chunk.end)
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
            heading_path=best.heading_path,
            locator=locator_from_json(json.loads(best.locator)),
            block_id=f"b{best.block}",
            similarity=candidate.similarity,
            bm25=max(words, default=None),
            windows=tuple(_spans(candidate)),
        )


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
