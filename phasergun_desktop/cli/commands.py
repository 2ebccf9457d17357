"""The commands on index, search and plan; each returns its exit code."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress
from threading import Event as ThreadEvent

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.prompt_input import bring_up_to_date, opened, planned
from phasergun_desktop.cli.report import (
    counts_in_words,
    how_it_was_read,
    note_failed,
    say_hits,
    say_plan,
)
from phasergun_desktop.errors import PhaserGunError, StorageError
from phasergun_desktop.index.records import FileState
from phasergun_desktop.sync.hidden_files import label_key
from phasergun_desktop.sync.scan_clock import ScanClock
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.json_form import blocked_json, plan_json, search_json, status_json
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.workspace.session_drafts import not_kept

_WATCH_TICK_S = 0.2


def index(application: Application, options: Namespace, console: Console) -> int:
    """Bring the index up to date, and keep it so with ``--watch`` until Ctrl-C."""
    with opened(application, options.project, console) as session:
        _hide(session, options)
        if not options.watch:
            _index_once(session, console, retry=options.retry)
            return 0
        dirty = ThreadEvent()
        stop = session.watch(dirty.set)
        try:
            while True:
                _index_once(session, console)
                console.note("Watching the folder; Ctrl-C ends it.")
                console.can_stop = True
                clock = ScanClock()
                while not dirty.wait(_WATCH_TICK_S) and not clock.is_due():
                    if console.stop_requested:
                        return 0
                dirty.clear()
        except KeyboardInterrupt:
            # Stopping is how a watch ends; a sync that was under way loses one document at most.
            return 0
        finally:
            stop()


def _hide(session: ProjectSession, options: Namespace) -> None:
    if options.hide or options.show:
        shown = set(map(label_key, options.show))
        labels = (*session.reading.hidden_labels(), *options.hide)
        session.reading.hide_labels(each for each in labels if label_key(each) not in shown)


def _index_once(session: ProjectSession, console: Console, *, retry: bool = False) -> None:
    report = console.run(session.sync(retry_failed=retry, renew=True))
    files = session.files()
    if console.wants_json:
        warnings = {"warnings": list(report.warnings)} if report.warnings else {}
        details = {"seconds": round(report.seconds, 3), **warnings}
        console.result(status_json(files, details, session.documents()))
        return
    console.say(f"{counts_in_words(files)} ({report.seconds:.1f} s)")
    note_failed(console, files)
    for warning in report.warnings:
        console.note(f"warning: {warning}")
    if not files:
        console.note("The folder holds no documents yet; put some in and run this again.")


def status(application: Application, options: Namespace, console: Console) -> int:
    """Show every file of the folder as it is now; what the index does not know is pending."""
    with opened(application, options.project, console) as session:
        files = session.files_now()
        if console.wants_json:
            console.result(status_json(files, session.details(), session.documents()))
            return 0
        documents = {each.file: each for each in session.documents()}
        for record in files:
            is_indexed = record.state is FileState.INDEXED and record.file in documents
            note = how_it_was_read(documents[record.file]) if is_indexed else record.reason
            console.say(f"{record.state.value:8}  {record.file}  {note}".rstrip())
        console.say(counts_in_words(files))
        if labels := session.reading.hidden_labels():
            console.say(f"Documents labelled {', '.join(labels)} are hidden in this project.")
        if any(record.state is FileState.PENDING for record in files):
            console.note("Run “phasergun index” to bring the index up to date.")
    return 0


def search(application: Application, options: Namespace, console: Console) -> int:
    """Print the best passages for a query."""
    with opened(application, options.project, console) as session:
        try:
            bring_up_to_date(session, console, options.profile)
            result = session.search(
                options.query,
                limit=options.k,
                profile=options.profile,
                filters=options.filters,
                is_fast=options.fast,
                should_stop=lambda: console.stop_requested,
            )
        except PhaserGunError as error:
            # Where it cannot be logged either, the user hears of what came first.
            with suppress(StorageError):
                session.log_search(options.query, error, options.profile)
            raise
        if console.wants_json:
            console.result(search_json(result))
        else:
            say_hits(console, result)
            for warning in result.warnings:
                console.note(f"warning: {warning}")
        try:
            session.log_search(options.query, result, options.profile)
        except StorageError as error:
            console.note(f"warning: {not_kept(error)}")
    return 0


def plan(application: Application, options: Namespace, console: Console) -> int:
    """Show what a prompt would use."""
    with opened(application, options.project, console) as session:
        _, made = planned(session, options, console)
        if not console.wants_json:
            say_plan(console, made)
        elif made.is_blocked:
            console.result({**plan_json(made), **blocked_json(made)})
        else:
            console.result(plan_json(made))
        return 1 if made.is_blocked else 0
