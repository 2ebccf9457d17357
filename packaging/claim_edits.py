"""Changes a statement in one place so that it says something else: claims that no one has to write.

Each edit is of a kind: ``value`` and ``thing`` put another number or identifier of the project in
the place of one, ``modality`` another verb, ``word`` an opposite, and ``swap`` exchanges two
numbers, two identifiers or two things of the statement.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)?(?!\w)")
_IDENTIFIER = re.compile(r"\b[A-Z]{2,}[A-Z0-9]*-[\w-]*\d[\w-]*\b|\b[A-Z][a-zA-Z]*\d+\b")
_THING = re.compile(r"(?<=\b[Tt]he )[a-z]{4,}\b")
_WORD = re.compile(r"[A-Za-z]+(?: (?:least|most|more than|less than|than))?")
_MODALITY = {
    "shall": "may should can",
    "must": "may should can",
    "should": "must may",
    "may": "must shall",
    "can": "must cannot",
    "will": "may",
    "is": "is_not may_be",
    "are": "are_not may_be",
    "was": "was_not will_be is_to_be",
    "were": "were_not will_be are_to_be",
    "has": "has_not",
    "have": "have_not",
}
_OPPOSITES = {
    "at least": "at_most exactly less_than",
    "at most": "at_least",
    "not more than": "not_less_than",
    "more than": "less_than",
    "less than": "more_than",
    "before": "after",
    "after": "before",
    "all": "some most",
    "every": "almost_every no",
    "each": "some",
    "both": "neither one",
    "only": "also",
    "without": "with",
    "with": "without",
    "no": "some",
    "above": "below",
    "below": "above",
    "until": "from",
    "within": "after",
    "if": "even_if unless",
    "when": "only_after",
    "unless": "if",
    "except": "including",
    "passed": "failed",
    "failed": "passed",
    "met": "missed",
    "higher": "lower",
    "lower": "higher",
    "greater": "smaller",
    "increase": "decrease",
    "decrease": "increase",
    "first": "second last",
    "second": "first",
    "minimum": "maximum",
    "maximum": "minimum",
    "and": "or",
    "or": "and",
    "because": "although",
}


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers and identifiers of a project, in their order."""

    numbers: tuple[str, ...]
    identifiers: tuple[str, ...]


def values_of(texts: Sequence[str]) -> Values:
    """Return what stands in ``texts``."""
    together = "\n".join(texts)
    return Values(
        tuple(dict.fromkeys(_NUMBER.findall(together))),
        tuple(dict.fromkeys(_IDENTIFIER.findall(together))),
    )


def edits_of(statement: str, values: Values, draw: random.Random) -> list[tuple[str, str]]:
    """Return kinds and texts of the edits of ``statement``, one at each place, in random order."""
    made = [*_other_values(statement, values, draw), *_other_words(statement, draw)]
    made += _swaps(statement, draw)
    draw.shuffle(made)
    return [(kind, text) for kind, text in made if text.lower() != statement.lower()]


def _other_values(statement: str, values: Values, draw: random.Random) -> Iterator[tuple[str, str]]:
    for kind, pattern, others in (
        ("value", _NUMBER, values.numbers),
        ("thing", _IDENTIFIER, values.identifiers),
    ):
        for found in pattern.finditer(statement):
            other = draw.choice(others) if others else found.group()
            yield kind, statement[: found.start()] + other + statement[found.end() :]


def _other_words(statement: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    for found in _WORD.finditer(statement):
        for kind, table in (("modality", _MODALITY), ("word", _OPPOSITES)):
            others = table.get(found.group().lower())
            if others:
                other = draw.choice(others.split()).replace("_", " ")
                yield kind, statement[: found.start()] + other + statement[found.end() :]


def _swaps(statement: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    for pattern in (_NUMBER, _IDENTIFIER, _THING):
        places = [found.span() for found in pattern.finditer(statement)]
        if len(places) < 2:
            continue
        (start, end), (later, last) = sorted(draw.sample(places, 2))
        first, second = statement[start:end], statement[later:last]
        yield (
            "swap",
            statement[:start] + second + statement[end:later] + first + statement[last:],
        )
