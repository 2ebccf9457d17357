"""Finds, in one device's passages, the clause that says what another device's value says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.candidates import CandidateSpan, part_of, sentences_of
from phasergun_desktop.grounding.turning_words import turning_words
from phasergun_desktop.grounding.words import content_words

_HALF = re.compile(r";(?=\s)")
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
    for span in _clauses(spans):
        shared = wanted & set(content_words(span.text))
        if len(shared) < max(_MIN_WORDS, _MIN_SHARE * len(wanted)):
            continue
        text = _clause(span.text, shared)
        rank = (len(shared), -len(text))
        if text and (best is None or rank > best[:2]):
            best = (*rank, Counterpart(text, span))
    return best[2] if best else None


def _clauses(spans: Sequence[CandidateSpan]) -> Iterator[CandidateSpan]:
    """Yield the sentences of ``spans``, those of two halves ("a; b") half by half."""
    for span in spans:
        for sentence in sentences_of(span):
            ends = [match.start() for match in _HALF.finditer(sentence.text)]
            if sentence.block.kind is BlockKind.TABLE_ROW or not ends:
                yield sentence
                continue
            for start, end in pairwise([0, *ends, len(sentence.text)]):
                yield part_of(sentence, start, end)


def _clause(text: str, shared: set[str]) -> str:
    """Return the clause around the shared words, or ``""`` if they are too far apart."""
    places = [
        match
        for match in _WORD.finditer(text)
        if any(stem in shared for stem in content_words(match.group()))
    ]
    if not places:
        return ""
    # A clause cut out behind its "not" would say the opposite.
    if turning_words(text[: places[0].start()]):
        return ""
    end = _CLAUSE_END.search(text, places[-1].end())
    clause = text[places[0].start() : end.start() if end else len(text)].strip()
    return clause if len(clause.split()) <= _MAX_CLAUSE_WORDS else ""
