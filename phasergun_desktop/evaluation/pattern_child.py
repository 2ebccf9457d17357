"""The process that searches texts for patterns: a slow pattern can be ended only with it."""

from __future__ import annotations

import json
import os
import re
import sys

# The first argument of a frozen build that asks for this process instead of the window.
CHILD_ARGUMENT = "--pattern-child"
CHILD_MODULE = "phasergun_desktop.evaluation.pattern_child"


def main() -> int:
    """Read ``{"patterns", "texts"}`` and print a line for each pattern, as soon as it is known:
    1 where a text has it, else 0."""
    asked = json.loads(sys.stdin.buffer.read())
    for pattern in asked["patterns"]:
        search = re.compile(pattern, re.IGNORECASE).search
        os.write(1, b"1\n" if any(search(text) for text in asked["texts"]) else b"0\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
