"""Selected units as a person judged them: whether they answer a need, and whose value they state.

``python -m tests.benchmarks.evidence.judged_units [even|odd]`` prints those of the draw that have
no verdict yet as JSON lines, in random order, for a reader who sees prompt and unit alone and
fills in ``answers`` and ``subject``; with ``--keep FILE`` the filled-in lines become verdicts.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.value_model import ValueKind
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.evidence.unanswerable import PROJECTS
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import GlucoseProject, opened

VERDICTS = Path(__file__).with_name("verdicts.jsonl")
DRAWN = 200
# The confidence of a text is the mean probability of its units.
_BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.01)


@dataclass(frozen=True, slots=True)
class SelectedUnit:
    """A unit that a plan selected for ``need``; ``unit`` is its text after its context, ``score``
    the probability (0..1) that it answers, as the selector has it."""

    prompt: str
    prompt_text: str
    need: str
    file: str
    unit: str
    score: float = 0.0

    @property
    def key(self) -> str:
        """A name that stays while prompt and unit do, whatever need it is selected for."""
        said = "\n".join((self.prompt_text, self.file, self.unit))
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    @property
    def has_value(self) -> bool:
        """Whether it states a number with a unit."""
        quantities = (ValueKind.NUMBER, ValueKind.RANGE)
        values = extract_values(self.unit)
        return any(value.unit and value.kind in quantities for value in values)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader says of the unit with this key. ``answers``: it states something that the
    prompt asks for. ``why`` is the class of one that does not. ``subject``, of one with a value,
    is whose it is: the device's (or whatever the prompt asks for), another's and told as such, or
    another's that a reader of the draft takes for the device's (``as_device``)."""

    key: str
    answers: bool
    why: str = ""
    subject: str = ""


def selected_units(project: str, session: ProjectSession) -> Iterator[SelectedUnit]:
    """Yield what the plans of all prompts of ``project``, which is open, select."""
    for prompt in session.prompts():
        name = f"{project}/{PurePosixPath(prompt.file).name}"
        for need in session.plan(prompt.text).needs:
            for unit in need.chosen:
                file, line = unit.passage.file, in_context(session, unit.passage)
                yield SelectedUnit(
                    name, prompt.text, need.need.quote, file, line, round(unit.score, 4)
                )


def in_context(session: ProjectSession, passage: Passage) -> str:
    """Return a unit as the index reads it: headings, lead-in, and cells with their headers; of a
    cell of a comparison the row that it stands in."""
    units = split_units(session.source(passage.file).document)
    found = (each.embedded_text for each in units if each.start <= passage.start < each.end)
    return next(found, passage.text)


def draw(units: Sequence[SelectedUnit], count: int = DRAWN) -> list[SelectedUnit]:
    """Return ``count`` units at random, in random order. What is drawn depends on the units alone:
    one that is selected again is drawn again, and its verdict counts again."""
    by_key = {unit.key: unit for unit in units}
    return [by_key[key] for key in sorted(by_key)[:count]]


def read_verdicts(path: Path = VERDICTS) -> dict[str, Verdict]:
    """Return the verdicts by key."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return {row["key"]: Verdict(**row) for row in map(json.loads, lines)}


def judged_figures(
    units: Sequence[SelectedUnit], verdicts: Mapping[str, Verdict]
) -> Iterator[Figure]:
    """Yield the shares over what is judged of the two draws; nothing for a draw without any."""
    drawn = draw(units)
    judged = [(unit, verdicts[unit.key]) for unit in drawn if unit.key in verdicts]
    if judged:
        yield share(
            "units that answer no need",
            [(unit.prompt, not verdict.answers) for unit, verdict in judged],
            target=0.10,
            at_least=False,
            note=f"{len(judged)} of {len(drawn)} drawn have a verdict",
        )
    every = {unit.key: unit for unit in units if unit.key in verdicts}.values()
    for low, high in pairwise(_BANDS):
        rows = [
            (unit.prompt, verdicts[unit.key].answers) for unit in every if low <= unit.score < high
        ]
        if rows:
            yield share(f"units of a probability of {low} to {min(high, 1.0)} that answer", rows)
    drawn = draw([unit for unit in units if unit.has_value])
    judged = [(unit, verdicts[unit.key]) for unit in drawn if unit.key in verdicts]
    if judged:
        yield share(
            "values of another subject given as the device's",
            [(unit.prompt, verdict.subject == "as_device") for unit, verdict in judged],
            target=0.0,
            at_least=False,
            note=f"{len(judged)} of {len(drawn)} drawn have a verdict",
        )


def main(arguments: Sequence[str], verdicts: Path = VERDICTS) -> int:
    """Print what is to be judged, or keep what was in the file of ``verdicts``."""
    if arguments[:1] == ["--keep"]:
        rows = map(json.loads, Path(arguments[1]).read_text("utf-8").splitlines())
        kept = read_verdicts(verdicts)
        for row in rows:
            kept[row["key"]] = Verdict(row["key"], row["answers"], row["why"], row["subject"])
        lines = [json.dumps(asdict(kept[key])) for key in sorted(kept)]
        verdicts.write_text("\n".join(lines) + "\n", "utf-8")
        return 0
    units: list[SelectedUnit] = []
    for project in map(GlucoseProject, PROJECTS):
        with project.indexed_home() as home, opened(project.root, home) as (_, session):
            units += selected_units(project.name, session)
    judged = read_verdicts(verdicts)
    both = [*draw(units), *draw([unit for unit in units if unit.has_value])]
    for unit in dict.fromkeys(both):
        if unit.key in judged or not all(Half(half).has(unit.prompt) for half in arguments):
            continue
        row = {"key": unit.key, **asdict(unit), "has_value": unit.has_value}
        row |= {"answers": None, "why": "", "subject": ""}
        print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
