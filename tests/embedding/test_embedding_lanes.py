"""The lanes: every core works, one when others need the machine, and vectors are the same."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Progress, run_to_end
from tests.fakes.hash_embedder import HashEmbedder

CORES = 6
TEXTS = {bytes([number]): "word " * (1 + number * 7 % 50) for number in range(60)}
PROGRESS = Progress("Indexing")


class WatchedEmbedder(HashEmbedder):
    """Knows how many threads are in it, and calls ``meanwhile`` in each of them."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: time.sleep(0.002)) -> None:
        super().__init__()
        self.most = self._now = 0
        self.priorities: set[int] = set()
        self._lock = threading.Lock()
        self._meanwhile = meanwhile

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        if sys.platform == "linux":
            me = threading.get_native_id()
            self.priorities.add(os.getpriority(os.PRIO_PROCESS, me))
        self._meanwhile()
        with self._lock:
            self._now -= 1
        return super().embed(texts)


@pytest.fixture(scope="module")
def embedder(embedder_path: Path) -> Iterator[OnnxEmbedder]:
    made = OnnxEmbedder(
        embedder_path / "all-MiniLM-L6-v2-int8.onnx", embedder_path / "tokenizer.json"
    )
    yield made
    made.close()


def test_every_core_embeds_at_once() -> None:
    # Nobody goes on before all are there; none is left over at the end.
    meeting = threading.Barrier(CORES, timeout=10)
    watched = WatchedEmbedder(meeting.wait)
    assert len(run_to_end(EmbeddingLanes(watched, CORES).embed(TEXTS, PROGRESS))) == len(TEXTS)
    assert watched.most == CORES


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it cannot be asked for")
def test_lanes_let_others_go_first() -> None:
    watched = WatchedEmbedder()
    run_to_end(EmbeddingLanes(watched, CORES).embed(TEXTS, PROGRESS))
    mine = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert watched.priorities == {max(mine, 10)}


def test_fewer_lanes_work_when_fewer_are_wanted() -> None:
    watched = WatchedEmbedder()
    run_to_end(EmbeddingLanes(watched, CORES, lambda: 1).embed(TEXTS, PROGRESS))
    assert watched.most == 1


def test_another_embedder_works_in_one_lane_while_one_of_these_may() -> None:
    watched, wanted = WatchedEmbedder(), 0
    lane = EmbeddingLanes(HashEmbedder(), CORES, lambda: wanted).one_for(watched)
    job = lane.embed(TEXTS, PROGRESS)
    assert [next(job) for _ in range(3)] == [PROGRESS] * 3
    assert watched.embedded == []
    wanted = CORES
    assert len(run_to_end(job)) == len(TEXTS)
    assert watched.most == 1


def test_nothing_is_embedded_while_no_lane_is_wanted() -> None:
    watched, wanted = WatchedEmbedder(), 0
    job = EmbeddingLanes(watched, CORES, lambda: wanted).embed(TEXTS, PROGRESS)
    # It can be cancelled meanwhile: it says again and again that it is there.
    assert [next(job) for _ in range(3)] == [PROGRESS] * 3
    assert watched.embedded == []
    wanted = CORES
    assert len(run_to_end(job)) == len(TEXTS)


def test_what_was_not_begun_when_it_is_closed_never_begins() -> None:
    watched = WatchedEmbedder(lambda: time.sleep(0.02))
    job = EmbeddingLanes(watched, 2).embed(TEXTS, PROGRESS)
    next(job)
    job.close()
    done = len(watched.embedded)
    time.sleep(0.1)
    assert len(watched.embedded) == done < len(TEXTS)


def test_the_longest_text_is_not_left_for_the_end() -> None:
    watched = WatchedEmbedder()
    run_to_end(EmbeddingLanes(watched).embed(TEXTS, PROGRESS))
    assert watched.embedded == sorted(watched.embedded, key=len, reverse=True)


def test_a_failing_model_is_told() -> None:
    failing = HashEmbedder()
    failing.fail()
    with pytest.raises(ModelError):
        run_to_end(EmbeddingLanes(failing, CORES).embed(TEXTS, PROGRESS))


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_vectors_do_not_depend_on_the_number_of_lanes(embedder: OnnxEmbedder, cores: int) -> None:
    texts = {text.encode(): f"Value {text} of the alarm is {text * 9} mm." for text in "abcdefghij"}
    vectors = run_to_end(EmbeddingLanes(embedder, cores).embed(texts, PROGRESS))
    assert all(np.array_equal(vectors[name], embedder.embed([texts[name]])[0]) for name in texts)
