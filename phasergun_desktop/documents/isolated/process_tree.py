"""The processes that a process has started, on systems without a call for that."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_ASK_SECONDS = 2.0


def descendants(process_id: int) -> list[int]:
    """Return the ids of the children of ``process_id``, of their children, and so on.

    Linux: from ``/proc``; macOS: from the program ``ps``. Not for Windows, where a job object
    ends what belongs together.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    for child, parent in _pairs():
        children[parent].append(child)
    found: list[int] = []
    left = [process_id]
    while left:
        below = children.pop(left.pop(), [])
        found.extend(below)
        left.extend(below)
    return found


def _pairs() -> Iterator[tuple[int, int]]:
    """Yield (process, its parent) of every process."""
    processes = Path("/proc")
    if (processes / "self" / "stat").exists():
        for each in processes.iterdir():
            if each.name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    # After the name in brackets, which may hold anything: state, parent.
                    fields = (each / "stat").read_bytes().rpartition(b")")[2].split()
                    yield int(each.name), int(fields[1])
        return
    with suppress(OSError, subprocess.SubprocessError, ValueError):
        done = subprocess.run(
            ["ps", "-axo", "pid=,ppid="],
            capture_output=True,
            timeout=_ASK_SECONDS,
            check=True,
        )
        for line in done.stdout.splitlines():
            child, parent = line.split()
            yield int(child), int(parent)
