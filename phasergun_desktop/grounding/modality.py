"""Obligation, recommendation, permission and completion that differ from the source's."""

from __future__ import annotations

import re

from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.text.lexicon import paired
from phasergun_desktop.text.words import fold

_OBLIGATION = re.compile(
    r"\b(?:shall|must|(?:is|are|be) required to|(?:is|are) obliged to|has to|have to|needs? to be"
    r"|mandatory|compulsory|obligatory)\b"
)
_PERMISSION = re.compile(
    r"\b(?:may|might|can|could|should|optional|optionally|(?:is|are) (?:permitted|allowed) to"
    r"|(?:is|are) recommended|ought to)\b"
)
_DONE = re.compile(r"\b(?:was|were|has been|have been|had been)\b")
# The month is no permission: "in May 2026", "5 May".
_MONTH_MAY = re.compile(
    r"\bMay(?=,? (?:of )?\d)|(?<=\d )May\b"
    r"|\b(?i:in|since|until|by|from|of|to|and|before|after|during|early|late|mid) May\b"
)
_MODALS: dict[str, str] = paired("checks", "modals")


def modality_problems(sentence: str, source: str) -> list[SentenceProblem]:
    """Return marks where ``sentence`` obliges or permits otherwise than ``source``.

    Only plain cases: a "shall" made of a source that only permits or recommends, or the reverse,
    and something reported as done that the source only asks for.
    """
    sentence, source = (fold(_MONTH_MAY.sub(" ", text)) for text in (sentence, source))
    problems: list[SentenceProblem] = []
    must_here, must_there = _OBLIGATION.search(sentence), _OBLIGATION.search(source)
    may_here, may_there = _PERMISSION.search(sentence), _PERMISSION.search(source)
    if must_here and not must_there and may_there:
        problems.append(modality_problem(must_here.group(), may_there.group()))
    elif may_here and not may_there and must_there:
        problems.append(modality_problem(may_here.group(), must_there.group()))
    done, asked = _DONE.search(sentence), must_there or may_there
    if done and asked and not _DONE.search(source):
        problems.append(modality_problem(done.group(), asked.group()))
    return problems


def differ_in_force(here: str, there: str) -> bool:
    """Whether two folded words oblige, recommend or permit to different degrees."""
    mine, theirs = _MODALS.get(here), _MODALS.get(there)
    return mine is not None and theirs is not None and mine != theirs


def modality_problem(here: str, there: str) -> SentenceProblem:
    """Return the mark for a sentence that says ``here`` where its source says ``there``."""
    message = f"The sentence says “{here}” where its source says “{there}”."
    return SentenceProblem(ProblemCode.MODALITY, here, message)
