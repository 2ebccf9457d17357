"""``python -m tests.faults [NAME…] [--runs N] [--out FILE]``: kills and faults of the disk.

Every run is a line of FILE; those that are there already are not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

from phasergun_desktop.paths import user_places
from tests.faults.faulty_project import FaultyProject, Outcome
from tests.faults.flipped_bits import FlippedShared, flip_bits, flip_bits_beside
from tests.faults.full_disk import fill_disk, small_disk
from tests.faults.half_written import HalfWritten
from tests.faults.kills import Kills

RUNS = {
    "kills": 1_000,
    "flipped_bits": 500,
    "flipped_bits_beside": 100,
    "flipped_bits_shared": 100,
    "half_written": 100,
    "full_disk": 100,
}
_INSIDE = "PHASERGUN_FAULTS_INSIDE"
_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")


def main(arguments: list[str]) -> int:
    """Run what is asked for and print how it ended; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--runs", type=int, help="instead of 100 to 1,000 of each")
    parser.add_argument("--out", type=Path, default=Path("faults.jsonl"))
    options = parser.parse_args(arguments)
    names = options.names or [*RUNS]
    if unknown := set(names) - RUNS.keys():
        parser.error(f"unknown: {', '.join(unknown)}")
    if "full_disk" in names and not os.environ.get(_INSIDE):
        # A small disk of its own, which nobody outside sees.
        command = [*_UNSHARE, sys.executable, "-m", "tests.faults", *arguments]
        return subprocess.run(command, check=False, env={**os.environ, _INSIDE: "1"}).returncode
    done = _read(options.out)
    for name in names:
        wanted = range(options.runs or RUNS[name])
        with options.out.open("a", encoding="utf-8") as file, _fault(name) as run:
            for seed in wanted:
                if (name, seed) not in done:
                    done[name, seed] = run(seed)
                    file.write(json.dumps(asdict(done[name, seed])) + "\n")
                    file.flush()
        _print(name, [done[name, seed] for seed in wanted])
    return int(any(each.wrong for each in done.values()))


@contextmanager
def _fault(name: str) -> Iterator[Callable[[int], Outcome]]:
    with tempfile.TemporaryDirectory(prefix="phasergun-faults-") as made:
        folder = Path(made)
        cache = folder / "home" / "cache"
        cache.mkdir(parents=True)
        with small_disk(cache) if name == "full_disk" else _any_disk():
            project = FaultyProject(folder, user_places().models)
            try:
                faults: dict[str, Callable[[], Callable[[int], Outcome]]] = {
                    "kills": lambda: Kills(project).run,
                    "flipped_bits": lambda: partial(flip_bits, project),
                    "flipped_bits_beside": lambda: partial(flip_bits_beside, project),
                    "flipped_bits_shared": lambda: FlippedShared(project).run,
                    "half_written": lambda: HalfWritten(project, folder).run,
                    "full_disk": lambda: partial(fill_disk, project),
                }
                yield faults[name]()
            finally:
                project.close()


@contextmanager
def _any_disk() -> Iterator[None]:
    yield


def _read(path: Path) -> dict[tuple[str, int], Outcome]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    outcomes = []
    for line in map(json.loads, lines):
        told, mended = tuple(line.pop("told")), tuple(line.pop("mended"))
        outcomes.append(Outcome(told=told, mended=mended, **line))
    return {(each.fault, each.seed): each for each in outcomes}


def _print(name: str, outcomes: list[Outcome]) -> None:
    wrong = [each for each in outcomes if each.wrong]
    print(f"{name}: {len(outcomes)} runs, {len(wrong)} wrong")
    ends: Counter[str] = Counter()
    for each in outcomes:
        parts = ["told"] * bool(each.told) + ["found otherwise"] * each.is_found_otherwise
        ends["; ".join([*parts, *each.mended]) or "as if nothing had happened"] += 1
    for end, times in ends.most_common():
        print(f"  {times:4} {end}")
    for each in wrong:
        print(f"  seed {each.seed}, {each.what}: {each.wrong}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
