"""What a sync has to do: the difference between the folder and the index, without side effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.sync.folder_scan import NOT_REACHED, FolderScan, ScannedFile


@dataclass(frozen=True, slots=True)
class Rename:
    """A document that has another name now; its content is the same."""

    old: str
    new: ScannedFile
    sha256: str


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Every file of the folder is in exactly one of ``read``, ``renamed``, ``touched``,
    ``skipped`` and ``unchanged``; ``gone`` are files of the index that the folder lacks.

    ``touched`` have a new time but the same content.
    """

    read: tuple[ScannedFile, ...] = ()
    renamed: tuple[Rename, ...] = ()
    touched: tuple[FileRecord, ...] = ()
    skipped: tuple[FileRecord, ...] = ()
    unchanged: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retry:
    """Which files are read again though they have not changed: in any case those that were hidden,
    and those that could not be reached, ``unreached`` aside. ``outdated``: what another version has
    made is made anew also where that takes over a minute."""

    failed: bool = False
    files: frozenset[str] = frozenset()
    unreached: bool = True
    outdated: bool = False

    def applies(self, record: FileRecord) -> bool:
        """Whether the file of ``record`` is read again."""
        if record.state is FileState.PENDING or record.file in self.files:
            return True
        if self.unreached and record.problem is DocumentProblem.UNREACHABLE:
            return True
        if record.problem is DocumentProblem.HIDDEN:
            return True
        unread = record.state in (FileState.FAILED, FileState.SKIPPED)
        return self.failed and unread


def needs_digest(
    scanned: Sequence[ScannedFile], known: Mapping[str, FileRecord]
) -> tuple[ScannedFile, ...]:
    """Return the files whose content must be looked at: new ones, and those whose size or time
    differ from the index."""
    return tuple(
        each
        for each in scanned
        if not each.skip_reason and not _same_stat(each, known.get(each.file))
    )


def plan_sync(
    scan: FolderScan,
    known: Mapping[str, FileRecord],
    digests: Mapping[str, str],
    retry: Retry,
) -> SyncPlan:
    """Return what to do. ``digests`` holds the SHA-256 of the files of ``needs_digest``; a file
    that could not be read is left out of it and is read again, to report why.

    A new file with the content of one that is gone is a rename, unless its extension, by which
    text is read as one format or another, is a new one too.
    """
    present = {each.file for each in scan.files}
    gone = [
        file for file in sorted(known) if file not in present and not scan.may_be_unreachable(file)
    ]
    movable = {
        (known[file].sha256, _suffix(file)): file
        for file in reversed(gone)
        if known[file].state is FileState.INDEXED and known[file].sha256
    }
    read: list[ScannedFile] = []
    renamed: list[Rename] = []
    touched: list[FileRecord] = []
    skipped: list[FileRecord] = []
    unchanged: list[str] = []
    for each in scan.files:
        record = known.get(each.file)
        if each.skip_reason:
            is_away = each.skip_reason == NOT_REACHED and record is not None and record.layer
            if is_away or _is_same_skip(each, record):
                # What is known of a file that cannot be reached now still holds.
                unchanged.append(each.file)
            else:
                skipped.append(each.record(FileState.SKIPPED, each.skip_reason, each.problem))
        elif record is None or record.layer is None:
            sha256 = digests.get(each.file, "")
            old = movable.pop((sha256, _suffix(each.file)), None) if record is None else None
            if old is None:
                read.append(each)
            else:
                renamed.append(Rename(old, each, sha256))
                gone.remove(old)
        elif retry.applies(record):
            read.append(each)
        elif _same_stat(each, record):
            unchanged.append(each.file)
        elif each.layer is record.layer and digests.get(each.file) == record.sha256:
            touched.append(replace(record, size=each.size, mtime_ns=each.mtime_ns))
        else:
            read.append(each)
    return SyncPlan(
        tuple(read),
        tuple(renamed),
        tuple(touched),
        tuple(skipped),
        tuple(unchanged),
        tuple(gone),
    )


def _suffix(file: str) -> str:
    return PurePosixPath(file).suffix.lower()


def _same_stat(scanned: ScannedFile, record: FileRecord | None) -> bool:
    return (
        record is not None
        and record.layer is scanned.layer
        and record.size == scanned.size
        and record.mtime_ns == scanned.mtime_ns
    )


def _is_same_skip(scanned: ScannedFile, record: FileRecord | None) -> bool:
    return (
        record is not None
        and record.state is FileState.SKIPPED
        and record.reason == scanned.skip_reason
        and _same_stat(scanned, record)
    )
