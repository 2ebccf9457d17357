"""What a plan says of judged prompts that the documents answer, nearly answer or do not answer.

``packaging/selector_data`` holds small projects with prompts for each of which readers judged the
units that are searched. Twelve are asked, of which the cross-encoder learnt nothing. Of parts of
prompts that seemed to have no answer readers of all documents said what is stated of them
(``parts.jsonl``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from phasergun_desktop.planning.prompt_warnings import LITTLE_EVIDENCE, UNREAD_DOCUMENT
from tests.benchmarks.evidence.unanswerable import abstains
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import ROOT
from tests.benchmarks.indexed_copy import indexed_copy
from tests.benchmarks.project_figures import judged_parts, told_parts

_DATA = ROOT / "packaging" / "selector_data"
_MISSING = ("missing", "partly")


class Kind(StrEnum):
    """What the units that are searched have for a prompt.

    Answered: one belongs into the text. Unanswered: the prompt was written to ask for what no
    document has, and no unit was judged. Only beside: readers judged the nearest units, and none
    belongs; a document may answer that is only read where a prompt names it.
    """

    ANSWERED = "answered"
    UNANSWERED = "unanswered"
    ONLY_BESIDE = "only beside"


@dataclass(frozen=True, slots=True)
class Told:
    """What the plan of a prompt, which ``name`` tells from all others, says."""

    name: str
    kind: Kind
    abstains: bool
    codes: frozenset[str]
    parts: tuple[tuple[str, bool], ...] = ()


def near_miss_figures() -> Iterator[Figure]:
    """Yield, for each kind of prompt, the shares that abstain, that do or warn, and that name a
    document to add; and of parts of prompts with an answer those told as missing that are, in full
    or in the main, and those that are and are told."""
    told = [each for file in sorted(_DATA.glob("*/parts.jsonl")) for each in told_of(file.parent)]
    for kind in Kind:
        mine = [each for each in told if each.kind is kind]
        yield share(f"{kind}: abstain", [(each.name, each.abstains) for each in mine])
        yield share(
            f"{kind}: abstain or warn of little evidence",
            [(each.name, each.abstains or LITTLE_EVIDENCE in each.codes) for each in mine],
        )
        yield share(
            f"{kind}: name a document that is not read",
            [(each.name, UNREAD_DOCUMENT in each.codes) for each in mine],
        )
    parts = [
        (each.name, state in _MISSING, is_told) for each in told for state, is_told in each.parts
    ]
    yield share(
        "parts told as missing that are", [(n, missing) for n, missing, is_told in parts if is_told]
    )
    yield share(
        "missing parts that are told", [(n, is_told) for n, missing, is_told in parts if missing]
    )


def told_of(project: Path) -> Iterator[Told]:
    """Plan each judged prompt of ``project``."""
    lines = (project / "judged.jsonl").read_text("utf-8").splitlines()
    judged = judged_parts(project)
    with indexed_copy(project / "project") as (_, session):
        for number, row in enumerate(map(json.loads, lines), 1):
            plan = session.plan(row["prompt"])
            if plan.is_blocked:
                raise ValueError(f"{project.name}, line {number}: {plan.problems}")
            codes = frozenset(each.code for each in plan.problems)
            parts = tuple(told_parts(plan, judged.get(row["prompt"], {})))
            yield Told(f"{project.name}/{number}", kind_of(row), abstains(plan), codes, parts)


def kind_of(row: dict[str, list[str]]) -> Kind:
    """Return the kind of the prompt of a line of ``judged.jsonl``."""
    if row["belongs"]:
        return Kind.ANSWERED
    return Kind.ONLY_BESIDE if row.get("beside") else Kind.UNANSWERED
