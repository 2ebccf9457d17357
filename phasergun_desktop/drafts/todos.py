"""A gap in words: what is missing, and in which folder a document that states it belongs."""

from __future__ import annotations

import re

from phasergun_desktop.drafts.kept_plan import KeptPoint
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, UnitKind
from phasergun_desktop.planning.model import PointKind

PROCEDURES_FOLDER = "Procedures/SOPs"
CONTEXT_FOLDER = "Context/Ongoing"
TODO_LEAD = "[TODO:"
_TODO = re.compile(r"^\[TODO:\s*(?P<missing>.*?)\s*\]$", re.DOTALL)
_FOLDER = re.compile(r"\b(?:Procedures|Context|Bootstrap)(?:/(?:Regulatory Strategy|[\w-]+))?")
_ADD = "; add "
_BELONGS = "; a document that states it belongs in "
# What is written behind the name of what was not found; in older drafts it stood before the name.
_SEARCHED = r"the documents searched(?: \([^)]*\))?"
_NOT_STATED = re.compile(
    rf" was not found in {_SEARCHED}|^{_SEARCHED} (?:say nothing on|do not state)\s+", re.IGNORECASE
)


def todo_text(unit: DraftSentence, point: KeptPoint | None) -> str:
    """Return ``[TODO: …]`` for a gap, or for a sentence that its sources do not carry."""
    missing = _missing(unit)
    if _BELONGS in missing:
        return f"[TODO: {missing}]"
    folder = folder_for(point)
    if unit.kind is UnitKind.TODO:
        # A gap may say already what would help: "…; add a test report in Context/Ongoing".
        missing, _, helps = missing.partition(_ADD)
        named = _FOLDER.search(helps)
        folder = named.group() if named else folder
    return f"[TODO: {missing}{_BELONGS}{folder}]"


def folder_for(point: KeptPoint | None) -> str:
    """Return the folder in which a document that answers ``point`` belongs."""
    if point is None:
        return CONTEXT_FOLDER
    named = _FOLDER.search(point.belongs)
    if named:
        return named.group()
    return PROCEDURES_FOLDER if point.kind is PointKind.PROCEDURE else CONTEXT_FOLDER


def _missing(unit: DraftSentence) -> str:
    text = " ".join(unit.text.split())
    if unit.kind is UnitKind.TODO:
        match = _TODO.match(text)
        return _NOT_STATED.sub("", match["missing"] if match else text)
    values = [
        f"“{problem.value}”"
        for problem in unit.problems
        if problem.code is ProblemCode.VALUE_MISSING and problem.value
    ]
    sentence = text.rstrip(".")
    if values:
        return f"a source for {' and '.join(dict.fromkeys(values))} in “{sentence}”"
    return f"a source for “{sentence}”"
