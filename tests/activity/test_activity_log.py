"""The log: complete, append-only, chained, and it survives a kill."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.activity.entry_filter import EntryFilter
from phasergun_desktop.activity.log import ActivityLog, add_activity_texts, create_activity
from phasergun_desktop.activity.model import (
    Activity,
    ActivityKind,
    LoggedCitation,
    Removed,
    VerifyResult,
)
from phasergun_desktop.storage.database import Database, remove_database
from phasergun_desktop.storage.problems import StorageDamagedError, StorageFullError
from tests.storage.test_small_files import STRANGE, posix_only

FULL = Activity(
    kind=ActivityKind.DRAFT,
    prompt="Describe the range \ud800 “20” ½",
    answer="20 to 600 mg/dL.[1]",
    status="complete",
    citations=(LoggedCitation(1, "a.pdf", "ab", 3, 9),),
    confidence=0.75,
    retrieval_ms=12.5,
    generation_ms=3000.0,
    total_ms=3012.5,
    prompt_tokens=900,
    cached_tokens=800,
    completion_tokens=30,
    model="m",
    prompt_sha256=("cd",),
    chunk_ids=("c1", "c2"),
    average_similarity=0.5,
    profile="regulatory",
    agent="writer",
    project="glucose",
    conversation_id="k",
    errors=("none",),
    subject="draft-1",
    cost=0.02,
    removed=Removed(3, "ef", 3, cost=0.5),
    texts_upto=2,
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path / "work.db", [create_activity, add_activity_texts]) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> ActivityLog:
    return ActivityLog(database)


def _tamper(database: Database, statement: str) -> None:
    """Change the log as someone with another tool could: without the triggers."""
    with database.transaction() as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)


def test_every_field_comes_back(log: ActivityLog) -> None:
    unset = [f.name for f in fields(Activity) if getattr(FULL, f.name) == f.default]
    assert unset == []
    written = log.append(FULL)
    (read,) = log.entries()
    assert read == written
    assert read.activity == FULL
    assert read.number == 1


def test_newest_first_limited_and_by_kind(log: ActivityLog) -> None:
    for kind in (ActivityKind.DRAFT, ActivityKind.ASK, ActivityKind.DRAFT):
        log.append(Activity(kind))
    assert [entry.number for entry in log.entries()] == [3, 2, 1]
    assert [entry.number for entry in log.entries(limit=1)] == [3]
    assert [entry.number for entry in log.entries(wanted=EntryFilter(ActivityKind.DRAFT))] == [3, 1]
    assert log.entries(limit=0) == ()


def test_numbers_of_numpy_become_plain(log: ActivityLog) -> None:
    entry = log.append(
        Activity(
            ActivityKind.ASK,
            confidence=np.float32(0.5),  # type: ignore[arg-type]
            citations=(LoggedCitation(np.int64(1)),),  # type: ignore[arg-type]
        )
    )
    assert log.entries()[0] == entry
    assert type(entry.activity.confidence) is float


def test_a_mean_over_nothing_is_none(log: ActivityLog) -> None:
    entry = log.append(Activity(ActivityKind.ASK, average_similarity=math.nan))
    assert entry.activity.average_similarity is None
    assert log.entries()[0] == entry


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE activity SET body = '{}'",
        "DELETE FROM activity",
        "DELETE FROM activity WHERE number = 2",
        "INSERT OR REPLACE INTO activity VALUES (1, 'a', 'ask', '{}', 'p', 'h', '{}')",
    ],
)
def test_the_database_refuses_to_change_the_past(
    database: Database, log: ActivityLog, statement: str
) -> None:
    log.append(FULL)
    log.append(FULL)
    refused = pytest.raises(sqlite3.IntegrityError, match="append-only")
    with refused, database.transaction() as connection:
        connection.execute(statement)
    assert log.verify() == VerifyResult(ok=True, checked=2)


@pytest.mark.parametrize(
    ("statement", "first_bad"),
    [
        ("UPDATE activity SET texts = replace(texts, '600', '500') WHERE number = 2", 2),
        ("UPDATE activity SET texts = NULL WHERE number = 2", 2),
        ("UPDATE activity SET body = replace(body, 'complete', 'done') WHERE number = 2", 2),
        ("UPDATE activity SET at = '2020' WHERE number = 3", 3),
        ("UPDATE activity SET kind = 'ask' WHERE number = 1", 1),
        ("DELETE FROM activity WHERE number = 2", 2),
        ("DELETE FROM activity WHERE number = 4", 4),
        ("DELETE FROM activity", 1),
    ],
)
def test_tampering_is_found_where_it_is(
    database: Database, log: ActivityLog, statement: str, first_bad: int
) -> None:
    for _ in range(4):
        log.append(FULL)
    _tamper(database, statement)
    result = log.verify()
    assert not result.ok
    assert result.first_bad == first_bad
    log.append(FULL)
    assert log.verify().first_bad == first_bad


def test_an_unreadable_entry_is_a_sentence(database: Database, log: ActivityLog) -> None:
    log.append(FULL)
    _tamper(database, "UPDATE activity SET body = '[]'")
    with pytest.raises(StorageDamagedError):
        log.entries()


@pytest.mark.parametrize("column", ["at", "previous", "hash"])
def test_a_damaged_column_breaks_the_chain_and_not_the_log(
    database: Database, log: ActivityLog, column: str
) -> None:
    for _ in range(2):
        log.append(FULL)
    _tamper(database, f"UPDATE activity SET {column} = CAST(x'ff00fe' AS TEXT) WHERE number = 2")
    assert log.verify() == VerifyResult(ok=False, first_bad=2, checked=1)
    assert len(log.entries()) == 2
    # What is done from now on is logged as before.
    log.append(FULL)
    assert [entry.activity for entry in log.entries()] == [FULL] * 3
    assert log.verify().first_bad == 2


def test_threads_make_one_chain(database: Database, log: ActivityLog) -> None:
    threads = [
        threading.Thread(target=lambda: [log.append(FULL) for _ in range(10)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.verify() == VerifyResult(ok=True, checked=40)


def test_a_full_disk_leaves_the_chain_whole(database: Database, log: ActivityLog) -> None:
    log.append(FULL)
    pages = database.connection().execute("PRAGMA page_count").fetchone()[0]
    database.connection().execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageFullError):
        log.append(Activity(ActivityKind.ASK, answer="x" * 100_000))
    database.connection().execute("PRAGMA max_page_count = 1000")
    log.append(FULL)
    assert log.verify() == VerifyResult(ok=True, checked=2)


def test_a_kill_loses_nothing_that_was_appended(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from phasergun_desktop.activity.log import ActivityLog\n"
        "from phasergun_desktop.activity.log import add_activity_texts, create_activity\n"
        "from phasergun_desktop.activity.model import Activity, ActivityKind\n"
        "from phasergun_desktop.storage.database import Database\n"
        "log = ActivityLog(Database(Path(sys.argv[1]), [create_activity, add_activity_texts]))\n"
        "while True: print(log.append(Activity(ActivityKind.ASK)).number, flush=True)\n"
    )
    path = tmp_path / "work.db"
    other = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    for line in other.stdout:
        if line == "25\n":
            break
    other.kill()
    told = int((["25", *other.stdout.read().split()])[-1])
    other.wait(10)
    other.stdout.close()
    with Database(path, [create_activity, add_activity_texts]) as database:
        result = ActivityLog(database).verify()
    assert result.ok
    assert result.checked >= told


@pytest.mark.parametrize("column", ["at", "body", "previous", "hash"])
def test_a_damaged_last_entry_is_damaged_and_not_missing(
    database: Database, log: ActivityLog, column: str
) -> None:
    for _ in range(2):
        log.append(FULL)
    _tamper(database, f"UPDATE activity SET {column} = CAST(x'ff00fe' AS TEXT) WHERE number = 2")
    log.note_end()
    assert log.lost_entries() == 0
    assert log.verify() == VerifyResult(ok=False, first_bad=2, checked=1)
    # A kill between an entry and its anchor must not hide the damage either.
    noted = _anchor(database).read_bytes()
    log.append(FULL)
    _anchor(database).write_bytes(noted)
    log.note_end()
    assert log.lost_entries() == 0
    assert '"entries": 3' in _anchor(database).read_text("utf-8")
    assert log.verify().first_bad == 2


@pytest.mark.parametrize("column", ["at", "kind", "body", "previous", "hash"])
def test_an_entry_that_has_lost_a_column_is_told(tmp_path: Path, column: str) -> None:
    path = tmp_path / "work.db"
    with Database(path, [create_activity, add_activity_texts]) as database:
        for _ in range(2):
            ActivityLog(database).append(FULL)
        _tamper(database, "UPDATE sqlite_sequence SET seq = 'x'")
        database.connection().execute("PRAGMA writable_schema = ON")
        _tamper(database, "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')")
    # As a damaged page reads: SQLite itself would not write it.
    with Database(path, [create_activity, add_activity_texts]) as database:
        _tamper(database, f"UPDATE activity SET {column} = NULL WHERE number = 2")
        log = ActivityLog(database)
        log.note_end()
        assert log.lost_entries() == 0
        assert log.verify() == VerifyResult(ok=False, first_bad=2, checked=1)
        log.append(FULL)
        assert len(log.entries(limit=1)) == 1
        assert log.verify().first_bad == 2


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_anchor_stops_nothing(database: Database, log: ActivityLog, kind: str) -> None:
    log.append(FULL)
    _anchor(database).unlink()
    STRANGE[kind](_anchor(database))
    assert log.verify() == VerifyResult(ok=True, checked=1)
    assert log.lost_entries() == 0
    log.append(FULL)
    assert _anchor(database).is_file()
    assert log.verify() == VerifyResult(ok=True, checked=2)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"entries": 1e999, "hash": ""}',
        '{"entries": -1, "hash": ""}',
        '{"entries": ' + "9" * 30 + ', "hash": ""}',
        '{"entries": 1, "hash": 1}',
        "\0",
    ],
)
def test_a_hostile_anchor_is_made_anew(database: Database, log: ActivityLog, text: str) -> None:
    log.append(FULL)
    noted = _anchor(database).read_bytes()
    _anchor(database).write_text(text, "utf-8")
    assert log.verify() == VerifyResult(ok=True, checked=1)
    assert log.lost_entries() == 0
    log.note_end()
    assert _anchor(database).read_bytes() == noted


def test_an_anchor_of_text_that_is_none_is_told(database: Database, log: ActivityLog) -> None:
    log.append(FULL)
    _anchor(database).write_text('{"entries": 1, "hash": "\\ud800"}', "utf-8")
    assert log.verify() == VerifyResult(ok=False, first_bad=1, checked=0)
    log.append(FULL)
    assert len(log.entries()) == 2


def _anchor(database: Database) -> Path:
    return database.path.with_name("activity.json")


def test_a_log_whose_database_is_gone_begins_anew_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with Database(path, [create_activity, add_activity_texts]) as database:
        ActivityLog(database).append(FULL)
        ActivityLog(database).append(FULL)
        last = ActivityLog(database).append(FULL)
    remove_database(path)
    with Database(path, [create_activity, add_activity_texts]) as database:
        log = ActivityLog(database)
        assert log.lost_entries() == 3
        assert log.verify() == VerifyResult(ok=False, first_bad=1, checked=0, missing=3)
        assert log.verify().in_words().endswith("3 entries are missing, and the log begins anew.")
        # The new log goes on behind what was lost: the gap can never be closed unseen.
        again = log.append(FULL)
        assert (again.number, again.previous) == (4, last.hash)
        assert log.lost_entries() == 0
        assert log.verify() == VerifyResult(ok=False, first_bad=1, checked=1, missing=3)


def test_an_older_copy_of_the_database_lacks_what_came_after(
    database: Database, log: ActivityLog, tmp_path: Path
) -> None:
    log.append(FULL)
    log.append(FULL)
    kept = tmp_path / "copy" / "work.db"
    kept.parent.mkdir()
    with sqlite3.connect(kept) as copy:
        database.connection().backup(copy)
    copy.close()
    log.append(FULL)
    _anchor(database).rename(kept.with_name("activity.json"))
    with Database(kept, [create_activity, add_activity_texts]) as older:
        assert ActivityLog(older).lost_entries() == 1
        assert ActivityLog(older).verify() == VerifyResult(
            ok=False, first_bad=3, checked=2, missing=1
        )


def test_a_database_of_another_log_is_not_this_log(
    database: Database, log: ActivityLog, tmp_path: Path
) -> None:
    with Database(tmp_path / "other" / "work.db", [create_activity, add_activity_texts]) as other:
        for _ in range(2):
            log.append(FULL)
            ActivityLog(other).append(Activity(ActivityKind.ASK))
        _anchor(other).write_bytes(_anchor(database).read_bytes())
        assert ActivityLog(other).lost_entries() == 2
        assert ActivityLog(other).verify() == VerifyResult(ok=False, first_bad=2, checked=1)


@pytest.mark.parametrize("left", ["nothing", "{", '{"entries": "x"}'])
def test_a_kill_before_the_anchor_is_written_is_no_loss(
    database: Database, log: ActivityLog, left: str
) -> None:
    log.append(FULL)
    noted = _anchor(database).read_text("utf-8")
    log.append(FULL)
    if left == "nothing":
        _anchor(database).write_text(noted, "utf-8")
    else:
        _anchor(database).write_text(left, "utf-8")
    assert log.lost_entries() == 0
    assert log.verify() == VerifyResult(ok=True, checked=2)
    log.note_end()
    assert '"entries": 2' in _anchor(database).read_text("utf-8")


def test_the_anchor_is_never_ahead_of_the_log(database: Database, log: ActivityLog) -> None:
    log.append(FULL)
    noted = _anchor(database).read_text("utf-8")

    def fail() -> None:
        with database.transaction():
            log.append(FULL)
            assert _anchor(database).read_text("utf-8") == noted
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert _anchor(database).read_text("utf-8") == noted
    assert log.verify() == VerifyResult(ok=True, checked=1)
