"""``python -m tests.benchmarks.grounding_training DATA [--odds FILE] [--out FILE]``.

Fits the few coefficients of the support check on published claims and writes them, readable, to
``resources/models/support.json``. DATA is the folder with the claims; scikit-learn's optimiser
(scipy) comes with the extra ``custom-models``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.evaluation.metrics import area_under_curve
from phasergun_desktop.grounding.rarity import load_rarity
from phasergun_desktop.grounding.support_check import SupportFigures
from phasergun_desktop.grounding.support_features import (
    FEATURES,
    FEATURES_VERSION,
    SupportFeatures,
)
from phasergun_desktop.grounding.support_model import (
    SUPPORT_FILE,
    Logistic,
    OddsMix,
    SupportModel,
    Term,
    Thresholds,
)
from phasergun_desktop.paths import resources_path
from tests.benchmarks.grounding_pairs import (
    CLIMATE,
    SCIFACT,
    FeatureRows,
    bundled_embedder,
    measured,
)

FOLDS = 10
# The 1.5B model's odds on SciFact's rows by their ids; none of their text.
KEPT_ODDS = Path(__file__).with_name("scifact_odds.jsonl")
# The strength of the ridge: the weight of the data, all rows together, against the coefficients.
DATA_WEIGHT = 0.02
LICENCES = {
    "scifact_train": "CC BY 4.0, ODC-By 1.0",
    "climate_fever_pairs": "CC BY-SA",
}


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression over standardised columns; arrays of shape (columns,). ``weights``
    hold for short sources, ``weights_long`` for long ones, and go over from one to the other."""

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    weights: NDArray[np.float64]
    weights_long: NDArray[np.float64]
    intercept: float

    def probabilities(
        self, rows: NDArray[np.float64], lengths: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return P(positive), shape (rows,). ``lengths`` in 0..1 (short without them)."""
        scaled = (rows - self.mean) / self.scale
        long = np.zeros(len(rows)) if lengths is None else lengths
        odds = (1 - long) * (scaled @ self.weights) + long * (scaled @ self.weights_long)
        return np.asarray(1.0 / (1.0 + np.exp(-odds - self.intercept)))

    def terms(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Return the coefficients by name, those that add nothing left out."""
        kept = np.maximum(np.abs(self.weights), np.abs(self.weights_long)) >= 0.0005
        return [term for term, is_kept in zip(self.every_term(names), kept, strict=True) if is_kept]

    def every_term(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Return the coefficients by name."""
        columns = (self.mean, self.scale, self.weights, self.weights_long)
        return [
            {
                "feature": name,
                "mean": round(float(mean), 4),
                "scale": round(float(scale), 4),
                "weight": round(float(weight), 4),
                "weight_long": round(float(long), 4),
            }
            for name, mean, scale, weight, long in zip(names, *columns, strict=True)
        ]


def fit(
    rows: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weights: NDArray[np.float64],
    signs: NDArray[np.float64],
    lengths: NDArray[np.float64] | None = None,
) -> Fit:
    """Fit with ridge and with ``signs`` (1, -1, 0 free) that a column's weight must keep.

    A sign keeps what is learnt on one set from turning against another: more of the claim's
    words in the source never speaks against support. With ``lengths`` (0..1) every column has a
    weight for short and one for long sources.
    """
    from scipy.optimize import minimize

    mean = np.average(rows, axis=0, weights=weights)
    scale = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weights)) + 1e-9
    design = (rows - mean) / scale
    if lengths is not None:
        long = lengths[:, np.newaxis]
        design = np.hstack([design * (1 - long), design * long])
        signs = np.concatenate([signs, signs])
    side = np.where(positive, 1.0, -1.0)

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = side * (design @ point[:-1] + point[-1])
        pull = -weights * side / (1.0 + np.exp(margin)) * DATA_WEIGHT
        value = float((weights * np.logaddexp(0, -margin)).sum() * DATA_WEIGHT)
        value += 0.5 * float(point[:-1] @ point[:-1])
        return value, np.append(design.T @ pull + point[:-1], pull.sum())

    bounds = [(0 if s > 0 else None, 0 if s < 0 else None) for s in signs]
    found = minimize(
        loss,
        np.zeros(design.shape[1] + 1),
        jac=True,
        method="L-BFGS-B",
        bounds=[*bounds, (None, None)],
    )
    columns = rows.shape[1]
    short = found.x[:columns]
    return Fit(
        mean,
        scale,
        short,
        short if lengths is None else found.x[columns : 2 * columns],
        float(found.x[-1]),
    )


def lengths_of(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how long the sources of rows of features are, 0..1, shape (rows,)."""
    at = FEATURES.index("less_sentences")
    return np.array([_length(value) for value in rows[:, at]])


def _length(sentences: float) -> float:
    blank = dict.fromkeys(FEATURES, 0.0)
    return SupportFeatures(**{**blank, "less_sentences": float(sentences)}).length


def support_signs() -> NDArray[np.float64]:
    """Return the sign that every feature must have for support."""
    return np.array([-1.0 if name.startswith("less_") else 1.0 for name in FEATURES])


def contradiction_signs() -> NDArray[np.float64]:
    """Direction and denial speak of contradiction the other way round; the rest is free."""
    turning = ("direction_near", "turns_alike")
    return np.array(
        [-1.0 if name in turning else 1.0 if name.startswith("less_") else 0.0 for name in FEATURES]
    )


def balanced(positive: NDArray[np.bool_], of_set: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights under which every set, and in it every class, counts the same (mean 1)."""
    weights = np.zeros(len(positive))
    cells = [(s, c) for s in np.unique(of_set) for c in (False, True)]
    for each, label in cells:
        inside = (of_set == each) & (positive == label)
        weights[inside] = len(positive) / len(cells) / max(1, inside.sum())
    return weights


def folds(
    claims: Sequence[str], positive: NDArray[np.bool_], seed: int = 0
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield (train, test) rows; a claim is never in both."""
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    yield from splitter.split(np.zeros((len(claims), 1)), positive, np.array(claims, dtype=object))


def crossed(
    rows: NDArray[np.float64],
    positive: NDArray[np.bool_],
    claims: Sequence[str],
    of_set: NDArray[np.int64],
    signs: NDArray[np.float64],
    lengths: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the probability of every row from a fit on other claims, shape (rows,)."""
    found = np.zeros(len(positive))
    for train, test in folds(claims, positive):
        weights = balanced(positive[train], of_set[train])
        long = (None, None) if lengths is None else (lengths[train], lengths[test])
        made = fit(rows[train], positive[train], weights, signs, long[0])
        found[test] = made.probabilities(rows[test], long[1])
    return found


@dataclass(frozen=True, slots=True)
class Pool:
    """Several sets under one another."""

    sets: tuple[FeatureRows, ...]
    rows: NDArray[np.float64]
    supported: NDArray[np.bool_]
    contradicted: NDArray[np.bool_]
    claims: list[str]
    of_set: NDArray[np.int64]


def pool(*sets: FeatureRows) -> Pool:
    """Put sets under one another."""
    return Pool(
        sets,
        np.concatenate([each.features for each in sets]),
        np.concatenate([each.supported for each in sets]),
        np.concatenate([each.contradicted for each in sets]),
        [claim for each in sets for claim in each.claims],
        np.concatenate([np.full(len(each.pairs), at) for at, each in enumerate(sets)]),
    )


def fit_support(pooled: Pool) -> Fit:
    """Fit support against the rest on every row."""
    weights = balanced(pooled.supported, pooled.of_set)
    return fit(pooled.rows, pooled.supported, weights, support_signs(), lengths_of(pooled.rows))


def crossed_support(pooled: Pool) -> NDArray[np.float64]:
    """Return P(supported) of every row from fits on other claims, shape (rows,)."""
    return crossed(
        pooled.rows,
        pooled.supported,
        pooled.claims,
        pooled.of_set,
        support_signs(),
        lengths_of(pooled.rows),
    )


def fit_contradiction(pooled: Pool) -> Fit:
    """Fit contradicted against supported, on those rows alone."""
    about = pooled.supported | pooled.contradicted
    positive = pooled.contradicted[about]
    weights = balanced(positive, pooled.of_set[about])
    return fit(pooled.rows[about], positive, weights, contradiction_signs())


def odds_columns(
    probabilities: NDArray[np.float64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return log-odds of the first probability and of the model, shape (rows, 2)."""
    kept = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.stack([np.log(kept / (1 - kept)), odds], axis=1)


def best_threshold(
    probabilities: NDArray[np.float64], positive: NDArray[np.bool_], weights: NDArray[np.float64]
) -> float:
    """Return the threshold of the best balanced accuracy, sets weighing the same."""
    candidates = np.round(np.arange(0.3, 0.71, 0.02), 2)
    scores = [
        (weights * ((probabilities >= each) == positive)).sum() / weights.sum()
        for each in candidates
    ]
    return float(candidates[int(np.argmax(scores))])


def read_odds(path: Path) -> dict[str, float]:
    """Return the language model's log-odds by the id of their row (JSON lines: id, odds)."""
    lines = path.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return {str(row["id"]): float(row["odds"]) for row in rows}


def with_odds(
    rows: FeatureRows, odds: dict[str, float]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the places of the rows that have odds, and those odds."""
    places = [at for at, pair in enumerate(rows.pairs) if pair.pair_id in odds]
    return np.array(places), np.array([odds[rows.pairs[at].pair_id] for at in places])


def trained(pooled: Pool, odds: dict[str, float]) -> dict[str, object]:
    """Return what the file of coefficients holds."""
    support, contradiction = fit_support(pooled), fit_contradiction(pooled)
    outside = crossed_support(pooled)
    weights = balanced(pooled.supported, pooled.of_set)
    threshold = best_threshold(outside, pooled.supported, weights)
    return {
        "about": "Coefficients of the support check; written by tests/benchmarks"
        "/grounding_training.py.",
        "features_version": FEATURES_VERSION,
        "made": datetime.now(UTC).date().isoformat(),
        "data": [
            {
                "name": each.name,
                "rows": len(each.pairs),
                "supported": int(each.supported.sum()),
                "contradicted": int(each.contradicted.sum()),
                "licence": LICENCES.get(each.name, ""),
            }
            for each in pooled.sets
        ],
        "licence_note": "Figures learnt from these sets; none of their text is contained.",
        "thresholds": {"supported": threshold, "partly": round(threshold - 0.15, 2)},
        "support": {
            "intercept": round(support.intercept, 4),
            "terms": support.terms(FEATURES),
        },
        "contradiction": {
            "intercept": round(contradiction.intercept, 4),
            "terms": contradiction.terms(FEATURES),
        },
        "second_opinion": _opinion(support_opinion(pooled, outside, odds)),
        "contradiction_opinion": _opinion(contradiction_opinion(pooled, odds)),
    }


@dataclass(frozen=True, slots=True)
class OpinionFit:
    """How probability and odds are mixed, learnt on ``columns`` (rows, 2). ``outside`` is the
    joint probability of every row from a fit on other claims."""

    fit: Fit
    positive: NDArray[np.bool_]
    columns: NDArray[np.float64]
    outside: NDArray[np.float64]
    claims: list[str]


def support_opinion(
    pooled: Pool, outside: NDArray[np.float64], odds: dict[str, float]
) -> OpinionFit:
    """Learn the mix for support on the rows of the first set that have odds.

    ``outside`` are probabilities of rows that were not learnt from: else they would weigh too
    much.
    """
    places, said = with_odds(pooled.sets[0], odds)
    return _mixed(pooled.supported[places], outside[places], said, places, pooled, np.ones(2))


def contradiction_opinion(pooled: Pool, odds: dict[str, float]) -> OpinionFit:
    """Learn the mix for contradiction; the more the model says Yes, the less it is one."""
    found = crossed_contradiction(pooled)
    about = pooled.supported | pooled.contradicted
    places, said = with_odds(pooled.sets[0], odds)
    kept = about[places]
    places, said = places[kept], said[kept]
    signs = np.array([1.0, -1.0])
    return _mixed(pooled.contradicted[places], found[places], said, places, pooled, signs)


def crossed_contradiction(pooled: Pool) -> NDArray[np.float64]:
    """Return P(contradicted) from fits on other claims, shape (rows,); NaN for other rows."""
    about = np.flatnonzero(pooled.supported | pooled.contradicted)
    found = np.full(len(pooled.supported), np.nan)
    found[about] = crossed(
        pooled.rows[about],
        pooled.contradicted[about],
        [pooled.claims[at] for at in about],
        pooled.of_set[about],
        contradiction_signs(),
    )
    return found


def _mixed(
    positive: NDArray[np.bool_],
    first: NDArray[np.float64],
    said: NDArray[np.float64],
    places: NDArray[np.int64],
    pooled: Pool,
    signs: NDArray[np.float64],
) -> OpinionFit:
    columns = odds_columns(first, said)
    claims = [pooled.claims[at] for at in places]
    alike = np.zeros(len(places), dtype=np.int64)
    made = fit(columns, positive, balanced(positive, alike), signs)
    return OpinionFit(
        made, positive, columns, crossed(columns, positive, claims, alike, signs), claims
    )


def _opinion(made: OpinionFit) -> dict[str, object]:
    first, odds = made.fit.every_term(("first", "odds"))
    return {
        "rows": len(made.positive),
        "intercept": round(made.fit.intercept, 4),
        "first": first,
        "odds": odds,
    }


def untrained_figures() -> SupportFigures:
    """Return what measuring features needs, before there are coefficients."""
    nothing = Logistic(0.0, ())
    flat = Term("", 0.0, 1.0, 1.0, 1.0)
    model = SupportModel(
        nothing,
        nothing,
        OddsMix(0.0, flat, flat),
        OddsMix(0.0, flat, flat),
        Thresholds(0.5, 0.35),
    )
    return SupportFigures(model, load_rarity(resources_path() / "models" / "tokenizer.json"))


def measured_sets(data: Path) -> tuple[FeatureRows, FeatureRows]:
    """Return SciFact and Climate-FEVER, measured (three to five minutes)."""
    embedder = bundled_embedder()
    try:
        figures = untrained_figures()
        return (
            measured(data / SCIFACT, figures, embedder),
            measured(data / CLIMATE, figures, embedder),
        )
    finally:
        embedder.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, write, and say the cross-validated areas under the curve."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.grounding_training")
    parser.add_argument("data", type=Path, help="the folder with the claims")
    parser.add_argument("--odds", type=Path, default=KEPT_ODDS, help="JSON lines: id, odds")
    parser.add_argument("--out", type=Path, default=resources_path() / "models" / SUPPORT_FILE)
    chosen = parser.parse_args(arguments)
    pooled = pool(*measured_sets(chosen.data))
    made = trained(pooled, read_odds(chosen.odds))
    chosen.out.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    outside = crossed_support(pooled)
    for at, each in enumerate(pooled.sets):
        inside = pooled.of_set == at
        area = area_under_curve(pooled.supported[inside], outside[inside])
        print(f"{each.name}: {area:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
