"""Trains the selector on judged prompts.

    .venv/bin/python packaging/train_selector.py
    … packaging/train_selector.py --check    only compares with the file that is shipped

Nothing in it is drawn by chance; other machines may give the vectors other last digits. The file
that is shipped was fitted before columns of plain texts were read as rows: 24 of the judged units
of the four projects are other ones since, and another file comes of it.

``selector_data`` holds small projects, written for this purpose by people who built none of the
selecting: documents of invented devices, prompts as writers type them, and for each prompt the
units that a reader found to belong into the text, to be doubtful, or to be beside the point (by the
first digits of a digest; what was not shown to the reader is beside it). A prompt without any has
no answer in the documents that are searched. Of the first eighteen projects a reader was shown some
forty units of a prompt; of the 36 later ones the reader chose among all units, most prompts ask for
more, and what is beside the point are the others of the sixty that the selector likes best.

The selector learns of four projects. What is learnt of three of them is tried on the fourth, what
is learnt of all four on the others, and the figures are printed. Only its weights of clauses,
which tell what asks for content, are fitted anew on ``clauses.jsonl`` with the clauses of the later
projects (of 146 that ask for nothing 66 are told, and 34 of 478 that do are taken for such, each
half of the projects by the other; before 72 and 86). On the first four the
selector of before, which was trained on the headings of open documents, had an area under the curve
of 0.72 and the first form of this one 0.82.

What else was tried on projects that nothing was learnt of, and is not shipped (areas under the
curve of units, where nothing else is said):

- No gain: boosted trees, a second regression over the probabilities of a first one for each need, a
  need read together with its prompt, vectors of the headings, the folder of a document, the ranks
  of a unit among those of its need; ten projects instead of four (0.79 for 0.78); rarity and
  cosines scaled to the size of a project (finds less in large ones); items in parentheses or
  between plus signs as needs of their own (0.747 for 0.759 within the 54 prompts that have them).
- Nearness to the units that are found first: 0.784 for 0.779. A low-rank product of the embedder's
  vectors: 0.795 for 0.775.
- A cross-encoder made of the first four layers of the embedder, over the odds of what is shipped,
  learnt of fifteen projects and tried on three: 0.840 for 0.824 after one epoch, 0.843 after two
  (each read about 16,000 drawn from 35,900 pairs); of the best four units 0.48 instead of 0.45
  belong. 100 units would take some 0.6 s, estimated from 0.88 s measured for six layers at 64
  tokens.
- Late interaction (for each word piece of the need or the prompt the best cosine among those of a
  unit, four features, over the same odds): 0.81 and 0.80 for 0.79 and 0.78, either half of the
  eighteen by the other; in drafts 0.53 of the facts in 348 words (0.54 in 316 at the same commit).
- A second regression over the odds of the first for a unit's section, document and neighbours, with
  the numbers in a unit and whether it ends as a sentence, learnt of all eighteen: 0.815 for 0.793,
  0.82 and 0.81 for either half by the other. A small network over the same: 0.818. In drafts it is
  no better: of the three projects of ``tests/benchmarks/projects`` 0.53 of the facts in 326 words
  (0.56 in 318 by what is shipped), and 11 instead of 14 of 15 prompts without an answer abstain.
- With that, the embedder's weights tuned to read needs, units left as they are (two epochs, each
  half of the projects read by the encoder that learnt of the other): 0.85 and 0.84, and 0.57 of
  the facts in 320 words, but 13 of the 15 abstain, and 2 instead of 1 of the 42 with an answer.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.chunking.citable_units import split_units
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.features import (
    NEED_FEATURES,
    UNIT_FEATURES,
    Column,
    best_needs,
)
from phasergun_desktop.planning.looked_at import LookedAt
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.planning.pool import Pool, UnitPools
from phasergun_desktop.planning.selector import SELECTOR_FILE, Logistic, Selector
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession

DATA = Path(__file__).with_name("selector_data")
# What a doubtful unit counts as, and how much one that no reader was shown weighs.
DOUBTFUL, NOT_SHOWN = 0.35, 0.3
# What a need weighs that has no answer: of a prompt made so, of one of another project (which some
# document may answer after all), and of one whose answering documents are taken away (which others
# may repeat).
UNANSWERED, OF_ANOTHER, TAKEN_AWAY = 3.0, 0.3, 0.1
RIDGE = 1.0
# Where the product loads the selector.
_LOADED_BY = "phasergun_desktop.workspace.drafting_parts.load_selector"
# The vectors have many more columns than there is to learn of them.
CLAUSE_RIDGE = 60.0
LEARNT = ("energy", "flow", "pump", "triage")
EMBEDDER, EMBEDDED = "all-MiniLM-L6-v2", 384
_VERDICTS = ("belongs", "doubtful", "beside")
ASKS_FROM = 0.2
ANSWERED_FROM = 0.3


@dataclass(frozen=True, slots=True)
class JudgedPrompt:
    """What is read of a prompt, and of it without the documents that answer it (None where
    nothing is left, or where there is no answer): ``answers`` and ``weights`` have an entry for
    each of its units."""

    looked: LookedAt
    answers: Column
    weights: Column
    without: LookedAt | None = None

    @property
    def answering(self) -> frozenset[int]:
        """The documents of the units that belong into the text."""
        rows = self.looked.units.rows[self.answers == 1]
        return frozenset(self.looked.table.documents[rows].tolist())

    @property
    def is_answered(self) -> bool:
        """Whether some unit belongs into the text."""
        return bool((self.answers == 1).any())


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """The request of a prompt, and what ``pools`` looked at of ``documents`` for it."""

    pools: UnitPools
    request: Request
    documents: Sequence[DocumentRecord]
    looked: LookedAt


def judged_prompts(
    project: Path, home: Path, strange: Sequence[str] = ()
) -> Iterator[JudgedPrompt]:
    """Index ``project`` in ``home`` and yield its prompts, and the ``strange`` ones of others."""
    shutil.copytree(project / "project", home / "project")
    neutral = Logistic(0.0, (0.0,) * len(UNIT_FEATURES))
    clause = Logistic(1.0, (0.0,) * EMBEDDED)
    need = Logistic(0.0, (0.0,) * len(NEED_FEATURES))
    no_gaps = Selector(EMBEDDER, clause, neutral, need, 0.0, 0.0)
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {"PHASERGUN_HOME": str(home / "home")}))
        stack.enter_context(patch(_LOADED_BY, lambda path: no_gaps))
        application = build_application()
        stack.callback(application.close)
        session = application.workspace.open(home / "project")
        stack.callback(session.close)
        run_to_end(session.sync())
        digests = digests_of(session)
        rows = [*map(json.loads, judged_lines(project)), *({"prompt": text} for text in strange)]
        known = frozenset(digests.values())
        gone: set[str] = set()
        for row in rows:
            # What is read otherwise than when it was judged (tables of plain texts are rows now).
            gone |= {each for name in _VERDICTS for each in row.get(name, ())} - known
        for row, read in requests_of(session, rows):
            judged = judged_of(row, read.looked, digests)
            answering = judged.answering
            others = [each for each in read.documents if each.document_id not in answering]
            without = read.pools.looked_at(read.request, others) if answering else None
            yield replace(judged, without=without)
        if gone:
            print(f"  {project.name}: {len(gone)} judged units are read otherwise now")


def requests_of(
    session: ProjectSession, rows: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any], ReadRequest]]:
    """Yield those of ``rows`` whose prompt the selector reads, and what it reads of it."""
    asked: list[tuple[UnitPools, Request, Sequence[DocumentRecord]]] = []
    make = UnitPools.pool

    def kept(
        pools: UnitPools, request: Request, documents: Sequence[DocumentRecord], **_: bool
    ) -> Pool:
        asked.append((pools, request, documents))
        return make(pools, request, documents, is_read=False)

    with patch.object(UnitPools, "pool", kept):
        for row in rows:
            asked.clear()
            session.plan(str(row["prompt"]))
            if not asked:
                continue
            # What a comparison looks up for its cells comes before the text's own evidence.
            pools, request, documents = asked[-1]
            looked = pools.looked_at(request, documents)
            if looked is not None and not pools.is_foreign(request):
                yield row, ReadRequest(pools, request, documents, looked)


def digests_of(session: ProjectSession) -> dict[tuple[int, int], str]:
    """Return what names each unit in the judgements, by its document and where it starts."""
    found: dict[tuple[int, int], str] = {}
    for record in session.documents():
        for unit in split_units(session.source(record.file).document):
            found[record.document_id, unit.start] = digest_of(record.file, unit.text)
    return found


def digest_of(file: str, text: str) -> str:
    """Return what names the unit ``text`` of ``file`` in judgements and questions."""
    return hashlib.sha256(f"{file}\n{text}".encode()).hexdigest()[:8]


def judged_lines(project: Path) -> list[str]:
    """Return the JSON lines of the prompts of ``project``."""
    return (project / "judged.jsonl").read_text("utf-8").splitlines()


def judged_of(
    row: Mapping[str, Any],
    looked: LookedAt,
    digests: dict[tuple[int, int], str],
) -> JudgedPrompt:
    """Return what the readers of the prompt of ``row`` say of the units ``looked`` at; ``digests``
    name these by document and start."""
    table, rows = looked.table, looked.units.rows
    places = zip(table.documents[rows].tolist(), table.start[rows].tolist(), strict=True)
    keys = [digests[place] for place in places]
    verdicts = {
        **dict.fromkeys(row.get("beside", ()), 0.0),
        **dict.fromkeys(row.get("doubtful", ()), DOUBTFUL),
        **dict.fromkeys(row.get("belongs", ()), 1.0),
    }
    answers = np.array([verdicts.get(key, 0.0) for key in keys])
    not_shown = NOT_SHOWN if "belongs" in row else 0.0
    weights = np.array([1.0 if key in verdicts else not_shown for key in keys])
    return JudgedPrompt(looked, answers, weights)


def need_rows(
    prompts: Sequence[JudgedPrompt], unit: Logistic
) -> Iterator[tuple[Column, bool, float]]:
    """Yield features of needs, whether they are answered, and what that weighs: those of which a
    unit belongs into the text, and all of a prompt that nothing answers."""
    for prompt in prompts:
        looked = prompt.looked
        rows = dict(looked.need_rows(unit.probabilities(looked.units.columns)))
        of_units, _ = best_needs(len(looked.table), tuple(looked.matches.values()))
        belonging = set(of_units[looked.units.rows[prompt.answers == 1]].tolist())
        for at, row in enumerate(rows.values()):
            if at in belonging or not prompt.is_answered:
                of_other = UNANSWERED if prompt.weights.any() else OF_ANOTHER
                yield row[0], prompt.is_answered, 1.0 if prompt.is_answered else of_other
        if prompt.without is not None:
            scores = unit.probabilities(prompt.without.units.columns)
            for _, row in prompt.without.need_rows(scores):
                yield row[0], False, TAKEN_AWAY


def fitted_clauses() -> Logistic:
    """Return the regression of the vectors of clauses that ask for content, and of others."""
    lines = (DATA / "clauses.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    models = resources_path() / "models"
    embedder = OnnxEmbedder(models / f"{EMBEDDER}-int8.onnx", models / "tokenizer.json")
    vectors = embedder.embed([row["clause"] for row in rows]).astype(np.float64)
    asks = np.array([float(row["asks"]) for row in rows])
    return fitted(vectors, asks, ridge_weight=CLAUSE_RIDGE)


def fitted(
    columns: Column,
    answers: Column,
    weights: Column | None = None,
    *,
    ridge_weight: float = RIDGE,
) -> Logistic:
    """Return the logistic regression, by Newton's steps over standardised columns; ``answers`` are
    0..1."""
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-6
    rows = np.column_stack([(columns - mean) / spread, np.ones(len(columns))])
    weight = np.ones(len(rows)) if weights is None else weights
    ridge = np.diag([ridge_weight] * columns.shape[1] + [1e-6])
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1.0 / (1.0 + np.exp(-(rows @ found)))
        slope = rows.T @ (weight * (answers - chance)) - ridge @ found
        curve = (rows * (weight * chance * (1.0 - chance))[:, None]).T @ rows + ridge
        found += np.linalg.solve(curve, slope)
    scaled = found[:-1] / spread
    return Logistic(float(found[-1] - scaled @ mean), tuple(scaled.tolist()))


def fitted_on(prompts: Sequence[JudgedPrompt]) -> tuple[Logistic, Logistic]:
    """Return the regressions of units and of needs."""
    judged = [each for each in prompts if each.weights.any()]
    unit = fitted(
        np.concatenate([each.looked.units.columns for each in judged]),
        np.concatenate([each.answers for each in judged]),
        np.concatenate([each.weights for each in judged]),
    )
    rows, answered, weights = zip(*need_rows(prompts, unit), strict=True)
    return unit, fitted(np.array(rows), np.array(answered, dtype=np.float64), np.array(weights))


def area(scores: Column, is_true: NDArray[np.bool_]) -> float:
    """Return the area under the curve."""
    above = scores[is_true][:, None] - scores[~is_true][None, :]
    return float((above > 0).mean() + (above == 0).mean() / 2)


def figures(prompts: Sequence[JudgedPrompt], unit: Logistic, need: Logistic) -> Iterator[str]:
    """Yield what prompts that nothing was learnt of say of the two regressions."""
    judged = [
        (unit.probabilities(each.looked.units.columns), each.answers, each.weights == 1.0)
        for each in prompts
        if each.is_answered
    ]
    scores = np.concatenate([score[shown] for score, _, shown in judged])
    answers = np.concatenate([answer[shown] for _, answer, shown in judged])
    is_clear = answers != DOUBTFUL
    yield f"units: area under the curve {area(scores[is_clear], answers[is_clear] == 1):.3f}"
    found = [(answer[np.argsort(-score)[:20]] == 1).sum() for score, answer, _ in judged]
    wanted = [min(20, int((answer == 1).sum())) for _, answer, _ in judged]
    yield f"of the units that belong, among the best 20: {sum(found) / sum(wanted):.3f}"
    rows, answered, _ = zip(*need_rows(prompts, unit), strict=True)
    chances, is_answered = need.probabilities(np.array(rows)), np.array(answered)
    yield f"needs: area under the curve {area(chances, is_answered):.3f}"
    best: dict[bool, list[float]] = {True: [], False: []}
    for each in prompts:
        for looked, has_answer in ((each.looked, each.is_answered), (each.without, False)):
            if looked is not None:
                scores = unit.probabilities(looked.units.columns)
                told = [float(need.probabilities(r)[0]) for _, r in looked.need_rows(scores)]
                best[has_answer].append(max(told))
    for bound in np.arange(0.05, 0.5, 0.05):
        shares = [np.mean(np.array(best[has_answer]) < bound) for has_answer in (True, False)]
        yield (
            f"  best chance below {bound:.2f}: {shares[0]:.2f} of the prompts with an answer, "
            f"{shares[1]:.2f} of those without"
        )


def trained(work: Path) -> tuple[Logistic, Logistic]:
    """Train, and print what each project says of what is learnt of others."""
    folders = sorted(each.name for each in DATA.iterdir() if each.is_dir())
    others = [name for name in folders if name not in LEARNT]
    with ProcessPoolExecutor() as pool:
        names = (*LEARNT, *others)
        prompts = dict(zip(names, pool.map(partial(_read, work), names), strict=True))

    def show(name: str, *models: Logistic) -> None:
        print(f"{name}:", *figures(prompts[name], *models), sep="\n  ", flush=True)

    for name in LEARNT:
        show(name, *fitted_on([p for each in LEARNT if each != name for p in prompts[each]]))
    made = fitted_on([prompt for name in LEARNT for prompt in prompts[name]])
    for name in others:
        show(name, *made)
    return made


def _read(work: Path, name: str) -> list[JudgedPrompt]:
    """Return the prompts of a project, and the answered ones of those that are learnt of."""
    lines = [line for each in LEARNT if each != name for line in judged_lines(DATA / each)]
    rows = [json.loads(line) for line in lines]
    strange = [row["prompt"] for row in rows if row["belongs"]]
    return list(judged_prompts(DATA / name, work / name, strange))


def content_of(clause: Logistic, unit: Logistic, need: Logistic) -> bytes:
    """Return the file; rounded, so that another machine writes the same."""

    def described(model: Logistic, names: Sequence[str]) -> dict[str, object]:
        weights = {n: round(w, 3) for n, w in zip(names, model.weights, strict=True)}
        return {"intercept": round(model.intercept, 3), "weights": weights}

    made = {
        "about": "Coefficients of the selector; written by packaging/train_selector.py.",
        "embedder": EMBEDDER,
        "clause": {
            "intercept": round(clause.intercept, 3),
            "weights": " ".join(f"{weight:.2f}" for weight in clause.weights),
        },
        "unit": described(unit, UNIT_FEATURES),
        "need": described(need, NEED_FEATURES),
        "asks_from": ASKS_FROM,
        "answered_from": ANSWERED_FROM,
    }
    return (json.dumps(made, indent=1) + "\n").encode()


def main() -> int:
    """Train; 0 when the result is written, or is the file that is there."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="phasergun-selector-") as work:
        content = content_of(fitted_clauses(), *trained(Path(work)))
    path = resources_path() / "models" / SELECTOR_FILE
    if not arguments.check:
        write_atomically(path, content)
    is_same = path.is_file() and path.read_bytes() == content
    print(f"{path.name}: {'the same' if is_same else 'another file'}")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
