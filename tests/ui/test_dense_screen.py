"""Text fits at 200 %, and with letters half as large again, as at 100 %."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).with_name("test_accessibility.py")


@pytest.mark.parametrize(
    ("name", "value"), [("QT_SCALE_FACTOR", "2"), ("QT_FONT_DPI", "120")], ids=["200 %", "letters"]
)
def test_no_text_is_cut(name: str, value: str) -> None:
    """In a process of its own: Qt reads either at the start of one only."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "cut", str(HERE)],
        env={**os.environ, name: value},
        cwd=HERE.parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
