"""The command that measures the product on rows of a user's own."""

from __future__ import annotations

import math
from argparse import Namespace

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.draft_figures import evaluate_drafts
from phasergun_desktop.cli.kept_runs import compare_runs, list_runs
from phasergun_desktop.cli.search_figures import evaluate_collection, evaluate_questions, in_words
from phasergun_desktop.evaluation.grounding_report import GroundingReport, report_json
from phasergun_desktop.evaluation.grounding_run import Asked
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.wiring import Application


def evaluate(application: Application, options: Namespace, console: Console) -> int:
    """Evaluate what is asked for: drafts, search, or the support check."""
    if options.drafts is not None:
        return evaluate_drafts(application, options, console)
    if options.beir is not None:
        return evaluate_collection(application, options, console)
    if options.runs:
        return list_runs(application, options, console)
    if options.compare:
        return compare_runs(application, options, console)
    if options.project is not None:
        return evaluate_questions(application, options, console)
    asked = Asked(options.second_opinion)
    job = application.grounding.run(options.grounding, asked, lambda: console.stop_requested)
    report = console.run(job)
    if console.wants_json:
        console.result(report_json(report))
    else:
        _say(console, report)
    return 0


def _say(console: Console, report: GroundingReport) -> None:
    console.say(f"{report.rows} rows, {report.claims} claims, {report.seconds:.1f} s")
    console.say(f"area under the curve       {in_words(report.auc)}")
    console.say(f"balanced accuracy          {in_words(report.balanced_accuracy)}")
    console.say(f"F1                         {in_words(report.f1)}")
    console.say(f"calibration error          {report.calibration_error:.3f}")
    if math.isfinite(report.contradicted_auc.value):
        console.say(f"contradicted or supported  {in_words(report.contradicted_auc)} (area)")
        told = in_words(report.contradicted_balanced_accuracy)
        console.say(f"                           {told} (balanced accuracy)")
    console.say()
    console.say(f"{'label':18}" + "".join(f"{each.value:>13}" for each in Support))
    for label in dict.fromkeys(cell.label for cell in report.cells):
        rows = [cell.rows for cell in report.cells if cell.label == label]
        console.say(f"{label[:18]:18}" + "".join(f"{each:13}" for each in rows))
    opinions = report.opinions
    if opinions.model:
        console.say()
        console.say(
            f"Second opinion of {opinions.model}: {opinions.asked} rows asked about, "
            f"{opinions.kept} known from before, {opinions.seconds:.1f} s"
        )
