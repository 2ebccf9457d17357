"""Kills a process that brings an index up to date, at any time."""

from __future__ import annotations

import multiprocessing
import random
import time
from contextlib import closing
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from unittest.mock import patch

from phasergun_desktop import project_wiring, wiring
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from tests.faults.faulty_project import FaultyProject, InProcessReader, Outcome

_START_S = 60.0
# Somewhat longer than a sync takes, so that its last steps are hit too.
_LONGEST = 1.05


class Kills:
    """Kills syncs from nothing, with the vectors that projects share or without them, or from an
    earlier state of the folder."""

    def __init__(self, project: FaultyProject) -> None:
        self._project = project
        self._starts = ((None, True), (project.earlier, True), (None, False))
        # Its children have the modules of the product already.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.faults.kills"])
        self._seconds = [min(self._whole(start) for _ in range(2)) for start in self._starts]

    def run(self, seed: int) -> Outcome:
        """Kill a process while it opens the project (in one of ten runs) or while it syncs, then
        work with what it has left."""
        choice = random.Random(seed)
        start = choice.randrange(len(self._starts))
        is_early = choice.random() < 0.1
        after = choice.uniform(0, self._seconds[start] * _LONGEST)
        process, is_open = self._started(self._starts[start])
        if not is_early:
            is_open.wait(_START_S)
        time.sleep(after)
        process.kill()
        process.join()
        ended = "killed" if process.exitcode else "over"
        what = (
            f"start {start}, {ended} {after:.3f} s after {'its start' if is_early else 'opening'}"
        )
        process.close()
        return self._project.outcome("kills", seed, what, [])

    def _whole(self, start: tuple[Path | None, bool]) -> float:
        """Return the seconds of a sync that nobody kills."""
        process, is_open = self._started(start)
        is_open.wait(_START_S)
        started = time.perf_counter()
        process.join()
        return time.perf_counter() - started

    def _started(self, start: tuple[Path | None, bool]) -> tuple[BaseProcess, Event]:
        copy, has_shared = start
        self._project.put(copy)
        if not has_shared:
            self._project.shared.clear()
        is_open = self._context.Event()
        arguments = (self._project.root, self._project.places, is_open)
        process = self._context.Process(target=_sync, args=arguments)
        process.start()
        return process, is_open


def _sync(root: Path, places: Places, is_open: Event) -> None:
    application = wiring.build_application(places)
    with (
        patch.object(project_wiring, "ChildProcessReader", InProcessReader),
        closing(application.workspace.open(root)) as session,
    ):
        is_open.set()
        run_to_end(session.sync())
    application.close()
