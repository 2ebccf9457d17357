"""Where a search may look and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from phasergun_desktop.documents.model import Locator
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer

# The file of a passage, and where in its text it starts and ends.
Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The documents a search may use: those of ``layers`` and those named in ``files``.

    ``within`` (if not None) restricts further: only these files. ``of_layers`` (if not None)
    restricts further: only documents of these layers. ``excluded`` are never used.
    """

    layers: frozenset[Layer] = ALWAYS_SEARCHED
    files: frozenset[str] = frozenset()
    within: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    of_layers: frozenset[Layer] | None = None

    def allows(self, file: str, layer: Layer) -> bool:
        """Whether the document may be used."""
        if file in self.excluded:
            return False
        if self.within is not None and file not in self.within:
            return False
        if self.of_layers is not None and layer not in self.of_layers:
            return False
        return layer in self.layers or file in self.files


@dataclass(frozen=True, slots=True)
class Span:
    """Code points ``start``..``end`` of a document's text with a score (higher is better)."""

    start: int
    end: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. ``score`` is the fused score in 0..1 (rounded to 1e-10),
    ``similarity`` the best cosine of its windows, ``bm25`` its keyword score (both None where
    that search did not find it). ``rerank`` is the reranker's score where it was reranked, and
    ``score`` is mixed with it then. ``windows`` are its windows, best first."""

    rank: int
    score: float
    chunk_id: ChunkId
    document_id: int
    file: str
    sha256: str
    title: str
    layer: Layer
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    locator: Locator
    block_id: str
    similarity: float | None = None
    bm25: float | None = None
    rerank: float | None = None
    windows: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchTimings:
    """Milliseconds of each stage."""

    embed_ms: float = 0.0
    keyword_ms: float = 0.0
    vector_ms: float = 0.0
    fuse_ms: float = 0.0
    rerank_ms: float = 0.0
    total_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and how long it took. ``retrieval_score`` (-1..1) is the mean of the
    cosines of the best that were found before the threshold, weighted by 1/rank. ``warnings`` are
    sentences on what was not as it should be."""

    hits: tuple[Hit, ...]
    timings: SearchTimings = field(default_factory=SearchTimings)
    retrieval_score: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that goes into a prompt, exactly as it stands there."""

    document_id: int
    file: str
    sha256: str
    title: str
    layer: Layer
    chunk_id: ChunkId
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    score: float

    @classmethod
    def of(
        cls,
        record: DocumentRecord,
        start: int,
        end: int,
        text: str,
        heading_path: tuple[str, ...] = (),
        chunk_id: ChunkId | None = None,
        score: float = 0.0,
    ) -> Passage:
        """Return ``start``..``end`` of a document, which is ``text``, as a passage."""
        return cls(
            document_id=record.document_id,
            file=record.file,
            sha256=record.sha256,
            title=record.title,
            layer=record.layer,
            chunk_id=chunk_id or ChunkId(""),
            start=start,
            end=end,
            text=text,
            heading_path=heading_path,
            score=score,
        )

    @property
    def place(self) -> Place:
        """Where it stands: the file, and where in its text it starts and ends."""
        return self.file, self.start, self.end
