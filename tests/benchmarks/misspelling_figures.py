"""How much of what belongs into a text is selected for a prompt with wrong letters.

The prompts are those of four small projects in ``packaging/selector_data`` of which the
cross-encoder learnt nothing; readers judged the units that are searched. In each prompt a quarter
of the words of five letters and more get one letter swapped, dropped, doubled or replaced.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import patch

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.planning import planner
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import ROOT
from tests.benchmarks.indexed_copy import indexed_copy

_DATA = ROOT / "packaging" / "selector_data"
_PROJECTS = ("cath", "cuff", "port", "wheel")
_WORD = re.compile(r"\b[a-z]{5,}\b")
_SHARE = 0.25
_WRITTEN, _READ, _UNREAD = "as written", "wrong letters", "wrong letters, looked for as they stand"


def misspelling_figures() -> Iterator[Figure]:
    """Yield, for prompts as they were written and with wrong letters, the shares of the units that
    belong which are selected, and of the selected ones those that belong."""
    belonging: dict[str, list[tuple[str, bool]]] = {}
    selected: dict[str, list[tuple[str, bool]]] = {}
    for project in (_DATA / name for name in _PROJECTS):
        lines = (project / "judged.jsonl").read_text("utf-8").splitlines()
        with indexed_copy(project / "project") as (_, session):
            names = _unit_names(session)
            for number, row in enumerate(map(json.loads, lines), 1):
                group, belongs = f"{project.name}/{number}", set(row["belongs"])
                for kind in (_WRITTEN, _READ, _UNREAD):
                    prompt = (
                        row["prompt"] if kind == _WRITTEN else with_wrong_letters(row["prompt"])
                    )
                    chosen = _selected(session, prompt, names, is_read=kind != _UNREAD)
                    belonging.setdefault(kind, []).extend((group, b in chosen) for b in belongs)
                    judged = chosen - set(row.get("doubtful", ()))
                    selected.setdefault(kind, []).extend((group, c in belongs) for c in judged)
    for kind, found in belonging.items():
        yield share(f"{kind}: belonging units that are selected", found)
        yield share(f"{kind}: selected units that belong", selected[kind])


def with_wrong_letters(prompt: str) -> str:
    """Return ``prompt`` with one wrong letter in some of its words, always the same ones."""
    draw = random.Random(prompt)

    def typed(word: str) -> str:
        at = draw.randrange(1, len(word) - 1)
        return draw.choice(
            (
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                word[:at] + word[at + 1 :],
                word[: at + 1] + word[at:],
                word[:at] + draw.choice("aeiorstn") + word[at + 1 :],
            )
        )

    return _WORD.sub(lambda word: typed(word[0]) if draw.random() < _SHARE else word[0], prompt)


def _unit_names(session: ProjectSession) -> dict[tuple[str, int], str]:
    """Return what names each unit in the judgements (``packaging/train_selector.py``)."""
    return {
        (record.file, unit.start): hashlib.sha256(
            f"{record.file}\n{unit.text}".encode()
        ).hexdigest()[:8]
        for record in session.documents()
        for unit in split_units(session.source(record.file).document)
    }


def _selected(
    session: ProjectSession, prompt: str, names: dict[tuple[str, int], str], *, is_read: bool
) -> set[str]:
    with ExitStack() as stack:
        if not is_read:
            stack.enter_context(patch.object(planner, "meant_words", lambda *_: {}))
        plan = session.plan(prompt)
    units = (unit for need in plan.needs for unit in need.units if unit.selected)
    places = ((unit.passage.file, unit.passage.start) for unit in units)
    return {names[place] for place in places if place in names}
