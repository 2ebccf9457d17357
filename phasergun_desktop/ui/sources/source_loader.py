"""Fetches sources and page images for the viewer, beside the window's thread, and keeps a few."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession, SourceDocument

MOST_SOURCES = 4
MOST_IMAGES = 16


class SourceLoader(QObject):
    """One request for a source at a time; a newer one cancels the one before."""

    source_loaded = Signal(str, object)
    image_loaded = Signal(str, int, object, float)
    failed = Signal(object)
    image_failed = Signal(str, object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._session: ProjectSession | None = None
        self._sources: OrderedDict[str, SourceDocument] = OrderedDict()
        self._images: OrderedDict[tuple[str, int, float], QImage] = OrderedDict()
        self._source_job: JobHandle | None = None
        self._image_jobs: dict[tuple[str, int], JobHandle] = {}

    @property
    def is_busy(self) -> bool:
        """Whether a source is on its way."""
        return self._source_job is not None and not self._source_job.is_done

    def set_session(self, session: ProjectSession | None) -> None:
        """Read from another project from now on."""
        self._cancel_all()
        self._session = session
        self._sources.clear()
        self._images.clear()

    def forget(self, file: str) -> None:
        """Read a file anew at the next request: it changed."""
        self._sources.pop(file, None)
        for key in [one for one in self._images if one[0] == file]:
            del self._images[key]

    def load(self, file: str) -> None:
        """Fetch a source; ``source_loaded`` or ``failed`` follows, at once if it is at hand."""
        if self._source_job is not None:
            self._source_job.cancel()
            self._source_job = None
        session = self._session
        if session is None:
            return
        if file in self._sources:
            self._sources.move_to_end(file)
            self.source_loaded.emit(file, self._sources[file])
            return
        job = self._runner.submit_call(lambda: session.source(file))
        self._source_job = job

        def on_loaded(source: SourceDocument) -> None:
            if session is self._session:
                self._sources[file] = source
                while len(self._sources) > MOST_SOURCES:
                    self._sources.popitem(last=False)
                if job is self._source_job:
                    self.source_loaded.emit(file, source)

        job.succeeded.connect(on_loaded)
        job.failed.connect(self.failed)

    def load_image(self, file: str, page: int, scale: float) -> None:
        """Fetch the image of a page (from 1); ``image_loaded`` follows."""
        session = self._session
        if session is None:
            return
        key = (file, page, scale)
        if key in self._images:
            self._images.move_to_end(key)
            self.image_loaded.emit(file, page, self._images[key], scale)
            return

        def render() -> QImage:
            # Decoded here: a large image would hold up the window's thread.
            return QImage.fromData(session.page_image(file, page, scale).png)

        def on_rendered(image: QImage) -> None:
            if session is self._session:
                self._images[key] = image
                while len(self._images) > MOST_IMAGES:
                    self._images.popitem(last=False)
                self.image_loaded.emit(file, page, image, scale)

        job = self._runner.submit_call(render)
        job.succeeded.connect(on_rendered)
        job.failed.connect(lambda error: self.image_failed.emit(file, error))
        self._image_jobs = {at: one for at, one in self._image_jobs.items() if not one.is_done}
        self._image_jobs[file, page] = job

    def drop_waiting_images(self) -> None:
        """Forget requests for pages that are no longer shown."""
        for job in self._image_jobs.values():
            job.cancel()
        self._image_jobs = {}

    def drop_image(self, file: str, page: int) -> None:
        """Forget the request for one page."""
        job = self._image_jobs.pop((file, page), None)
        if job is not None:
            job.cancel()

    def _cancel_all(self) -> None:
        self.drop_waiting_images()
        if self._source_job is not None:
            self._source_job.cancel()
            self._source_job = None
