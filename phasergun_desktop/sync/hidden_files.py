"""Files that the project's confidentiality setting keeps out of the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import DocumentRecord, FileRecord
from phasergun_desktop.projects.categories import Categories
from phasergun_desktop.sync.folder_scan import FolderScan, ScannedFile

HIDDEN = "hidden by the project's confidentiality setting"
_UNTOLD = (
    "the project's confidentiality setting may hide it; correct categories.yaml, then it is told"
)


def label_key(label: str) -> str:
    """Return a label of confidentiality in the form in which labels are compared."""
    return " ".join(label.split()).casefold()


def hidden_among(
    documents: Iterable[DocumentRecord], labels: frozenset[str]
) -> tuple[DocumentRecord, ...]:
    """Return the documents with one of ``labels`` (see ``label_key``)."""
    return tuple(each for each in documents if labels and label_key(each.confidentiality) in labels)


def hidden_names(files: Iterable[FileRecord]) -> tuple[str, ...]:
    """Return the files that are hidden, in their order."""
    return tuple(each.file for each in files if each.problem is DocumentProblem.HIDDEN)


def without_hidden(
    scan: FolderScan,
    categories: Categories,
    labels: frozenset[str],
    known: Mapping[str, FileRecord],
) -> FolderScan:
    """Return ``scan`` in which the files that have one of ``labels`` are skipped, those of a folder
    that cannot be reached now too.

    While a mistake in ``categories.yaml`` leaves labels unread, what was hidden stays so, and no
    new file is read.
    """
    if not labels:
        return scan

    def seen(each: ScannedFile) -> ScannedFile:
        if label_key(categories.entry(each.file).confidentiality) in labels:
            return _skipped(each, HIDDEN)
        before = known.get(each.file)
        if categories.problems and (before is None or before.problem is DocumentProblem.HIDDEN):
            return _skipped(each, before.reason if before is not None else _UNTOLD)
        return each

    away = [
        ScannedFile(each.file, each.layer, "", each.size, each.mtime_ns)
        for each in known.values()
        if scan.may_be_unreachable(each.file) and each.layer is not None
    ]
    hidden_away = [made for each in away if (made := seen(each)).skip_reason]
    files = sorted((*map(seen, scan.files), *hidden_away), key=lambda each: each.file)
    return replace(scan, files=tuple(files))


def _skipped(file: ScannedFile, reason: str) -> ScannedFile:
    return replace(file, skip_reason=reason, problem=DocumentProblem.HIDDEN)
