"""Runs every way on every prompt and reports support, facts, readability, seconds and tokens.

Each draft is written to a file of JSON lines as soon as it is there; a run that finds the file
goes on where the last one ended. Environment: ``PHASERGUN_COMPOSITION_ROWS`` (that file),
``PHASERGUN_COMPOSITION_PROMPTS`` and ``PHASERGUN_COMPOSITION_WAYS`` (names, with commas; all) and
``PHASERGUN_COMPOSITION_DRAFTS`` (a folder for the drafts themselves).
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from phasergun_desktop.answering.model import AnswerResult, AnswerStatus
from phasergun_desktop.grounding.model import DraftSentence, Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.workspace.json_form import answer_json
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.composition.readability import copied_words, flesch, words_per_sentence
from tests.benchmarks.composition.recipe import GLUCOSE, Prompt, projects, prompts
from tests.benchmarks.composition.ways import WAYS, Way
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.glucose import (
    LANGUAGE_MODEL,
    NO_MODEL,
    GlucoseProject,
    model_file,
    opened,
    places_in,
)

_T = TypeVar("_T")
_ROWS = Path(tempfile.gettempdir()) / "phasergun-composition.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """One draft. Sentences are units that state something; ``copied`` and ``words`` count words;
    ``facts_kept`` counts those left when sentences that are not supported are dropped."""

    prompt: str
    way: str
    status: str
    sentences: int
    supported: int
    facts: int
    facts_kept: int
    wanted: int
    missing: tuple[str, ...]
    copied: int
    words: int
    flesch: float | None
    sentence_words: float | None
    gaps: int
    seconds: float
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    text: str


def composition(model: str = LANGUAGE_MODEL) -> Iterator[Figure]:
    """Compare the ways; only those and the prompts that the environment names, if it does."""
    known = projects()
    chosen = _named(list(prompts(known[GLUCOSE])), "PROMPTS", lambda prompt: prompt.name)
    ways = _named(list(WAYS), "WAYS", lambda way: way.name)
    if any(way.has_model for way in ways):
        model_file(model)
    file = Path(os.environ.get("PHASERGUN_COMPOSITION_ROWS") or _ROWS)
    rows = {(row.prompt, row.way): row for row in _read(file)}
    for name, project in known.items():
        for way in ways:
            open_ones = [p for p in chosen if p.project == name and (p.name, way.name) not in rows]
            for row in _drafts(project, way, open_ones, model):
                rows[row.prompt, row.way] = row
                with file.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
                print(f"composition: {row.prompt} {row.way} {row.seconds:.0f} s", file=sys.stderr)
    for is_held_out in (False, True):
        for way in ways:
            mine = [p for p in chosen if p.is_held_out == is_held_out]
            done = [rows[p.name, way.name] for p in mine if (p.name, way.name) in rows]
            yield from _figures(way, done, file, "held_out_" if is_held_out else "")


def _drafts(
    project: GlucoseProject, way: Way, chosen: Sequence[Prompt], model: str
) -> Iterator[Row]:
    if not chosen:
        return
    with project.indexed_home() as home:
        if not way.completes:
            _let_the_model_write_alone(home)
        with opened(project.root, home, model=model if way.has_model else NO_MODEL) as (_, session):
            if way.has_model:
                run_to_end(session.warm())
            for prompt in chosen:
                yield _draft(session, prompt, way)


def _let_the_model_write_alone(home: Path) -> None:
    """Give the user a profile of the same name that does not complete what a model writes."""
    profile = (resources_path() / "profiles" / "regulatory.yaml").read_text("utf-8")
    alone = profile.replace("\ncomplete: on\n", "\ncomplete: off\n")
    assert alone != profile
    own = places_in(home).config / "profiles" / "regulatory.yaml"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(alone, "utf-8")


def _draft(session: ProjectSession, prompt: Prompt, way: Way) -> Row:
    start = time.perf_counter()
    plan = way.plan(session.plan(prompt.text))
    if plan.is_blocked:
        raise Unavailable(f"{prompt.name}: {'; '.join(each.message for each in plan.problems)}")
    job = session.draft(plan, use_model=way.has_model, should_stop=lambda: False)
    result = run_to_end(job)
    seconds = time.perf_counter() - start
    if folder := os.environ.get("PHASERGUN_COMPOSITION_DRAFTS"):
        # The whole draft, to be read by a person: see tests.benchmarks.readings.
        path = Path(folder) / f"{prompt.name}.{way.name}.json"
        path.write_text(json.dumps(answer_json(result), ensure_ascii=False), "utf-8")
    return row_of(prompt, way.name, result, seconds)


def row_of(prompt: Prompt, way: str, result: AnswerResult, seconds: float) -> Row:
    """Return the figures of one draft."""
    stating = [unit for unit in result.sentences if _states(unit)]
    kept = [unit for unit in stating if unit.support is Support.SUPPORTED]
    plain = [unit.text for unit in stating if unit.kind is not UnitKind.TABLE_ROW]
    quotes = {note.number: note.quote for note in result.footnotes}
    counted = [
        copied_words(unit.text, [quotes.get(number, "") for number in unit.citations])
        for unit in stating
    ]
    found = [_is_found(w.pattern, stating, result) for w in prompt.wanted]
    left = [_is_found(w.pattern, kept, result) for w in prompt.wanted]
    metrics = result.metrics
    return Row(
        prompt=prompt.name,
        way=way,
        status=result.status.value,
        sentences=len(stating),
        supported=len(kept),
        facts=sum(found),
        facts_kept=sum(left),
        wanted=len(prompt.wanted),
        missing=tuple(w.fact for w, is_in in zip(prompt.wanted, left, strict=True) if not is_in),
        copied=sum(copied for copied, _ in counted),
        words=sum(words for _, words in counted),
        flesch=flesch(plain),
        sentence_words=words_per_sentence(plain),
        gaps=sum(unit.kind is UnitKind.TODO for unit in result.sentences),
        seconds=seconds,
        prompt_tokens=metrics.prompt_tokens,
        cached_tokens=metrics.cached_tokens,
        completion_tokens=metrics.completion_tokens,
        text=result.text,
    )


def _states(unit: DraftSentence) -> bool:
    return unit.kind not in (UnitKind.HEADING, UnitKind.TODO) and not unit.is_header


def _is_found(pattern: str, units: Sequence[DraftSentence], result: AnswerResult) -> bool:
    if not pattern:
        return result.status is AnswerStatus.ABSTAINED
    text = "\n".join(unit.text for unit in units)
    return re.search(pattern, text, re.IGNORECASE) is not None


def _figures(way: Way, rows: Sequence[Row], file: Path, group: str) -> Iterator[Figure]:
    if not rows:
        return
    name = f"{group}{way.name}"
    stating = sum(row.sentences for row in rows)
    wanted = sum(row.wanted for row in rows)
    per_prompt = "; ".join(
        f"{row.prompt} {row.facts_kept}/{row.wanted} facts, {row.supported}/{row.sentences}"
        f" supported, {row.seconds:.0f} s"
        for row in rows
    )
    yield figure(
        f"{name}_supported",
        "share",
        [sum(row.supported for row in rows) / max(1, stating)],
        note=f"{way.about}; {stating} sentences of {len(rows)} drafts; {per_prompt}",
    )
    for what, count in (
        ("facts", sum(row.facts for row in rows)),
        ("facts_kept", sum(row.facts_kept for row in rows)),
    ):
        note = f"{count} of {wanted}; the texts are in {file.name}"
        yield figure(f"{name}_{what}", "share", [count / max(1, wanted)], note=note)
    yield figure(
        f"{name}_copied",
        "share",
        [sum(row.copied for row in rows) / max(1, sum(row.words for row in rows))],
        note="words in a run of five that the cited quotes have too",
    )
    ease = [row.flesch for row in rows if row.flesch is not None]
    lengths = [row.sentence_words for row in rows if row.sentence_words is not None]
    if ease and lengths:
        yield figure(f"{name}_flesch", "reading ease", ease)
        yield figure(f"{name}_sentence", "words", lengths)
    yield figure(f"{name}_seconds", "s", [row.seconds for row in rows])
    tokens = [float(row.prompt_tokens - row.cached_tokens) for row in rows]
    yield figure(f"{name}_read", "tokens", tokens, note="prompt tokens evaluated")
    yield figure(f"{name}_written", "tokens", [float(row.completion_tokens) for row in rows])


def _named(items: list[_T], variable: str, name: Callable[[_T], str]) -> list[_T]:
    wanted = os.environ.get(f"PHASERGUN_COMPOSITION_{variable}", "")
    names = [each.strip() for each in wanted.split(",") if each.strip()]
    return [item for item in items if not names or name(item) in names]


def _read(file: Path) -> Iterator[Row]:
    if file.is_file():
        for line in file.read_text("utf-8").splitlines():
            if line.strip():
                stored = json.loads(line)
                yield Row(**{**stored, "missing": tuple(stored["missing"])})
