"""What lies in the project folder now, beside what the index knows of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from phasergun_desktop.errors import DocumentProblem, ProjectError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.categories import load_categories
from phasergun_desktop.projects.folder_tree import categories_file
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.hidden_names import SHOW_AGAIN
from phasergun_desktop.sync.document_stages import digest_of
from phasergun_desktop.sync.folder_scan import scan_folder
from phasergun_desktop.sync.hidden_files import without_hidden
from phasergun_desktop.sync.sync_plan import Retry, needs_digest, plan_sync


def files_now(
    root: Path, indexed: Sequence[FileRecord], hidden: frozenset[str] = frozenset()
) -> tuple[FileRecord, ...]:
    """Return every file below ``root``, sorted; what ``indexed`` does not know in this form is
    pending, and what has one of the labels ``hidden`` is skipped. Nothing is written. Raises
    ``ProjectError`` for an unreadable folder."""
    known = {record.file: record for record in indexed}
    categories = load_categories(categories_file(root), root)
    scan = without_hidden(scan_folder(root), categories, hidden, known)
    digests: dict[str, str] = {}
    for each in needs_digest(scan.files, known):
        if each.file in known:
            # A new time alone makes no new document. A file that cannot be read is pending.
            with suppress(OSError):
                digests[each.file] = digest_of(root / each.file)
    plan = plan_sync(scan, known, digests, Retry(unreached=False))
    found = [known[file] for file in plan.unchanged]
    listed = {each.file for each in scan.files}
    found += [
        r for file, r in known.items() if scan.may_be_unreachable(file) and file not in listed
    ]
    found += [*plan.skipped, *plan.touched]
    found += [each.record(FileState.PENDING) for each in plan.read]
    return tuple(sorted(found, key=lambda record: record.file))


def waiting_files(prompt: str, files: Sequence[FileRecord]) -> frozenset[str]:
    """Return those of ``files`` that wait to be read and that ``prompt`` means: by the name of the
    file, or the master record by what it is."""
    said = _words(prompt)
    return frozenset(
        record.file
        for record in files
        if record.state is FileState.PENDING
        and (
            _words(PurePosixPath(record.file).stem) in said
            or (record.layer is Layer.MASTER_RECORD and " master record " in said)
        )
    )


def folder_bytes(folder: Path) -> int:
    """Return how many bytes the files directly in ``folder`` have; 0 where it is not there."""
    total = 0
    if not folder.is_dir():
        return total
    for path in folder.iterdir():
        # Another process may be at work here: a temporary file can be gone already.
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _words(text: str) -> str:
    words = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    return f" {words} "


def why_not_shown(file: str, files: Sequence[FileRecord]) -> ProjectError:
    """Return why ``file`` cannot be shown: what was found when it was read, that it was not read
    yet, or that the folder has no such file."""
    name = PurePosixPath(file).name
    record = next((one for one in files if one.file == file), None)
    if record is None:
        return ProjectError(
            "The source is not there",
            f"{file} is not in the folder of this project.",
            "If it was moved or renamed, open it from the project tree.",
        )
    if record.state not in (FileState.FAILED, FileState.SKIPPED):
        return ProjectError(
            "The source was not read yet", f"{name} waits to be read.", "Open it again in a moment."
        )
    if record.problem is DocumentProblem.HIDDEN:
        return ProjectError("The source is hidden", f"{name} is {record.reason}.", SHOW_AGAIN)
    remedy = "What is known of it stands below the project tree."
    if record.problem is DocumentProblem.PASSWORD:
        remedy = "Give its password below the project tree, then it is read."
    reason = (record.reason or "skipped").removesuffix(".")
    return ProjectError("The source cannot be shown", f"{name} was not read: {reason}.", remedy)
