"""Negation and obligation that differ between a sentence and its source."""

from __future__ import annotations

import re

from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.grounding.words import fold

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|can't|isn't|doesn't|don't|won't)\b"
)
_OBLIGATION = re.compile(r"\b(?:shall|must|is required to|are required to|has to|have to)\b")
_PERMISSION = re.compile(r"\b(?:may|might|can|could|should|optional|optionally)\b")
_DONE = re.compile(r"\b(?:was|were|has been|have been|had been)\b")


def modality_problems(sentence: str, source: str) -> list[SentenceProblem]:
    """Return marks where ``sentence`` denies, obliges or permits otherwise than ``source``.

    Only plain cases: a negation on one side alone, a "shall" made of a source that only permits
    or the reverse, and something reported as done that the source only asks for.
    """
    sentence, source = fold(sentence), fold(source)
    problems: list[SentenceProblem] = []
    if bool(_NEGATION.search(sentence)) and not _NEGATION.search(source):
        problems.append(
            SentenceProblem(
                ProblemCode.NEGATION, "not", "The sentence denies what its source does not deny."
            )
        )
    must_here, must_there = _OBLIGATION.search(sentence), _OBLIGATION.search(source)
    may_here, may_there = _PERMISSION.search(sentence), _PERMISSION.search(source)
    if must_here and not must_there and may_there:
        problems.append(_modality(must_here.group(), may_there.group()))
    elif may_here and not may_there and must_there:
        problems.append(_modality(may_here.group(), must_there.group()))
    done, asked = _DONE.search(sentence), must_there or may_there
    if done and asked and not _DONE.search(source):
        problems.append(_modality(done.group(), asked.group()))
    return problems


def _modality(here: str, there: str) -> SentenceProblem:
    message = f"The sentence says “{here}” where its source says “{there}”."
    return SentenceProblem(ProblemCode.MODALITY, here, message)
