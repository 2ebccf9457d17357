"""Prompts without an answer, made by rule from those of two projects, and which of them abstain.

``python -m tests.benchmarks.evidence.unanswerable`` prints them all as JSON lines; the texts of
the odd half, which nobody who makes rules looks at, are left out.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePosixPath

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer
from phasergun_desktop.references.master_record import parse_master_record
from phasergun_desktop.references.model import ResolvedReference
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.glucose import GlucoseProject, data_rows, opened

PROJECTS = ("project-oxygenator", "project-glucose")
# The fields of a master record by whose values a prompt names the device.
_NAMES = ("Device Name", "Short Name", "Models", "Monitor")
_ON_PREDICATES = re.compile(r"predicate|\bK\d{6}\b", re.IGNORECASE)


class Rule(StrEnum):
    """How a prompt was made; the first two have an answer.

    Bare: without references, values put in, and with the device's name as heading where it has
    none. Another project: the same, put to the other project. Another device: bare, with the
    name of the other project's device for every name of its own; one that asks for a predicate or
    says what kind of device its own is ("oxygenator") is left out. A prompt whose facts all stand
    in procedures speaks of no device and is left out of both. Removed: bare, with every file taken
    out that has one of its facts, and the master record. In no document: as it was written, known
    to have no answer.
    """

    WRITTEN = "as_written"
    BARE = "bare"
    OTHER_PROJECT = "a_another_project"
    OTHER_DEVICE = "b_another_device"
    REMOVED = "c_answer_removed"
    NO_DOCUMENT = "d_in_no_document"

    @property
    def is_answerable(self) -> bool:
        """Whether the project that is asked has the answer."""
        return self in (Rule.WRITTEN, Rule.BARE)


@dataclass(frozen=True, slots=True)
class Case:
    """``text``, made by ``rule`` from the prompt ``made_of``, put to ``project`` without the files
    ``removed``."""

    rule: Rule
    project: str
    made_of: str
    text: str
    removed: tuple[str, ...] = ()

    @property
    def half(self) -> Half:
        """The half of the prompt that it is made of: what is made of it is as unseen as it."""
        return Half.EVEN if Half.EVEN.has(self.made_of) else Half.ODD


@dataclass(frozen=True, slots=True)
class KnownPrompt:
    """A prompt as written and ``bare``. ``sources`` have its facts, none where no document answers
    it; ``removed`` are the files without which none of them can be found, none where only what is
    not searched without being named has them."""

    name: str
    text: str
    bare: str
    sources: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownProject:
    """A project with the names of its device, the full one first."""

    name: str
    device_names: tuple[str, ...]
    prompts: tuple[KnownPrompt, ...]

    def naming(self, text: str) -> re.Match[str] | None:
        """Return where ``text`` names the device first."""
        return self._names().search(text)

    def exchanged(self, text: str, other: KnownProject) -> str | None:
        """Return ``text`` with the name of the device of ``other`` for every name of this one's;
        None where a word of those names is left in it."""
        renamed = self._names().sub(lambda _: other.device_names[0], text)
        theirs = _words(" ".join(other.device_names))
        own = _words(" ".join(self.device_names)) - theirs
        return None if own & _words(renamed) else renamed

    def _names(self) -> re.Pattern[str]:
        longest_first = sorted(self.device_names, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def abstains(plan: Plan) -> bool:
    """Whether a draft of ``plan`` states nothing: no need of it has evidence."""
    return not any(need.selected for need in plan.needs)


def best_scores(plan: Plan) -> tuple[float, float]:
    """Return the best score and the best similarity of all units that were looked at."""
    units = [unit for need in plan.needs for unit in need.units]
    score = max((unit.score for unit in units), default=-1e9)
    return score, max((unit.similarity for unit in units), default=-1.0)


def bare_text(text: str, references: Sequence[ResolvedReference]) -> str:
    """Return ``text`` with values put in and every other reference taken out."""
    for each in sorted(references, key=lambda each: -each.start):
        value = each.value.text if each.value is not None else ""
        text = text[: each.start] + value + text[each.end :]
    return re.sub(r"[ \t]+", " ", text).strip()


def cases_of(own: KnownProject, other: KnownProject) -> Iterator[Case]:
    """Yield the cases made of the prompts of ``own``, by every rule that fits."""
    for prompt in own.prompts:
        named = prompt.bare
        if not own.naming(named):
            named = f"# {own.device_names[0]}\n\n{named}"
        is_on_device = not all(each.startswith("Procedures/") for each in prompt.sources or ("",))
        if is_on_device:
            yield Case(Rule.OTHER_PROJECT, other.name, prompt.name, named)
        if not prompt.sources:
            yield Case(Rule.NO_DOCUMENT, own.name, prompt.name, prompt.text)
            continue
        yield Case(Rule.WRITTEN, own.name, prompt.name, prompt.text)
        if prompt.removed:
            yield Case(Rule.BARE, own.name, prompt.name, named)
            yield Case(Rule.REMOVED, own.name, prompt.name, named, prompt.removed)
        exchanged = own.exchanged(named, other)
        if exchanged and is_on_device and not _ON_PREDICATES.search(exchanged):
            yield Case(Rule.OTHER_DEVICE, own.name, prompt.name, exchanged)


def known_project(name: str, session: ProjectSession) -> KnownProject:
    """Read the prompts of the project that is open, with what the file of facts says of them."""
    rows = data_rows(f"{name}-facts.jsonl")
    layers = {record.file: record.layer for record in session.documents()}
    record = next(file for file, layer in layers.items() if layer is Layer.MASTER_RECORD)
    fields = parse_master_record(session.source(record).document, record)
    values = [field.value.text for name in _NAMES for field in fields.find_fields(name)]
    names = [part.strip() for value in values for part in value.split(",")]
    units = {
        file: [unit.text for unit in split_units(session.source(file).document)]
        for file, layer in layers.items()
        if layer in ALWAYS_SEARCHED
    }
    prompts = []
    for each in session.prompts():
        prompt = PurePosixPath(each.file).name
        mine = [row for row in rows if row["prompt"] == prompt and not row.get("missing")]
        facts = [row for row in mine if row["pattern"]]
        sources = {str(row.get("source") or row.get("file")) for row in facts}
        patterns = [re.compile(row["pattern"], re.IGNORECASE) for row in facts]
        having = [
            file
            for file, texts in units.items()
            if any(pattern.search(text) for pattern in patterns for text in texts)
        ]
        bare = bare_text(each.text, session.plan(each.text).references)
        is_searched = any(source in units for source in sources)
        removed = tuple(sorted({*sources, *having, record})) if is_searched else ()
        prompts.append(
            KnownPrompt(f"{name}/{prompt}", each.text, bare, tuple(sorted(sources)), removed)
        )
    return KnownProject(name, tuple(names), tuple(prompts))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{3,}", text.casefold()))


def planned_cases(projects: Sequence[GlucoseProject]) -> Iterator[tuple[Case, Plan]]:
    """Plan the cases made of the two projects, each where it is put to."""
    known = []
    for project in projects:
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            known.append(known_project(project.name, session))
    own, other = known
    cases = [*cases_of(own, other), *cases_of(other, own)]
    for project in projects:
        mine = [case for case in cases if case.project == project.name]
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            # Last, so that the others find every file in its place.
            for case in sorted(mine, key=lambda case: bool(case.removed)):
                yield case, _planned(case, session)


def _planned(case: Case, session: ProjectSession) -> Plan:
    root = session.project.root
    with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-removed-") as aside:
        for file in case.removed:
            kept = Path(aside) / file
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(root / file, kept)
        try:
            if case.removed:
                run_to_end(session.sync())
            plan = session.plan(case.text)
        finally:
            for file in case.removed:
                shutil.move(Path(aside) / file, root / file)
    if plan.is_blocked:
        raise ValueError(f"{case.rule} of {case.made_of}: {plan.problems}")
    return plan


def main() -> int:
    """Print every case with its result, without the texts of the odd half."""
    for case, plan in planned_cases([GlucoseProject(name) for name in PROJECTS]):
        shown = case if case.half is Half.EVEN else replace(case, text="")
        row = asdict(shown) | {"half": case.half, "abstains": abstains(plan)}
        row |= dict(zip(("score", "similarity"), best_scores(plan), strict=True))
        print(json.dumps(row, ensure_ascii=False), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
