"""Flips bits of an index at rest."""

from __future__ import annotations

import random
from pathlib import Path
from unittest.mock import patch

from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.index.unit_index import TABLE_FILE
from phasergun_desktop.index.vector_cache import SNAPSHOT_FILE, SNAPSHOT_RECORD
from phasergun_desktop.storage import database
from tests.faults.faulty_project import FaultyProject, Outcome

MOST_BITS = 8


def flip_bits(project: FaultyProject, seed: int) -> Outcome:
    """Flip one to eight bits anywhere in the database, then work with it; in half of the runs it is
    not read through at opening, as that of a large project is not."""
    choice = random.Random(seed)
    project.put(project.sound)
    what = _flip(project.cache / INDEX_FILE, choice)
    if choice.random() < 0.5:
        return project.outcome("flipped_bits", seed, what, [])
    with patch.object(database, "CHECKED_AT_OPEN_BYTES", 0):
        return project.outcome("flipped_bits", seed, f"{what}, not checked at opening", [])


def flip_bits_beside(project: FaultyProject, seed: int) -> Outcome:
    """Flip one to eight bits of a file that is kept beside the database, then work with it."""
    choice = random.Random(seed)
    project.put(project.sound)
    name = choice.choice((SNAPSHOT_FILE, SNAPSHOT_RECORD, TABLE_FILE))
    return project.outcome("flipped_bits_beside", seed, _flip(project.cache / name, choice), [])


class FlippedShared:
    """Flips one to eight bits of the vectors that projects share, which are whole at first."""

    def __init__(self, project: FaultyProject) -> None:
        self._project = project
        project.shared.close()
        self._sound = project.shared_file.read_bytes()

    def run(self, seed: int) -> Outcome:
        """Flip bits, then read every document with what is left."""
        self._project.put(None)
        self._project.shared.close()
        self._project.shared_file.write_bytes(self._sound)
        what = _flip(self._project.shared_file, random.Random(seed))
        return self._project.outcome("flipped_bits_shared", seed, what, [])


def _flip(path: Path, choice: random.Random) -> str:
    content = bytearray(path.read_bytes())
    bits = [choice.randrange(len(content) * 8) for _ in range(choice.randint(1, MOST_BITS))]
    for bit in bits:
        content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return f"{path.name}: bits {bits}"
