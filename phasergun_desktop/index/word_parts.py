"""What each word of a query adds to the BM25 score of windows, kept while the index stays as it is.

SQLite's ``bm25()`` reads the size of every row that has any of the words, for every query again;
the sum over the words is the same, and a word of many windows is asked for often.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.index.schema import WORD_TOKENIZER
from phasergun_desktop.index.window_table import WindowTable, places_of
from phasergun_desktop.kept_values import KeptValues

# text, title, heading_path, number, tags. A window's own words decide; its title and number
# tell apart documents that speak of the same thing.
COLUMN_WEIGHTS = (1.0, 0.6, 0.8, 0.8, 0.4)
# Those of FTS5, so that phrases, which it scores itself, are scored alike.
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_LEAST_RARITY = 1e-6
# 8 bytes each.
_KEPT_ENTRIES = 2_500_000
_FREQUENT = 40
_OCCURRENCES = (
    "SELECT group_concat(doc * 8 + CASE col WHEN 'text' THEN 0 WHEN 'title' THEN 1 "
    "WHEN 'heading_path' THEN 2 WHEN 'number' THEN 3 ELSE 4 END) FROM window_terms WHERE term = ?"
)


@dataclass(frozen=True, slots=True)
class WordPart:
    """The rows of the window table that have a word or phrase, rising, and what it adds to the
    score of each (above 0)."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]


class WordParts:
    """Gives the parts of words and phrases. Safe on any thread."""

    def __init__(self) -> None:
        self._kept: KeptValues[str, WordPart] = KeptValues(
            _KEPT_ENTRIES, lambda part: len(part.rows)
        )
        self._stems = _Stems()

    def of(
        self, connection: sqlite3.Connection, table: WindowTable, phrases: Sequence[str]
    ) -> list[WordPart]:
        """Return the part of each of ``phrases`` in the index that ``connection`` reads, whose
        windows are ``table``."""
        found: list[WordPart] = []
        for phrase, stems in zip(phrases, self._stems.of(phrases), strict=True):
            key = " ".join(stems)
            part = self._kept.peek(key, table.version)
            if part is None:
                if len(stems) == 1:
                    part = _of_word(connection, table, key)
                else:
                    part = _of_phrase(connection, table, phrase)
                self._kept.put(key, part, table.version)
            found.append(part)
        return found

    def read_most_frequent(
        self, connection: sqlite3.Connection, table: WindowTable, without: Collection[str]
    ) -> None:
        """Keep the parts of the words that most windows have, all forms of those in ``without``
        left out: they are the ones that take long."""
        left_out = {stem for stems in self._stems.of([*without]) for stem in stems}
        stems = connection.execute(
            "SELECT term FROM window_vocabulary ORDER BY doc DESC LIMIT ?",
            (_FREQUENT + len(left_out),),
        )
        # The most frequent last: what came first is the first to go.
        for (stem,) in reversed(stems.fetchall()):
            if stem not in left_out:
                self._kept.get(stem, partial(_of_word, connection, table, stem), table.version)


class _Stems:
    """Makes the tokens of a text as the index has them, with SQLite's own tokenizer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            ":memory:", check_same_thread=False, isolation_level=None
        )
        self._connection.execute(
            f"CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = '{WORD_TOKENIZER}')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (words, instance)")

    def of(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each of ``texts``, in order."""
        found: list[list[str]] = [[] for _ in texts]
        with self._lock:
            self._connection.execute("DELETE FROM words")
            self._connection.executemany(
                "INSERT INTO words (rowid, text) VALUES (?, ?)", list(enumerate(texts))
            )
            rows = self._connection.execute("SELECT doc, term FROM terms ORDER BY doc, offset")
            for place, term in rows:
                found[place].append(term)
        return found


def _of_word(connection: sqlite3.Connection, table: WindowTable, stem: str) -> WordPart:
    (joined,) = connection.execute(_OCCURRENCES, (stem,)).fetchone()
    if not joined:
        return WordPart(np.zeros(0, np.int32), np.zeros(0, np.float32))
    codes = np.fromstring(joined, dtype=np.int64, sep=",")
    every = codes >> 3  # Rising: a window stands there as often as it has the word.
    first = np.flatnonzero(np.diff(every, prepend=-1))
    ids = every[first]
    count = np.add.reduceat(np.array(COLUMN_WEIGHTS)[codes & 7], first)
    rarity = np.log((len(table) - len(ids) + 0.5) / (len(ids) + 0.5))
    rows = _rows(table, ids)
    length = table.words[rows] / (table.words.sum() / len(table))
    floor = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length)
    scores = max(rarity, _LEAST_RARITY) * (count * (_SATURATION + 1) / (count + floor))
    return WordPart(rows, scores.astype(np.float32))


def _of_phrase(connection: sqlite3.Connection, table: WindowTable, phrase: str) -> WordPart:
    rows = connection.execute(
        "SELECT rowid, -bm25(window_words, ?, ?, ?, ?, ?) FROM window_words "
        "WHERE window_words MATCH ? ORDER BY rowid",
        (*COLUMN_WEIGHTS, quoted(phrase)),
    ).fetchall()
    ids = np.array([row[0] for row in rows], dtype=np.int64)
    scores = np.array([row[1] for row in rows], dtype=np.float32)
    return WordPart(_rows(table, ids), scores)


def _rows(table: WindowTable, ids: NDArray[np.int64]) -> NDArray[np.int32]:
    return places_of(table.ids, ids).astype(np.int32)


def quoted(phrase: str) -> str:
    """Return ``phrase`` so that FTS5 reads nothing of it as its own language."""
    return '"' + phrase.replace('"', '""') + '"'
