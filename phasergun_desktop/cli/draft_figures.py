"""The command that measures drafts on the facts that are wanted of them."""

from __future__ import annotations

import math
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.drafting import check_model, joins
from phasergun_desktop.cli.prompt_input import bring_up_to_date
from phasergun_desktop.errors import PromptError, StorageError
from phasergun_desktop.evaluation.draft_evaluation import DraftsAsked
from phasergun_desktop.evaluation.draft_report import DraftsReport, Recall, drafts_json
from phasergun_desktop.evaluation.json_lines import EvaluationFileError
from phasergun_desktop.evaluation.wanted_facts import FactsFile, Half, read_facts
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.workspace.session_drafts import not_kept

_NAME_WIDTH = 32


def evaluate_drafts(application: Application, options: Namespace, console: Console) -> int:
    """Plan and draft every prompt that the facts name, and count what is found. Drafts are not
    kept, and the log has no entry on them."""
    root, path = options.drafts
    file = read_facts(path)
    with closing(application.workspace.open(root)) as session:
        texts = _texts(session, file, Half(options.half) if options.half else None)
        use_model = joins(options)
        if use_model:
            check_model(session)
        bring_up_to_date(session, console)
        if use_model:
            # What is loaded once belongs to no draft's seconds.
            console.run(session.warm())
        asked = DraftsAsked(file, texts, use_model=use_model)
        evaluation = application.drafts
        report = console.run(evaluation.run(asked, session, lambda: console.stop_requested))
    figures = drafts_json(report)
    try:
        evaluation.keep(asked, report)
    except StorageError as error:
        # Figures that took an hour reach their reader also where the run cannot be kept.
        warning = not_kept(error, "This run")
        console.note(f"warning: {warning}")
        figures["warnings"] = [warning]
    if console.wants_json:
        console.result(figures)
    else:
        _say(console, report)
    return 0


def _texts(session: ProjectSession, file: FactsFile, half: Half | None) -> dict[str, str]:
    """Return the text of every prompt that the facts name, in the order of its first fact."""
    known: dict[str, str] = {}
    for prompt in session.prompts():
        path = session.project.root / prompt.file
        known[path.relative_to(session.prompt_folder).as_posix()] = prompt.text
    texts: dict[str, str] = {}
    for fact in file.facts:
        if not known.get(fact.prompt):
            raise _unknown(file.path, fact.line, fact.prompt, is_empty=fact.prompt in known)
        if half is None or half.has(fact.prompt):
            texts[fact.prompt] = known[fact.prompt]
    if not texts:
        raise EvaluationFileError(
            "No prompts",
            f"No prompt of {file.path.name} belongs to this half.",
            "Leave out --half, or choose the other one.",
        )
    return texts


def _unknown(file: Path, line: int, prompt: str, *, is_empty: bool) -> PromptError:
    what = "has no text" if is_empty else "is not in the project's Context/Prompt folder"
    return PromptError(
        "The prompt is empty" if is_empty else "The prompt is not there",
        f"Line {line} of {file.name} names “{prompt}”, which {what}.",
        "Correct the name, or write that prompt.",
    )


def _say(console: Console, report: DraftsReport) -> None:
    width = min(_NAME_WIDTH, max(len(each.prompt) for each in report.prompts))
    console.say(_line("prompt", width, "status", "pool", "select", "draft", "gaps", "words", "s"))
    for each in report.prompts:
        wanted = len(each.facts)
        counts = (
            sum(fact.in_pool for fact in each.facts),
            sum(fact.is_selected for fact in each.facts),
            sum(fact.is_drafted for fact in each.facts),
        )
        reported = sum(is_reported for _, is_reported in each.missing)
        console.say(
            _line(
                each.prompt[:width],
                width,
                each.status,
                *(f"{count}/{wanted}" for count in counts),
                f"{reported}/{len(each.missing)}",
                str(each.words),
                f"{each.plan_s + each.draft_s:.1f}",
            )
        )
    recalls = (report.pool, report.selected, report.drafted)
    console.say(
        _line(
            "total",
            width,
            "",
            *(f"{recall.found}/{recall.wanted}" for recall in recalls),
            "{}/{}".format(*report.missing),
            f"{sum(each.words for each in report.prompts)}",
            f"{sum(each.plan_s + each.draft_s for each in report.prompts):.1f}",
        )
    )
    console.say()
    for name, recall in zip(("pool", "selected", "drafted"), recalls, strict=True):
        console.say(f"{name:9} {_in_words(recall)}")
    abstained, should = report.abstentions
    if should:
        console.say(f"abstained {abstained} of {should} that should")


def _line(prompt: str, width: int, status: str, *columns: str) -> str:
    return f"{prompt:{width}}  {status:9}" + "".join(f"{each:>9}" for each in columns)


def _in_words(recall: Recall) -> str:
    share = recall.share
    if not math.isfinite(share.value):
        return "no facts are wanted"
    interval = f"  [{share.low:.3f}, {share.high:.3f}]" if math.isfinite(share.low) else ""
    return f"{share.value:.3f}{interval}"
