"""The units of a project's documents, by their vectors and by their words."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import match_expression, query_terms
from phasergun_desktop.index.rows import as_bytes, as_int
from phasergun_desktop.index.stored_vectors import version_of
from phasergun_desktop.index.unit_rows import SCALE_BYTES, decompressed
from phasergun_desktop.index.unit_table import UnitTable, load_table, save_table
from phasergun_desktop.kept_values import KeptValues

TABLE_FILE = "units.npz"
_FORMAT = 3
_UNSAVED_SHARE = 0.02
_BLOCK = 1024

# Of the words that were looked for.
_KEPT_BYTES = 8_000_000
_Places = NDArray[np.int32] | NDArray[np.uint8]


class UnitIndex:
    """Reads units with the vectors of the embedder ``identity``; the table is kept for one version
    of the index. Safe on any thread."""

    def __init__(self, store: IndexStore, identity: str, folder: Path | None = None) -> None:
        """``folder`` is where the table is kept between sessions, None where it is not."""
        self._store = store
        self._identity = identity
        self._file = None if folder is None else folder / TABLE_FILE
        self._lock = threading.Lock()
        self._kept: tuple[int, UnitTable] | None = None
        self._index_id = ""
        self._saved_version = -1
        self._unsaved = 0
        self._found: KeptValues[str, _Places] = KeptValues(
            _KEPT_BYTES, lambda places: places.nbytes
        )

    def table(self) -> UnitTable:
        """Return every unit; of a table that is known only the documents that have changed since
        are read."""
        with self._store.reading() as connection:
            version = version_of(connection)
            with self._lock:
                known = self._kept
            if known is not None and known[0] == version:
                return known[1]
            # Another one when the index was mended: then nothing that was read of it counts.
            index_id = self._store.index_id()
            known = known if index_id == self._index_id else None
            known = known or self._loaded(version)
            if known is None:
                table = _read(connection, self._identity)
            else:
                rows = connection.execute("SELECT document_id, sequence FROM documents").fetchall()
                changed = [document_id for document_id, since in rows if since > known[0]]
                kept = {document_id for document_id, _ in rows}.difference(changed)
                table = known[1]
                if changed or not kept.issuperset(np.unique(table.documents).tolist()):
                    added = _read(connection, self._identity, changed)
                    table = table.with_changed(kept, added)
                    self._unsaved += len(added)
        with self._lock:
            self._kept, self._index_id = (version, table), index_id
        return table

    def texts(self, table: UnitTable, rows: Sequence[int]) -> list[tuple[str, str]]:
        """Return for each of ``rows`` of ``table`` the context of the unit and its text."""
        ids = table.unit_ids[np.asarray(rows, dtype=np.int64)].tolist()
        with self._store.reading() as connection:
            found = connection.execute(
                "SELECT rowid, context, text FROM unit_words "
                "WHERE rowid IN (SELECT value FROM json_each(?))",
                (json.dumps(ids),),
            ).fetchall()
            by_id = {int(row[0]): (str(row[1]), str(row[2])) for row in found}
            return [by_id[each] for each in ids]

    def snapshot(self) -> None:
        """Keep the table for the next session, if it was read and little of it is kept already: a
        few documents are read again faster than all is written. Raises ``StorageError``."""
        with self._lock:
            kept, index_id = self._kept, self._index_id
        if self._file is None or kept is None:
            return
        if self._saved_version < 0 or self._unsaved > _UNSAVED_SHARE * len(kept[1]):
            # Of the index that it was read of: that may have been mended since.
            save_table(self._file, kept[1], self._made_of(index_id, kept[0]))
            self._saved_version, self._unsaved = kept[0], 0

    def _made_of(self, index_id: str, version: int) -> str:
        return f"{_FORMAT} {index_id} {self._identity} {version}"

    def _loaded(self, version: int) -> tuple[int, UnitTable] | None:
        stored = None if self._file is None else load_table(self._file)
        if stored is None:
            return None
        made_of, table = stored
        its = int(made_of.rpartition(" ")[2])
        if its > version or made_of != self._made_of(self._store.index_id(), its):
            return None
        self._saved_version = its
        return its, table

    def terms(self, query: str, table: UnitTable | None = None) -> tuple[NDArray[np.int64], ...]:
        """Return for each content word of ``query`` the places in ``table`` (the newest) of the
        units that have it in their text or context. Whoever goes on with places gives the table
        that they are for: another one may be there a moment later."""
        table = self.table() if table is None else table
        return tuple(
            _unpacked(self._found.get(term, partial(self._places, table, term), table), len(table))
            for term in query_terms(query)
        )

    def _places(self, table: UnitTable, term: str) -> _Places:
        with self._store.reading() as connection:
            # As one text: a number at a time takes three times as long.
            (joined,) = connection.execute(
                "SELECT group_concat(rowid) FROM unit_words WHERE unit_words MATCH ?",
                (match_expression((term,)),),
            ).fetchone()
        places = table.places_of(np.fromstring(joined or "", dtype=np.int64, sep=","))
        return _packed(places, len(table))


def _read(
    connection: sqlite3.Connection, identity: str, documents: Collection[int] | None = None
) -> UnitTable:
    """Return the units of ``documents``, of all where it is None, from the database."""
    some = "" if documents is None else "WHERE u.document_id IN (SELECT value FROM json_each(?)) "
    values = () if documents is None else (json.dumps(sorted(documents)),)
    (count,) = connection.execute(
        f"SELECT COUNT(*) FROM units u {some}",  # noqa: S608
        values,
    ).fetchone()
    one = connection.execute(
        "SELECT length(vector) FROM unit_vectors WHERE identity = ? LIMIT 1", (identity,)
    ).fetchone()
    dimensions = 0 if one is None else as_int(one[0]) - SCALE_BYTES
    rows = connection.execute(
        "SELECT u.unit_id, u.document_id, u.start, u.end, v.vector, "  # noqa: S608
        "w.text, w.context "
        "FROM units u CROSS JOIN unit_words w ON w.rowid = u.unit_id "
        "LEFT JOIN unit_vectors v ON v.identity = ? AND v.text_hash = u.text_hash "
        f"{some}ORDER BY u.document_id, u.ordinal",
        (identity, *values),
    )
    sections: dict[tuple[object, object], int] = {}
    ids = np.zeros(count, dtype=np.int64)
    places = np.zeros((5, count), dtype=np.int32)
    steps = np.zeros((count, dimensions), dtype=np.int8)
    scales = np.zeros(count, dtype=np.float32)
    end = 0
    # A block at a time: all rows at once would be several times as large as the table.
    while block := rows.fetchmany(_BLOCK):
        part = slice(end, end + len(block))
        end = part.stop
        ids[part] = [row[0] for row in block]
        places[:, part] = np.transpose(
            [
                (
                    *row[1:4],
                    len(str(row[5]).split()),
                    sections.setdefault((row[1], row[6]), len(sections)),
                )
                for row in block
            ]
        )
        vectors = [None if row[4] is None else as_bytes(row[4]) for row in block]
        steps[part], scales[part] = decompressed(vectors, dimensions)
    of_document, start, stop, words, of_section = places[:, :end]
    return UnitTable(
        ids[:end], of_document, start, stop, words, of_section, steps[:end], scales[:end]
    )


def _packed(places: NDArray[np.int64], count: int) -> _Places:
    """Return ``places`` in a table of ``count`` units as numbers of 4 bytes, or as a bit for each
    unit where that is less."""
    kept = places.astype(np.int32)
    if kept.nbytes <= count / 8:
        return kept
    bits = np.zeros(count, dtype=bool)
    bits[places] = True
    return np.packbits(bits)


def _unpacked(kept: _Places, count: int) -> NDArray[np.int64]:
    if kept.dtype == np.uint8:
        return np.flatnonzero(np.unpackbits(kept.view(np.uint8), count=count))
    return kept.astype(np.int64)
