"""Trains the cross-encoder that tells which units belong into a text.

    .venv/bin/python packaging/train_cross_encoder.py OUT.onnx
        --hold cath,cuff,ivset,nmblock,port,robot,sono,syringe,topo,tropo,urine,wheel
    … packaging/train_cross_encoder.py OUT.onnx --hold … --from FILE.onnx
    … packaging/train_cross_encoder.py FILE.onnx --hold … --fit    only fits what reads FILE

It begins as the bundled embedder, or as the cross-encoder in the file ``--from``, and learns of the
judged prompts of ``train_selector.py``: a prompt is read with units that stand one behind the other
in a document, as the product does it, and each of these belongs, is doubtful, or does not. A third
of the prompts is read together with another one of their project, since writers ask for sections of
several points. What ``--hold`` names is not learnt of: its figures are printed, the regressions of
``planning/answer_selection.py`` and ``planning/pair_reading.py`` are fitted on what the product
then reads for its questions and prompts, and what each bound gives is printed too, each project by
the regression of the others. Questions and claims are learnt by ``train_changes.py``, as changes of
these weights.

Needs the extra custom-models. Uses a GPU where there is one; an epoch is 110,000 rows of units, 18
million word pieces, which takes hours on two cores. The drawing is seeded; the last digits of the
weights depend on the machine.

What is shipped learnt of 66 projects in four epochs by a first form of this script (the same texts
and draws), 5 minutes on one H100 beside four other trials, and began as the weights of before,
which had learnt of 50 of them a unit by a unit. Of twelve projects that neither learnt of:

- Of the best hundred units by the selector, areas under the curve of those that were judged, by the
  network alone: before 0.861; a unit by a unit, of 66 projects, two epochs more 0.920; in rows two
  epochs 0.929, four 0.939, with two neighbours and 260 pieces instead of one and 200 0.930 (two
  epochs); as changes of rank 16 beside the weights of before 0.923 (three epochs).
- Of what belongs to the 395 prompts with an answer, as many units taken as belong, with the
  selector's log odds: before 0.560, a unit by a unit 0.612, in rows 0.632, where neighbours that
  are read count too 0.635. With the rule of ``planning/evidence_points.py``: before 0.687 are
  stated and 0.378 of what is stated belong, now 0.789 and 0.423.
- Prompts with an answer against 81 without are told less well by the best unit, 0.916 for 0.938;
  with the selector's reading of needs 49 of the 81 abstain and 15 of the 395. The mean of a need's
  best three instead of its best: 0.919 for 0.911, and no more told.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import onnx
import torch
from cross_encoder_network import Pair, Reader, padded
from embedder_graph import build_cross_encoder, settled, weights_of
from safetensors.torch import load_file
from small_projects import MODELS, units_of
from torch.nn import functional
from train_selector import (
    DATA,
    DOUBTFUL,
    LEARNT,
    NOT_SHOWN,
    OF_ANOTHER,
    UNANSWERED,
    JudgedPrompt,
    area,
    digest_of,
    digests_of,
    fitted,
    judged_lines,
    judged_of,
    requests_of,
)

from phasergun_desktop.embedding.cross_encoder import QUERY_PIECES, WINDOW_PIECES, Pieces, UnitRun
from phasergun_desktop.embedding.onnx_files import whole_tokenizer
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.model_store import open_store
from phasergun_desktop.paths import resources_path, user_places
from phasergun_desktop.planning.evidence_points import LEAST_SHARE
from phasergun_desktop.planning.features import Column, Rows
from phasergun_desktop.planning.pair_reading import title_of
from phasergun_desktop.planning.selector import Logistic
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.wiring import build_application

EPOCHS, RATE, WARM_UP, LEAST_RATE = 4, 1e-4, 0.06, 0.03
# How fast the weights of the output learn.
RATE_OF_HEAD = 8e-4
# How many word pieces are read at once, and of how many rows those of one length are put together.
PIECES_A_STEP, ROWS_SORTED = 24576, 2048
# Such a share of the prompts is read together with another one of their project.
JOINED = 0.35
# Every other document is read whole, of the others what was judged, this share of the rest and the
# units beside each, as the product reads them; in rows of at most half to all of the word pieces.
WHOLE, LOOKED_AT = 0.5, 0.05
# So many rows of which nothing was judged are read with a prompt.
OTHER_ROWS = 6


@dataclass(frozen=True, slots=True)
class Document:
    """A document's ``title``, and the digest, the context and the text of each of its units."""

    title: str
    units: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A prompt, and the digests of the units that belong, are doubtful, or are beside it."""

    text: str
    belongs: frozenset[str]
    doubtful: frozenset[str]
    beside: frozenset[str]

    def with_other(self, other: Judged) -> Judged:
        """Return the prompt that asks for what this one and ``other`` of its project ask for."""
        belongs = self.belongs | other.belongs
        doubtful = (self.doubtful | other.doubtful) - belongs
        beside = (self.beside | other.beside) - belongs - doubtful
        return Judged(f"{self.text}\n{other.text}", belongs, doubtful, beside)


@dataclass(frozen=True, slots=True)
class Row:
    """A prompt with units in a row: what is read, where each unit's pieces are, how far each
    belongs, 0..1, and what each weighs."""

    pair: Pair
    spans: tuple[tuple[int, int], ...]
    belongs: tuple[float, ...]
    weights: tuple[float, ...]


class RowDrawer:
    """Draws rows of the ``documents`` of a project for its ``prompts``."""

    def __init__(
        self, documents: Sequence[Document], prompts: Sequence[Judged], pieces: Pieces
    ) -> None:
        self._documents = documents
        self._pieces = pieces
        self.prompts = prompts

    def drawn(self, prompt: Judged) -> list[Row]:
        """Return the rows that an epoch reads of ``prompt``."""
        known = prompt.belongs | prompt.doubtful | prompt.beside
        judged: list[Row] = []
        others: list[Row] = []
        for document in self._documents:
            places = list(range(len(document.units)))
            if random.random() >= WHOLE:  # noqa: S311
                looked = [
                    at
                    for at, (digest, _, _) in enumerate(document.units)
                    if digest in known or random.random() < LOOKED_AT  # noqa: S311
                ]
                near = {at + step for at in looked for step in (-1, 0, 1)}
                places = [at for at in places if at in near]
            most = random.randint(WINDOW_PIECES // 2, WINDOW_PIECES)  # noqa: S311
            for row, digests in self.rows(prompt, document, places, most):
                (others if known.isdisjoint(digests) else judged).append(row)
        return judged + random.sample(others, min(OTHER_ROWS, len(others)))

    def rows(
        self, prompt: Judged, document: Document, places: Sequence[int], most: int
    ) -> Iterator[tuple[Row, tuple[str, ...]]]:
        """Yield the rows of at most ``most`` word pieces of the units at the rising ``places``,
        with the digests of these."""
        asked = self._pieces.of(prompt.text, QUERY_PIECES)
        head = [self._pieces.first, *asked, self._pieces.behind]
        starts = [k for k, at in enumerate(places) if not k or places[k - 1] != at - 1]
        for start, end in zip(starts, [*starts[1:], len(places)], strict=True):
            units = [document.units[at] for at in places[start:end]]
            run = UnitRun(document.title, tuple((above, text) for _, above, text in units))
            left = iter(units)
            for window in self._pieces.windows(run, most):
                digests = tuple(next(left)[0] for _ in window.spans)
                ids = [*head, *window.pieces]
                types = [0] * len(head) + [1] * len(window.pieces)
                spans = tuple((len(head) + a, len(head) + b) for a, b in window.spans)
                judged = [self._judged(prompt, digest) for digest in digests]
                belongs, weights = zip(*judged, strict=True)
                yield Row((ids, types), spans, belongs, weights), digests

    @staticmethod
    def _judged(prompt: Judged, digest: str) -> tuple[float, float]:
        if digest in prompt.belongs:
            return 1.0, 1.0
        if digest in prompt.doubtful:
            return DOUBTFUL, 1.0
        return 0.0, 1.0 if digest in prompt.beside else NOT_SHOWN


class CachedPieces(Pieces):
    """Word pieces that are looked up once."""

    @cache  # noqa: B019 - one for the whole training
    def of(self, text: str, most: int) -> list[int]:
        """Return the ids of the first ``most`` word pieces of ``text``."""
        return super().of(text, most)


def read_project(folder: Path, work: Path, pieces: Pieces) -> RowDrawer:
    """Index the small project in ``folder`` in ``work``; return its documents and prompts."""
    of_files: dict[str, list[tuple[str, str, str]]] = {}
    for file, unit in units_of(folder, work / folder.name):
        entry = digest_of(file, unit.text), unit.context, unit.text
        of_files.setdefault(file, []).append(entry)
    rows = [json.loads(line) for line in judged_lines(folder)]
    prompts = [
        Judged(
            row["prompt"],
            *(frozenset(row.get(name, ())) for name in ("belongs", "doubtful", "beside")),
        )
        for row in rows
    ]
    documents = [Document(title_of(file), tuple(units)) for file, units in of_files.items()]
    print(f"{folder.name}: {sum(len(each.units) for each in documents)} units", flush=True)
    return RowDrawer(documents, prompts, pieces)


def embedder_tensors(weights: Path) -> dict[str, torch.Tensor]:
    """Return the tensors of the embedder's safetensors file ``weights``."""
    tensors = {n: t for n, t in load_file(weights).items() if t.is_floating_point()}
    types = tensors["embeddings.token_type_embeddings.weight"]
    types[1] = types[0]
    return tensors


def cross_encoder_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Return the tensors of the cross-encoder in the ONNX file ``path`` without changes, with its
    output for prompts."""
    found = weights_of(onnx.load(path))
    # Files of three outputs, and of one that nothing else was learnt for.
    at = 1 if len(found["head.bias"]) > 1 else 0
    for name in ("head.weight", "head.bias"):
        found[name] = found[name][[at]]
    return {name: torch.tensor(np.array(each)) for name, each in found.items()}


def written(tensors: dict[str, Any]) -> Any:
    """Return the ONNX model of ``tensors`` with the outputs that the product reads: until
    ``train_changes.py`` has learnt, that for prompts stands for the others."""
    heads = {name: tensors[name][[0, 0, 0]] for name in ("head.weight", "head.bias")}
    return build_cross_encoder({**settled(tensors), **heads}, int8=True)


def steps_of(projects: Sequence[RowDrawer]) -> list[list[Row]]:
    """Return in random order the steps of an epoch, each of rows of about one length."""
    rows = []
    for project in projects:
        for prompt in project.prompts:
            other = random.choice(project.prompts)  # noqa: S311
            is_joined = random.random() < JOINED  # noqa: S311
            rows += project.drawn(prompt.with_other(other) if is_joined else prompt)
    random.shuffle(rows)
    steps: list[list[Row]] = []
    for start in range(0, len(rows), ROWS_SORTED):
        part = sorted(rows[start : start + ROWS_SORTED], key=lambda row: len(row.pair[0]))
        step: list[Row] = []
        for row in part:
            if step and len(row.pair[0]) * (len(step) + 1) > PIECES_A_STEP:
                steps.append(step)
                step = []
            step.append(row)
        steps.append(step)
    random.shuffle(steps)
    return steps


def logits(model: Reader, rows: Sequence[Row], device: str) -> torch.Tensor:
    """Return the logits of all units of ``rows``, shape (units,)."""
    of_rows = [at for at, row in enumerate(rows) for _ in row.spans]
    spans = [span for row in rows for span in row.spans]
    parts = torch.tensor(of_rows, device=device), torch.tensor(spans, device=device)
    with torch.autocast(device, torch.bfloat16):
        return model(*padded([row.pair for row in rows], device), parts).float()[:, 0]


def train(
    model: Reader, projects: Sequence[RowDrawer], epochs: int, rate: float, device: str
) -> None:
    """Train ``model`` and print the loss."""
    model.train()
    body = [each for each in model.encoder.parameters() if each.requires_grad]
    head = {"params": list(model.head.parameters()), "lr": RATE_OF_HEAD}
    optimiser = torch.optim.AdamW([{"params": body, "lr": rate}, head], weight_decay=0.01)
    taken = [steps_of(projects) for _ in range(epochs)]
    steps = sum(map(len, taken))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda at: min(1.0, (at + 1) / (WARM_UP * steps)) * max(LEAST_RATE, 1.0 - at / steps),
    )
    started = time.monotonic()
    for at, epoch in enumerate(taken):
        total = torch.zeros((), device=device)
        for step in epoch:
            belongs = torch.tensor([each for row in step for each in row.belongs], device=device)
            weights = torch.tensor([each for row in step for each in row.weights], device=device)
            found = functional.binary_cross_entropy_with_logits(
                logits(model, step, device), belongs, weights, reduction="sum"
            )
            (found / weights.sum()).backward()
            torch.nn.utils.clip_grad_norm_(body, 1.0)
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
            total += found.detach() / weights.sum()
        took = time.monotonic() - started
        print(f"epoch {at + 1}: loss {float(total) / len(epoch):.3f}, {took:.0f} s", flush=True)


@torch.no_grad()  # type: ignore[untyped-decorator]
def area_of(model: Reader, projects: Sequence[RowDrawer], device: str) -> float:
    """Return the area under the curve of the judged units of ``projects``."""
    model.eval()
    scores: list[float] = []
    belongs: list[bool] = []
    for project in projects:
        for prompt in project.prompts:
            for row in project.drawn(prompt):
                found = logits(model, [row], device).tolist()
                for score, right, weight in zip(found, row.belongs, row.weights, strict=True):
                    if weight == 1.0 and right in (0.0, 1.0):
                        scores.append(score)
                        belongs.append(right == 1.0)
    return area(np.array(scores), np.array(belongs))


class Recorder:
    """Stands in for the regression of ``answer_selection``: keeps what it is given to read, and
    lets the units in their order."""

    def __init__(self) -> None:
        self.columns: list[Column] = []

    def probabilities(self, columns: Column) -> Column:
        """Keep ``columns``; return falling probabilities, which name their rows."""
        self.columns.append(columns[:, :2])  # A question by itself goes on from none.
        return 1.0 - np.arange(len(columns)) / 1000.0

    @staticmethod
    def row_of(probability: float) -> int:
        """Return the row that ``probability`` names."""
        return round((1.0 - probability) * 1000.0)


def read_answers(project: str, encoder: Path, work: Path) -> Iterator[tuple[Column, Any]]:
    """Yield for each question of ``project`` what the product reads of its units with ``encoder``,
    shape (units, 2), and which of them answer."""
    recorder = Recorder()
    with (
        patch.dict(os.environ, {"PHASERGUN_HOME": str(work / project / "home")}),
        patch("phasergun_desktop.planning.answer_selection.ANSWERING", recorder),
        patch("phasergun_desktop.wiring.CROSS_ENCODER_FILE", str(encoder.resolve())),
    ):
        application = build_application()
        session = application.workspace.open(work / project / "project")
        named = digests_of(session)
        for line in (DATA / project / "questions.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            recorder.columns.clear()
            needs = [need for need in session.plan(row["question"], asks=True).needs if need.units]
            for need, columns in zip(needs, recorder.columns, strict=True):
                # Rows of a whole list are added behind what was read, others may be left out.
                kept: dict[int, bool] = {}
                for unit in need.units:
                    digest = named.get((unit.passage.document_id, unit.passage.start))
                    if digest not in row.get("doubtful", ()):
                        kept.setdefault(recorder.row_of(unit.score), digest in row["answers"])
                if not kept:
                    continue
                yield columns[list(kept)], np.array(list(kept.values()))
        session.close()
        application.close()


def read_prompts(
    project: str, encoder: Path, work: Path
) -> Iterator[tuple[JudgedPrompt, Rows, Column, Column]]:
    """Yield each judged prompt of ``project``, and each of the projects that the selector learnt
    of, with the places of the units that the product reads, what ``BELONGING`` has of these, and
    what ``ANSWERED`` has of its needs."""
    others = [json.loads(line) for name in LEARNT for line in judged_lines(DATA / name)]
    strange = [{"prompt": row["prompt"]} for row in others if row["belongs"]]
    with (
        patch.dict(os.environ, {"PHASERGUN_HOME": str(work / project / "home")}),
        patch("phasergun_desktop.wiring.CROSS_ENCODER_FILE", str(encoder.resolve())),
    ):
        application = build_application()
        session = application.workspace.open(work / project / "project")
        digests = digests_of(session)
        rows = [*map(json.loads, judged_lines(DATA / project)), *strange]
        for row, read in requests_of(session, rows):
            columns = read.pools.read_units(read.request, read.looked, read.documents)
            if columns is None:
                raise SystemExit(read.pools.reader.warnings[0])
            # What is not read has the least of what is.
            places = np.flatnonzero(columns[:, 1] > columns[:, 1].min())
            needs = read.pools.read_needs(read.looked, columns)
            yield judged_of(row, read.looked, digests), places, columns[places], needs
        session.close()
        application.close()


def fitted_prompts(
    read: Sequence[tuple[JudgedPrompt, Rows, Column, Column]],
) -> tuple[Logistic, Logistic]:
    """Return how probable it is that a unit belongs into a text, and that a need is answered."""
    own = [each for each in read if each[0].weights.any()]
    unit = fitted(
        np.concatenate([units for _, _, units, _ in own]),
        np.concatenate([judged.answers[places] for judged, places, _, _ in own]),
        np.concatenate([judged.weights[places] for judged, places, _, _ in own]),
    )
    columns, answered, weights = zip(*_judged_needs(read), strict=True)
    return unit, fitted(np.array(columns), np.array(answered, np.float64), np.array(weights))


def _judged_needs(
    read: Sequence[tuple[JudgedPrompt, Rows, Column, Column]],
) -> Iterator[tuple[Column, bool, float]]:
    for judged, _, _, needs in read:
        belonging = set(judged.looked.units.needs[judged.answers == 1].tolist())
        of_other = UNANSWERED if judged.weights.any() else OF_ANOTHER
        for at, row in enumerate(needs):
            if at in belonging or not judged.is_answered:
                yield row, judged.is_answered, 1.0 if judged.is_answered else of_other


def prompt_figures(
    read: Sequence[Sequence[tuple[JudgedPrompt, Rows, Column, Column]]],
) -> Iterator[str]:
    """Yield the two regressions of all prompts that are ``read`` of several projects, and what
    those of each project say by the regressions of the others."""
    everything = [each for of_one in read for each in of_one]
    yield f"belonging, answered: {fitted_prompts(everything)}"
    for at, of_one in enumerate(read):
        others = [each for k, other in enumerate(read) if k != at for each in other]
        unit, need = fitted_prompts(others)
        own = [each for each in of_one if each[0].weights.any()]
        answers = np.concatenate([judged.answers[places] for judged, places, _, _ in own])
        shown = np.concatenate([judged.weights[places] for judged, places, _, _ in own]) == 1.0
        columns = np.concatenate([units for _, _, units, _ in own])
        clear = shown & ((answers == 0.0) | (answers == 1.0))
        for name, scores in (
            ("the selector", columns[:, 0]),
            ("the cross-encoder", columns[:, 1]),
            ("both", unit.probabilities(columns)),
        ):
            yield f"units, by {name}: area {area(scores[clear], answers[clear] == 1):.3f}"
        for times in (1.5, 2.0, 2.5, 3.0, 100.0):
            right = stated = belonging = 0
            for judged, places, read_units, _ in own:
                found = np.sort(unit.probabilities(read_units))[::-1]
                bound = max(LEAST_SHARE * found[0], found[: math.ceil(times * found.sum())][-1])
                is_stated = unit.probabilities(read_units) >= bound
                right += int((is_stated & (judged.answers[places] == 1.0)).sum())
                stated += int((is_stated & (judged.answers[places] != DOUBTFUL)).sum())
                belonging += int((judged.answers[places] == 1.0).sum())
            yield (
                f"  at most {times} times the expected units: {right} of {stated} stated belong, "
                f"{right} of {belonging} that belong and are read are stated"
            )
        has = np.array([judged.is_answered for judged, _, _, _ in own])
        best = np.array([need.probabilities(needs).max() for _, _, _, needs in own])
        by_selector = np.array([needs[:, 0].max() for _, _, _, needs in own])
        for name, scores in (("the selector", by_selector), ("both", best)):
            yield f"prompts with and without an answer, by {name}: area {area(scores, has):.3f}"
        for bound in np.arange(0.04, 0.4, 0.04):
            yield (
                f"  best chance below {bound:.2f}: {(best[has] < bound).sum()} of {has.sum()} "
                f"with an answer, {(best[~has] < bound).sum()} of {(~has).sum()} without"
            )


def fitted_answers(read: Sequence[tuple[Column, Any]]) -> Logistic:
    """Return how probable it is that the unit for which it is most probable answers."""
    unit = fitted(
        np.concatenate([columns for columns, _ in read]),
        np.concatenate([answers for _, answers in read]).astype(np.float64),
    )
    odds = [columns @ np.array(unit.weights) for columns, _ in read]
    best = [int(each.argmax()) for each in odds]
    scaled = fitted(
        np.array([[each[at]] for each, at in zip(odds, best, strict=True)]),
        np.array([float(answers[at]) for (_, answers), at in zip(read, best, strict=True)]),
    )
    return Logistic(scaled.intercept, tuple(scaled.weights[0] * each for each in unit.weights))


def answer_figures(read: Sequence[Sequence[tuple[Column, Any]]]) -> Iterator[str]:
    """Yield the regression of all questions that are ``read`` of several projects, and what each
    bound gives where those of each project are judged by the regression of the others."""
    yield f"answering: {fitted_answers([each for of_one in read for each in of_one])}"
    judged = []
    for at, of_one in enumerate(read):
        model = fitted_answers([each for k, other in enumerate(read) if k != at for each in other])
        for columns, answers in of_one:
            chances = model.probabilities(columns)
            best = np.argsort(-chances, kind="stable")[:2]
            judged.append((float(chances[best[0]]), answers[best].any(), answers.any()))
    chance, is_right, has = (np.array(each) for each in zip(*judged, strict=True))
    for bound in np.arange(0.1, 0.6, 0.02):
        said = chance >= bound
        yield (
            f"from {bound:.2f}: {(said & is_right).sum()} of {has.sum()} right, "
            f"{(said & ~is_right & has).sum()} with something else, "
            f"{(~said & ~has).sum()} of {(~has).sum()} refused"
        )


def main() -> int:
    """Train and write; 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hold", default="", help="projects that are not learnt of")
    parser.add_argument("--learn", default="", help="projects that are learnt of, else all others")
    parser.add_argument("--fit", action="store_true", help="only fit what reads the file OUT")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--from", type=Path, dest="begin", help="the cross-encoder it begins as")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("out", type=Path, help="the ONNX file to write")
    arguments = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held, chosen = (
        list(filter(None, names.split(","))) for names in (arguments.hold, arguments.learn)
    )
    learnt = chosen or [f.name for f in sorted(DATA.iterdir()) if f.is_dir()]
    with tempfile.TemporaryDirectory(prefix="phasergun-cross-encoder-") as folder:
        work = Path(folder)
        pieces = CachedPieces(whole_tokenizer(MODELS / "tokenizer.json"))
        of_held = [read_project(DATA / name, work, pieces) for name in held]
        if not arguments.fit:
            others = [
                read_project(DATA / name, work, pieces) for name in learnt if name not in held
            ]
            if arguments.begin:
                tensors = cross_encoder_tensors(arguments.begin)
            else:
                store = open_store(user_places().models, resources_path())
                tensors = embedder_tensors(run_to_end(store.fetch("all-minilm-l6-v2-weights")))
            model = Reader(tensors, outputs=1).to(device)
            train(model, others, arguments.epochs, arguments.rate, device)
            if held:
                print(f"judged units: area {area_of(model, of_held, device):.3f}")
            content = written(model.cpu().tensors())
            write_atomically(arguments.out, content.SerializeToString(deterministic=True))
        content_of = arguments.out.read_bytes()
        print(f"{len(content_of)} bytes, sha256 {hashlib.sha256(content_of).hexdigest()}")
        if len(held) > 1:
            read = [list(read_answers(each, arguments.out, work)) for each in held]
            print(*answer_figures(read), sep="\n")
            prompts = [list(read_prompts(each, arguments.out, work)) for each in held]
            print(*prompt_figures(prompts), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
