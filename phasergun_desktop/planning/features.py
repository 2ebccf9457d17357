"""What the selector reads of a need and a unit: numbers of all units that the need allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.protocol import Vector
from phasergun_desktop.index.unit_index import UnitTable

Column = NDArray[np.float64]
Rows = NDArray[np.int64]

UNIT_FEATURES = (
    "cosine",
    "coverage",
    "rarity",
    "coverage_of_prompt",
    "section_cosine",
    "section_coverage",
    "words",
    "words_squared",
    "units",
)
NEED_FEATURES = ("level_of_prompt", "cosine", "unknown_words", "unknown_name", "terms")
# The level of a need is the mean of its best units.
_BEST_UNITS = 3
_BEST_COSINES = 5
_LEAST_PROBABILITY = 1e-4
# Two words or more that are written as a name is.
_NAME = re.compile(r"[A-Z][\w®™/-]*(?: [A-Z][\w®™/-]*)+")
# Short words of running text are mostly those that every text of a language has.
_SHORT_WORD = re.compile(r"\b[^\W\d_A-Z]{2,4}\b")
_FEW_SHORT_WORDS = 3


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """``columns`` has shape (units, features of ``UNIT_FEATURES``). ``cosine`` is that of the best
    units, ``unknown_words`` the share of the need's words (by rarity) that no unit has, 0..1;
    ``terms`` is the logarithm of how many words the need has."""

    columns: Column
    cosine: float
    unknown_words: float
    terms: float


def unit_features(
    table: UnitTable,
    rows: Rows,
    vector: Vector,
    terms: Sequence[Rows],
    terms_of_prompt: Sequence[Rows],
) -> UnitFeatures:
    """Return the features of the units at ``rows`` (at least one) for a need.

    ``vector`` is the need's, shape (dimensions,); ``terms`` are for each of its words the places
    in the table of the units that have it, ``terms_of_prompt`` the same of the whole prompt.
    """
    cosines = (table.vectors(rows) @ vector).astype(np.float64)
    coverage, total, unknown = _coverage(rows, len(table), terms)
    of_prompt, _, _ = _coverage(rows, len(table), terms_of_prompt)
    standing = _standardised(cosines)
    sections = np.unique(table.sections[rows], return_inverse=True)[1]
    words = np.log1p(table.words[rows].astype(np.float64))
    columns = (
        standing,
        coverage,
        coverage * total,
        of_prompt,
        _mean_of_group(standing, sections),
        _mean_of_group(coverage, sections),
        words,
        words * words,
        np.full(len(rows), np.log(len(rows))),
    )
    return UnitFeatures(
        np.stack(columns, axis=1),
        _best(cosines, _BEST_COSINES),
        unknown,
        float(np.log1p(len(terms))),
    )


def level(probabilities: Column) -> float:
    """Return the logarithm of how probable it is that the best units answer."""
    return float(np.log(_best(probabilities, _BEST_UNITS) + _LEAST_PROBABILITY))


def need_features(looked: UnitFeatures, level_of_prompt: float, unknown_name: float) -> Column:
    """Return the features of a need, shape (1, features of ``NEED_FEATURES``); the level of the
    prompt is the mean of its needs'."""
    return np.array(
        [[level_of_prompt, looked.cosine, looked.unknown_words, unknown_name, looked.terms]]
    )


def unknown_name(prompt: str, is_known: Callable[[str], bool]) -> float:
    """Return how much of a name in ``prompt`` no document has, 0..1: of the name of another
    device nearly all."""
    shares = [0.0]
    for match in _NAME.finditer(prompt):
        words = match.group().split()
        shares.append(sum(not is_known(word) for word in words) / len(words))
    return max(shares)


def is_of_another_language(prompt: str, is_common: Callable[[str], bool]) -> bool:
    """Whether less than half of the short words of ``prompt`` are common in the documents: what
    their words cover tells nothing then. (English papers have "de" and "les" here and there.)"""
    words = dict.fromkeys(_SHORT_WORD.findall(prompt))
    return len(words) >= _FEW_SHORT_WORDS and 2 * sum(map(is_common, words)) < len(words)


def _coverage(rows: Rows, size: int, terms: Sequence[Rows]) -> tuple[Column, float, float]:
    """Return the share of the terms, weighted by rarity, that each unit has in its text or its
    headings, the rarity of all of them, and the share that none has."""
    covered = np.zeros(len(rows))
    total = absent = 0.0
    for places in terms:
        has = np.zeros(size, dtype=bool)
        has[places] = True
        here = has[rows]
        count = int(here.sum())
        rarity = float(np.log1p((len(rows) - count + 0.5) / (count + 0.5)))
        total += rarity
        absent += 0.0 if count else rarity
        covered += rarity * here
    return (covered / total, total, absent / total) if total > 0 else (covered, 0.0, 1.0)


def _standardised(values: Column) -> Column:
    spread = float(values.std())
    centred: Column = values - float(values.mean())
    return centred / spread if spread > 1e-9 else centred


def _mean_of_group(values: Column, groups: NDArray[np.intp]) -> Column:
    means = np.bincount(groups, weights=values) / np.bincount(groups)
    found: Column = means[groups]
    return found


def _best(values: Column, count: int) -> float:
    return float(np.sort(values)[-count:].mean())
