"""The five prompts of project-glucose, drafted with the bundled model and counted."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus, FirstToken
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import (
    LANGUAGE_MODEL,
    GlucoseProject,
    WantedFact,
    model_file,
    opened,
)

_STATES_SOMETHING = (UnitKind.SENTENCE, UnitKind.LIST_ITEM, UnitKind.TABLE_ROW)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A draft of one prompt with what was found in it."""

    name: str
    result: AnswerResult
    seconds: float
    found: int
    missing: tuple[str, ...]
    units: int
    supported: int
    quotes: int
    wrong_quotes: int


def drafts(
    project: GlucoseProject, model: str = LANGUAGE_MODEL, only: Sequence[str] = ()
) -> Iterator[Figure]:
    """Draft every prompt once, in one session, in the order of their names."""
    model_file(model)
    made: list[_Draft] = []
    with (
        project.indexed_home() as home,
        opened(project.root, home, model=model) as (_, session),
    ):
        run_to_end(session.warm())
        for prompt in session.prompts():
            name = PurePosixPath(prompt.file).name
            if not only or name in only:
                made.append(_draft(session, name, prompt.text, project.facts()))
    for each in made:
        yield from _figures(each)
    facts = sum(each.found for each in made)
    wanted = facts + sum(len(each.missing) for each in made)
    yield figure(
        "drafts_facts",
        "share",
        [facts / max(1, wanted)],
        note=f"{facts} of {wanted} wanted facts in the text of the sections (without the list of"
        f" sources); {model}, temperature 0",
    )
    quotes = sum(each.quotes for each in made)
    right = quotes - sum(each.wrong_quotes for each in made)
    yield figure(
        "drafts_quotes_equal",
        "share",
        [right / max(1, quotes)],
        target=1.0,
        at_least=True,
        note=f"{right} of {quotes} footnotes have a quote equal to the source's text at its"
        " offsets, of the content with that digest",
    )
    yield figure("drafts_seconds", "s", [each.seconds for each in made], note="planning included")


def changed_prompt(
    project: GlucoseProject, model: str = LANGUAGE_MODEL, repeats: int = 3
) -> Iterator[Figure]:
    """Draft a prompt, change its last line, draft again: in the session, and after a restart."""
    model_file(model)
    name = "device-description.md"
    restarted: list[float] = []
    with project.indexed_home() as home:
        with opened(project.root, home, model=model) as (_, session):
            run_to_end(session.warm())
            text = next(p.text for p in session.prompts() if p.file.endswith(name))
            first = run_to_end(session.draft(session.plan(text), should_stop=lambda: False))
            again = [
                _first_token_s(session, f"{text}\nWrite it for edition {turn + 2}.")
                for turn in range(repeats)
            ]
        for turn in range(repeats):
            with opened(project.root, home, model=model) as (_, session):
                run_to_end(session.warm())
                restarted.append(_first_token_s(session, f"{text}\nWrite it for reader {turn}."))
    yield figure(
        "draft_first_token", "s", [first.metrics.first_token_ms / 1000], note=f"{name}, new"
    )
    note = "the whole path with planning, after a line was put behind the prompt"
    yield figure("draft_first_token_changed_line", "s", again, target=1.0, note=note)
    yield figure(
        "draft_first_token_after_restart",
        "s",
        restarted,
        target=1.0,
        note=f"{note}; application closed and built anew, in the same process; model loaded",
    )


def found_quotes(session: ProjectSession, result: AnswerResult) -> tuple[int, int]:
    """Return how many footnotes quote a file, and how many of them do so wrongly."""
    quoting = [note for note in result.footnotes if note.file]
    wrong = 0
    for note in quoting:
        try:
            source = session.source(note.file)
        except PhaserGunError:
            wrong += 1
            continue
        text = source.document.text[note.start : note.end]
        wrong += text != note.quote or not note.quote or source.record.sha256 != note.sha256
    return len(quoting), wrong


def written_text(result: AnswerResult) -> str:
    """Return what was written, headings and tables too, without footnotes and sources."""
    lines = [" | ".join(unit.cells) if unit.cells else unit.text for unit in result.sentences]
    return "\n".join(lines)


def _draft(session: ProjectSession, name: str, prompt: str, facts: Sequence[WantedFact]) -> _Draft:
    start = time.perf_counter()
    result = run_to_end(session.draft(session.plan(prompt), should_stop=lambda: False))
    spent = time.perf_counter() - start
    text = written_text(result)
    wanted = [fact for fact in facts if fact.prompt == name]
    missing = tuple(fact.fact for fact in wanted if not _is_stated(fact, text, result))
    stating = [
        unit for unit in result.sentences if unit.kind in _STATES_SOMETHING and not unit.is_header
    ]
    quotes, wrong = found_quotes(session, result)
    return _Draft(
        name=Path(name).stem,
        result=result,
        seconds=spent,
        found=len(wanted) - len(missing),
        missing=missing,
        units=len(stating),
        supported=sum(unit.support is Support.SUPPORTED for unit in stating),
        quotes=quotes,
        wrong_quotes=wrong,
    )


def _is_stated(fact: WantedFact, text: str, result: AnswerResult) -> bool:
    if not fact.pattern:
        return result.status is AnswerStatus.ABSTAINED
    return re.search(fact.pattern, text, re.IGNORECASE) is not None


def _figures(draft: _Draft) -> Iterator[Figure]:
    metrics = draft.result.metrics
    prefix = f"draft_{draft.name}"
    missing = f"; missing: {'; '.join(draft.missing)}" if draft.missing else ""
    wanted = draft.found + len(draft.missing)
    yield figure(
        f"{prefix}_seconds",
        "s",
        [draft.seconds],
        note=f"{draft.result.status.value}; {metrics.prompt_tokens} tokens read, of them"
        f" {metrics.cached_tokens} kept, {metrics.completion_tokens} written; confidence"
        f" {draft.result.confidence.level.value}",
    )
    yield figure(f"{prefix}_first_token", "s", [metrics.first_token_ms / 1000])
    yield figure(
        f"{prefix}_facts", "facts", [float(draft.found)], note=f"of {wanted} wanted{missing}"
    )
    yield figure(
        f"{prefix}_supported",
        "share",
        [draft.supported / draft.units if draft.units else 0.0],
        note=f"{draft.supported} of {draft.units} sentences, items and rows carried by their"
        " sources",
    )
    yield figure(
        f"{prefix}_wrong_quotes",
        "footnotes",
        [float(draft.wrong_quotes)],
        target=0.0,
        note=f"of {draft.quotes} that quote a file",
    )


def _first_token_s(session: ProjectSession, prompt: str) -> float:
    """Return the seconds from asking to the first word; the rest is not written."""
    has_begun = False
    spent = 0.0
    start = time.perf_counter()

    def note(event: Event) -> None:
        nonlocal has_begun, spent
        if isinstance(event, FirstToken) and not has_begun:
            has_begun, spent = True, time.perf_counter() - start

    run_to_end(session.draft(session.plan(prompt), should_stop=lambda: has_begun), note)
    if not has_begun:
        raise AssertionError("no word was written")
    return spent
