"""Lets the disk of an index be full: a small one in memory."""

from __future__ import annotations

import os
import random
import subprocess
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import run_to_end
from tests.faults.faulty_project import FaultyProject, Outcome

_DISK_KB = 4_000
_MOST_ROOM = 500_000


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small disk at ``folder``; raises ``CalledProcessError`` where that is not allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_KB}k", "tmpfs", str(folder)]
    subprocess.run(mount, check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill_disk(project: FaultyProject, seed: int) -> Outcome:
    """Sync from nothing or from an earlier state with little room left; then with room again."""
    choice = random.Random(seed)
    start = choice.choice((None, project.earlier))
    project.put(start)
    room = choice.randrange(0, _MOST_ROOM)
    filler = project.cache.parent / "filler"
    free = os.statvfs(filler.parent)
    filler.write_bytes(bytes(max(0, free.f_bavail * free.f_frsize - room)))
    told: list[str] = []
    try:
        _work(project, told)
        wrong = ""
    except Exception:  # noqa: BLE001 - what is looked for
        wrong = traceback.format_exc()
    filler.unlink()
    outcome = project.outcome("full_disk", seed, f"from {start}, {room} bytes free", told)
    return replace(outcome, wrong=wrong or outcome.wrong)


def _work(project: FaultyProject, told: list[str]) -> None:
    try:
        with project.opened() as session:
            project.seen(session, told)
            try:
                run_to_end(session.sync())
            except PhaserGunError as error:
                if not error.remedy:
                    raise
                told.append(error.title)
            project.seen(session, told)
    except PhaserGunError as error:
        if not error.remedy:
            raise
        told.append(error.title)
