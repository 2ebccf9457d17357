"""BM25 over the windows of a project: the words of SQLite's FTS5, in weighted columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.window_table import WindowTables
from phasergun_desktop.index.word_parts import WordParts, quoted
from phasergun_desktop.text.words import exponent_forms

_WORD = re.compile(r"[^\W_]+(?:[-./'’⁻][^\W_]+)*(?:\^-?\d+)?")
_HAS_LETTER_AND_DIGIT = re.compile(r"(?=.*\d)(?=.*[^\W\d_])")
_MAX_TERMS = 48
# Whether a word stands in a window as it is written: GLOB heeds case. Letters as in Latin scripts.
# A pattern that begins with a letter takes a tenth of the time, and rules out beginnings of words.
_NO_LETTER = "[^a-zA-ZÀ-ÖØ-öø-ɏ]"
_STANDS = (
    "SELECT 1 FROM window_words WHERE window_words MATCH ? "
    "AND text || ' ' GLOB ? AND ' ' || text || ' ' GLOB ? LIMIT 1"
)

# Words that say nothing of a subject; question words included.
_STOP_WORDS = (
    "a about above after again against all also am an and any are as at be because been "
    "before being below between both but by can could did do does doing down during each "
    "few for from further had has have having he her here hers him his how i if in into "
    "is it its itself just me more most my no nor not of off on once only or other our "
    "ours out over own per same shall she should so some such than that the their theirs "
    "them then there these they this those through to too under until up upon us very was "
    "we were what when where which while who whom why will with within would you your "
    "yours"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """A window and its BM25 score (above 0, higher is better)."""

    window_id: int
    document_id: int
    score: float


class KeywordIndex:
    """Finds windows by words; what it reads is always the database's present state. Safe to use
    from several threads."""

    def __init__(self, store: IndexStore, windows: WindowTables | None = None) -> None:
        self._store = store
        self._windows = windows or WindowTables(store)
        self._parts = WordParts()

    def search(
        self, query: str, limit: int, documents: Collection[int] | None = None
    ) -> tuple[KeywordHit, ...]:
        """Return the ``limit`` best windows of ``documents`` (None: of all) for any of the query's
        words.

        The restriction applies before the limit. Equal scores are ordered by window id. A query
        without content words finds nothing.
        """
        phrases = searched_phrases(query_terms(query))
        if not phrases or limit <= 0:
            return ()
        with self._store.reading() as connection:
            table = self._windows.table()
            allowed = None if documents is None else self._windows.allowed(documents)
            parts = self._parts.of(connection, table, phrases)
        scores = np.zeros(len(table))
        for part in parts:
            scores[part.rows] += part.scores
        rows = np.flatnonzero(scores if allowed is None else np.where(allowed, scores, 0.0))
        if len(rows) > limit:
            least = np.partition(scores[rows], len(rows) - limit)[len(rows) - limit]
            rows = rows[scores[rows] >= least]
        rows = rows[np.lexsort((rows, -scores[rows]))][:limit]
        found = zip(table.ids[rows], table.documents[rows], scores[rows], strict=True)
        return tuple(KeywordHit(int(name), int(owner), float(each)) for name, owner, each in found)

    def warm(self) -> None:
        """Read what the first searches would wait for in a large index."""
        with self._store.reading() as connection:
            self._parts.read_most_frequent(connection, self._windows.table(), STOP_WORDS)

    def occurring(self, words: Collection[str]) -> frozenset[str]:
        """Return which of ``words``, of Latin letters and straight apostrophes alone, stand in a
        document as they are written.

        The index has stems, and many a misspelled word ("occured") has that of a right one: they
        only tell where to look.
        """
        with self._store.reading() as connection:
            return frozenset(
                word for word in words if connection.execute(_STANDS, _places_of(word)).fetchone()
            )


def _places_of(word: str) -> tuple[str, str, str]:
    end = word.replace("'", "['’]") + _NO_LETTER + "*"
    return quoted(word), f"*{end}", f"*{_NO_LETTER}{end}"


def query_terms(query: str) -> tuple[str, ...]:
    """Return the content words of ``query``, each once, in order.

    Identifiers (``GT2-310``, ``820.30``, ``K231192``) stay whole. Where every word is a stop
    word they are all kept, since something must be looked for.
    """
    words = [match.group() for match in _WORD.finditer(query)]
    content = [word for word in words if word.casefold() not in STOP_WORDS]
    unique = dict.fromkeys(word.casefold() for word in content or words)
    return tuple(unique)[:_MAX_TERMS]


def match_expression(terms: Sequence[str]) -> str:
    """Return the FTS5 expression that finds any of ``terms`` as ``searched_phrases`` reads them."""
    return " OR ".join(map(quoted, searched_phrases(terms)))


def searched_phrases(terms: Sequence[str]) -> tuple[str, ...]:
    """Return what is looked for: each of ``terms``, of which one with inner marks (``GT2-310``) is
    a phrase, and the parts of a hyphenated word without digits (``over-the-counter``)."""
    phrases: dict[str, None] = {}
    for term in terms:
        phrases.update(dict.fromkeys(exponent_forms(term)))
        pieces = re.split(r"[-./'’]", term)
        if len(pieces) > 1 and not _HAS_LETTER_AND_DIGIT.search(term):
            for piece in pieces:
                if len(piece) > 1 and not piece.isdigit() and piece not in STOP_WORDS:
                    phrases[piece] = None
    return tuple(phrases)
