"""The command on the activity log: shown, verified, exported, shortened."""

from __future__ import annotations

import sys
from argparse import Namespace

from phasergun_desktop.activity.entry_filter import EVERY_ENTRY, EntryFilter
from phasergun_desktop.activity.log_export import export_log, verify_export
from phasergun_desktop.activity.model import ActivityKind, VerifyResult
from phasergun_desktop.activity.retention import first_kept
from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.prompt_input import opened
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.json_form import Json, activity_json
from phasergun_desktop.workspace.session import ProjectSession


def log(application: Application, options: Namespace, console: Console) -> int:
    """Show the log, or do with it what is asked."""
    if options.verify and options.project.is_file():
        return _verified(console, verify_export(options.project), {})
    with opened(application, options.project, console) as session:
        if options.keep_days is not None:
            return _shorten(session, options, console)
        if options.export is not None:
            return _export(session, options, console)
        if options.verify:
            return _verified(console, session.activity.verify(), {})
        return _show(session, options, console)


def _show(session: ProjectSession, options: Namespace, console: Console) -> int:
    entries = session.log_entries(options.n, _wanted(options))
    verified = session.activity.verify()
    if not console.wants_json:
        for entry in entries:
            what = " ".join(entry.activity.prompt.split())[:70] or entry.activity.subject
            console.say(f"{entry.number:5}  {entry.at}  {entry.activity.kind.value:10} {what}")
    return _verified(console, verified, {"entries": [activity_json(entry) for entry in entries]})


def _verified(console: Console, verified: VerifyResult, told: Json) -> int:
    if console.wants_json:
        console.result(
            {
                **told,
                "verified": verified.ok,
                "first_bad": verified.first_bad,
                "missing": verified.missing,
                "removed": verified.removed,
                "checked": verified.checked,
                "chain": verified.in_words(),
            }
        )
    else:
        console.say(verified.in_words())
    return 0 if verified.ok else 1


def _export(session: ProjectSession, options: Namespace, console: Console) -> int:
    wanted = _wanted(options)
    rows = session.log_rows(wanted)
    is_whole = wanted == EVERY_ENTRY
    export_log(options.export, rows, with_texts=not options.without_texts, is_whole=is_whole)
    if console.wants_json:
        console.result({"status": "complete", "file": str(options.export), "entries": len(rows)})
    else:
        console.say(f"{len(rows)} entries written to {options.export}.")
    return 0


def _shorten(session: ProjectSession, options: Namespace, console: Console) -> int:
    day, activity = first_kept(options.keep_days), session.activity
    if options.only_texts:
        older, remove = activity.texts_older_than(day), activity.remove_texts_older_than
        what, left = "the texts of {} entries", "The entries stay"
    else:
        older, remove = activity.older_than(day), activity.remove_older_than
        what, left = "{} entries", "A checkpoint keeps their count and sums"
    what = what.format(older)
    question = (
        f"Remove {what} from more than {options.keep_days} days ago? {left}; the safety copies of "
        "the last days hold them a little longer."
    )
    if older and not options.yes and not _agrees(question):
        console.note("Nothing was removed.")
        return 1
    entry = remove(day, session.project.name) if older else None
    removed = older if entry else 0
    if console.wants_json:
        told = {"entry": activity_json(entry)} if entry else {}
        console.result({"status": "complete", "removed": removed, **told})
    else:
        console.say(f"Removed: {what}." if removed else "Nothing is that old.")
    return 0


def _agrees(question: str) -> bool:
    """Whether the user says yes; nobody does where no one can be asked."""
    if not sys.stdin.isatty():
        sys.stderr.write(f"{question} Say so with --yes.\n")
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _wanted(options: Namespace) -> EntryFilter:
    kind = ActivityKind(options.kind) if options.kind else None
    return EntryFilter(
        kind, options.since or "", options.until or "", options.status or "", options.text or ""
    )
