"""The tasks of a writer's day are done on the real window, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

MOST_S = 900


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--dark", "--scale", "2")], ids=["light", "dark, 200 %"])
def test_every_task_is_done(options: tuple[str, ...], tmp_path: Path, models_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.acceptance.writers_day", str(tmp_path), *options],
        env={key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
        | {"PHASERGUN_MODELS": str(models_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=MOST_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert len(list(tmp_path.glob("[0-9][0-9]-*.png"))) >= 20
