"""The command that writes a section: ``draft``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.prompt_input import bring_up_to_date, opened, planned, printed_plan
from phasergun_desktop.cli.report import note_checks, note_problems
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import ExportError, ExportNotRecordedError, ModelError, StorageError
from phasergun_desktop.jobs import Event, Job
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.json_form import footnote_json, plan_json
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.workspace.session_drafts import not_kept
from phasergun_desktop.workspace.session_prompts import PromptFile
from phasergun_desktop.workspace.turn_json import result_json
from phasergun_desktop.writing.model import (
    AnswerResult,
    AnswerStatus,
    PointStarted,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)

ResultT = TypeVar("ResultT")
_DONE = (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)


def draft(application: Application, options: Namespace, console: Console) -> int:
    """Draft a section from a prompt file."""
    _check_folder(options.out)
    with opened(application, options.project, console) as session:
        if options.plan is not None:
            printed = printed_plan(options.plan)
            bring_up_to_date(session, console)
            prompt, made = PromptFile("", options.plan.stem, ""), session.plan_of(printed)
        else:
            prompt, made = planned(session, options, console)
        result = _generate(session, made, options, console, joins(options))
        try:
            if result.status is AnswerStatus.BLOCKED:
                session.log(ActivityKind.DRAFT, result)
            else:
                kept = session.keep(result, prompt.file)
                result = replace(result, warnings=kept.warnings)
                if options.out is not None and result.status in _DONE:
                    _export(session, kept, options.out, console)
        except StorageError as error:
            console.warn(not_kept(error))
        return _finish(console, result)


def joins(options: Namespace) -> bool:
    """Whether the language model joins the paragraphs: whoever names one wants it used."""
    wants = options.prose or options.model or options.model_profile
    return bool(wants) and not options.no_llm


def _export(session: ProjectSession, draft: Draft, out: Path, console: Console) -> None:
    try:
        session.export(draft, out)
    except ExportNotRecordedError as error:
        console.warn(f"{error.message} {error.remedy}".rstrip())
    console.note(f"Written to {out}.")


def _check_folder(out: Path | None) -> None:
    """A folder that is not there must be known before minutes of writing, not after."""
    if out is not None and not out.absolute().parent.is_dir():
        raise ExportError(
            "File not written",
            f"The folder for {out.name} does not exist.",
            "Make the folder first, or choose another one.",
        )


def _generate(
    session: ProjectSession, made: Plan, options: Namespace, console: Console, use_model: bool
) -> AnswerResult:
    if use_model and not made.is_blocked:
        check_model(session, made.agent)
    job = session.draft(made, should_stop=lambda: console.stop_requested, use_model=use_model)
    if options.stream:
        plan = plan_json(made)
        console.stream("start", plan=plan)
        console.stream("evidence", passages=plan["passages"])
    return run_writing(job, console)


def check_model(session: ProjectSession, agent: str = "") -> None:
    """Raise ``ModelError`` where the language model (of ``agent``, empty for nobody) cannot be
    used."""
    problem = session.model_status(session.agent(agent) if agent else None)
    if problem:
        raise ModelError("The language model is not ready", problem, "Or add --no-llm.")


def run_writing(
    job: Job[ResultT], console: Console, on_event: Callable[[Event], None] = lambda event: None
) -> ResultT:
    """Run a job that writes, showing what it does, also to ``on_event``; Ctrl-C asks it to stop."""
    show = _stream_json(console) if console.streams else _points_in_words(console)

    def each_event(event: Event) -> None:
        on_event(event)
        show(event)

    return console.run(job, each_event)


def _stream_json(console: Console) -> Callable[[object], None]:
    def show(event: object) -> None:
        match event:
            case PointStarted(index=index, total=total, point=point):
                console.stream("point", index=index, total=total, text=point.instruction)
            case TextStreamed(text=text):
                console.stream("token", text=text)
            case StreamDiscarded():
                console.stream("discarded")
            case UnitBound(unit=unit, footnotes=notes):
                console.stream(
                    "sentence",
                    text=unit.text,
                    citations=list(unit.citations),
                    support=unit.support.value,
                    footnotes=[footnote_json(note) for note in notes],
                )

    return show


def _points_in_words(console: Console) -> Callable[[object], None]:
    def show(event: object) -> None:
        match event:
            case PointStarted(index=at, total=total, point=point):
                device = f" ({point.device})" if point.device else ""
                console.note(f"Point {at + 1} of {total}: {point.instruction[:70]}{device}")

    return show


def _finish(console: Console, result: AnswerResult) -> int:
    is_done = result.status in _DONE
    if console.streams:
        console.stream("complete" if is_done else "error", **result_json(result))
    elif console.wants_json:
        console.result(result_json(result))
    elif result.status is AnswerStatus.BLOCKED:
        note_problems(console, result.plan)
    else:
        console.say(result.text)
        note_checks(console, result)
        if result.status is AnswerStatus.CANCELLED:
            console.note("Stopped.")
        if result.error is not None:
            error = result.error
            console.note(f"{error.title}: {error.message} {error.remedy}".rstrip())
    return 0 if is_done else 1
