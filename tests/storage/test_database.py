"""The database: migrations, transactions, threads, and errors as sentences."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.database import (
    Access,
    Database,
    Migration,
    database_files,
    execute_script,
    open_derived,
)
from phasergun_desktop.storage.problems import (
    StorageDamagedError,
    StorageDeniedError,
    StorageFullError,
    StorageLockedError,
    StorageNewerError,
    full_error,
)
from phasergun_desktop.storage.read_only_opening import open_unwritable


def _first(connection: sqlite3.Connection) -> None:
    execute_script(
        connection,
        """
        CREATE TABLE kept (value TEXT);
        CREATE TABLE child (id INTEGER PRIMARY KEY);
        CREATE TABLE link (child INTEGER NOT NULL REFERENCES child);
        CREATE TRIGGER kept_forever BEFORE DELETE ON kept BEGIN
            SELECT RAISE(ABORT, 'kept; forever');
        END;
        """,
    )


def _second(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE kept ADD COLUMN number INTEGER DEFAULT 7")


def _values(database: Database) -> list[str]:
    with database.reading() as connection:
        return [row[0] for row in connection.execute("SELECT value FROM kept ORDER BY rowid")]


def _version(database: Database) -> int:
    return int(database.connection().execute("PRAGMA user_version").fetchone()[0])


def _add(database: Database, value: str) -> None:
    with database.transaction() as connection:
        connection.execute("INSERT INTO kept (value) VALUES (?)", (value,))


def _add_then_fail(database: Database, connection: sqlite3.Connection) -> None:
    _add(database, "lost")
    connection.execute("SELECT nonsense FROM nowhere")


def test_migrations_run_once_in_order_and_keep_the_data(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a #b%.db"
    with Database(path, [_first]) as database:
        _add(database, "old")
        assert _version(database) == 1
    with Database(path, [_first, _second]) as database:
        assert _version(database) == 2
        row = database.connection().execute("SELECT value, number FROM kept").fetchone()
        assert row == ("old", 7)
    assert path.exists()


def test_a_failing_migration_leaves_the_old_form_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database(path, [_first]).close()

    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE kept ADD COLUMN half TEXT")
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        Database(path, [_first, broken])
    with Database(path, [_first, _second]) as database:
        columns = [row[1] for row in database.connection().execute("PRAGMA table_info(kept)")]
    assert columns == ["value", "number"]


def test_a_newer_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database(path, [_first, _second]).close()
    with pytest.raises(StorageNewerError) as caught:
        Database(path, [_first])
    assert "newer version" in caught.value.message
    assert caught.value.remedy


def test_an_exception_rolls_back_and_nesting_joins(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db", [_first]) as database:
        with pytest.raises(sqlite3.OperationalError), database.transaction() as connection:
            _add_then_fail(database, connection)
        _add(database, "kept")
        assert _values(database) == ["kept"]


def test_closing_a_generator_inside_a_transaction_rolls_back(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db", [_first]) as database:

        def job() -> object:
            with database.transaction() as connection:
                connection.execute("INSERT INTO kept (value) VALUES ('half')")
                yield None

        running = job()
        next(running)  # type: ignore[call-overload]
        running.close()  # type: ignore[attr-defined]
        assert _values(database) == []


def test_reading_sees_one_state_while_another_thread_writes(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db", [_first]) as database:
        with database.reading() as connection:
            count = "SELECT count(*) FROM kept"
            assert connection.execute(count).fetchone() == (0,)
            thread = threading.Thread(target=_add, args=(database, "new"))
            thread.start()
            thread.join()
            assert connection.execute(count).fetchone() == (0,)
            with pytest.raises(RuntimeError), database.transaction():
                pass
        assert _values(database) == ["new"]


def test_foreign_keys_and_our_own_mistakes_are_not_dressed_up(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db", [_first]) as database:
        with pytest.raises(sqlite3.IntegrityError), database.transaction() as connection:
            connection.execute("INSERT INTO link VALUES (99)")
        with pytest.raises(sqlite3.OperationalError), database.reading() as connection:
            connection.execute("SELECT nonsense FROM nowhere")
        with pytest.raises(FileNotFoundError), database.transaction():
            (tmp_path / "absent").read_text()
        assert _values(database) == []


def test_read_only_needs_the_file_and_refuses_to_write(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StorageDeniedError):
        Database(path, [_first], access=Access.READ)
    assert not path.exists()
    with Database(path, [_first]) as writer:
        _add(writer, "seen")
        with pytest.raises(StorageError, match="up to date"):
            Database(path, [_first, _second], access=Access.READ)
        with Database(path, [_first], access=Access.READ) as reader:
            assert _values(reader) == ["seen"]
            with pytest.raises(RuntimeError), reader.transaction():
                pass
            with pytest.raises(StorageDeniedError), reader.reading() as connection:
                connection.execute("INSERT INTO kept (value) VALUES ('x')")
            _add(writer, "later")
            assert _values(reader) == ["seen", "later"]


def test_a_full_disk_is_a_sentence_and_nothing_is_half_written(tmp_path: Path) -> None:
    with Database(tmp_path / "a.db", [_first]) as database:
        pages = database.connection().execute("PRAGMA page_count").fetchone()[0]
        database.connection().execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageFullError) as caught, database.transaction() as connection:
            connection.executemany(
                "INSERT INTO kept (value) VALUES (?)", [("small",), ("x" * 200_000,)]
            )
        assert "room" in caught.value.message
        assert _values(database) == []
        _add(database, "after")


def test_what_keeps_an_older_file_from_being_migrated_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    Database(path, [_first]).close()
    problem = full_error(path)
    with pytest.raises(StorageFullError):
        open_unwritable(path, [_first, _second], problem)


def test_a_locked_database_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Database(path, [_first]) as first, Database(path, [_first]) as second:
        second.connection().execute("PRAGMA busy_timeout = 10")
        with first.transaction(), pytest.raises(StorageLockedError), second.transaction():
            pass


def test_damage_is_named_and_a_derived_database_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"this is not a database, it only looks like a file" * 100)
    with pytest.raises(StorageDamagedError) as caught:
        Database(path, [_first])
    assert "damaged" in caught.value.message
    with open_derived(path, [_first]) as database:
        assert database.is_made_anew
        _add(database, "new")
        assert database.damage() == ""
    with open_derived(path, [_first]) as database:
        assert not database.is_made_anew
        assert _values(database) == ["new"]
    with path.open("r+b") as file:
        file.seek(18)
        file.write(b"\6")
    with open_derived(path, [_first]) as database:
        assert database.is_made_anew
        _add(database, "SQLite takes no such file for one that can be written")


def test_damage_inside_the_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Database(path, [_first]) as database:
        for number in range(200):
            _add(database, f"{number}" * 200)
    content = bytearray(path.read_bytes())
    content[8192 : 8192 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with Database(path, [_first]) as database:
        assert database.damage() != ""


def test_a_damaged_name_of_a_table_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    Database(path, [_first]).close()
    content = path.read_bytes()
    # The list of tables is text too: SQLite's own message quotes it.
    path.write_bytes(content.replace(b"CREATE TABLE kept", b"CREATE TABL\xff kept"))
    with pytest.raises(StorageDamagedError), Database(path, [_first]) as database:
        _values(database)


def test_closed_is_closed_for_every_thread(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db", [_first])
    thread = threading.Thread(target=_add, args=(database, "other"))
    thread.start()
    thread.join()
    database.close()
    with pytest.raises(StorageError, match="closed"):
        database.connection()


def test_closing_breaks_off_what_another_thread_reads(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db", [_first])
    begun = threading.Event()
    told: list[str] = []

    def read() -> None:
        with database.reading() as connection:
            begun.set()
            connection.execute(
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                "SELECT max(x) FROM n"
            ).fetchone()

    def try_to_read() -> None:
        with pytest.raises(StorageError) as caught:
            read()
        told.append(caught.value.title)

    thread = threading.Thread(target=try_to_read)
    thread.start()
    assert begun.wait(10)
    # An interruption before the statement runs has no effect on it.
    while thread.is_alive():
        database.close()
        thread.join(0.05)
    assert told == ["Project closed"]


def test_closing_leaves_what_another_thread_writes_to_its_end(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.db", [_first])
    begun, closed = threading.Event(), threading.Event()

    def write() -> None:
        with database.transaction():
            _add(database, "one")
            begun.set()
            closed.wait(10)
            _add(database, "two")

    thread = threading.Thread(target=write)
    thread.start()
    assert begun.wait(10)
    database.close()
    closed.set()
    thread.join()
    with pytest.raises(StorageError, match="closed"):
        _values(database)
    with Database(tmp_path / "a.db", [_first]) as again:
        assert _values(again) == ["one", "two"]


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file cannot be moved")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_written_into_a_file_that_was_moved_away(
    tmp_path: Path, is_replaced: bool
) -> None:
    path = tmp_path / "a.db"
    with Database(path, [_first], is_synced=True) as database:
        _add(database, "one")
        for each in database_files(path):
            each.rename(each.with_name(f"{each.name}.aside"))
        if is_replaced:
            Database(path, [_first]).close()
        with pytest.raises(StorageError, match="moved away or replaced"):
            _add(database, "two")
        assert _values(database) == ["one"]


def test_two_processes_may_create_the_same_database(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from phasergun_desktop.storage.database import Database\n"
        "make = [lambda c: c.execute('CREATE TABLE t (x)')]\n"
        "with Database(Path(sys.argv[1]), make) as d:\n"
        "    for n in range(20):\n"
        "        with d.transaction() as c: c.execute('INSERT INTO t VALUES (?)', (n,))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "a.db")]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [each.wait(30) for each in running] == [0, 0, 0]
    with Database(tmp_path / "a.db", [lambda c: None]) as database:
        assert database.connection().execute("SELECT count(*) FROM t").fetchone() == (60,)


# What SQLite holds on the file of a database for as long as it is open.
_LOCKS = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there a lock belongs to its handle")
@pytest.mark.parametrize("opened", [Database, open_derived])
def test_opening_a_database_again_leaves_the_locks_of_the_first(
    tmp_path: Path, opened: Callable[[Path, Sequence[Migration]], Database]
) -> None:
    path = tmp_path / "work.db"
    with opened(path, [_first]) as first:
        _add(first, "a")
        with opened(path, [_first]) as second:
            assert _values(second) == ["a"]
            command = [sys.executable, "-c", _LOCKS, str(path)]
            locked = subprocess.run(command, capture_output=True, check=False)
    assert b"BlockingIOError" in locked.stderr


@pytest.mark.parametrize(("is_synced", "level"), [(False, 1), (True, 2)])
def test_what_cannot_be_made_again_is_synced(tmp_path: Path, is_synced: bool, level: int) -> None:
    with Database(tmp_path / "a.db", (_first,), is_synced=is_synced) as database:
        assert database.connection().execute("PRAGMA synchronous").fetchone() == (level,)
