"""Whatever happened to a folder, its index is the one that a fresh start would make of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.jobs import run_to_end
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.product_reader import ProductReader
from tests.fakes.small_project import SmallProject
from tests.faults.index_rows import first_difference, index_rows

FOLDERS = (
    "Context/General",
    "Context/Ongoing/Deep",
    "Procedures/SOPs",
    "Context/General/Own",
    "Elsewhere",
)
NAMES = (
    *("SOP-001 Washing.md", "SOP-002 Drying.md", "Alarms.md", "notes.txt", "list.csv", "notes.md"),
    *("SOP-003 Washing.md", "Notes.md", "remarks.txt", "remarks.md", "lists.csv", "SOP-004.txt"),
)
TEXTS = (
    "# Washing\n\nHands are washed for 30 s.\n\n## Drying\n\nTowels are of paper.\n",
    "# Washing\n\nHands are washed for 40 s.\n\n## Drying\n\nTowels are of paper.\n",
    "---\ntitle: Of alarms\ndocument_number: WI-7\n---\n\nThe alarm sounds at 41 °C.\n",
    "notes\n\nThe document has the name of its file for a title.\n",
    "ID,Hazard,Control\nH-1,Burn,Fuse\nH-2,Shock,Fuse\n",
    "!crash",
    "",
)
CATEGORIES = (
    "documents:\n  Context/General/SOP-001 Washing.md: {category: capa, tags: [x, y]}\n",
    "documents:\n  Procedures/SOPs/Alarms.md: {confidentiality: confidential}\n",
)
OWN_EMBEDDERS = ("", "own:1", "own:2")
_SQLITE_STEPS = 100

number = st.integers(0, 99)
STEPS = st.tuples(
    st.sampled_from(
        (
            *("write", "copy", "rename", "rename", "rename", "touch", "delete"),
            *(
                "move folder",
                "categories",
                "sync",
                "sync",
                "sync",
                "cancel",
                "kill",
                "cores",
                "own",
            ),
        )
    ),
    number,
    number,
)
histories = st.lists(STEPS, min_size=4, max_size=16)


class History:
    """A project to which one thing after the other happens; every change has a time of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.project = self._opened(folder)
        self._root = self.project.root
        self._now = 1_700_000_000
        for number, text in enumerate(TEXTS[:6]):
            path = self.project.write(f"{FOLDERS[number % 3]}/{NAMES[number]}", text)
            self._dated(path)
        self._sync(0, 0)

    def _opened(self, folder: Path) -> SmallProject:
        project = SmallProject(folder)
        project.reader = ProductReader()
        return project

    def happens(self, what: str, one: int, other: int) -> None:
        """Do ``what``; ``one`` and ``other`` choose with what, modulo how much there is."""
        getattr(self, f"_{what.replace(' ', '_')}")(one, other)

    def is_that_of_a_fresh_start(self) -> str:
        """Return the first difference of the index to a fresh one."""
        run_to_end(self.project.job())
        with tempfile.TemporaryDirectory() as made:
            fresh = self._opened(Path(made))
            shutil.rmtree(fresh.root)
            fresh.root = self._root
            fresh.own = self.project.own
            run_to_end(fresh.job())
            fresh.close()
            expected = index_rows(fresh.cache / INDEX_FILE)
        return first_difference(index_rows(self.project.cache / INDEX_FILE), expected)

    def _files(self) -> list[Path]:
        return sorted(path for path in self._root.rglob("*.*") if path.is_file())

    def _dated(self, path: Path) -> None:
        self._now += 1
        os.utime(path, (self._now, self._now))

    def _write(self, one: int, other: int) -> None:
        path = self._root / FOLDERS[one % len(FOLDERS)] / NAMES[one // 5 % len(NAMES)]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXTS[other % len(TEXTS)], "utf-8")
        self._dated(path)

    def _copy(self, one: int, other: int) -> None:
        if files := self._files():
            target = self._root / FOLDERS[other % len(FOLDERS)] / NAMES[other // 5 % len(NAMES)]
            target.parent.mkdir(parents=True, exist_ok=True)
            source = files[one % len(files)]
            if source != target:
                shutil.copy2(source, target)

    def _rename(self, one: int, other: int) -> None:
        if files := self._files():
            target = self._root / FOLDERS[other % len(FOLDERS)] / NAMES[other // 5 % len(NAMES)]
            target.parent.mkdir(parents=True, exist_ok=True)
            files[one % len(files)].replace(target)

    def _touch(self, one: int, _other: int) -> None:
        if files := self._files():
            self._dated(files[one % len(files)])

    def _delete(self, one: int, _other: int) -> None:
        if files := self._files():
            files[one % len(files)].unlink()

    def _move_folder(self, one: int, other: int) -> None:
        source = self._root / FOLDERS[one % len(FOLDERS)]
        target = self._root / FOLDERS[other % len(FOLDERS)] / "Moved"
        if source.is_dir() and not target.exists() and source not in target.parents:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)

    def _categories(self, one: int, _other: int) -> None:
        self.project.write("Procedures/categories.yaml", CATEGORIES[one % len(CATEGORIES)])
        self._dated(self._root / "Procedures/categories.yaml")

    def _cores(self, one: int, _other: int) -> None:
        self.project.cores = 1 + one % 5

    def _own(self, one: int, _other: int) -> None:
        """Choose an embedder for searches, or the bundled one."""
        chosen = OWN_EMBEDDERS[one % len(OWN_EMBEDDERS)]
        self.project.own = HashEmbedder(identity=chosen, dimensions=24) if chosen else None

    def _sync(self, _one: int, _other: int) -> None:
        run_to_end(self.project.job())

    def _cancel(self, one: int, _other: int) -> None:
        job = self.project.job()
        for count, _event in enumerate(job):
            if count == one % 40:
                break
        job.close()

    def _kill(self, one: int, other: int) -> None:
        """Go on with a copy that was made in the middle of a sync, as it is after a kill."""
        copy, looks = self._folder / "copy", 0

        def on_step() -> int:
            nonlocal looks
            looks += 1
            if looks == 1 + one * (1 + other % 4):
                shutil.copytree(self.project.cache, copy)
            return 0

        connection = self.project.database.connection()
        connection.set_progress_handler(on_step, _SQLITE_STEPS)
        run_to_end(self.project.job())
        connection.set_progress_handler(None, 0)
        if copy.exists():
            self.project.close()
            shutil.rmtree(self.project.cache)
            copy.rename(self.project.cache)
            self.project.open_again()


def _check(history: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lived = History(Path(folder))
        for step in history:
            lived.happens(*step)
        difference = lived.is_that_of_a_fresh_start()
        lived.project.close()
        assert difference == ""


@given(histories)
@settings(
    max_examples=100,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_any_history_leaves_the_index_of_a_fresh_start(history: list[tuple[str, int, int]]) -> None:
    _check(history)


@pytest.mark.slow
@given(histories)
@settings(max_examples=1_500, derandomize=True, deadline=None, suppress_health_check=[*HealthCheck])
def test_many_histories_leave_the_index_of_a_fresh_start(
    history: list[tuple[str, int, int]],
) -> None:
    _check(history)
