"""A second PhaserGun at the same project: ``other_process ROOT HOME MODELS``.

Reads orders from its input, a line each: ``sync``, ``type`` (something into a prompt), ``work``
(both again and again, until the next order). Answers each with ``done``.
"""

from __future__ import annotations

import queue
import sys
import threading
from contextlib import closing
from pathlib import Path

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.workspace.conftest import places_in

REPORT = "Context/Ongoing/Report.md"


def main() -> int:
    """Do what is ordered until the input ends."""
    root, home, models = map(Path, sys.argv[1:])
    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    application = build_application(places_in(home, models))
    with closing(application), closing(application.workspace.open(root)) as session:
        print("done", flush=True)
        threading.Thread(target=_take, args=(orders,), daemon=True).start()
        while order := orders.get():
            round_ = 0
            while True:
                round_ += 1
                if order in ("work", "type"):
                    session.keep_typed_prompts((TypedPrompt("", f"Round {round_}"),))
                if order == "work":
                    _write(session, round_)
                if order in ("work", "sync"):
                    run_to_end(session.sync())
                if order != "work" or not orders.empty():
                    break
            print("done", flush=True)
    return 0


def _take(orders: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        orders.put(line.strip())
    orders.put("")


def _write(session: ProjectSession, number: int) -> None:
    text = f"# Report\n\nThe alarm number {number} sounds at 42.5 °C."
    (session.project.root / REPORT).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
