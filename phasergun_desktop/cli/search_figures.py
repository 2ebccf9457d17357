"""The command that measures search on questions whose documents are known."""

from __future__ import annotations

import math
from argparse import Namespace

from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import StorageError
from phasergun_desktop.evaluation.collection_run import CollectionAsked, collection_json
from phasergun_desktop.evaluation.metrics import Estimate
from phasergun_desktop.evaluation.search_report import SearchFigures
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.wiring import Application


def evaluate_collection(application: Application, options: Namespace, console: Console) -> int:
    """Search a test collection for its queries."""
    half = Half(options.half) if options.half else None
    evaluation = application.collections(options.profile or "")
    report = console.run(evaluation.run(CollectionAsked(options.beir, options.split, half)))
    for sentence in report.bad:
        console.warn(sentence)
    try:
        evaluation.keep(report)
    except StorageError as error:
        console.warn(f"This run was not kept: {error.message} {error.remedy}".rstrip())
    if console.wants_json:
        console.result(collection_json(report))
        return 0
    console.say(
        f"{len(report.questions)} queries on {report.documents} documents, "
        f"{report.indexing_s:.1f} s of indexing and {report.seconds:.1f} s of searching"
    )
    say_figures(console, report.figures)
    return 0


def say_figures(console: Console, figures: SearchFigures) -> None:
    """Print the figures of searches with their intervals."""
    for name, each in figures.ranking:
        console.say(f"{name:12} {in_words(each)}")
    for name, each in figures.latency:
        console.say(f"latency {name}  {each.value:.0f} ms  [{each.low:.0f}, {each.high:.0f}]")


def in_words(figure: Estimate) -> str:
    """Return a figure with its interval."""
    if not math.isfinite(figure.value):
        return "not defined (a class is absent)"
    return f"{figure.value:.3f}  [{figure.low:.3f}, {figure.high:.3f}]"
