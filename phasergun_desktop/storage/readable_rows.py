"""Reads row by row what can be read of a damaged SQLite file."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from phasergun_desktop.storage.database import database_files

# The header of an SQLite file (the file format's section 1.3): the size of a page at byte 16, the
# two versions of its journal at 18 (2: write-ahead log), the number of pages at 28, the first free
# page and their count at 32, the version of SQLite's count of pages at 92.
_MAGIC = b"SQLite format 3\0"
_LARGEST_PAGE = 65_536
# Between the rows read from both ends each number is asked for by itself.
_MOST_NUMBERS_ASKED = 200_000

Row = tuple[object, ...]


class ReadableRows:
    """What SQLite still reads of a file. Text comes as bytes, since damaged text may be none."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def columns(self, table: str) -> tuple[str, ...]:
        """Return the names of the columns of ``table``; none where it is not known."""
        try:
            found = self._connection.execute(f"PRAGMA table_info({table})").fetchall()
            return tuple(name.decode() for _, name, *_ in found)
        except (sqlite3.Error, UnicodeDecodeError):
            return ()

    def rows(self, table: str, columns: Sequence[str]) -> tuple[dict[int, Row], bool]:
        """Return the values of ``columns`` (None: the file has none) by the row's number, and
        whether these are all rows of ``table``."""
        known = self.columns(table)
        if not known:
            return {}, False
        names = ", ".join(name if name in known else "NULL" for name in columns)
        numbers, is_whole = self._numbers(table)
        found: dict[int, Row] = {}
        for number in numbers:
            query = f"SELECT {names} FROM {table} NOT INDEXED WHERE rowid = ?"  # noqa: S608
            try:
                row = self._connection.execute(query, (number,)).fetchone()
            except (sqlite3.Error, UnicodeDecodeError):
                is_whole = False
                continue
            if row is not None:
                found[number] = tuple(row)
        return found, is_whole

    def _numbers(self, table: str) -> tuple[list[int], bool]:
        """Return the numbers of the rows: from the front to the damage, from the end to it, and
        those between, of which nobody knows whether there is a row."""
        front, is_whole = self._numbers_in_order(table, "ASC")
        if is_whole:
            return front, True
        back, _ = self._numbers_in_order(table, "DESC")
        first = max(front, default=0) + 1
        last = min(back, default=first + _MOST_NUMBERS_ASKED)
        between = range(first, min(last, first + _MOST_NUMBERS_ASKED))
        return sorted({*front, *back, *between}), False

    def _numbers_in_order(self, table: str, order: str) -> tuple[list[int], bool]:
        query = f"SELECT rowid FROM {table} NOT INDEXED ORDER BY rowid {order}"  # noqa: S608
        found: list[int] = []
        try:
            for (number,) in self._connection.execute(query):
                # In a damaged tree the way may lead back to where it came from.
                if found and (number <= found[-1] if order == "ASC" else number >= found[-1]):
                    return found, False
                found.append(number)
        except (sqlite3.Error, UnicodeDecodeError):
            return found, False
        return found, True


@contextmanager
def readable_rows(
    path: Path, tables: Sequence[str], copies: Sequence[Path] = ()
) -> Iterator[ReadableRows]:
    """Read a copy of ``path`` with its write-ahead log; the file itself stays as it is.

    Where ``tables`` are not found, since the first page, which says where each begins, is not
    readable, that of one of ``copies`` (of the same database, from earlier) takes its place.
    Raises ``OSError``.
    """
    with tempfile.TemporaryDirectory(prefix="phasergun-") as folder:
        for number, copy in enumerate((None, *copies)):
            here = Path(folder) / f"{number}.db"
            for found, target in zip(database_files(path), database_files(here), strict=True):
                if found.exists():
                    shutil.copyfile(found, target)
            if copy is not None:
                _put_first_page(here, copy)
            with closing(_connected(here)) as connection:
                rows = ReadableRows(connection)
                if all(rows.columns(table) for table in tables):
                    yield rows
                    return
        with closing(_connected(Path(folder) / "nothing.db")) as connection:
            yield ReadableRows(connection)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = bytes
    for pragma in ("writable_schema", "cell_size_check"):
        # SQLite refuses a file that is shorter than its header says, but for repair.
        with suppress(sqlite3.Error, UnicodeDecodeError):
            connection.execute(f"PRAGMA {pragma} = ON")
    return connection


def _put_first_page(path: Path, copy: Path) -> None:
    with copy.open("rb") as file:
        page = bytearray(file.read(_LARGEST_PAGE))
    size = int.from_bytes(page[16:18], "big")
    size = _LARGEST_PAGE if size == 1 else size
    if not page.startswith(_MAGIC) or len(page) < size:
        return
    del page[size:]
    length = path.stat().st_size
    page[18:20] = b"\2\2"
    page[28:32] = (length // size).to_bytes(4, "big")
    page[32:40] = bytes(8)
    page[92:96] = page[24:28]
    with path.open("r+b") as file:
        file.write(page[:length])
