"""A copy of a project, indexed for a measurement and removed after it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.glucose import opened


@contextmanager
def indexed_copy(project: Path) -> Iterator[tuple[Application, ProjectSession]]:
    """Open a copy of the folder ``project`` with an up-to-date index, without a language model."""
    with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
        root = Path(folder) / "project"
        # Contents alone: the data may be read-only, and the copy is written to.
        shutil.copytree(project, root, copy_function=shutil.copyfile)
        with opened(root, Path(folder) / "home") as (application, session):
            run_to_end(session.sync())
            yield application, session
