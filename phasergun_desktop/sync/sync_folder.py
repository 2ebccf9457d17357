"""The job that brings an index up to date with its folder."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.documents.document_reader import (
    DocumentReader,
    ReadingOptions,
    ReadingProgress,
    is_read_alike,
)
from phasergun_desktop.embedding.embedder import Embedder, SearchEmbedder
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.errors import DocumentError, DocumentProblem, PhaserGunError
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexEntry, IndexWriter
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.index.stored_vectors import OWN_EMBEDDER
from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.projects.categories import Categories, load_categories
from phasergun_desktop.projects.folder_tree import categories_file, is_bare, require_content
from phasergun_desktop.storage.problems import StorageDamagedError
from phasergun_desktop.sync.document_indexer import DocumentIndexer
from phasergun_desktop.sync.document_stages import (
    DocumentStages,
    FileReading,
    digest_of,
)
from phasergun_desktop.sync.events import FileChanged, FileRemoved, SyncReport
from phasergun_desktop.sync.folder_scan import FolderScan, ScannedFile, scan_folder
from phasergun_desktop.sync.hidden_files import without_hidden
from phasergun_desktop.sync.read_ahead import ReadAhead
from phasergun_desktop.sync.renewal import Renewal
from phasergun_desktop.sync.sync_plan import Rename, Retry, SyncPlan, needs_digest, plan_sync
from phasergun_desktop.sync.sync_wishes import SyncWishes

_MOST_PROBLEMS_TOLD = 20
_READER_KEY = "parser_version"
_CATEGORIES_KEY = "categories"
_DISKS_KEY = "disks"
# No path has two of them in a row.
_BETWEEN_DISKS = "//"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Counts:
    changed: int = 0
    embedded: int = 0
    removed: int = 0
    renamed: int = 0
    warnings: list[str] = field(default_factory=list)
    mended: tuple[str, ...] = ()


class SyncFolder:
    """One sync of ``root``; make a new object for each. Only one may run on a project.

    A document is one short transaction, so that a kill or a cancel (closing the generator)
    loses at most the one in flight. Closing takes effect within a quarter of a second.
    ``parser_version`` names what documents are read with, passwords excepted: what was read
    otherwise is read again. ``options`` is asked as each document is read. ``retry`` names
    files that are read again though they have not changed; ``hidden`` is asked for the labels of
    confidentiality whose documents are not read, and leave the index before others are read.
    ``wishes`` are heard between two documents: a file that is saved while thousands wait is the
    next to be read. ``own`` is the user's embedder for searches: a document that it cannot read is
    indexed without its vectors.
    """

    def __init__(
        self,
        root: Path,
        *,
        store: IndexStore,
        writer: IndexWriter,
        reader: DocumentReader,
        embedder: Embedder,
        chunking: Chunking,
        parser_version: str,
        options: Callable[[], ReadingOptions] = ReadingOptions,
        retry: Retry | None = None,
        hidden: Callable[[], frozenset[str]] = frozenset,
        wishes: SyncWishes | None = None,
        own: SearchEmbedder | None = None,
        lanes: EmbeddingLanes | None = None,
    ) -> None:
        self._root = root
        self._store = store
        self._writer = writer
        self._reading = FileReading(root, reader, options)
        self._stages = DocumentStages(embedder, chunking, own, lanes)
        self._indexer = DocumentIndexer(store, writer, self._stages)
        self._parser_version = parser_version
        self._asked_retry = retry or Retry()
        self._hidden = hidden
        self._wishes = wishes or SyncWishes()
        self._looks = 0
        self._noticed: dict[str, int] = {}
        self._counts = _Counts()

    def run(self) -> Job[SyncReport]:
        """Yield ``Progress``, ``FileChanged`` and ``FileRemoved``; return the report.

        Damage to the index is mended, what it cost is read again, and the report says so.
        Raises ``ProjectError`` (folder unreadable), ``StorageError`` (index not writable) and
        ``ModelError`` (no embedder). Whatever is wrong with one document makes that file
        failed, with its reason.
        """
        try:
            return (yield from self._synced())
        except StorageDamagedError:
            # Nothing is lost: the index is made of the folder.
            self._store.integrity.make_anew()
        self._counts = _Counts()
        return (yield from self._synced())

    def _synced(self) -> Job[SyncReport]:
        started = time.perf_counter()
        self._counts.mended = yield from self._store.integrity.mend()
        was_tidy, self._store.is_tidy = self._store.is_tidy, False
        own_before = self._store.meta(OWN_EMBEDDER)
        categories, categories_changed = self._categories()
        renewal = Renewal(is_allowed=self._asked_retry.outdated)
        scan = yield from self._look_and_read(categories, self._retry())
        while scan is None or not (
            yield from self._read_all(self._outdated(scan), categories, renewal)
        ):
            # What was asked to be read again is pending since.
            scan = yield from self._look_and_read(categories, Retry(unreached=False))
        self._counts.warnings.extend(
            f"The folder {folder} cannot be read." for folder in scan.unreadable
        )
        if not renewal.left:
            self._counts.embedded += yield from self._indexer.renew_stages(categories, renewal)
        if categories_changed is not None:
            self._indexer.describe_again(categories)
            self._writer.write_meta(_CATEGORIES_KEY, categories_changed)
        self._writer.write_meta(_READER_KEY, self._parser_version)
        counts, own = self._counts, self._indexer.own_identity()
        problem = self._indexer.own_problem
        is_new = counts.changed or counts.removed or counts.embedded or own != own_before
        if is_new or not was_tidy:
            # The model may be there again the next time.
            own_used = None if problem is not None else own
            self._writer.remove_unused_vectors(self._stages.identity, own_used)
        self._store.is_tidy = True
        if problem is not None:
            counts.warnings.append(f"{problem.message} {problem.remedy}")
        return self._report(time.perf_counter() - started, renewal)

    def _look_and_read(
        self, categories: Categories, retry: Retry
    ) -> Generator[Event, None, FolderScan | None]:
        """Do what the folder asks for; None where it is to be looked at again before the end."""
        self._wishes.take()
        self._looks += 1
        yield Progress("Looking through the folder")
        known = {record.file: record for record in self._store.files()}
        scan = without_hidden(self._scan(), categories, self._hidden(), known)
        if not scan.files and any(each.state is FileState.INDEXED for each in known.values()):
            require_content(self._root)
        digests = yield from self._digests(needs_digest(scan.files, known))
        plan = plan_sync(scan, known, digests, retry)
        yield from self._note_states(plan, known)
        changed = yield from self._rename(plan.renamed, categories)
        is_done = yield from self._read_all([*plan.read, *changed], categories)
        if not is_done:
            return None
        yield from self._remove(plan.gone, scan)
        return scan

    def _scan(self) -> FolderScan:
        """Look at the folder. What lay on a disk that is not connected now is not gone: where it
        was there is a folder without anything."""
        scan = scan_folder(self._root)
        known = self._store.meta(_DISKS_KEY)
        before = known.split(_BETWEEN_DISKS) if known else []
        away = [each for each in before if each not in scan.disks and is_bare(self._root / each)]
        disks = _BETWEEN_DISKS.join(sorted((*scan.disks, *away)))
        if disks != known:
            self._writer.write_meta(_DISKS_KEY, disks)
        return replace(scan, unreadable=(*scan.unreadable, *away))

    def _categories(self) -> tuple[Categories, str | None]:
        """Return what categories.yaml says, and its digest if it differs from the last sync."""
        path = categories_file(self._root)
        categories = load_categories(path, self._root)
        self._counts.warnings.extend(
            f"{path.name}, line {problem.line}: {problem.message}. {problem.remedy}"
            for problem in categories.problems[:_MOST_PROBLEMS_TOLD]
        )
        more = len(categories.problems) - _MOST_PROBLEMS_TOLD
        if more > 0:
            self._counts.warnings.append(f"{path.name} has {more} more problems like these.")
        digest = hashlib.sha256(repr(categories).encode("utf-8", "replace")).hexdigest()
        return categories, None if digest == self._store.meta(_CATEGORIES_KEY) else digest

    def _retry(self) -> Retry:
        newer_reader = self._store.meta(_READER_KEY) not in ("", self._parser_version)
        asked = self._asked_retry
        return Retry(asked.failed or newer_reader, asked.files)

    def _outdated(self, scan: FolderScan) -> list[ScannedFile]:
        """Return the files whose documents were read otherwise than files are read now."""
        files = {
            each.record.file
            for each in self._store.document_versions()
            if not is_read_alike(each.parser_version, self._parser_version, each.record.format)
        }
        return [each for each in scan.files if each.file in files]

    def _digests(self, files: Sequence[ScannedFile]) -> Generator[Event, None, dict[str, str]]:
        digests: dict[str, str] = {}
        for done, each in enumerate(files):
            yield Progress("Comparing files", done, len(files), "files", each.file)
            try:
                digests[each.file] = digest_of(self._root / each.file)
            except OSError:
                continue  # reading it will say why
        return digests

    def _note_states(
        self, plan: SyncPlan, known: Mapping[str, FileRecord]
    ) -> Generator[Event, None, None]:
        pending = [each.record(FileState.PENDING) for each in plan.read]
        indexed = {record.file for record in self._store.documents()}
        for record in plan.skipped:
            if record.file in indexed:
                self._writer.remove_document(record)
                self._counts.removed += 1
        # Of thousands that wait nothing has to be said again each time the folder is looked at.
        new = [
            each
            for each in (*plan.skipped, *plan.touched, *pending)
            if known.get(each.file) != each
        ]
        self._noticed.update((each.file, self._looks) for each in new)
        self._writer.write_files(new)
        for record in new:
            yield FileChanged(record)

    def _rename(
        self, renames: Sequence[Rename], categories: Categories
    ) -> Generator[Event, None, list[ScannedFile]]:
        """Give documents their new names; return the files that must be read for it."""
        unread = []
        for each in renames:
            record = yield from self._indexer.rename(each, categories)
            if record is None:
                self._writer.remove([each.old])
                unread.append(each.new)
            else:
                self._counts.renamed += 1
            yield FileRemoved(each.old)
            if record is not None:
                yield FileChanged(record)
        return unread

    def _read_all(
        self,
        files: Sequence[ScannedFile],
        categories: Categories,
        renewal: Renewal | None = None,
    ) -> Generator[Event, None, bool]:
        """Return False where it was broken off, with files left, because something was wished; what
        takes too long for ``renewal`` is left."""
        if not files:
            return True
        files = self._wishes.in_order(files, self._noticed)
        prepare = partial(self._prepared, categories)
        # Reading the next file (in the child process) while this one is embedded.
        pool = ThreadPoolExecutor(1, thread_name_prefix="sync-reader")
        try:
            ahead = ReadAhead(pool, prepare, files[0])
            for done, each in enumerate(files):
                progress = Progress("Indexing", done, len(files), "documents", each.file)
                current = ahead
                while not current.is_done():
                    yield replace(progress, detail=current.detail())
                is_broken_off = self._wishes.are_new and done + 1 < len(files)
                is_left = renewal is not None and renewal.is_too_long(done, len(files))
                if done + 1 < len(files) and not (is_broken_off or is_left):
                    ahead = ReadAhead(pool, prepare, files[done + 1])
                yield progress
                yield from self._index_one(each, current.future, progress)
                if is_broken_off:
                    return False
                if is_left:
                    return True
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return True

    def _prepared(
        self,
        categories: Categories,
        scanned: ScannedFile,
        on_progress: Callable[[ReadingProgress], None],
    ) -> IndexEntry:
        """Return a document cut into windows and units."""
        record, document = self._reading.read(scanned, on_progress)
        return self._stages.entry(record, document, categories)

    def _index_one(
        self, scanned: ScannedFile, preparing: Future[IndexEntry], progress: Progress
    ) -> Generator[Event, None, None]:
        self._counts.changed += 1
        try:
            entry = preparing.result()
            self._counts.embedded += yield from self._indexer.write(entry, progress)
        except FileNotFoundError:
            # Absence is no failure: where it is back already it stays pending, for the next sync.
            if _is_gone(self._root / scanned.file):
                self._writer.remove([scanned.file])
                self._counts.removed += 1
                yield FileRemoved(scanned.file)
        except DocumentError as problem:
            reason = f"{problem.message} {problem.remedy}".strip()
            yield self._unread(scanned, reason, problem.problem)
        except PhaserGunError:
            raise  # the disk or the model: no other document would fare better
        except Exception as error:  # noqa: BLE001
            # One document must never stop the others; its text stays out of the log.
            _log.error("a document could not be indexed: %s", type(error).__name__)
            _log.debug("while indexing %s", scanned.file, exc_info=True)
            kind = type(error).__name__
            yield self._unread(scanned, f"Something unexpected went wrong ({kind}). Retry it.")
        else:
            yield FileChanged(self._record(entry.file))

    def _unread(
        self,
        scanned: ScannedFile,
        reason: str,
        problem: DocumentProblem = DocumentProblem.OTHER,
    ) -> FileChanged:
        state = FileState.FAILED
        if problem is DocumentProblem.FORMAT:
            state, problem = FileState.SKIPPED, DocumentProblem.OTHER
        record = scanned.record(state, reason, problem)
        self._writer.remove_document(record)
        return FileChanged(record)

    def _remove(self, gone: Sequence[str], scan: FolderScan) -> Generator[Event, None, None]:
        if not gone:
            return
        # Looked at again: programs that save by renaming leave a moment without the file. By the
        # names in the folder: many disks would say that a file is there under its old capitals.
        now = scan_folder(self._root)
        there = {each.file for each in now.files}
        still_gone = [
            each for each in gone if each not in there and not now.may_be_unreachable(each)
        ]
        self._writer.remove(still_gone)
        self._counts.removed += len(still_gone)
        for file in still_gone:
            yield FileRemoved(file)

    def _record(self, record: FileRecord) -> FileRecord:
        return self._store.file(record.file) or record

    def _report(self, seconds: float, renewal: Renewal) -> SyncReport:
        states = Counter(record.state for record in self._store.files())
        return SyncReport(
            indexed=states[FileState.INDEXED],
            failed=states[FileState.FAILED],
            skipped=states[FileState.SKIPPED],
            removed=self._counts.removed,
            cancelled=False,
            seconds=seconds,
            pending=states[FileState.PENDING],
            changed=self._counts.changed,
            renamed=self._counts.renamed,
            embedded=self._counts.embedded,
            warnings=(*self._counts.mended, *self._counts.warnings),
            mended=self._counts.mended,
            outdated=renewal.left,
            outdated_s=renewal.left_s,
        )


def _is_gone(path: Path) -> bool:
    """Whether there is no such file; one that cannot be reached may still be there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
