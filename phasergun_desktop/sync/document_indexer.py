"""Embedding and writing one document, and doing again what another version has made."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import PurePosixPath

from phasergun_desktop.documents.metadata import describe_renamed
from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.index_store import DocumentVersions, IndexStore
from phasergun_desktop.index.index_writer import IndexEntry, IndexWriter, OwnVectors
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.index.stored_vectors import OWN_EMBEDDER
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.projects.categories import Categories
from phasergun_desktop.sync.document_stages import DocumentStages, described
from phasergun_desktop.sync.events import FileChanged
from phasergun_desktop.sync.renewal import Renewal
from phasergun_desktop.sync.sync_plan import Rename


class DocumentIndexer:
    """Brings index entries into the index; what is embedded already is not embedded again.

    ``own_problem`` is why the user's embedder cannot be used: documents are written without its
    vectors then.
    """

    def __init__(self, store: IndexStore, writer: IndexWriter, stages: DocumentStages) -> None:
        self._store = store
        self._writer = writer
        self._stages = stages
        self.own_problem: ModelError | None = None

    def own_identity(self) -> str:
        """Return the identity of the user's embedder, ``""`` where none is used."""
        if self._stages.own is None or self.own_problem is not None:
            return ""
        try:
            return self._stages.own.identity
        except ModelError as error:
            self.own_problem = error
            return ""

    def write(
        self, entry: IndexEntry, progress: Progress, *, old: str = "", all_windows: bool = False
    ) -> Generator[Event, None, int]:
        """Embed what is missing, write the document; return how many texts of windows were
        embedded.

        See ``IndexWriter.write_document``.
        """
        identity, stored = self._stages.identity, self._store.vectors
        texts, unit_texts = entry.embedded_texts(), entry.unit_texts()
        wanted = {name: texts[name] for name in stored.missing(identity, texts)}
        units = {name: unit_texts[name] for name in stored.missing_units(identity, unit_texts)}
        made = yield from self._stages.embed({**wanted, **units}, progress)
        vectors = {name: made[name] for name in wanted}
        unit_vectors = {name: made[name] for name in units}
        own = yield from self._own_vectors(texts, progress)
        if self._store.meta(OWN_EMBEDDER) not in ("", "" if own is None else own.identity):
            # From here on there are windows that it has not read.
            self._writer.write_meta(OWN_EMBEDDER, "")
        self._writer.write_document(
            entry, identity, vectors, unit_vectors, own, old=old, all_windows=all_windows
        )
        return len(vectors) + (0 if own is None else len(own.vectors))

    def _own_vectors(
        self, texts: dict[bytes, str], progress: Progress
    ) -> Generator[Event, None, OwnVectors | None]:
        identity = self.own_identity()
        if not identity:
            return None
        wanted = {name: texts[name] for name in self._store.vectors.missing(identity, texts)}
        try:
            vectors = yield from self._stages.embed(wanted, progress, self._stages.own)
        except ModelError as error:
            self.own_problem = error
            return None
        return OwnVectors(identity, vectors)

    def rename(
        self, rename: Rename, categories: Categories
    ) -> Generator[Event, None, FileRecord | None]:
        """Give a document its new name as if it had been read under it; None where that takes
        reading."""
        old, new = rename.old, rename.new
        record = self._store.document_by_file(old)
        if record is None:
            return None
        document = self._store.parsed(record.document_id)
        metadata = describe_renamed(document, PurePosixPath(old), PurePosixPath(new.file))
        if metadata is None:
            return None
        file = new.record(FileState.INDEXED, sha256=rename.sha256)
        entry = self._stages.entry(file, replace(document, metadata=metadata), categories)
        yield from self.write(entry, Progress("Renaming", detail=new.file), old=old)
        return self._store.file(new.file)

    def renew_stages(self, categories: Categories, renewal: Renewal) -> Generator[Event, None, int]:
        """Do again what another version of a stage has made, from the stored documents, unless it
        takes too long for ``renewal``; then what the user's embedder has not read, as was chosen.

        Returns how many texts of windows were embedded. Nothing is parsed.
        """
        embedded = 0
        own, stored = self.own_identity(), self._store.vectors
        unembedded = stored.unembedded_documents(self._stages.identity)
        unread = unembedded | (stored.documents_without(own) if own else frozenset())
        every = self._store.document_versions()
        stale = [e for e in every if self._is_stale(e) or e.record.document_id in unembedded]
        known = {each.record.document_id for each in stale}
        wanted = [e for e in every if e.record.document_id in unread - known]
        for done, each in enumerate([*stale, *wanted]):
            if renewal.left:
                return embedded
            if done < len(stale):
                renewal.is_too_long(done, len(stale))
            file, number = each.record.file, each.record.document_id
            total = len(stale) + len(wanted)
            progress = Progress("Bringing up to date", done, total, "documents", file)
            yield progress
            document = self._store.parsed(number)
            record = self._store.file(file)
            same_windows = each.window_version == self._stages.window_version
            if record is None or (same_windows and number not in unread):
                self._writer.write_chunks(file, self._stages.chunk_set(each.record.layer, document))
                continue
            entry = self._stages.entry(record, document, categories)
            # The vectors of the user's embedder are read when all are there.
            all_windows = number in unembedded or not same_windows
            embedded += yield from self.write(entry, progress, all_windows=all_windows)
            yield FileChanged(self._store.file(file) or entry.file)
        if self.own_problem is None and own != self._store.meta(OWN_EMBEDDER):
            self._writer.write_meta(OWN_EMBEDDER, own)
        return embedded

    def describe_again(self, categories: Categories) -> None:
        """Bring category, kind, tags and confidentiality of all documents up to date."""
        for record in self._store.documents():
            document = self._store.parsed(record.document_id)
            entry = described(record.file, document, categories)
            said = (record.category, record.kind, record.tags, record.confidentiality)
            if said != (entry.category, entry.kind, entry.tags, entry.confidentiality):
                self._writer.describe(record.file, entry)

    def _is_stale(self, versions: DocumentVersions) -> bool:
        return (
            versions.window_version != self._stages.window_version
            or self._stages.chunker(versions.record.layer) not in versions.chunkers
        )
