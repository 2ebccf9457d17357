"""Nothing of what the project's confidentiality setting hides is searched, planned or exported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.errors import ExportError, ProjectError
from phasergun_desktop.index.records import DocumentRecord, FileRecord
from phasergun_desktop.references.hidden_names import SHOW_AGAIN
from phasergun_desktop.sync.hidden_files import hidden_among, hidden_names


def require_hidden(documents: Iterable[DocumentRecord], labels: frozenset[str]) -> None:
    """Raise ``ProjectError`` while documents of the index have one of ``labels``: the setting, or
    a label, is newer than the index."""
    found = hidden_among(documents, labels)
    if found:
        what = "1 document is" if len(found) == 1 else f"{len(found)} documents are"
        raise ProjectError(
            "Documents are still to be hidden",
            f"{what} hidden by the project's confidentiality setting, but still in the index.",
            "Wait until the index is up to date; where another PhaserGun has the project open, "
            "close it.",
        )


def without_hidden_texts(entry: ActivityEntry, hidden: frozenset[str]) -> ActivityEntry:
    """Return an entry of the log without what it says of ``hidden`` files, and without its answer
    where it cites one."""
    said = entry.activity
    shown = tuple(each for each in said.citations if each.file not in hidden)
    if shown == said.citations:
        return entry
    return replace(entry, activity=replace(said, citations=shown, answer="", errors=()))


def require_exportable(cited: Iterable[str], files: Iterable[FileRecord]) -> None:
    """Raise ``ExportError`` where ``cited`` are files that are hidden now."""
    held = set(cited) & set(hidden_names(files))
    if held:
        what = "a document that is" if len(held) == 1 else f"{len(held)} documents that are"
        raise ExportError(
            "Not exported",
            f"This cites {what} hidden by the project's confidentiality setting.",
            f"Take what cites it out and export again. {SHOW_AGAIN}",
        )
