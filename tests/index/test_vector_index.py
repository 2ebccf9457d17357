"""The vectors in memory: exact, also under a filter, and equal after any history."""

from __future__ import annotations

import threading
from collections.abc import Collection

import numpy as np
import pytest

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.pooling import normalised
from phasergun_desktop.index.vector_index import VectorIndex


def unit_rows(count: int, seed: int = 0) -> Vector:
    rows = np.random.default_rng(seed).standard_normal((count, 32)).astype(np.float32)
    return normalised(rows)


def exact(vectors: Vector, ids: Collection[int], query: Vector, limit: int) -> list[int]:
    order = sorted(ids, key=lambda each: (-float(vectors[each] @ query), each))
    return order[:limit]


@pytest.fixture
def filled() -> tuple[VectorIndex, Vector]:
    vectors = unit_rows(3000)
    index = VectorIndex(32)
    index.build(np.arange(3000, dtype=np.int64), vectors)
    return index, vectors


def test_the_answer_is_exact_under_a_filter(filled: tuple[VectorIndex, Vector]) -> None:
    index, vectors = filled
    for seed in range(20):
        query = unit_rows(1, seed + 100)[0]
        allowed = np.arange(seed % 7, 3000, 7 + seed, dtype=np.int64)
        ids, similarities = index.query(query, 25, allowed)
        assert ids.tolist() == exact(vectors, allowed.tolist(), query, 25)
        assert np.allclose(similarities, vectors[ids] @ query, atol=1e-5)


def test_a_scope_smaller_than_the_limit_is_answered_whole(
    filled: tuple[VectorIndex, Vector],
) -> None:
    index, _ = filled
    ids, _ = index.query(unit_rows(1, 5)[0], 50, np.array([7, 2999, 123456]))
    assert set(ids.tolist()) == {7, 2999}
    assert index.query(unit_rows(1, 5)[0], 50, np.zeros(0, np.int64))[0].tolist() == []


def test_removed_ids_are_never_found_and_leave_room_for_others(
    filled: tuple[VectorIndex, Vector],
) -> None:
    index, vectors = filled
    query = vectors[10]
    index.remove(range(2000))
    ids, _ = index.query(query, 30)
    assert ids.tolist() == exact(vectors, range(2000, 3000), query, 30)
    assert index.needs_rebuild()
    assert len(index.query(query, 3000)[0]) == len(index) == 1000


def test_added_ids_are_found_and_room_is_asked_for(filled: tuple[VectorIndex, Vector]) -> None:
    index, _ = filled
    extra = unit_rows(10, 77)
    assert not index.needs_rebuild(10)
    assert index.needs_rebuild(100_000)
    index.add(np.arange(5000, 5010, dtype=np.int64), extra)
    ids, similarities = index.query(extra[3], 1)
    assert ids.tolist() == [5003]
    assert similarities[0] == pytest.approx(1.0, abs=1e-5)


def test_above_the_limit_the_graph_answers_and_is_the_same_each_time() -> None:
    vectors = unit_rows(3000)
    answers = []
    for _ in range(2):
        index = VectorIndex(32, exact_limit=1000)
        index.build(np.arange(3000, dtype=np.int64), vectors)
        assert not index.is_exact
        answers.append([index.query(vectors[n], 10)[0].tolist() for n in range(50)])
    assert answers[0] == answers[1]
    found = sum(
        len(set(answers[0][n]) & set(exact(vectors, range(3000), vectors[n], 10)))
        for n in range(50)
    )
    assert found / 500 >= 0.99


def test_adding_beside_queries_is_safe(filled: tuple[VectorIndex, Vector]) -> None:
    index, vectors = filled
    stop = threading.Event()
    wrong: list[int] = []

    def ask() -> None:
        # Threads that never let go of an unfair lock would keep the adding one out for minutes.
        while not stop.wait(0.0005):
            if index.query(vectors[42], 1)[0].tolist() != [42]:
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(100):
        index.add(np.array([10_000 + number], dtype=np.int64), unit_rows(1, number + 500))
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
