"""The file that is read while another one is embedded."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.index.index_writer import IndexEntry
from phasergun_desktop.sync.folder_scan import ScannedFile

Prepare = Callable[[ScannedFile, Callable[[ReadingProgress], None]], IndexEntry]

_HEARTBEAT_S = 0.2


class ReadAhead:
    """A file that the reader's thread makes ready to be embedded, and how far it is."""

    def __init__(self, pool: ThreadPoolExecutor, prepare: Prepare, scanned: ScannedFile) -> None:
        self._file = scanned.file
        # Written by the reader's thread, read by the sync's: one reference, so no lock.
        self._progress: ReadingProgress | None = None
        self.future: Future[IndexEntry] = pool.submit(prepare, scanned, self._on_progress)

    def is_done(self) -> bool:
        """Wait for a moment; return whether the file is ready, or has failed."""
        try:
            self.future.exception(timeout=_HEARTBEAT_S)
        except TimeoutError:
            return False
        return True

    def detail(self) -> str:
        """Return the file, and the page that is being recognised."""
        now = self._progress
        if now is None or not now.recognised:
            return self._file
        return f"{self._file}: recognising page {now.page} of {now.pages}"

    def _on_progress(self, progress: ReadingProgress) -> None:
        self._progress = progress
