"""Following a folder of ten thousand files: nothing changed, and one saved while many wait."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.sync.events import FileChanged
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, figure, seconds
from tests.benchmarks.glucose import opened
from tests.benchmarks.growth_project import index_grown

FILES = 10_000
_ARRIVING = 300
_AIM_S = 2.0


def following(files: int = FILES, processes: int = 3, runs: int = 5) -> Iterator[Figure]:
    """Index ``files`` short files once; then sync them again, and add some more."""
    with tempfile.TemporaryDirectory(prefix="phasergun-scan-") as folder:
        root, home = Path(folder) / "project", Path(folder) / "home"
        _write_notes(root / "Context/General", files)
        home.mkdir()
        index_grown(root, home)
        first: list[float] = []
        again: list[float] = []
        for _ in range(processes):
            with opened(root, home) as (_, session):
                first.append(seconds(lambda: run_to_end(session.sync())))
                again += [seconds(lambda: run_to_end(session.sync())) for _ in range(runs)]
        size = f"{files} files, each of a paragraph"
        yield figure(
            "scan_first", "s", first, note=f"{size}; all rows are compared with their digests too"
        )
        yield figure("scan_unchanged", "s", again, target=_AIM_S, note=size)
        _write_notes(root / "Context/Ongoing", _ARRIVING)
        with opened(root, home) as (_, session):
            saved, every = _saved_while_others_wait(session)
        note = f"{_ARRIVING} files have arrived and wait; all were read after {every:.1f} s"
        yield figure("saved_among_waiting", "s", [saved], note=note)


def _saved_while_others_wait(session: ProjectSession) -> tuple[float, float]:
    """Return the seconds from a save until the file is in the index, and until all are."""
    file = "Context/Ongoing/z-saved.md"
    saved_at, found_at = 0.0, 0.0
    for event in session.sync():
        if not isinstance(event, FileChanged) or event.record.state is not FileState.INDEXED:
            continue
        if not saved_at:
            (session.project.root / file).write_text("# Saved\n\nThe alarm is at 41 °C.\n", "utf-8")
            saved_at = time.perf_counter()
            session.look_again()
        elif event.record.file == file:
            found_at = time.perf_counter()
    return found_at - saved_at, time.perf_counter() - saved_at


def _write_notes(folder: Path, count: int) -> None:
    for number in range(count):
        path = folder / f"{number % 100:02}" / f"Note-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (
            f"# Note {number} of {folder.name}\n\nThe gap of part {number} is {number % 97} mm.\n"
        )
        path.write_text(text, "utf-8")
