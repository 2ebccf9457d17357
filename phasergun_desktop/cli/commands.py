"""One function per command; each returns its exit code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event as ThreadEvent

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.answering.model import (
    AnswerResult,
    AnswerStatus,
    Plan,
    PointStarted,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)
from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import PhaserGunError, PromptError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.references.model import Severity
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.json_form import (
    Json,
    activity_json,
    answer_json,
    footnote_json,
    plan_json,
    search_json,
    status_json,
)
from phasergun_desktop.workspace.session import ProjectSession


def index(application: Application, options: Namespace, console: Console) -> int:
    """Bring the index up to date, and keep it so with ``--watch``."""
    with closing(application.workspace.open(options.project)) as session:
        dirty = ThreadEvent()
        stop = session.watch(dirty.set) if options.watch else None
        try:
            while True:
                report = console.run(session.sync())
                files = session.files()
                if console.wants_json:
                    details: Json = {"seconds": round(report.seconds, 3)}
                    console.result(status_json(files, details))
                else:
                    console.say(_counts_in_words(files) + f" ({report.seconds:.1f} s)")
                    _say_problems(console, files)
                if stop is None:
                    return 0
                while not dirty.wait(0.5):
                    pass
                dirty.clear()
        finally:
            if stop is not None:
                stop()


def status(application: Application, options: Namespace, console: Console) -> int:
    """Show every file and its state."""
    with closing(application.workspace.open(options.project)) as session:
        files = session.files()
        if console.wants_json:
            console.result(status_json(files, session.details()))
            return 0
        for record in files:
            reason = f"  {record.reason}" if record.reason else ""
            console.say(f"{record.state.value:8}  {record.file}{reason}")
        console.say(_counts_in_words(files))
    return 0


def search(application: Application, options: Namespace, console: Console) -> int:
    """Print the best passages for a query."""
    with closing(application.workspace.open(options.project)) as session:
        _ensure_indexed(session, console)
        result = session.search(options.query, limit=options.k)
        if console.wants_json:
            console.result(search_json(result))
            return 0
        for hit in result.hits:
            where = " › ".join(hit.heading_path)
            console.say(f"{hit.rank:2}. {hit.score:.3f}  {hit.file}  [{hit.layer.value}]  {where}")
            best = hit.windows[0] if hit.windows else None
            text = hit.text[best.start - hit.start : best.end - hit.start] if best else hit.text
            console.say("    " + " ".join(text.split())[:200])
        if not result.hits:
            console.say("No matching documents.")
    return 0


def plan(application: Application, options: Namespace, console: Console) -> int:
    """Show what a prompt would use."""
    with closing(application.workspace.open(options.project)) as session:
        _ensure_indexed(session, console)
        made = session.plan(_prompt_text(options.project, options.prompt_file))
        if console.wants_json:
            console.result(plan_json(made))
        else:
            _say_plan(console, made)
        return 1 if made.is_blocked else 0


def draft(application: Application, options: Namespace, console: Console) -> int:
    """Draft a section from a prompt file."""
    with closing(application.workspace.open(options.project)) as session:
        _ensure_indexed(session, console)
        made = session.plan(_prompt_text(options.project, options.prompt_file))
        result = _generate(session, made, options, console)
        if result.status is not AnswerStatus.BLOCKED:
            kept = session.keep(result, Path(options.prompt_file).name)
            if options.out is not None:
                session.export(kept, options.out)
                console.note(f"Written to {options.out}.")
        return _finish(console, result)


def ask(application: Application, options: Namespace, console: Console) -> int:
    """Answer one question."""
    with closing(application.workspace.open(options.project)) as session:
        _ensure_indexed(session, console)
        made = session.plan(_as_question(options.question))
        result = _generate(session, made, options, console)
        session.log(ActivityKind.ASK, result)
        return _finish(console, result)


def models(application: Application, options: Namespace, console: Console) -> int:
    """List, fetch or verify model files."""
    store = application.models
    if options.action == "fetch":
        if not options.name:
            console.note("Say which model: phasergun models fetch NAME.")
            return 2
        path = console.run(store.fetch(options.name))
        console.note(f"{options.name} is ready: {path.name}.")
    statuses = (
        console.run(store.verify(options.name)) if options.action == "verify" else store.list()
    )
    if console.wants_json:
        console.result(
            {
                "models": [
                    {
                        "name": s.entry.name,
                        "kind": s.entry.kind.value,
                        "state": s.state.value,
                        "bytes": s.entry.size_bytes,
                        "sha256": s.entry.sha256,
                        "licence": s.entry.licence,
                        "problem": s.problem,
                    }
                    for s in statuses
                ]
            }
        )
    else:
        for s in statuses:
            size = f"{s.entry.size_bytes / 1e6:,.0f} MB"
            console.say(f"{s.state.value:9} {size:>9}  {s.entry.name}  ({s.entry.licence})")
    damaged = [s for s in statuses if s.problem and s.state.value == "damaged"]
    return 1 if damaged else 0


def log(application: Application, options: Namespace, console: Console) -> int:
    """Show the activity log and whether its chain is whole."""
    with closing(application.workspace.open(options.project)) as session:
        entries = session.activity.entries(limit=options.n)
        verified = session.activity.verify()
        if console.wants_json:
            console.result(
                {
                    "entries": [activity_json(entry) for entry in entries],
                    "verified": verified.ok,
                    "first_bad": verified.first_bad,
                }
            )
            return 0 if verified.ok else 1
        for entry in entries:
            what = " ".join(entry.activity.prompt.split())[:70] or entry.activity.subject
            console.say(f"{entry.number:5}  {entry.at}  {entry.activity.kind.value:7} {what}")
        whole = "whole" if verified.ok else f"broken at entry {verified.first_bad}"
        console.say(f"The chain of the log is {whole}.")
        return 0 if verified.ok else 1


def _generate(
    session: ProjectSession, made: Plan, options: Namespace, console: Console
) -> AnswerResult:
    if not options.no_llm and not made.is_blocked:
        problem = session.model_status()
        if problem:
            raise PhaserGunError(
                "The language model is not ready", problem, "Or draft with --no-llm."
            )
    console.can_stop = True
    job = session.draft(
        made, should_stop=lambda: console.stop_requested, use_model=not options.no_llm
    )
    show = _stream_json(console) if options.stream else _progress_words(console)
    if options.stream:
        console.stream("start", plan=plan_json(made))
        console.stream("evidence", passages=plan_json(made)["passages"])
    try:
        while True:
            try:
                event = next(job)
            except StopIteration as stop:
                result: AnswerResult = stop.value
                return result
            show(event)
    finally:
        job.close()
        console.can_stop = False


def _stream_json(console: Console) -> Callable[[object], None]:
    def show(event: object) -> None:
        match event:
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


def _progress_words(console: Console) -> Callable[[object], None]:
    def show(event: object) -> None:
        match event:
            case PointStarted(index=at, total=total, point=point):
                device = f" ({point.device})" if point.device else ""
                console.note(f"Point {at + 1} of {total}: {point.instruction[:70]}{device}")

    return show


def _finish(console: Console, result: AnswerResult) -> int:
    done = result.status in (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)
    if console.streams:
        console.stream("complete" if done else "error", **answer_json(result))
    elif console.wants_json:
        console.result(answer_json(result))
    elif result.status is AnswerStatus.BLOCKED:
        for problem in result.plan.problems:
            console.note(f"{problem.severity.value}: {problem.message} {problem.remedy}")
    else:
        console.say(result.text)
        _say_checks(console, result)
    return 0 if done else 1


def _say_checks(console: Console, result: AnswerResult) -> None:
    for unit in result.sentences:
        for problem in unit.problems:
            console.note(f"  ! {problem.message}  “{unit.text[:70]}”")
    for found in result.plan.problems:
        console.note(f"{found.severity.value}: {found.message} {found.remedy}")
    metrics = result.metrics
    console.note(
        f"Confidence {result.confidence.level.value} ({result.confidence.score:.2f}). "
        f"First word after {metrics.first_token_ms / 1000:.1f} s, "
        f"{metrics.total_ms / 1000:.1f} s in all, {metrics.completion_tokens} tokens written, "
        f"{metrics.prompt_tokens} read ({metrics.cached_tokens} of them kept from before)."
    )


def _say_plan(console: Console, made: Plan) -> None:
    for reference in made.references:
        target = reference.value.text if reference.value else ", ".join(reference.files)
        mark = "✓" if reference.resolved else "✗"
        console.say(f"{mark} {reference.text} → {target or 'nothing'}")
    for number, point in enumerate(made.points, start=1):
        device = f" — {point.device}" if point.device else ""
        console.say(f"{number}. {point.heading or point.instruction}{device} ({point.kind.value})")
        for passage in point.passages:
            where = " › ".join(passage.heading_path)
            console.say(f"     {passage.file}  {where}")
    console.say(f"About {made.tokens} tokens to read.")
    for problem in made.problems:
        severity = "BLOCKS" if problem.severity is Severity.BLOCKS else "warning"
        console.note(f"{severity}: {problem.message} {problem.remedy}")


def _ensure_indexed(session: ProjectSession, console: Console) -> None:
    """Index a project that was never indexed: a first command should not answer "nothing"."""
    if not session.files():
        console.run(session.sync())


def _prompt_text(project: Path, prompt_file: Path) -> str:
    for path in (prompt_file, project / prompt_file, project / "Context" / "Prompt" / prompt_file):
        if path.is_file():
            try:
                text = path.read_text(encoding="utf-8-sig").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise PromptError(
                    "The prompt cannot be read",
                    f"{path.name} is not a readable text file.",
                    "Save it as UTF-8 text.",
                ) from error
            if text:
                return text
            raise PromptError(
                "The prompt is empty", f"{path.name} has no text.", "Write what to draft."
            )
    raise PromptError(
        "The prompt is not there",
        f"{prompt_file} was not found.",
        "Name a file, or one in the project's Context/Prompt folder.",
    )


def _as_question(text: str) -> str:
    text = text.strip()
    return text if text.endswith(("?", ".", "!")) else f"{text}?"


def _counts_in_words(files: tuple[FileRecord, ...]) -> str:
    counts = {state: sum(record.state is state for record in files) for state in FileState}
    parts = [f"{counts[FileState.INDEXED]} indexed"]
    parts += [
        f"{counts[state]} {state.value}"
        for state in (FileState.PENDING, FileState.FAILED, FileState.SKIPPED)
        if counts[state]
    ]
    return f"{len(files)} files: " + ", ".join(parts)


def _say_problems(console: Console, files: tuple[FileRecord, ...]) -> None:
    for record in files:
        if record.state is FileState.FAILED:
            console.note(f"  {record.file}: {record.reason}")
