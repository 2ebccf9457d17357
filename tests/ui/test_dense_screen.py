"""Text fits at 200 %, and with letters half as large again, as at 100 %."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).with_name("test_accessibility.py")


def _run(**changed: str) -> subprocess.CompletedProcess[str]:
    """Run what looks for cut text in a process of its own: Qt reads these at its start only."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "cut", str(HERE)],
        env={**os.environ, **changed},
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


def test_no_text_is_cut_at_200_per_cent() -> None:
    done = _run(QT_SCALE_FACTOR="2")
    assert done.returncode == 0, done.stdout[-4000:]


def test_no_text_is_cut_with_letters_half_as_large_again(tmp_path: Path) -> None:
    screen = {"name": "one", "x": 0, "y": 0, "width": 1280, "height": 720, "dpr": 1}
    dots = {"logicalDpi": 144, "logicalBaseDpi": 96}
    config = tmp_path / "screen.json"
    config.write_text(json.dumps({"screens": [screen | dots]}), encoding="utf-8")
    done = _run(QT_QPA_PLATFORM=f"offscreen:configfile={config}", QT_ENABLE_HIGHDPI_SCALING="0")
    assert done.returncode == 0, done.stdout[-4000:]
