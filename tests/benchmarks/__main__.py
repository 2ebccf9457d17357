"""``python -m tests.benchmarks [NAME…] [--out FILE]``: run benchmarks, print one JSON."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks.figures_page import write_page
from tests.benchmarks.frame import Benchmark, Figure, Unavailable, seconds
from tests.benchmarks.machine import this_machine
from tests.benchmarks.registry import BENCHMARKS

SIGNIFICANT_DIGITS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print; 1 when a benchmark failed, 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which ones (default: all)")
    parser.add_argument("--out", type=Path, help="write the JSON to this file too")
    parser.add_argument("--list", action="store_true", help="list the names and stop")
    parser.add_argument(
        "--page", action="store_true", help="write README.md from measured.json and stop"
    )
    parser.add_argument(
        "--questions", type=int, default=0, metavar="N", help="ask at most so many of a set"
    )
    chosen = parser.parse_args(arguments)
    if chosen.page:
        write_page()
        return 0
    known = {each.name: each for each in BENCHMARKS}
    if chosen.list:
        for each in BENCHMARKS:
            print(f"{each.name:12} {each.about}")
        return 0
    unknown = [name for name in chosen.names if name not in known]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)} (known: {', '.join(known)})")
    whole = [name for name in chosen.names if not known[name].has_questions]
    if chosen.questions and (whole or not chosen.names):
        which = ", ".join(each.name for each in BENCHMARKS if each.has_questions)
        parser.error(f"--questions is for {which}")
    every = [each.name for each in BENCHMARKS if not each.only_when_named]
    results = [run_one(known[name], chosen.questions) for name in chosen.names or every]
    report = {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": asdict(this_machine()),
        "benchmarks": results,
    }
    text = json.dumps(report, indent=2, ensure_ascii=False)
    print(text)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")
    return 1 if any("error" in each for each in results) else 0


def run_one(benchmark: Benchmark, questions: int = 0) -> dict[str, object]:
    """Run one benchmark, with at most so many ``questions`` where that is above 0; what went wrong
    is in the result, so that the others still run."""
    figures: list[dict[str, object]] = []
    result: dict[str, object] = {"name": benchmark.name, "about": benchmark.about}
    print(f"{benchmark.name}: {benchmark.about} …", file=sys.stderr, flush=True)

    def run() -> None:
        for each in benchmark.run(questions) if questions else benchmark.run():
            figures.append(_plain(each))
            print(f"  {_line(each)}", file=sys.stderr, flush=True)

    try:
        result["seconds"] = round(seconds(run), 1)
    except Unavailable as reason:
        result["unavailable"] = str(reason)
    except Exception as error:  # noqa: BLE001 - an hour of other figures must not be lost
        traceback.print_exc()
        result["error"] = f"{type(error).__name__}: {error}"
    result["figures"] = figures
    return result


def _line(measured: Figure) -> str:
    met = {None: "", True: ", met", False: ", not met"}[measured.is_met]
    return (
        f"{measured.name:48} {measured.median:8.3g} {measured.unit:5} "
        f"[{measured.minimum:.3g}, {measured.p95:.3g}]  n = {measured.n}{met}"
    )


def _plain(measured: Figure) -> dict[str, object]:
    values = {
        key: float(f"{value:.{SIGNIFICANT_DIGITS}g}") if isinstance(value, float) else value
        for key, value in asdict(measured).items()
    }
    if measured.is_met is not None:
        values["is_met"] = measured.is_met
    else:
        del values["target"], values["at_least"]
    return {key: value for key, value in values.items() if value != ""}


if __name__ == "__main__":
    sys.exit(main())
