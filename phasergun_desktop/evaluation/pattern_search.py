"""Searches texts for a user's own regular expressions, for a limited time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from phasergun_desktop.documents.isolated.process import child_environment
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.evaluation.pattern_child import CHILD_ARGUMENT, CHILD_MODULE
from phasergun_desktop.paths import child_start

# All patterns of a prompt take some milliseconds: this is for a machine that does much else.
LIMIT_S = 20.0


class SlowPatternError(Exception):
    """The pattern at ``place`` was not searched to its end."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def found_in(
    texts: Sequence[str], patterns: Sequence[str], limit_s: float = LIMIT_S
) -> tuple[bool, ...]:
    """Return for each pattern whether one of ``texts`` has it; every run of white space counts as
    one space.

    Python cannot interrupt a search, so that it runs in a process of its own. Raises
    ``SlowPatternError`` where a pattern takes longer than the rest of ``limit_s`` for all of them
    or the process ends at it, ``PhaserGunError`` where no process can be started.
    """
    if not texts or not patterns:
        return (False,) * len(patterns)
    asked = {"patterns": list(patterns), "texts": [" ".join(text.split()) for text in texts]}
    try:
        answer = subprocess.run(
            child_start(CHILD_ARGUMENT, CHILD_MODULE),
            input=json.dumps(asked).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            timeout=limit_s,
            check=False,
            # Ctrl-C of a terminal is for the one who asked: a search that it ended is not slow.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ).stdout
    except subprocess.TimeoutExpired as late:
        answer = late.stdout or b""
    except OSError as error:
        raise PhaserGunError(
            "Patterns not searched",
            f"The process that searches could not be started ({error.strerror or 'system error'}).",
            "Close other programs, then try again.",
        ) from error
    found = tuple(line == b"1" for line in answer.splitlines())
    if len(found) < len(patterns):
        raise SlowPatternError(len(found))
    return found
