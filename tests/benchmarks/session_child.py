"""A child process without a window that opens an indexed project and searches once.

``python -m tests.benchmarks.session_child PROJECT QUESTION``; prints one JSON object with
milliseconds and bytes. ``PHASERGUN_HOME`` and ``PHASERGUN_MODELS`` say where the index is.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import psutil


def main() -> int:
    """Open, search, count."""
    from phasergun_desktop.paths import user_places
    from phasergun_desktop.wiring import build_application
    from tests.benchmarks.glucose import NO_MODEL

    root, question = Path(sys.argv[1]), sys.argv[2]
    application = build_application(user_places(), model=NO_MODEL)
    start = time.perf_counter()
    session = application.workspace.open(root)
    files = session.files()
    opened = time.perf_counter()
    hits = session.search(question).hits
    searched = time.perf_counter()
    memory = psutil.Process().memory_full_info()
    marks = {
        "open_ms": (opened - start) * 1000,
        "first_search_ms": (searched - opened) * 1000,
        "files": len(files),
        "hits": len(hits),
        "rss": memory.rss,
        "uss": memory.uss,
    }
    session.close()
    application.close()
    print(json.dumps(marks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
