"""Copies an index in the middle of a write, as a power loss leaves it or a backup finds it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.jobs import run_to_end
from tests.faults.faulty_project import FaultyProject, Outcome

# Steps of SQLite's machine between two calls.
_STEPS = 200


class HalfWritten:
    """Copies at a random step of a sync from nothing or from an earlier state of the folder."""

    def __init__(self, project: FaultyProject, folder: Path) -> None:
        self._project = project
        self._copy = folder / "copy"
        self._starts = (None, project.earlier)
        self._looks = [self._sync(start, lambda _look: None) for start in self._starts]

    def run(self, seed: int) -> Outcome:
        """Copy the files in the middle of a sync, cut the log of what was written last in half of
        the runs, then work with the copy."""
        choice = random.Random(seed)
        start = choice.randrange(len(self._starts))
        at = choice.randint(1, self._looks[start])

        def copy(look: int) -> None:
            if look == at:
                shutil.rmtree(self._copy, ignore_errors=True)
                names = [each.name for each in self._project.cache.iterdir()]
                self._copy.mkdir()
                for name in choice.sample(names, len(names)):
                    shutil.copyfile(self._project.cache / name, self._copy / name)

        self._sync(self._starts[start], copy)
        self._project.put(self._copy)
        log = self._project.cache / f"{INDEX_FILE}-wal"
        size = log.stat().st_size
        cut = choice.randint(0, size) if choice.random() < 0.5 else size
        with log.open("r+b") as file:
            file.truncate(cut)
        what = f"start {start}, look {at} of {self._looks[start]}, log {cut} of {size} bytes"
        return self._project.outcome("half_written", seed, what, [])

    def _sync(self, start: Path | None, look: Callable[[int], None]) -> int:
        """Sync from ``start``, call ``look`` with a rising number meanwhile; return the last."""
        count = 0

        def on_step() -> int:
            nonlocal count
            count += 1
            look(count)
            return 0

        self._project.put(start)
        with self._project.opened() as session:
            connection = session._parts.index._database.connection()
            connection.set_progress_handler(on_step, _STEPS)
            run_to_end(session.sync())
            connection.set_progress_handler(None, 0)
        return count
