"""The commands on runs that were kept: listed, and two of them compared."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.prompt_input import opened
from phasergun_desktop.evaluation.run_comparison import (
    Comparison,
    compare,
    comparison_json,
    run_json,
)
from phasergun_desktop.evaluation.run_store import EvaluationRun, RunStore, run_of
from phasergun_desktop.wiring import Application

_SHOWN_FIGURES = 4


def list_runs(application: Application, options: Namespace, console: Console) -> int:
    """List the runs of a project, or those that belong to none."""
    runs = [run_json(run) for run in _runs(application, options, console)]
    if console.wants_json:
        console.result({"status": "complete", "runs": runs})
        return 0
    for run in runs:
        metrics = run["metrics"]
        figures = [
            f"{name} {value:.3f}"
            for name, value in (metrics.items() if isinstance(metrics, dict) else ())
            if isinstance(value, float)
        ]
        shown = ", ".join(figures[:_SHOWN_FIGURES])
        console.say(f"{run['run']:4}  {run['made']}  {run['kind']:9}  {run['file']}  {shown}")
    if not runs:
        console.say("No runs were kept yet.")
    return 0


def compare_runs(application: Application, options: Namespace, console: Console) -> int:
    """Compare two runs question by question."""
    runs = _runs(application, options, console)
    first, second = (run_of(runs, number) for number in options.compare)
    comparison = compare(first, second)
    if console.wants_json:
        console.result(comparison_json(comparison))
    else:
        _say(console, comparison)
    return 0


def _runs(
    application: Application, options: Namespace, console: Console
) -> tuple[EvaluationRun, ...]:
    if options.project is not None:
        with opened(application, options.project, console) as session:
            return session.evaluation_runs()
    with closing(RunStore(application.runs_file)) as store:
        return store.runs()


def _say(console: Console, comparison: Comparison) -> None:
    for run in (comparison.first, comparison.second):
        console.say(f"{run.run_id:4}  {run.made}  {run.file}  {run.versions}")
    if comparison.first.sha256 != comparison.second.sha256:
        console.note("warning: the two runs are not on the same file.")
    if comparison.only_one:
        console.note(f"warning: {comparison.only_one} questions are in one of them only.")
    console.say(
        f"{'':18}{'first':>8}{'second':>8}  {'difference':24}{'won':>5}{'lost':>5}{'same':>6}"
    )
    for each in comparison.figures:
        change = each.difference
        told = f"{change.value:+.3f}  [{change.low:+.3f}, {change.high:+.3f}]"
        console.say(
            f"{each.name:18}{each.first:8.3f}{each.second:8.3f}  {told:24}"
            f"{each.won:5}{each.lost:5}{each.same:6}"
        )
    for question in comparison.questions:
        if question.differs:
            changes = ", ".join(f"{name} {a:.2f} → {b:.2f}" for name, a, b in question.differs)
            console.say(f"  {question.question_id[:12]:12}  {question.text[:60]:60}  {changes}")
