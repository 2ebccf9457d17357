"""Vectors that projects share: the same to the bit, bounded, and never in anybody's way."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding import shared_vectors
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.embedding.shared_vectors import ProjectVectors, SharedVectors
from phasergun_desktop.jobs import Progress, run_to_end
from tests.fakes.hash_embedder import HashEmbedder

PROGRESS = Progress("Indexing")


def _made(*names: bytes) -> dict[bytes, Vector]:
    drawn = np.random.default_rng(1)
    return {name: drawn.normal(size=384).astype(np.float32) for name in names}


def _same(one: Mapping[bytes, Vector], other: Mapping[bytes, Vector]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[n], other[n]) for n in one)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "shared.db"


@pytest.fixture
def shared(path: Path) -> Iterator[SharedVectors]:
    made = SharedVectors(path)
    yield made
    made.close()


def test_vectors_come_back_to_the_bit_for_their_embedder_alone(
    shared: SharedVectors, path: Path
) -> None:
    vectors = _made(b"a", b"b")
    shared.keep("one", vectors, "p")
    shared.close()
    again = SharedVectors(path)
    assert _same(again.found("one", [b"a", b"b", b"c"]), vectors)
    assert again.found("other", [b"a"]) == {}
    again.close()


def test_a_project_that_is_forgotten_leaves_nothing(shared: SharedVectors) -> None:
    shared.forget("nobody")
    shared.keep("one", _made(b"a"), "p")
    shared.keep("one", _made(b"b"), "q")
    shared.forget("p")
    assert shared.found("one", [b"a", b"b"]).keys() == {b"b"}
    assert shared.clear() > 0
    assert shared.found("one", [b"b"]) == {}


def test_nothing_of_a_forgotten_project_is_left_in_the_file(
    shared: SharedVectors, path: Path
) -> None:
    vectors = _made(b"a", b"b")
    shared.keep("one", vectors, "p")

    def is_there() -> bool:
        stored = b"".join(each.read_bytes() for each in path.parent.iterdir())
        return any(each.tobytes()[:64] in stored for each in vectors.values())

    assert is_there()
    # As where SQLite is built to leave it.
    assert shared._opened is not None
    shared._opened.connection().execute("PRAGMA secure_delete = OFF")
    shared.forget("p")
    assert not is_there()


def test_what_was_not_used_for_longest_goes_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = SharedVectors(path, most_bytes=3 * (4 * 384 + 250))
    for day, name in enumerate((b"a", b"b", b"c")):
        monkeypatch.setattr(shared_vectors, "_today", lambda day=day: day)
        shared.keep("one", _made(name), "p")
    monkeypatch.setattr(shared_vectors, "_today", lambda: 9)
    shared.found("one", [b"a"])
    shared.keep("one", _made(b"d"), "p")
    assert shared.found("one", [b"a", b"b", b"c", b"d"]).keys() == {b"a", b"c", b"d"}
    shared.close()


def test_a_flipped_bit_is_no_vector_and_a_damaged_file_no_error(
    shared: SharedVectors, path: Path
) -> None:
    shared.keep("one", _made(b"a", b"b"), "p")
    shared.close()
    with sqlite3.connect(path) as connection:
        (found,) = connection.execute("SELECT vector FROM vectors WHERE rowid = 1").fetchone()
        flipped = bytes((found[0] ^ 4, *found[1:]))
        connection.execute("UPDATE vectors SET vector = ? WHERE rowid = 1", (flipped,))
    connection.close()
    assert shared.found("one", [b"a", b"b"]).keys() == {b"b"}
    shared.close()
    path.write_bytes(b"no database" * 1000)
    assert shared.found("one", [b"b"]) == {}
    shared.keep("one", _made(b"b"), "p")
    assert shared.found("one", [b"b"]).keys() == {b"b"}


@pytest.mark.parametrize("damage", ["x'00'", "'text'", "NULL", "1"])
def test_what_is_no_vector_any_more_is_not_found(
    shared: SharedVectors, path: Path, damage: str
) -> None:
    shared.keep("one", _made(b"a", b"b"), "p")
    with sqlite3.connect(path) as connection:
        # What a flipped bit in the header of a row makes of it, whatever the schema says.
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'BLOB NOT NULL', 'BLOB')")
    connection.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE vectors SET vector = {damage} WHERE text_hash = x'61'")
    connection.close()
    assert shared.found("one", [b"a", b"b"]).keys() == {b"b"}


def test_the_vector_of_another_text_is_not_found(shared: SharedVectors, path: Path) -> None:
    shared.keep("one", _made(b"a", b"b"), "p")
    with sqlite3.connect(path) as connection:
        # As where a damaged index of SQLite leads to the row of another text.
        connection.execute("UPDATE vectors SET text_hash = x'63' WHERE text_hash = x'61'")
    connection.close()
    assert shared.found("one", [b"a", b"b", b"c"]).keys() == {b"b"}


def test_where_nothing_can_be_written_nothing_is_shared(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    shared = SharedVectors(tmp_path / "file" / "shared.db")
    shared.keep("one", _made(b"a"), "p")
    assert shared.found("one", [b"a"]) == {}
    assert shared.clear() == 0


def test_a_text_that_another_project_has_is_not_read_again(shared: SharedVectors) -> None:
    class Counted(HashEmbedder):
        read = 0

        def embed(self, texts: Sequence[str]) -> Vector:
            Counted.read += len(texts)
            return super().embed(texts)

    def embedded(texts: dict[bytes, str], project_id: str) -> dict[bytes, Vector]:
        lanes = EmbeddingLanes(Counted(), shared=ProjectVectors(shared, project_id))
        return run_to_end(lanes.embed(texts, PROGRESS))

    first = embedded({b"a": "alarm", b"b": "battery"}, "p")
    assert Counted.read == 2
    second = embedded({b"b": "battery", b"c": "cable"}, "q")
    assert Counted.read == 3
    assert second.keys() == {b"b", b"c"}
    assert np.array_equal(first[b"b"], second[b"b"])
    assert embedded({}, "q") == {}


def test_what_was_read_until_it_was_stopped_is_kept(shared: SharedVectors) -> None:
    class Slow(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vector:
            time.sleep(0.01)
            return super().embed(texts)

    lanes = EmbeddingLanes(Slow(), shared=ProjectVectors(shared, "p"))
    texts = {bytes([n]): f"word {n}" for n in range(60)}
    job = lanes.embed(texts, PROGRESS)
    next(job)
    job.close()
    kept = shared.found(HashEmbedder().identity, texts)
    assert 0 < len(kept) < len(texts)
    whole = run_to_end(lanes.embed(texts, PROGRESS))
    assert _same({name: whole[name] for name in kept}, kept)
