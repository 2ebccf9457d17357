"""A project that grows, shrinks, closes and opens: its vectors are always those of the index."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phasergun_desktop.index.vector_cache import VectorCache, digest_of
from tests.fakes.small_project import SmallProject

# "n": a document of n windows comes; else what happens to the project and to the program.
Step = int | str
_OTHERS = ("search", "close and open", "kill and open", "remove", "edit")
_GROWTH: list[Step] = [700, "search", "close and open", 400, "search", 900, "close and open"]


def document(number: int, windows: int, version: int = 0) -> str:
    """Return a text of ``windows`` heading sections, each a window of its own."""
    return "\n\n".join(
        f"# Section {number}.{each}\n\nvalue {number}v{version}w{each}" for each in range(windows)
    )


class Project:
    """A project and the vectors of the process that has it open."""

    def __init__(self, folder: Path) -> None:
        self.made = SmallProject(folder)
        self.sizes: dict[int, int] = {}
        self.count = 0
        self.cache: VectorCache = self.made.vectors()

    def step(self, step: Step) -> None:
        """Carry ``step`` out."""
        match step:
            case "search":
                self.check()
            case "close and open":
                self.cache.refresh()
                self.cache.snapshot()
                self.cache = self.made.vectors()
            case "kill and open":
                self.cache = self.made.vectors()
            case "remove":
                if self.sizes:
                    oldest = min(self.sizes)
                    del self.sizes[oldest]
                    (self.made.root / f"Context/General/{oldest}.md").unlink()
                    self.made.sync()
            case "edit":
                if self.sizes:
                    last = max(self.sizes)
                    text = document(last, self.sizes[last], version=self.count)
                    self.made.write(f"Context/General/{last}.md", text)
                    self.made.sync()
            case int():
                self.count += 1
                self.sizes[self.count] = step
                self.made.write(f"Context/General/{self.count}.md", document(self.count, step))
                self.made.sync()

    def check(self) -> None:
        """Compare the vectors with the database: as many, and each finds itself."""
        self.cache.refresh()
        assert len(self.cache) == sum(self.sizes.values())
        for record in self.made.store.documents():
            stored = self.made.stored_vectors(record.document_id)
            for window_id in (min(stored), max(stored)):
                (best,) = self.cache.search(stored[window_id], 1)
                assert best == window_id


@settings(max_examples=8, deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from([30, 340, 700, 1024]), st.sampled_from(_OTHERS)),
        min_size=4,
        max_size=8,
    )
)
@example(_GROWTH)
@example(["close and open", 1024, "close and open", 1, "search", "close and open", 1024, "edit"])
@example([1025, "close and open", "remove", 1024, "search", "kill and open", 1024, "remove"])
@example([1024, "search", "close and open", 1024, "search", "close and open", 1024, "search", 1024])
def test_vectors_follow_the_index_over_every_capacity(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder))
        try:
            for step in steps:
                project.step(step)
            project.check()
            project.step("close and open")
            project.check()
        finally:
            project.made.close()


def test_what_is_built_again_is_said_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    project = Project(tmp_path)
    try:
        with caplog.at_level("INFO", logger="phasergun_desktop.index.vector_cache"):
            for step in [*_GROWTH, "remove", "search", 30, "search"]:
                project.step(step)
            (project.made.cache / "vectors.bin").write_bytes(b"not vectors")
            project.cache = project.made.vectors()
            project.check()
    finally:
        project.made.close()
    assert "outgrown their room" in caplog.text
    assert "vectors.bin cannot be used" in caplog.text or "damaged" in caplog.text


def test_the_digest_of_a_file_tells_changes_that_a_sum_hides() -> None:
    words = np.random.default_rng(15).integers(0, 2**63, (5, 128), np.uint64)
    rest = b"the end"

    def digest(words: NDArray[np.uint64], rest: bytes = rest) -> str:
        return digest_of(io.BytesIO(words.tobytes() + rest), {"format": 3})

    def moved(*places: tuple[int, int]) -> NDArray[np.uint64]:
        changed = words.copy()
        for place, step in zip(places, (1, -1), strict=True):
            changed[place] = int(changed[place]) + step
        return changed

    others = (
        digest(moved((2, 7), (2, 8))),
        digest(moved((2, 7), (3, 7))),
        digest(moved((2, 7), (3, 8))),
        digest(words[[1, 0, 2, 3, 4]]),
        digest(words[:4]),
        digest(words, b"the enb"),
        digest_of(io.BytesIO(words.tobytes() + rest), {"format": 4}),
    )
    assert digest(words) not in others
    assert digest(words) == digest(words.copy())
