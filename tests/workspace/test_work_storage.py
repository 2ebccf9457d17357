"""What the user made: kept whole, found again after forgetting, and never lost in silence."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import phasergun_desktop
from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.errors import StorageError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.storage.database import database_files
from phasergun_desktop.storage.problems import full_error
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.workspace.work_storage import WORK_FILE, WorkStorage, open_work
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.warmer_project import TEST_REPORT

PROMPT = "Write the Performance section for [Master Record|Device Name]: alarm behaviour."
# More than goes into a draft, so that there is another sentence in the place of one.
MORE = "\n\n".join(
    (
        "Silencing it lasts two minutes.",
        "A red lamp flashes meanwhile.",
        "The buzzer has a frequency of 2 kHz.",
        "The log keeps the last 200 entries.",
        "Its cause is shown on the display.",
        "The nurse call output closes a relay.",
    )
)


def _result(session: ProjectSession) -> AnswerResult:
    job = session.draft(session.plan(PROMPT), should_stop=lambda: False, use_model=False)
    return run_to_end(job)


def _closed(work: WorkStorage) -> tuple[str, ...]:
    work.database.close()
    return work.warnings


def _with_entries(folder: Path, count: int) -> None:
    work = open_work(folder)
    for _ in range(count):
        work.activity.append(Activity(ActivityKind.ASK))
    assert _closed(work) == ()


# ---------------------------------------------------------------- forgotten and found again


def test_a_forgotten_project_has_drafts_and_log_again(
    application: Application, session: ProjectSession
) -> None:
    root = session.project.root
    kept = session.keep(_result(session), "Context/Prompt/performance.md")
    entries = session.activity.entries()
    session.close()
    application.workspace.forget(root)
    assert application.workspace.known() == ()
    again = application.workspace.open(root)
    try:
        assert again.project == session.project
        assert again.drafts.load(kept.draft_id) == kept
        assert again.activity.entries() == entries
        assert again.activity.verify().ok
        # The index is what forgetting deletes.
        assert again.files() == ()
    finally:
        again.close()


# ---------------------------------------------------------------- lost


@pytest.mark.parametrize("left", ["nothing", "empty", "empty with its log"])
def test_a_lost_database_is_told_and_never_taken_for_a_new_one(tmp_path: Path, left: str) -> None:
    _with_entries(tmp_path, 3)
    path, wal, _ = database_files(tmp_path / WORK_FILE)
    path.unlink()
    if left != "nothing":
        path.touch()
    if left == "empty with its log":
        wal.write_bytes(b"what a kill left")
    work = open_work(tmp_path)
    assert work.activity.verify().missing == 3
    (lost, *aside) = _closed(work)
    assert "3 entries of the activity log and the drafts" in lost
    kept = sorted(each.name for each in tmp_path.glob("*.damaged-*"))
    assert len(aside) == (left != "nothing")
    assert len(kept) == {"nothing": 0, "empty": 1, "empty with its log": 2}[left]
    if left == "empty with its log":
        assert (tmp_path / kept[0]).read_bytes() == b"what a kill left"


def test_a_damaged_log_does_not_close_the_project(tmp_path: Path) -> None:
    work = open_work(tmp_path)
    work.activity.append(Activity(ActivityKind.ASK))
    with work.database.reading() as connection:
        ((page,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'activity'"
        ).fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    work.database.close()
    with (tmp_path / WORK_FILE).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    work = open_work(tmp_path)
    # There is no copy yet; what is lost is told, by the log itself too.
    assert work.activity.verify().missing == 1
    assert work.drafts.list() == ()
    lost, warning = _closed(work)
    assert "1 entry of the activity log" in lost
    assert "work.db was damaged" in warning


@pytest.mark.parametrize("left", ["absent", "empty", "whole"])
def test_a_damaged_anchor_is_told_since_nothing_tells_a_loss(tmp_path: Path, left: str) -> None:
    _with_entries(tmp_path, 2)
    path = tmp_path / WORK_FILE
    if left != "whole":
        path.unlink()
    if left == "empty":
        path.touch()
    (tmp_path / "activity.json").write_text('{"entries": ')
    warnings = _closed(open_work(tmp_path))
    assert "activity.json" in warnings[0]
    assert ("work.db was damaged" in " ".join(warnings)) == (left == "empty")


def test_a_database_of_a_new_project_in_the_place_of_the_old_is_told(tmp_path: Path) -> None:
    _with_entries(tmp_path / "old", 3)
    _with_entries(tmp_path / "new", 0)
    (tmp_path / "new" / WORK_FILE).replace(tmp_path / "old" / WORK_FILE)
    assert "3 entries" in _closed(open_work(tmp_path / "old"))[0]


def test_a_log_of_an_older_version_gets_its_anchor(tmp_path: Path) -> None:
    _with_entries(tmp_path, 2)
    (tmp_path / "activity.json").unlink()
    assert _closed(open_work(tmp_path)) == ()
    (tmp_path / WORK_FILE).unlink()
    shutil.rmtree(tmp_path / "copies")
    assert "2 entries" in _closed(open_work(tmp_path))[0]


def test_two_windows_that_find_the_loss_at_once_share_the_new_database(tmp_path: Path) -> None:
    _with_entries(tmp_path, 1)
    (tmp_path / WORK_FILE).write_bytes(b"")

    def append() -> None:
        work = open_work(tmp_path)
        work.activity.append(Activity(ActivityKind.ASK))
        work.database.close()

    threads = [threading.Thread(target=append) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    work = open_work(tmp_path)
    assert [each.number for each in work.activity.entries()] == [6, 5, 4, 3, 2]
    work.database.close()


# ---------------------------------------------------------------- all or nothing


def _keep(session: ProjectSession, draft: Draft) -> None:
    session.keep(_result(session), "")


def _restore(session: ProjectSession, draft: Draft) -> None:
    (version,) = session.versions(draft.draft_id)
    changed = replace(draft, units=draft.units[:1])
    session.restore(changed, version.version_id)


def _log_edits(session: ProjectSession, draft: Draft) -> None:
    edit = Edit("2026-01-01T00:00:00+00:00", EditKind.EDITED, "before", "after")
    session.log_edits(replace(draft, title="Another", edits=(edit,)), (edit,))


def _export(session: ProjectSession, draft: Draft) -> None:
    changed = replace(draft, units=draft.units[:1])
    session.export(changed, session.project.root / "exported.md")


def _regenerate(session: ProjectSession, draft: Draft) -> None:
    index = next(i for i, unit in enumerate(draft.units) if "78 dB" in unit.text)
    run_to_end(session.regenerate(draft, [index], should_stop=lambda: False, use_model=False))


@pytest.mark.parametrize("write", [_keep, _restore, _log_edits, _export, _regenerate])
def test_what_belongs_together_is_kept_together(
    session: ProjectSession, write: Callable[[ProjectSession, Draft], None]
) -> None:
    report = session.project.root / TEST_REPORT
    text = report.read_text("utf-8")
    report.write_text(text.replace("one metre.", f"one metre.\n\n{MORE}"), "utf-8")
    run_to_end(session.sync())
    draft = session.keep(_result(session), "")
    path = session._work.database.path
    with sqlite3.connect(path) as other:
        # The entry of the log comes last, and fails.
        other.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON activity WHEN NEW.kind <> 'index'"
            " BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    other.close()
    with pytest.raises(sqlite3.IntegrityError, match="refused"):
        write(session, draft)
    assert [each.draft_id for each in session.drafts.list()] == [draft.draft_id]
    assert session.drafts.load(draft.draft_id) == draft
    assert len(session.versions(draft.draft_id)) == 1
    assert not (session.project.root / "exported.md").exists()


def test_what_was_written_again_reaches_the_writer_where_nothing_can_be_kept(
    session: ProjectSession,
) -> None:
    draft = session.keep(_result(session), "")
    index = next(i for i, unit in enumerate(draft.units) if "78 dB" in unit.text)
    session._work.database.write_problem = full_error(session._work.database.path)
    made = run_to_end(
        session.regenerate(draft, [index], should_stop=lambda: False, use_model=False)
    )
    assert made.groups
    assert "no room left" in made.warning


def test_edits_are_kept_with_the_draft_that_they_made(session: ProjectSession) -> None:
    draft = session.keep(_result(session), "")
    _log_edits(session, draft)
    assert session.drafts.load(draft.draft_id).title == "Another"
    assert len(session.drafts.load(draft.draft_id).edits) == 1
    assert session.activity.entries(1)[0].activity.kind is ActivityKind.EDIT
    # One save, seen by its own window: nothing is said of another one.
    assert len(session.versions(draft.draft_id)) == 1


def test_a_deleted_draft_does_not_come_back_with_its_edits(session: ProjectSession) -> None:
    draft = session.keep(_result(session), "")
    session.drafts.delete(draft.draft_id)
    _log_edits(session, draft)
    assert session.drafts.list() == ()
    assert session.activity.entries(1)[0].activity.kind is ActivityKind.EDIT


def test_a_kill_between_draft_and_log_leaves_neither(
    session: ProjectSession, tmp_path: Path, models_path: Path
) -> None:
    program = f"""
import os, sys
from pathlib import Path
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.wiring import build_application
home, models, root = map(Path, sys.argv[1:])
places = Places(home / "cache", home / "data", home / "config", models)
session = build_application(places).workspace.open(root)
job = session.draft(session.plan({PROMPT!r}), should_stop=lambda: False, use_model=False)
result = run_to_end(job)
connection = session._work.database.connection()
connection.create_function("die", 0, lambda: os._exit(9))
connection.execute("CREATE TEMP TRIGGER killed BEFORE INSERT ON activity BEGIN SELECT die(); END")
session.keep(result, "")
"""
    home = tmp_path / "home"
    root = str(Path(phasergun_desktop.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program, str(home), str(models_path), str(session.project.root)],
        env={**os.environ, "PYTHONPATH": root},
        check=False,
    )
    assert done.returncode == 9
    assert session.drafts.list() == ()
    assert [each.activity.kind for each in session.activity.entries()] == [ActivityKind.INDEX]
    assert session.activity.verify().ok


def test_a_draft_that_cannot_be_kept_reaches_the_writer(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = _result(session)
    problem = StorageError("Disk full", "There is no room.", "Free some.")
    monkeypatch.setattr(session._work.database, "write_problem", problem)
    draft = session.keep(result, "")
    assert draft.units == result.sentences
    assert draft.warnings[-1] == "This was not kept: There is no room. Free some."
    assert session.drafts.list() == ()
