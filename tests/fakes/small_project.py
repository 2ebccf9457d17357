"""A project on disk with its index, embedded by word hashes."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.chunking.paragraphs import ParagraphChunker
from phasergun_desktop.chunking.sections import SectionChunker
from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.documents.document_reader import DocumentReader, ReadingOptions
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.records import DocumentRecord, FileRecord, Window
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.jobs import Event, Job, run_to_end
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.sync.sync_folder import SyncFolder
from phasergun_desktop.sync.sync_plan import Retry
from phasergun_desktop.sync.sync_wishes import SyncWishes
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.paragraph_reader import ParagraphReader


class SmallProject:
    """``root`` holds the files; ``sync()`` brings the index up to date."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        self.cache = folder / "cache"
        self._open()
        self.reader = ParagraphReader()
        self.options = ReadingOptions()
        self.embedder = HashEmbedder()
        # The user's, for searches; None for the bundled one.
        self.own: HashEmbedder | None = None
        self.chunking = Chunking(SectionChunker(), ParagraphChunker())
        self.events: list[Event] = []
        self.wishes = SyncWishes()
        self.cores = 1

    def _open(self) -> None:
        self.database = open_index(self.cache)
        self.store = IndexStore(self.database)
        self.writer = IndexWriter(self.database)

    def open_again(self) -> None:
        """Close the index and open it as another process does."""
        self.close()
        self._open()

    def write(self, file: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def job(
        self,
        *,
        retry_failed: bool = False,
        retry_files: frozenset[str] = frozenset(),
        reader: DocumentReader | None = None,
        renew: bool = False,
    ) -> Job[SyncReport]:
        """Return a sync that has not begun; ``reader`` stands in for the one of paragraphs."""
        return SyncFolder(
            self.root,
            store=self.store,
            writer=self.writer,
            reader=reader or self.reader,
            embedder=self.embedder,
            chunking=self.chunking,
            parser_version=self.reader.version,
            options=lambda: self.options,
            retry=Retry(retry_failed, retry_files, outdated=renew),
            wishes=self.wishes,
            own=self.own,
            lanes=EmbeddingLanes(self.embedder, self.cores),
        ).run()

    def sync(
        self, *, retry_failed: bool = False, retry_files: frozenset[str] = frozenset()
    ) -> SyncReport:
        """Run a sync to its end; ``events`` has what it told."""
        self.events = []
        job = self.job(retry_failed=retry_failed, retry_files=retry_files)
        return run_to_end(job, self.events.append)

    def vectors(self) -> VectorCache:
        """Return the vectors of the embedder, not refreshed yet."""
        return VectorCache(
            self.store,
            self.cache,
            identity=self.embedder.identity,
            dimensions=self.embedder.dimensions,
        )

    def windows(self, document_id: int) -> tuple[Window, ...]:
        """Return the windows of a document in reading order."""
        query = "SELECT window_id FROM windows WHERE document_id = ? ORDER BY ordinal"
        with self.store.reading() as connection:
            ids = [row[0] for row in connection.execute(query, (document_id,))]
        found = self.store.windows(ids)
        return tuple(found[each] for each in ids)

    def stored_vectors(self, document_id: int, identity: str = "") -> dict[int, Vector]:
        """Return the vectors of a document's windows by window id."""
        ids = [each.window_id for each in self.windows(document_id)]
        return self.store.vectors.of_windows(ids, identity or self.embedder.identity)

    def states(self) -> dict[str, str]:
        """Return the state of every file."""
        return {record.file: record.state.value for record in self.store.files()}

    def record(self, file: str) -> FileRecord:
        """Return the state of a file that is there."""
        record = self.store.file(file)
        assert record is not None
        return record

    def document(self, file: str) -> DocumentRecord:
        """Return the record of a file that is indexed."""
        record = self.store.document_by_file(file)
        assert record is not None
        return record

    def close(self) -> None:
        """Close the database."""
        self.database.close()
