"""What the selector reads of a prompt and the units that it allows: numbers of each unit.

A unit belongs into a text for what it says and for where it stands: a need that a prompt lists
("what went wrong") has seldom the words of its topic, the document and the section that answer the
other needs have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.index.unit_table import UnitTable
from phasergun_desktop.text.lexicon import in_all_languages
from phasergun_desktop.text.words import fold

Column = NDArray[np.float64]
Rows = NDArray[np.int64]

UNIT_FEATURES = (
    "cosine",
    "rarity",
    "coverage_of_prompt",
    "words",
    "cosine_of_prompt",
    "document",
    "neighbours",
    "neighbours_of_prompt",
    "section",
    "procedure",
    "needs",
)
NEED_FEATURES = ("level", "level_of_prompt", "cosine", "unknown_words", "unknown_name", "terms")
# How many standard deviations of the cosines it counts that all words are covered.
_COVERED = 3.0
# A document, a section and a need are as good as the mean of their best units.
_BEST_OF_DOCUMENT, _BEST_OF_SECTION, _BEST_UNITS = 8, 3, 2
# So many units before and behind one are its neighbours.
_NEAR = 2
_LEAST_PROBABILITY = 1e-4
# Two words or more that are written as a name is.
_NAME = re.compile(r"[A-Z][\w®™/-]*(?: [A-Z][\w®™/-]*)+")
_WORD = re.compile(r"[^\W\d_]+")
_GRAMMAR = in_all_languages("language", "grammar")
# A common word of a language stands in more than this share of the units.
_COMMON = 0.001


@dataclass(frozen=True, slots=True)
class NeedMatch:
    """A need against the units at ``rows`` of the table, in rising order, which its scope allows.

    The columns have an entry a row: ``similarity`` is the cosine, ``cosine`` that in standard
    deviations from the mean of the project, ``coverage`` the share of the need's words, by rarity
    in the project, that the unit has (0..1), ``rarity`` their summed rarity. ``rules`` are the
    documents of the company's rules that the need does not name. ``unknown_words`` is the share of
    the words that no unit has, ``terms`` the logarithm of how many words there are.
    """

    rows: Rows
    similarity: Column
    cosine: Column
    coverage: Column
    rarity: Column
    rules: Rows
    unknown_words: float
    terms: float

    @property
    def merit(self) -> Column:
        """How well each unit goes with this need, other needs and places left aside."""
        return self.cosine + _COVERED * self.coverage


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """The units at ``rows`` of the table, which some need allows. ``needs`` is the place of the
    need that each goes with best, ``columns`` has shape (units, features of ``UNIT_FEATURES``)."""

    rows: Rows
    needs: Rows
    columns: Column


def match_need(
    table: UnitTable,
    everything: Rows,
    is_allowed: NDArray[np.bool_],
    cosines: NDArray[np.float32],
    terms: Sequence[Rows],
    rules: Rows,
) -> NeedMatch:
    """Compare a need with the units at ``everything``, in rising order, of which ``is_allowed``
    says what its scope allows: at least one. ``cosines`` are theirs to the need, shape
    (len(everything),); ``terms`` are for each of its words the places in the table of the units
    that have it.

    What is rare and what is near is measured on the project, so that a need that names a short
    document is like one that does not."""
    similarity = cosines.astype(np.float64)
    coverage, total, unknown = _coverage(everything, len(table), terms)
    return NeedMatch(
        everything[is_allowed],
        similarity[is_allowed],
        _standardised(similarity)[is_allowed],
        coverage[is_allowed],
        coverage[is_allowed] * total,
        rules,
        unknown,
        float(np.log1p(len(terms))),
    )


def best_match(matches: Sequence[NeedMatch]) -> NeedMatch:
    """Return the match of a need that goes by several names, the first its own: each unit is
    compared with the name that it goes with best."""
    own, *others = matches
    if not others:
        return own

    def best(column: str) -> Column:
        made: Column = np.max([getattr(each, column) for each in matches], axis=0)
        return made

    return replace(
        own,
        similarity=best("similarity"),
        cosine=best("cosine"),
        coverage=best("coverage"),
        rarity=best("rarity"),
        unknown_words=min(each.unknown_words for each in matches),
    )


def unit_features(
    table: UnitTable,
    everything: Rows,
    matches: Sequence[NeedMatch],
    topics: Sequence[tuple[NDArray[np.float32], Sequence[Rows]]],
) -> UnitFeatures:
    """Return the features of the units that ``matches``, at least one, allow of ``everything``.

    ``topics`` are for each name of the whole prompt the cosines of the units at ``everything`` to
    it and the units that have its words.
    """
    needs, merit = best_needs(len(table), matches)
    cosine, rarity = np.zeros(len(table)), np.zeros(len(table))
    is_rule = np.zeros(len(table), dtype=bool)
    for place, match in enumerate(matches):
        is_best = needs[match.rows] == place
        cosine[match.rows[is_best]] = match.cosine[is_best]
        rarity[match.rows[is_best]] = match.rarity[is_best]
        is_rule[match.rows[is_best]] = np.isin(table.documents[match.rows[is_best]], match.rules)
    rows = np.flatnonzero(needs >= 0)
    merit = merit[rows]
    documents, sections = table.documents[rows], table.sections[rows]
    of_document = _best_of_group(merit, documents, _BEST_OF_DOCUMENT)
    of_prompt = np.zeros(len(table))
    of_prompt[everything] = np.max(
        [_standardised(cosines.astype(np.float64)) for cosines, _ in topics], axis=0
    )
    covered = np.zeros(len(table))
    covered[everything] = np.max(
        [_coverage(everything, len(table), terms)[0] for _, terms in topics], axis=0
    )
    columns = np.empty((len(rows), len(UNIT_FEATURES)))
    columns[:, 0] = cosine[rows]
    columns[:, 1] = rarity[rows]
    columns[:, 2] = covered[rows]
    columns[:, 3] = np.log1p(table.words[rows].astype(np.float64))
    columns[:, 4] = of_prompt[rows]
    columns[:, 5] = of_document - of_document.max()
    columns[:, 6] = _mean_of_neighbours(merit, documents)
    columns[:, 7] = _mean_of_neighbours(of_prompt[rows], documents)
    columns[:, 8] = _best_of_group(merit, sections, _BEST_OF_SECTION)
    columns[:, 9] = is_rule[rows]
    columns[:, 10] = np.log(len(matches))
    return UnitFeatures(rows, needs[rows], columns)


def best_needs(size: int, matches: Sequence[NeedMatch]) -> tuple[Rows, Column]:
    """Return for each of the ``size`` units of the table the place of the need that it goes with
    best, -1 where none allows it, and its merit there."""
    needs, merit = np.full(size, -1), np.full(size, -np.inf)
    for place, match in enumerate(matches):
        own = match.merit
        is_best = own > merit[match.rows]
        needs[match.rows[is_best]] = place
        merit[match.rows[is_best]] = own[is_best]
    return needs, merit


def level(probabilities: Column) -> float:
    """Return the logarithm of how probable it is that the best of at least one unit belong into
    the text."""
    return float(np.log(_best(probabilities, _BEST_UNITS) + _LEAST_PROBABILITY))


def need_features(
    match: NeedMatch, level_of_need: float, level_of_prompt: float, unknown_name: float
) -> Column:
    """Return the features of a need, shape (1, features of ``NEED_FEATURES``)."""
    cosine = _best(match.similarity, _BEST_UNITS)
    row = (level_of_need, level_of_prompt, cosine, match.unknown_words, unknown_name, match.terms)
    return np.array([row])


def unknown_name(prompt: str, is_known: Callable[[str], bool]) -> float:
    """Return how much of a name in ``prompt`` no document has, 0..1: of the name of another
    device nearly all."""
    shares = [0.0]
    for match in _NAME.finditer(prompt):
        words = match.group().split()
        shares.append(sum(not is_known(word) for word in words) / len(words))
    return max(shares)


def is_of_another_language(prompt: str, counts: Callable[[str], Iterable[int]], units: int) -> bool:
    """Whether less than half of the words of ``prompt`` that only grammar needs, in any language,
    are common in the documents: what their words cover tells nothing then. (English papers have
    "de" and "les" here and there; keywords alone are of no language.) ``counts`` returns for each
    term of a word how many of the ``units`` have it."""
    words = dict.fromkeys(word for word in _WORD.findall(fold(prompt)) if word in _GRAMMAR)
    common = [word for word in words if all(n > _COMMON * units for n in counts(word))]
    return 2 * len(common) < len(words)


def _coverage(rows: Rows, size: int, terms: Sequence[Rows]) -> tuple[Column, float, float]:
    """Return the share of the terms, weighted by rarity, that each unit has in its text or its
    headings, the rarity of all of them, and the share that none has."""
    covered = np.zeros(len(rows))
    total = absent = 0.0
    # Where each unit of the table stands among the rows; behind them those that are not.
    place_of = np.full(size, len(rows))
    place_of[rows] = np.arange(len(rows))
    for places in terms:
        here = place_of[places]
        here = here[here < len(rows)]
        count = len(here)
        rarity = float(np.log1p((len(rows) - count + 0.5) / (count + 0.5)))
        total += rarity
        absent += 0.0 if count else rarity
        covered[here] += rarity
    return (covered / total, total, absent / total) if total > 0 else (covered, 0.0, 1.0)


def _standardised(values: Column) -> Column:
    spread = float(values.std())
    centred: Column = values - float(values.mean())
    return centred / spread if spread > 1e-9 else centred


def _best_of_group(values: Column, groups: NDArray[np.int32], count: int) -> Column:
    """Return for each value the mean of the best ``count`` of its group."""
    order = np.lexsort((-values, groups))
    _, first, group = np.unique(groups[order], return_index=True, return_inverse=True)
    rank = np.arange(len(values)) - first[group]
    kept = rank < count
    sums = np.bincount(group[kept], weights=values[order][kept])
    made = np.empty(len(values))
    made[order] = (sums / np.bincount(group[kept]))[group]
    return made


def _mean_of_neighbours(values: Column, documents: NDArray[np.int32]) -> Column:
    """Return for each value the mean of those beside it in its document, of one without any the
    mean of all."""
    sums, counts = np.zeros(len(values)), np.zeros(len(values))
    for distance in range(1, min(_NEAR, len(values) - 1) + 1):
        same = documents[distance:] == documents[:-distance]
        sums[distance:] += np.where(same, values[:-distance], 0.0)
        sums[:-distance] += np.where(same, values[distance:], 0.0)
        counts[distance:] += same
        counts[:-distance] += same
    made: Column = np.where(counts > 0, sums / np.maximum(counts, 1), values.mean())
    return made


def _best(values: Column, count: int) -> float:
    return float(np.sort(values)[-count:].mean())
