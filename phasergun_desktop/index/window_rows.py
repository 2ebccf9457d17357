"""The rows of a document's windows and of their words for keyword search."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from phasergun_desktop.chunking.windows import WindowSpan
from phasergun_desktop.documents.document_codec import locator_to_json
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.rows import as_bytes, as_int, strings_text, text_hash


class WindowWriter:
    """Brings the windows of one document up to date, touching only what has changed."""

    def __init__(self, connection: sqlite3.Connection, document_id: int, sequence: int) -> None:
        self._connection = connection
        self._document_id = document_id
        self._sequence = sequence

    def write(self, document: ParsedDocument, windows: Sequence[WindowSpan]) -> None:
        """Write ``windows`` of ``document``; those whose text is known keep their id."""
        known = self._known()
        starts = [block.start for block in document.blocks]
        for ordinal, span in enumerate(windows):
            name = text_hash(span.embedded_text(document.text))
            block = document.blocks[max(0, bisect_right(starts, span.start) - 1)]
            place = (
                ordinal,
                span.start,
                span.end,
                strings_text(span.heading_path),
                span.prefix,
                block.ordinal,
                json.dumps(locator_to_json(span.stretch or block.locator), ensure_ascii=False),
            )
            if known[name]:
                window_id = known[name].pop(0)
                self._connection.execute(
                    "UPDATE windows SET ordinal = ?, start = ?, end = ?, heading_path = ?, "
                    "prefix = ?, block = ?, locator = ? WHERE window_id = ?",
                    (*place, window_id),
                )
            else:
                self._connection.execute(
                    "INSERT INTO windows (ordinal, start, end, heading_path, prefix, block, "
                    "locator, document_id, text_hash, keyword_hash, sequence) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, x'', ?)",
                    (*place, self._document_id, name, self._sequence),
                )
        for window_ids in known.values():
            remove_windows(self._connection, window_ids, self._sequence)
        rewrite_words(self._connection, self._document_id)

    def _known(self) -> defaultdict[bytes, list[int]]:
        known: defaultdict[bytes, list[int]] = defaultdict(list)
        rows = self._connection.execute(
            "SELECT window_id, text_hash FROM windows WHERE document_id = ? ORDER BY ordinal",
            (self._document_id,),
        )
        for window_id, name in rows:
            known[as_bytes(name)].append(as_int(window_id))
        return known


def rewrite_words(connection: sqlite3.Connection, document_id: int) -> None:
    """Bring the keyword rows of a document up to date; unchanged ones are left alone."""
    file, title, number, tags, text = connection.execute(
        "SELECT d.file, d.title, json_extract(d.metadata, '$.document_number'), d.tags, c.text "
        "FROM documents d JOIN contents c USING (document_id) WHERE document_id = ?",
        (document_id,),
    ).fetchone()
    stem = PurePosixPath(file).stem
    numbers = f"{number or ''} {stem}".strip()
    tag_words = " ".join(json.loads(tags))
    rows = connection.execute(
        "SELECT window_id, start, end, heading_path, keyword_hash FROM windows "
        "WHERE document_id = ?",
        (document_id,),
    ).fetchall()
    for window_id, start, end, path, known in rows:
        headings = " ".join(json.loads(path))
        words = (text[start:end], title, headings, numbers, tag_words)
        name = text_hash("\x00".join(words))
        if name == known:
            continue
        if known:
            connection.execute("DELETE FROM window_words WHERE rowid = ?", (window_id,))
        connection.execute(
            "INSERT INTO window_words (rowid, text, title, heading_path, number, tags) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (window_id, *words),
        )
        connection.execute(
            "UPDATE windows SET keyword_hash = ? WHERE window_id = ?", (name, window_id)
        )


def remove_windows(
    connection: sqlite3.Connection, window_ids: Sequence[int], sequence: int
) -> None:
    """Forget windows with their words; ``sequence`` tells the vector index when."""
    rows = [(window_id,) for window_id in window_ids]
    connection.executemany("DELETE FROM window_words WHERE rowid = ?", rows)
    connection.executemany("DELETE FROM windows WHERE window_id = ?", rows)
    connection.executemany(
        "INSERT INTO removed_windows VALUES (?, ?)",
        [(window_id, sequence) for window_id in window_ids],
    )
