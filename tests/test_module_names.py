"""No two modules of the package have the same name, so that a name says which one is meant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import phasergun_desktop

# Every room may have a model of its own.
SHARED = {"__init__.py", "model.py"}


def test_every_module_has_a_name_of_its_own() -> None:
    package = Path(phasergun_desktop.__file__).parent
    names = Counter(path.name for path in package.rglob("*.py") if path.name not in SHARED)
    assert len(names) > 300
    assert [name for name, times in names.items() if times > 1] == []
