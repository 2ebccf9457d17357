"""What a plan says of judged prompts that the documents answer, nearly answer or do not answer.

``packaging/selector_data`` holds small projects with prompts for each of which readers judged the
units that are searched. Twelve are asked, of which the cross-encoder learnt nothing. Of parts of
prompts that seemed to have no answer readers of all documents said what is stated of them
(``parts.jsonl``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from unittest.mock import patch

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning import evidence_points
from phasergun_desktop.planning.evidence_points import excluded_units
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.prompt_warnings import LITTLE_EVIDENCE, UNREAD_DOCUMENT
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.workspace.session import ProjectSession
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
    left_out: tuple[bool, ...] = ()


def near_miss_figures() -> Iterator[Figure]:
    """Yield, for each kind of prompt, the shares that abstain, that do or warn, and that name a
    document to add; of parts of prompts with an answer those told as missing that are, in full or
    in the main, and those that are and are told; and of the units that are left out because a
    prompt says so those that belong."""
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
        "units left out as the prompt says that belong",
        [(each.name, belongs) for each in told for belongs in each.left_out],
    )
    yield share(
        "missing parts that are told", [(n, is_told) for n, missing, is_told in parts if missing]
    )


@contextmanager
def _excluded_units() -> Iterator[list[PooledUnit]]:
    """Yield the units that the last plan left out because the prompt says so, as they come."""
    found: list[PooledUnit] = []

    def excluded(
        exclusions: Sequence[str],
        pool: Pool,
        units: Sequence[PooledUnit],
        documents: Sequence[DocumentRecord],
        reader: UnitReader,
    ) -> frozenset[int]:
        rows = excluded_units(exclusions, pool, units, documents, reader)
        found.extend(unit for unit in units if unit.row in rows)
        return rows

    with patch.object(evidence_points, "excluded_units", excluded):
        yield found


def _belong(
    session: ProjectSession, units: Sequence[PooledUnit], row: dict[str, list[str]]
) -> Iterator[bool]:
    """Yield of each of ``units`` that readers judged whether it belongs."""
    files = {each.document_id: each.file for each in session.documents()}
    for unit in units:
        file = files[unit.document_id]
        text = session.source(file).document.text[unit.start : unit.end]
        # As ``packaging/train_selector.py`` names units.
        digest = hashlib.sha256(f"{file}\n{text}".encode()).hexdigest()[:8]
        if any(digest in row.get(each, ()) for each in ("belongs", "doubtful", "beside")):
            yield digest in row["belongs"]


def told_of(project: Path) -> Iterator[Told]:
    """Plan each judged prompt of ``project``."""
    lines = (project / "judged.jsonl").read_text("utf-8").splitlines()
    judged = judged_parts(project)
    with indexed_copy(project / "project") as (_, session), _excluded_units() as excluded:
        for number, row in enumerate(map(json.loads, lines), 1):
            excluded.clear()
            plan = session.plan(row["prompt"])
            if plan.is_blocked:
                raise ValueError(f"{project.name}, line {number}: {plan.problems}")
            codes = frozenset(each.code for each in plan.problems)
            parts = tuple(told_parts(plan, judged.get(row["prompt"], {})))
            left_out = tuple(_belong(session, excluded, row))
            name = f"{project.name}/{number}"
            yield Told(name, kind_of(row), abstains(plan), codes, parts, left_out)


def kind_of(row: dict[str, list[str]]) -> Kind:
    """Return the kind of the prompt of a line of ``judged.jsonl``."""
    if row["belongs"]:
        return Kind.ANSWERED
    return Kind.ONLY_BESIDE if row.get("beside") else Kind.UNANSWERED
