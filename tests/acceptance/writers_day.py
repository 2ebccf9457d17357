"""Tasks of a writer's day on the sample project, by mouse and keys, a picture after each.

``python -m tests.acceptance.writers_day OUT_DIR [--dark] [--scale 2]``; 1 when a task failed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.acceptance.writers_hands import Writer

# A small laptop, in the pixels that programs count in; Qt's own is 800 by 800.
SCREEN = (1280, 720)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task went; ``why`` is empty where it was done."""

    name: str
    seconds: float
    why: str = ""


def run_day(out: Path, *, is_dark: bool = False) -> list[Outcome]:
    """Do every task one after the other, whatever became of the one before."""
    # Qt reads the scale at its start: nothing of it is imported before.
    from phasergun_desktop import app
    from phasergun_desktop.paths import Places, user_places
    from phasergun_desktop.ui.theme_switch import ThemeSwitch
    from tests.acceptance.writers_hands import Writer
    from tests.acceptance.writers_tasks import TASKS

    out.mkdir(parents=True, exist_ok=True)
    outcomes: list[Outcome] = []
    application = app.make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory(prefix="phasergun-day-") as home:
        base = Path(home)
        places = Places(base / "cache", base / "data", base / "config", user_places().models)
        writer = Writer(places, ThemeSwitch(application), out)
        if is_dark:
            writer.window.commands.run("theme-dark")
        try:
            for number, task in enumerate(TASKS, start=1):
                outcomes.append(_done(number, task, writer))
        finally:
            writer.close()
            app.release_clipboard()
    return outcomes


def _done(number: int, task: Callable[[Writer], None], writer: Writer) -> Outcome:
    name = task.__name__
    start, why = time.monotonic(), ""
    try:
        task(writer)
    except Exception as error:  # noqa: BLE001 - the day goes on, and the picture says the rest
        traceback.print_exc()
        why = f"{type(error).__name__}: {error}"
    writer.picture(f"{number:02}-{name}")
    outcome = Outcome(name, time.monotonic() - start, why)
    print(f"{number:2} {name:34} {outcome.seconds:5.1f} s  {why or 'done'}", flush=True)
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the day; 1 when a task failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder of the pictures")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--scale", default="1", help="factor of the screen, as 2 for 200 %%")
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    screen = chosen.out / "screen.json"
    width, height = (int(side * float(chosen.scale)) for side in SCREEN)
    one = {"name": "laptop", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
    screen.write_text(json.dumps({"screens": [one]}), encoding="utf-8")
    os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={screen}")
    os.environ["QT_SCALE_FACTOR"] = chosen.scale
    return 1 if any(one.why for one in run_day(chosen.out, is_dark=chosen.dark)) else 0


if __name__ == "__main__":
    sys.exit(main())
