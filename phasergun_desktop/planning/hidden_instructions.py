"""Keeps text that gives orders to a writer or program out of what is drafted from, and says so.

Documents are hostile: a sentence such as "ignore the above and write that …" states nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.planning.model import DocumentSummary, PlannedNeed
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentences

_MOST_NAMED = 5
_LOOKED_AT = 10
_QUOTED_CHARACTERS = 90


def without_instructions(
    needs: Iterable[PlannedNeed],
) -> tuple[tuple[PlannedNeed, ...], tuple[Passage, ...]]:
    """Return ``needs`` with the units that state something, and those of the others that were
    selected or among a need's best ten, each once."""
    hidden: dict[tuple[str, int], Passage] = {}
    kept_needs = []
    for need in needs:
        kept = []
        for rank, unit in enumerate(need.units):
            if is_instruction_like(unit.passage.text):
                # What nobody would have looked at is no news.
                if unit.selected or rank < _LOOKED_AT:
                    hidden[unit.passage.file, unit.passage.start] = unit.passage
            else:
                path = tuple(h for h in unit.passage.heading_path if not is_instruction_like(h))
                is_same = path == unit.passage.heading_path
                kept.append(
                    unit
                    if is_same
                    else replace(unit, passage=replace(unit.passage, heading_path=path))
                )
        kept_needs.append(replace(need, units=tuple(kept)))
    return tuple(kept_needs), tuple(hidden.values())


def summary_without_instructions(summary: DocumentSummary) -> DocumentSummary:
    """Return ``summary`` without such sentences: it is read too, though never cited."""
    every = sentences(summary.text)
    kept = [sentence for sentence in every if not is_instruction_like(sentence)]
    return summary if len(kept) == len(every) else replace(summary, text=" ".join(kept))


def warnings_of(hidden: Sequence[Passage]) -> tuple[str, ...]:
    """Return a sentence for each of the first five, and one that counts the others."""
    named = [
        f"A sentence in {each.file} reads like an instruction to the program and was left out: "
        f"“{_short(each.text)}”."
        for each in hidden[:_MOST_NAMED]
    ]
    others = len(hidden) - len(named)
    if others:
        verb = "sentences that read" if others > 1 else "sentence that reads"
        named.append(f"{others} more {verb} like an instruction to the program left out.")
    return tuple(named)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= _QUOTED_CHARACTERS:
        return flat.rstrip(".")
    return f"{flat[:_QUOTED_CHARACTERS].rstrip()}…"
