"""Finds, in one device's passages, the clause that says what another device's value says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.words import content_words

_CLAUSE_END = re.compile(r"[,;:.](?=\s|$)|\s(?:by|as|which|that)\s")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_MIN_WORDS, _MIN_SHARE, _MAX_CLAUSE_WORDS = 2, 0.5, 25


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A clause, word for word from ``span``."""

    text: str
    span: CandidateSpan


def counterpart(example: str, spans: Sequence[CandidateSpan]) -> Counterpart | None:
    """Return the clause that shares the most content words with ``example``, at least two and
    half of them, from the first shared word to the end of the clause; None if there is none."""
    wanted = set(content_words(example))
    best: tuple[int, int, Counterpart] | None = None
    for span in spans:
        shared = wanted & set(content_words(span.text))
        if len(shared) < max(_MIN_WORDS, _MIN_SHARE * len(wanted)):
            continue
        text = _clause(span.text, shared)
        rank = (len(shared), -len(text))
        if text and (best is None or rank > best[:2]):
            best = (*rank, Counterpart(text, span))
    return best[2] if best else None


def _clause(text: str, shared: set[str]) -> str:
    """Return the clause around the shared words, or ``""`` if they are too far apart."""
    places = [
        match
        for match in _WORD.finditer(text)
        if any(stem in shared for stem in content_words(match.group()))
    ]
    if not places:
        return ""
    end = _CLAUSE_END.search(text, places[-1].end())
    clause = text[places[0].start() : end.start() if end else len(text)].strip()
    return clause if len(clause.split()) <= _MAX_CLAUSE_WORDS else ""
