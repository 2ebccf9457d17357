"""Trains the cross-encoder that tells which units answer a question and belong into a text.

    .venv/bin/python packaging/train_cross_encoder.py OUT.onnx --hold cath,sono,port,wheel
    … packaging/train_cross_encoder.py OUT.onnx --hold … --from FILE.onnx --epochs 1 --rate 6e-5
    … packaging/train_cross_encoder.py FILE.onnx --hold … --fit    only fits what reads FILE

It begins as the bundled embedder, or as the cross-encoder in the file ``--from``, and learns of
``selector_data``: of ``questions.jsonl``, written for each small project by people who built none
of the selecting, and of the judged prompts of ``train_selector.py``. A question names every unit
that answers by itself (``answers``) and some that only look like it (``near``); one without answers
comes close to what the documents say; those of the kind ``plain`` ask shortly for one fact, in the
documents' words or in everyday ones, those of the kind ``long`` in a whole sentence with its
circumstances; both leave out of the learning what states it in part or for an earlier version
(``doubtful``). What ``--hold`` names is not learnt of: its figures are printed, the regressions of
``planning/answer_selection.py`` and ``planning/pair_reading.py`` are fitted on what the product
then reads for its questions and prompts, and what each bound gives is printed too, each project by
the regression of the others. What ``train_changes.py`` learns for questions stands beside these
weights.

Needs the extra custom-models; an epoch of fifty projects takes 25 minutes on two cores that have
bfloat16, and the reading of the projects before it 5 to 10. The drawing is seeded; the last digits
of the weights depend on the machine.

What is shipped learnt of sixteen projects in three epochs, with 36 word pieces of a prompt, and
then, by the second line above, of those and 34 of the 36 that came later in one epoch more: their
prompts ask for whole sections, of which ten to forty units belong, and a third of the prompts is
read together with another one. Of what it did not learn of:

- Areas under the curve of the units of judged prompts that are read (the best hundred by the
  selector), by the cross-encoder alone, before and after the last epoch: cath 0.787 and 0.812,
  sono 0.811 and 0.825; with the selector's log odds 0.832 and 0.838, 0.850 and 0.848. Of port and
  wheel, of the later ones, after it 0.789 and 0.853, with the selector's 0.809 and 0.858 (by the
  selector alone 0.755 both).
- Of prompts with an answer against those without, by both, before and after: cath 0.715 and 0.789,
  sono 0.861 and 0.870; port 0.935, wheel 0.935.
- Whether a prompt is answered: on 22 projects that were not learnt of (860 prompts, 140 without an
  answer) an area of 0.945 by the mean of the best two units, by the best need 0.923, by the best
  unit 0.935, by the best three 0.942. With the best need below 0.3 and the best two below 1.0, 0.81
  of those without abstain and 37 of the 720 others; by the best need below 0.2, which ships, 0.76
  and 49. On prompts by other authors it was no better: 64 of 88 without, 67 with what ships, and 4
  of 90 others, 3; so it does not ship. Nor does the best unit alone, without what the selector
  reads of a need (unknown words and names): 0.937 for 0.918 on 16 of these projects, and 0.76
  instead of 0.70 of those without abstain where 0.04 of the others do, but 62 of the 88 by others.
- Of 1,393 parts of prompts on fourteen projects that somebody judged, of prompts that do not
  abstain, 45 are stated nowhere. Read alone as they stand in the prompt, 66 of those that seem to
  be gaps have no unit of even odds among twelve, 12 rightly; told are 58, those that clearly ask
  for content, 12 rightly; by the rule before 208, 15 rightly. ``python -m tests.benchmarks
  projects`` prints it for three projects by other authors.
- Of 276 questions an answer is the first of about sixty units that are near for 0.59, among the
  first three for 0.77; the best unit tells questions with an answer from 111 without by an area of
  0.92 (after the first three epochs, of the 175 and 71 on cath and sono, 0.59, 0.79 and 0.93; the
  embedder's own cosines 0.72 on another 60).

To read each need by itself, with the head of the prompt in front or with the section's title, was
no better with the cross-encoder before the last epoch, nor were its neighbours', section's and
document's log odds beside its own, units left out that resemble what is stated already, or more
units than a hundred. The files that an answer lies in are often read only where a question names
them: that was so for 45 of the 175.

More was learnt and is not shipped. Two epochs more of the same, ``--rate 5e-5``: the area of judged
prompts of cath, sono, port and wheel rose from 0.821 to 0.847, an answer is the first for 0.61,
among the first three for 0.80. Two more of 22 of the 24 projects that came last and sixteen others
(``--learn``): where 0.87 of the units of port, wheel, cuff and ivset that belong are stated, 2.4
others stand beside each, and 2.8 with what is shipped. But drafts on three projects by other
authors (``python -m tests.benchmarks projects``) had 248 facts in 479 words, not 256 in 505, and
of 28 pairs of drafts blind readers preferred 10 of these, 12 of those by what is shipped, 6 were
equal: what it learns further is how these projects are written. With the mean of both weights it
was 253 facts in 495 words.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import onnx
import torch
from cross_encoder_network import Reader
from embedder_graph import build_cross_encoder, weights_of
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional
from train_selector import (
    DATA,
    DOUBTFUL,
    LEARNT,
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

from phasergun_desktop.chunking.citable_units import UnitSpan, split_units
from phasergun_desktop.embedding.cross_encoder import QUERY_PIECES, TEXT_PIECES
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.model_store import open_store
from phasergun_desktop.paths import resources_path, user_places
from phasergun_desktop.planning.evidence import LEAST_SHARE
from phasergun_desktop.planning.features import Column, Rows
from phasergun_desktop.planning.looked_at import best_of
from phasergun_desktop.planning.pair_reading import pair_text
from phasergun_desktop.planning.pool import READ_OF_TEXT
from phasergun_desktop.planning.selector import Logistic
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.wiring import build_application

MODELS = resources_path() / "models"
ANSWERS, BELONGS = 0, 1
# The output of the file for attributes, which are read without changes, as questions once were.
STATES = 2
# Of a question and of a prompt: so many texts, among them at most so many that answer, that only
# look like it, and that belong into the text; the rest is drawn from the nearest ones.
TEXTS, TEXTS_OF_PROMPT, MOST_ANSWERS, MOST_NEAR, MOST_BELONGING = 10, 14, 3, 4, 6
HARDEST = 25
QUERIES_A_STEP, TEXTS_A_RUN = 4, 20
RATE, WARM_UP, LEAST_RATE = 8e-5, 0.06, 0.03
# A prompt has many units, each read for itself: what a judged prompt weighs beside a question, and
# which share of the questions an epoch reads.
WEIGHT_OF_PROMPT, SHARE_OF_QUESTIONS = 2.0, 0.5
# How much faster than the other weights those of the output learn.
RATE_OF_HEAD = 10
# Such a share of the prompts is read together with another one of their project: writers ask for
# sections of several points.
JOINED = 0.35


@dataclass(frozen=True, slots=True)
class Query:
    """A question (``output`` is ``ANSWERS``) or a judged prompt (``BELONGS``) of ``project``, and
    what ``kind`` of question. The others are places in its units: ``right`` ones, ``doubtful``
    ones, ``near`` misses, and the ``hard`` ones that are near by their vectors or by their
    words."""

    project: str
    text: str
    output: int
    kind: str
    right: tuple[int, ...]
    doubtful: tuple[int, ...]
    near: tuple[int, ...]
    hard: tuple[int, ...]


def embedder_tensors(weights: Path) -> dict[str, torch.Tensor]:
    """Return the tensors of the embedder's safetensors file ``weights``."""
    tensors = {n: t for n, t in load_file(weights).items() if t.is_floating_point()}
    types = tensors["embeddings.token_type_embeddings.weight"]
    types[1] = types[0]
    return tensors


def cross_encoder_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Return the tensors of the cross-encoder in the ONNX file ``path`` without changes, with its
    outputs for questions and for prompts."""
    found = weights_of(onnx.load(path))
    for name in ("head.weight", "head.bias"):
        found[name] = found[name][[STATES, BELONGS]]
    return {name: torch.tensor(np.array(each)) for name, each in found.items()}


def written(tensors: dict[str, Any]) -> Any:
    """Return the ONNX model of ``tensors`` with the outputs that the product reads: until
    ``train_changes.py`` has learnt, that for questions stands for those of attributes and of
    statements too."""
    outputs = [ANSWERS, BELONGS, ANSWERS, ANSWERS]
    heads = {name: tensors[name][outputs] for name in ("head.weight", "head.bias")}
    return build_cross_encoder({**tensors, **heads}, int8=True)


class Texts:
    """The units of the projects as the model reads them, and their word pieces."""

    def __init__(self) -> None:
        self._tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.units: dict[str, list[str]] = {}
        self.spans: dict[str, list[tuple[str, UnitSpan]]] = {}

    @cache  # noqa: B019 - one for the whole training
    def pieces(self, text: str, most: int) -> list[int]:
        """Return the ids of the first ``most`` word pieces of ``text``."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids[:most]

    def pairs(self, query: Query, places: Sequence[int]) -> list[tuple[list[int], list[int]]]:
        """Return ids and types of ``query`` with each of its project's units at ``places``."""
        units = self.units[query.project]
        return [self.pair(query.text, units[place], TEXT_PIECES) for place in places]

    def pair(self, query: str, text: str, most: int) -> tuple[list[int], list[int]]:
        """Return ids and types of ``query`` with the first ``most`` word pieces of ``text``."""
        first = int(self._tokenizer.token_to_id("[CLS]") or 0)
        behind = int(self._tokenizer.token_to_id("[SEP]") or 0)
        asked = [first, *self.pieces(query, QUERY_PIECES), behind]
        read = [*self.pieces(text, most), behind]
        return [*asked, *read], [0] * len(asked) + [1] * len(read)


def units_of(folder: Path, home: Path) -> list[tuple[str, UnitSpan]]:
    """Index the small project in ``folder`` in ``home``; return its units with their files."""
    shutil.copytree(folder / "project", home / "project")
    with patch.dict(os.environ, {"PHASERGUN_HOME": str(home / "home")}):
        application = build_application()
        session = application.workspace.open(home / "project")
        run_to_end(session.sync())
        units = [
            (record.file, unit)
            for record in session.documents()
            for unit in split_units(session.source(record.file).document)
        ]
        session.close()
        application.close()
    return units


def read_projects(texts: Texts, work: Path, names: Sequence[str]) -> Iterator[Query]:
    """Index the small projects ``names`` in ``work``; yield their questions and judged prompts."""
    embedder = OnnxEmbedder(MODELS / "all-MiniLM-L6-v2-int8.onnx", MODELS / "tokenizer.json")
    for folder in (DATA / name for name in names):
        units = units_of(folder, work / folder.name)
        places = {digest_of(file, unit.text): at for at, (file, unit) in enumerate(units)}
        made = [pair_text(file, unit.context, unit.text) for file, unit in units]
        texts.units[folder.name], texts.spans[folder.name] = made, units
        readers = [(each, each.embed(made)) for each in (embedder, WordVectors())]
        for output, name in ((ANSWERS, "questions.jsonl"), (BELONGS, "judged.jsonl")):
            rows = [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
            asked = [row.get("question") or row["prompt"] for row in rows]
            cosines = [vectors @ each.embed(asked).T for each, vectors in readers]
            for at, row in enumerate(rows):
                query = _query(folder.name, output, row, places, [each[:, at] for each in cosines])
                if len(query.right) + len(query.hard) >= TEXTS // 2:
                    yield query
        print(f"{folder.name}: {len(made)} units", flush=True)


def _query(
    project: str, output: int, row: dict[str, Any], places: dict[str, int], cosines: Sequence[Any]
) -> Query:
    def named(*keys: str) -> tuple[int, ...]:
        found = [places[each] for key in keys for each in row.get(key, ()) if each in places]
        return tuple(dict.fromkeys(found))

    right, half = named("answers", "belongs"), named("doubtful")
    near = np.stack([np.argsort(-each)[:HARDEST] for each in cosines], axis=1).ravel()
    hard = named("beside") if output == BELONGS else dict.fromkeys(map(int, near))
    beside = {*right, *half} if output == ANSWERS else {*right}
    return Query(
        project,
        row.get("question") or row["prompt"],
        output,
        row.get("kind", ""),
        right,
        half,
        tuple(place for place in named("near") if place not in beside),
        tuple(place for place in hard if place not in beside),
    )


def drawn(query: Query, size: int) -> list[tuple[int, float]]:
    """Return the texts that are read with ``query`` in a step, each with how right it is, 0..1;
    ``size`` is how many units its project has."""
    if query.output == BELONGS:
        right = random.sample(query.right, min(MOST_BELONGING, len(query.right)))
        half = random.sample(query.doubtful, min(1, len(query.doubtful)))
        left = TEXTS_OF_PROMPT - len(right) - 1
        wrong = random.sample(query.hard, min(left, len(query.hard)))
    else:
        right = random.sample(query.right, min(MOST_ANSWERS, len(query.right)))
        half = []
        near = random.sample(query.near, min(MOST_NEAR, len(query.near)))
        rest = [place for place in query.hard if place not in near]
        wrong = near + random.sample(rest, min(TEXTS - len(right) - len(near) - 1, len(rest)))
        other = random.randrange(size)  # noqa: S311
        wrong += [other] if other not in {*query.right, *query.doubtful} else []
    return [(p, 1.0) for p in right] + [(p, DOUBTFUL) for p in half] + [(p, 0.0) for p in wrong]


def joined(query: Query, other: Query) -> Query:
    """Return the prompt that asks for what ``query`` and ``other``, of one project, ask for."""
    right = tuple(dict.fromkeys((*query.right, *other.right)))
    half = tuple(each for each in {*query.doubtful, *other.doubtful} if each not in right)
    hard = {*query.hard, *other.hard}.difference(right, half)
    return replace(
        query,
        text=f"{query.text}\n{other.text}",
        right=right,
        doubtful=half,
        hard=tuple(sorted(hard)),
    )


def of_epoch(queries: Sequence[Query]) -> list[Query]:
    """Return in random order the queries that an epoch reads."""
    prompts: dict[str, list[Query]] = {}
    for query in (each for each in queries if each.output == BELONGS):
        prompts.setdefault(query.project, []).append(query)
    chosen = []
    for query in queries:
        if query.output == BELONGS and random.random() < JOINED:  # noqa: S311
            chosen.append(joined(query, random.choice(prompts[query.project])))  # noqa: S311
        elif query.output == BELONGS or random.random() < SHARE_OF_QUESTIONS:  # noqa: S311
            chosen.append(query)
    random.shuffle(chosen)
    return chosen


def logits(model: Reader, pairs: Sequence[tuple[list[int], list[int]]]) -> torch.Tensor:
    """Return the logits of ``pairs``, read in runs of one size, so that few kernels are made."""
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]))
    made = []
    for start in range(0, len(order), TEXTS_A_RUN):
        part = order[start : start + TEXTS_A_RUN]
        rows = [pairs[at] for at in part] + [pairs[part[0]]] * (TEXTS_A_RUN - len(part))
        length = -(-max(len(ids) for ids, _ in rows) // 16) * 16
        ids, mask, types = (
            torch.zeros(len(rows), length, dtype=torch.long) for _ in ("ids", "mask", "types")
        )
        for at, (of_row, types_of_row) in enumerate(rows):
            ids[at, : len(of_row)] = torch.tensor(of_row)
            mask[at, : len(of_row)] = 1
            types[at, : len(of_row)] = torch.tensor(types_of_row)
        with torch.autocast("cpu", torch.bfloat16):
            made.append(model(ids, mask, types).float()[: len(part)])
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(made)[back]


def loss(query: Query, found: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Return the loss of ``found``, the logits of the texts of ``query``: each text is right or
    not; and of a question one that answers is chosen, or none of them, whose logit is 0."""
    each = functional.binary_cross_entropy_with_logits(found[:, query.output], right)
    if query.output == BELONGS:
        return WEIGHT_OF_PROMPT * each
    scores = found[:, ANSWERS]
    everything = torch.logsumexp(torch.cat([torch.zeros(1), scores]), 0)
    chosen = torch.logsumexp(scores[right == 1], 0) if (right == 1).any() else torch.zeros(())
    return everything - chosen + each


def train(
    model: Reader,
    queries: Sequence[Query],
    texts: Texts,
    epochs: int,
    rate: float,
) -> None:
    """Train ``model`` and print the loss."""
    model.train()
    head = list(model.head.parameters())
    body = [each for each in model.encoder.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rate}, {"params": head, "lr": RATE_OF_HEAD * rate}],
        weight_decay=0.01,
    )
    taken = [of_epoch(queries) for _ in range(epochs)]
    steps = sum(len(each) // QUERIES_A_STEP for each in taken)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min(1.0, at / (WARM_UP * steps)) * max(LEAST_RATE, 1.0 - at / steps)
    )
    started, step, total = time.monotonic(), 0, 0.0
    for chosen in taken:
        for start in range(0, len(chosen) - QUERIES_A_STEP + 1, QUERIES_A_STEP):
            asked = chosen[start : start + QUERIES_A_STEP]
            read = [drawn(query, len(texts.units[query.project])) for query in asked]
            pairs = [
                texts.pairs(query, [place for place, _ in each])
                for query, each in zip(asked, read, strict=True)
            ]
            together = [pair for of_one in pairs for pair in of_one]
            parts = torch.split(logits(model, together), [len(each) for each in read])
            rights = [torch.tensor([right for _, right in each]) for each in read]
            losses = [
                loss(query, part, right)
                for query, part, right in zip(asked, parts, rights, strict=True)
            ]
            mean = torch.stack(losses).mean()
            mean.backward()
            torch.nn.utils.clip_grad_norm_(body, 1.0)
            optimiser.step()
            optimiser.zero_grad()
            schedule.step()
            step, total = step + 1, total + float(mean.detach())
            if step % 100 == 0:
                took = time.monotonic() - started
                print(f"step {step} of {steps}: loss {total / 100:.3f}, {took:.0f} s", flush=True)
                total = 0.0


@torch.no_grad()  # type: ignore[untyped-decorator]
def figures(model: Reader, queries: Sequence[Query], texts: Texts) -> Iterator[str]:
    """Yield what ``queries``, of which nothing was learnt, say of ``model``."""
    model.eval()
    shown: list[tuple[float, bool]] = []
    places: list[int] = []
    best: dict[bool, list[float]] = {True: [], False: []}
    for query in queries:
        read = list(dict.fromkeys([*query.hard, *query.near, *query.right]))
        found = logits(model, texts.pairs(query, read))[:, query.output].tolist()
        is_right = [place in query.right for place in read]
        if query.output == BELONGS:
            shown += zip(found, is_right, strict=True)
            continue
        best[bool(query.right)].append(max(found))
        order = sorted(range(len(read)), key=lambda at: -found[at])
        places += [at for at, each in enumerate(order) if is_right[each]][:1]
    scores, right = (np.array(each) for each in zip(*shown, strict=True))
    yield f"judged prompts: area under the curve {area(scores, right):.3f}"
    first, third = (np.mean(np.array(places) < most) for most in (1, 3))
    yield f"{len(places)} questions: an answer is first {first:.3f}, in the first three {third:.3f}"
    scores = np.array(best[True] + best[False])
    has = np.array([True] * len(best[True]) + [False] * len(best[False]))
    yield f"with and without an answer, by the best unit: area {area(scores, has):.3f}"
    for share, is_above in ((best[True], True), (best[False], False)):
        said = np.mean([(value >= 0.0) == is_above for value in share])
        yield f"  {'with' if is_above else 'without'}: {said:.3f} of {len(share)} taken for it"


class Recorder:
    """Stands in for the regression of ``answer_selection``: keeps what it is given to read, and
    lets the units in their order."""

    def __init__(self) -> None:
        self.columns: list[Column] = []

    def probabilities(self, columns: Column) -> Column:
        """Keep ``columns``; return falling probabilities, which name their rows."""
        self.columns.append(columns)
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
            places = best_of(columns[:, 0], READ_OF_TEXT)
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


def trained(
    arguments: argparse.Namespace,
    queries: Sequence[Query],
    held: Sequence[str],
    texts: Texts,
    weights: Path,
) -> Any:
    """Train on what is not ``held``, print the figures of what is, and return the ONNX model."""
    begin = arguments.begin
    model = Reader(cross_encoder_tensors(begin) if begin else embedder_tensors(weights))
    learnt = [each for each in queries if each.project not in held]
    train(model, learnt, texts, arguments.epochs, arguments.rate)
    if held:
        print(*figures(model, [q for q in queries if q.project in held], texts), sep="\n")
    return written(model.tensors())


def main() -> int:
    """Train and write; 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hold", default="", help="projects that are not learnt of")
    parser.add_argument("--learn", default="", help="projects that are learnt of, else all others")
    parser.add_argument("--fit", action="store_true", help="only fit what reads the file OUT")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--from", type=Path, dest="begin", help="the cross-encoder it begins as")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("out", type=Path, help="the ONNX file to write")
    arguments = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    store = open_store(user_places().models, resources_path())
    weights = run_to_end(store.fetch("all-minilm-l6-v2-weights"))
    texts = Texts()
    with tempfile.TemporaryDirectory(prefix="phasergun-cross-encoder-") as work:
        held, chosen = (
            list(filter(None, names.split(","))) for names in (arguments.hold, arguments.learn)
        )
        everything = {folder.name for folder in DATA.iterdir() if folder.is_dir()}
        every = sorted({*chosen, *held} if chosen else everything)
        queries = list(read_projects(texts, Path(work), held if arguments.fit else every))
        if not arguments.fit:
            content = trained(arguments, queries, held, texts, weights)
            write_atomically(arguments.out, content.SerializeToString(deterministic=True))
        content_of = arguments.out.read_bytes()
        print(f"{len(content_of)} bytes, sha256 {hashlib.sha256(content_of).hexdigest()}")
        if len(held) > 1:
            read = [list(read_answers(each, arguments.out, Path(work))) for each in held]
            print(*answer_figures(read), sep="\n")
            prompts = [list(read_prompts(each, arguments.out, Path(work))) for each in held]
            print(*prompt_figures(prompts), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
