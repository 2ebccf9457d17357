"""A child process that opens an indexed project, searches it and plans its prompts.

``python -m tests.benchmarks.growth_child PROJECT``; prints one JSON object with milliseconds and
bytes. ``PHASERGUN_HOME`` and ``PHASERGUN_MODELS`` say where the index is.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import psutil

ResultT = TypeVar("ResultT")


def main() -> int:
    """Open, search, plan, count."""
    from phasergun_desktop.jobs import run_to_end
    from phasergun_desktop.paths import user_places
    from phasergun_desktop.wiring import build_application
    from tests.benchmarks.glucose import NO_MODEL
    from tests.benchmarks.search_questions import QUESTIONS

    spent: dict[str, list[float]] = {}

    def timed(name: str, work: Callable[[], ResultT]) -> ResultT:
        start, cpu_start = time.perf_counter(), time.process_time()
        result = work()
        spent.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        spent.setdefault(f"{name}_cpu", []).append((time.process_time() - cpu_start) * 1000)
        return result

    application = build_application(user_places(), model=NO_MODEL)
    # It is shared by all projects: what it costs does not grow.
    embedder = application._shared.embedder
    timed("embedder", lambda: embedder.embed(["warm"]))
    session = timed("open", lambda: application.workspace.open(Path(sys.argv[1])))
    files = timed("files", session.files)
    first, *questions = QUESTIONS
    timed("first", lambda: session.search(first))
    timed("warm", lambda: run_to_end(session.warm()))
    timings = [timed("search", partial(session.search, each)).timings for each in questions]
    for stage in ("embed", "keyword", "vector", "fuse"):
        spent[stage] = [float(getattr(each, f"{stage}_ms")) for each in timings]
    memory = {"search": psutil.Process().memory_info().rss}
    prompts = [each.text for each in session.prompts()]
    timed("first_plan", lambda: session.plan(prompts[0]))
    for prompt in prompts:
        timed("plan", partial(session.plan, prompt))
    memory["plan"] = psutil.Process().memory_info().rss
    index = session._parts.index
    with index.reading() as connection:
        counts = {
            table: connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
            for table in ("documents", "windows", "units")
        }
    session.close()
    application.close()
    print(json.dumps({"ms": spent, "bytes": memory, "files": len(files), "counts": counts}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
