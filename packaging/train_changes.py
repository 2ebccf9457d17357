"""Trains the changes with which the cross-encoder reads questions and claims.

    .venv/bin/python packaging/changes_data.py DATA.pkl
    … packaging/train_changes.py DATA.pkl FACTORS.npz
        --hold cath,cuff,ivset,nmblock,port,robot,sono,syringe,topo,tropo,urine,wheel
    … packaging/train_changes.py --compose FACTORS.npz OUT.onnx

The first line reads the small projects, the second learns and prints the figures of those that
``--hold`` names and that were not learnt of, the third puts what was learnt beside the weights of
the cross-encoder that is shipped (or of ``--base``, what ``train_cross_encoder.py`` wrote). These
stay as they are, so that prompts are read to the bit as before: of each task only factors of a low
rank and its own output are learnt. Uses a GPU where there is one (7 minutes); on two cores it takes
hours.

Of a question, units that answer it and others that are near are read, and one that answers is
chosen among them, or none. Of a claim, the units that it is made of; of these it says either no
more than they do, or something else: as nineteen writers wrote it, or, made by rule, with one of
its places changed (``claim_edits.py``), beside a unit more, without one of its units, or beside
other ones. Each statement of one group that is carried is also held against each that is not.

A follow-up is read behind the questions before it, and some questions behind others that they have
nothing to do with, as the product reads each question of a conversation.

What is shipped learnt of 66 projects in 5 minutes on one H100, both tasks at once; questions began
with the output for attributes of the weights of before. Of twelve projects that were not learnt of,
by the network alone, before (the same learning beside the weights of before, without follow-ups)
and now:

- Of 362 plain questions, read with some fifty near units, those with an answer are told from those
  without by an area of 0.959 and 0.968; with nine tenths of those without refused 0.79 and 0.81 of
  the others have an answer first. Of 312 long ones 0.907 and 0.904, 0.46 and 0.60; of 953 odd ones
  0.883 and 0.893, 0.48 and 0.52. Of 144 follow-ups an answer is first for 0.58; of 405 questions
  behind another one for 0.73; with and without an answer their area is 0.903.
- Of 2,210 written claims the area was 0.754 and is 0.747: below the log odds of 0.2 of those that
  are carried (-0.38) are 0.58 of the others, as before. What was added, caused or said of other
  conditions is told (0.83, 0.85, 0.76), who did what and which value belongs to which thing hardly
  (0.63, 0.73; exchanged by rule 0.56).
- In a first trial with half of the claims, twenty projects aside: written ones alone 0.690, with
  those made by rule 0.757, all weights of all layers learnt instead of factors 0.766; ten epochs
  and all layers 0.793.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from cross_encoder_network import Pair, Reader, padded, with_changes
from embedder_graph import POSITIONS, build_cross_encoder, weights_of
from small_projects import Question
from torch.nn import functional

SHIPPED = Path(__file__).parents[1] / "resources" / "models" / "cross-encoder-int8.onnx"
TASKS = ("questions", "claims")
# The kinds of questions of which an epoch reads all.
WHOLLY_READ = ("plain", "long", "follow-up", "other")
# The rank of what each task learns, the layer that it begins at, how often it reads everything,
# and how fast it learns.
RANKS, LOWEST, EPOCHS, RATES = (28, 28), 2, (5, 12), (2e-3, 2e-3)
WARM_UP, LEAST_RATE, RATE_OF_HEAD = 0.06, 0.03, 3e-3
# Questions a step, and the texts of one: at most so many that answer and that only look like it.
QUESTIONS_A_STEP, TEXTS, MOST_ANSWERS, MOST_NEAR = 32, 12, 3, 4
# How many pairs of about one length are read at once.
PAIRS_A_RUN = 96
# Claims a step, and which share of those that were made by rule an epoch reads.
CLAIMS_A_STEP, SHARE_OF_MADE = 256, 0.35
# The output for prompts of the network that is shipped.
BELONGS = 1
FIRST, BEHIND = 101, 102


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement and what stands for it, as ids of word pieces. Those of one ``group`` are of the
    same units; ``kind`` begins with "made" where it was made by rule."""

    project: str
    group: str
    kind: str
    pieces: list[int]
    source: list[int]
    is_carried: bool


@dataclass(frozen=True, slots=True)
class Read:
    """What is learnt of; ``units`` are those of each project, as ids of word pieces."""

    units: dict[str, list[list[int]]]
    questions: list[Question]
    claims: list[Claim]


def pair(query: Sequence[int], text: Sequence[int]) -> Pair:
    """Return ids and types of ``query`` with ``text``, which is cut where both are too long."""
    asked = [FIRST, *query, BEHIND]
    read = [*text[: POSITIONS - len(asked) - 1], BEHIND]
    return [*asked, *read], [0] * len(asked) + [1] * len(read)


class Learner:
    """Learns one task: ``model`` with changes, on ``device``."""

    def __init__(self, task: str, device: str, base: Path = SHIPPED) -> None:
        at = TASKS.index(task)
        self.task, self.device = task, device
        self.epochs, self.rate = EPOCHS[at], RATES[at]
        weights = {
            n: torch.tensor(np.array(each)) for n, each in weights_of(onnx.load(base)).items()
        }
        head = [BELONGS] if task == "questions" else []
        weights["head.weight"] = weights["head.weight"][head]
        weights["head.bias"] = weights["head.bias"][head]
        self.model = Reader(weights, outputs=1)
        self.changes = with_changes(self.model, RANKS[at], LOWEST)
        self.model.to(device)

    def logits(self, pairs: Sequence[Pair]) -> torch.Tensor:
        """Return the logits of ``pairs``, shape (pairs,)."""
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]))
        made = []
        for start in range(0, len(order), PAIRS_A_RUN):
            run = [pairs[at] for at in order[start : start + PAIRS_A_RUN]]
            with torch.autocast(self.device, torch.bfloat16):
                made.append(self.model(*padded(run, self.device)).float()[:, 0])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(made)[back.to(self.device)]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def read(self, pairs: Sequence[Pair]) -> Any:
        """Return what the model says of ``pairs``, shape (pairs,), as numpy."""
        self.model.eval()
        found = self.logits(pairs).cpu().numpy()
        self.model.train()
        return found

    def train(self, epochs: Sequence[Sequence[Any]], loss: Callable[[Any], torch.Tensor]) -> None:
        """Learn of the steps of all ``epochs``; ``loss`` is that of one step."""
        body = [each for made in self.changes.values() for each in (made.down, made.up)]
        head = {
            "params": list(self.model.head.parameters()),
            "lr": RATE_OF_HEAD,
        }
        optimiser = torch.optim.AdamW([{"params": body, "lr": self.rate}, head], weight_decay=0.01)
        steps = sum(map(len, epochs))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimiser,
            lambda at: min(1.0, (at + 1) / (WARM_UP * steps)) * max(LEAST_RATE, 1 - at / steps),
        )
        self.model.train()
        started = time.monotonic()
        for at, epoch in enumerate(epochs):
            total = torch.zeros((), device=self.device)
            for step in epoch:
                found = loss(step)
                found.backward()
                torch.nn.utils.clip_grad_norm_(body, 1.0)
                optimiser.step()
                optimiser.zero_grad()
                schedule.step()
                total += found.detach()
            mean, took = float(total) / max(len(epoch), 1), time.monotonic() - started
            print(f"{self.task}, epoch {at + 1}: loss {mean:.3f}, {took:.0f} s", flush=True)

    def factors(self) -> dict[str, Any]:
        """Return what was learnt, by names of the task and of the weights."""
        found = {f"{self.task}|head.weight": self.model.head.weight.detach().cpu().numpy()[0]}
        found[f"{self.task}|head.bias"] = self.model.head.bias.detach().cpu().numpy()[0]
        for name, change in self.changes.items():
            found[f"{self.task}|{name}|down"] = change.down.detach().cpu().numpy()
            found[f"{self.task}|{name}|up"] = change.up.detach().cpu().numpy()
        return found


def question_steps(questions: Sequence[Question]) -> list[list[Question]]:
    """Return the steps of an epoch: all questions of ``WHOLLY_READ`` kinds, half of the others."""
    chosen = [q for q in questions if q.kind in WHOLLY_READ or random.random() < 0.5]  # noqa: S311
    random.shuffle(chosen)
    last = len(chosen) - QUESTIONS_A_STEP + 1
    return [chosen[at : at + QUESTIONS_A_STEP] for at in range(0, last, QUESTIONS_A_STEP)]


def drawn(question: Question, size: int) -> list[tuple[int, bool]]:
    """Return the units that are read with ``question``, and whether they answer; ``size`` is how
    many its project has."""
    right = random.sample(question.right, min(MOST_ANSWERS, len(question.right)))
    near = random.sample(question.near, min(MOST_NEAR, len(question.near)))
    rest = [place for place in question.hard if place not in near]
    left = TEXTS - len(right) - len(near) - 1
    wrong = near + random.sample(rest, min(left, len(rest)))
    other = random.randrange(size)  # noqa: S311
    wrong += [other] if other not in {*question.right, *question.doubtful} else []
    return [(place, True) for place in right] + [(place, False) for place in wrong]


def question_loss(
    learner: Learner, units: dict[str, list[list[int]]]
) -> Callable[[Any], torch.Tensor]:
    """Return the loss of a step: each text answers or not; and one that answers is chosen, or none
    of them, whose logit is 0."""

    def loss(step: Sequence[Question]) -> torch.Tensor:
        read = [drawn(question, len(units[question.project])) for question in step]
        pairs = [
            pair(question.pieces, units[question.project][place])
            for question, each in zip(step, read, strict=True)
            for place, _ in each
        ]
        losses = []
        parts = torch.split(learner.logits(pairs), [len(each) for each in read])
        for found, each in zip(parts, read, strict=True):
            right = torch.tensor([float(answers) for _, answers in each], device=found.device)
            zero = torch.zeros(1, device=found.device)
            chosen = torch.logsumexp(found[right == 1], 0) if right.any() else zero[0]
            by_itself = functional.binary_cross_entropy_with_logits(found, right)
            losses.append(torch.logsumexp(torch.cat([zero, found]), 0) - chosen + by_itself)
        return torch.stack(losses).mean()

    return loss


def claim_steps(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Return the steps of an epoch, groups together: all that somebody wrote and some others."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        if not claim.kind.startswith("made") or random.random() < SHARE_OF_MADE:  # noqa: S311
            groups.setdefault(claim.group, []).append(claim)
    steps: list[list[Claim]] = [[]]
    for group in random.sample(list(groups.values()), len(groups)):
        if len(steps[-1]) >= CLAIMS_A_STEP:
            steps.append([])
        steps[-1] += group
    return steps


def claim_loss(learner: Learner) -> Callable[[Any], torch.Tensor]:
    """Return the loss of a step: each is carried or not, and those of a group in this order."""

    def loss(step: Sequence[Claim]) -> torch.Tensor:
        found = learner.logits([pair(claim.pieces, claim.source) for claim in step])
        carried = torch.tensor([claim.is_carried for claim in step], device=found.device)
        numbers = {name: at for at, name in enumerate({claim.group for claim in step})}
        group = torch.tensor([numbers[claim.group] for claim in step], device=found.device)
        ranked = (group[:, None] == group[None]) & (carried[:, None] & ~carried[None])
        apart = functional.softplus(found[None] - found[:, None])[ranked]
        by_itself = functional.binary_cross_entropy_with_logits(found, carried.float())
        return by_itself + (apart.mean() if len(apart) else 0.0)

    return loss


def area(scores: Any, right: Any) -> float:
    """Return the area under the curve of ``scores`` for the flags ``right``."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    many, few = right.sum(), (~right).sum()
    return (
        float((ranks[right].sum() - many * (many + 1) / 2) / (many * few))
        if many and few
        else float("nan")
    )


def question_figures(learner: Learner, questions: Sequence[Question], units: Any) -> Iterator[str]:
    """Yield what questions that were not learnt of say."""
    rows = [list(dict.fromkeys([*q.hard, *q.near, *q.right])) for q in questions]
    pairs = [
        pair(q.pieces, units[q.project][place])
        for q, row in zip(questions, rows, strict=True)
        for place in row
    ]
    found = np.split(learner.read(pairs), np.cumsum([len(row) for row in rows])[:-1])
    best = np.array([each.max() for each in found])
    is_first = np.array(
        [
            row[int(each.argmax())] in q.right
            for q, row, each in zip(questions, rows, found, strict=True)
        ]
    )
    has = np.array([bool(q.right) for q in questions])
    kinds = np.array([q.kind if q.kind in WHOLLY_READ else "odd" for q in questions])
    for kind in (*WHOLLY_READ, "odd"):
        own = kinds == kind
        first = is_first[own & has].mean()
        if not (own & ~has).any():
            yield f"{own.sum()} {kind} questions: an answer is first {first:.3f}"
            continue
        bound = np.quantile(best[own & ~has], 0.9)
        apart = area(best[own], has[own])
        right = (is_first & (best > bound))[own & has].mean()
        yield (
            f"{own.sum()} {kind} questions: with and without an answer, area {apart:.3f}; an "
            f"answer is first {first:.3f}; right with nine tenths of those without refused "
            f"{right:.3f}"
        )


def claim_figures(learner: Learner, claims: Sequence[Claim]) -> Iterator[str]:
    """Yield what claims that were not learnt of say."""
    found = learner.read([pair(claim.pieces, claim.source) for claim in claims])
    made = np.array([claim.kind.startswith("made") for claim in claims])
    carried = np.array([claim.is_carried for claim in claims])
    yield f"{made.sum()} claims made by rule: area {area(found[made], carried[made]):.3f}"
    yield f"{(~made).sum()} written: area {area(found[~made], carried[~made]):.3f}"
    for share in (0.05, 0.1, 0.15, 0.2, 0.3):
        bound = np.quantile(found[~made & carried], share)
        marked = (found[~made & ~carried] < bound).mean()
        yield f"  below {bound:.2f}: {share} of those that are carried, {marked:.3f} of the others"
    for kind, count in sorted(Counter(c.kind for c in claims if not c.is_carried).items()):
        own = np.array([c.kind == kind for c in claims])
        of_kind = found[own]
        against = found[carried & ~made]
        both = np.concatenate([against, of_kind])
        flags = np.arange(len(both)) < len(against)
        yield f"  {kind}, {count}: area {area(both, flags):.3f}"


def compose(factors: Any, out: Path, base: Path = SHIPPED) -> None:
    """Write the cross-encoder in ``base`` with ``factors`` as the changes of its tasks, so
    turned that both of a change are alike in size; the outputs are of questions, prompts and
    claims."""
    shipped = onnx.load(base)
    weights = dict(weights_of(shipped))
    changes = []
    for task in TASKS:
        names = [n.split("|")[1] for n in factors if n.startswith(task) and n.endswith("|down")]
        changes.append(
            {
                name: _balanced(factors[f"{task}|{name}|down"], factors[f"{task}|{name}|up"])
                for name in names
            }
        )
    for part in ("head.weight", "head.bias"):
        before = weights[part]
        own = [factors[f"{task}|{part}"] for task in TASKS]
        weights[part] = np.stack([own[0], before[BELONGS], own[1]]).astype(np.float32)
    model = build_cross_encoder(weights, int8=True, changes=changes)
    # A scale that is reckoned again has another last digit, and int8 makes 0.1 of that.
    constants = {each.name: each for each in shipped.graph.initializer}
    for each in model.graph.initializer:
        known = constants.get(each.name)
        if (
            known
            and known.dims == each.dims
            and not each.name.startswith(("head.", "change"))
            and ".change." not in each.name
        ):
            each.CopyFrom(known)
    out.write_bytes(model.SerializeToString(deterministic=True))


def _balanced(down: Any, up: Any) -> tuple[Any, Any]:
    left, sizes, right = np.linalg.svd(down.astype(np.float64) @ up, full_matrices=False)
    rank = down.shape[1]
    root = np.sqrt(sizes[:rank])
    return (left[:, :rank] * root).astype(np.float32), (root[:, None] * right[:rank]).astype(
        np.float32
    )


def main() -> int:
    """Train, or compose; 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hold", default="", help="projects that are not learnt of")
    parser.add_argument("--task", choices=TASKS, help="only this one")
    parser.add_argument("--compose", action="store_true")
    parser.add_argument(
        "--base", type=Path, default=SHIPPED, help="the file that keeps its weights"
    )
    parser.add_argument("read", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    if arguments.compose:
        compose(dict(np.load(arguments.read)), arguments.out, arguments.base)
        return 0
    data: Read = pickle.loads(arguments.read.read_bytes())  # noqa: S301 - our own file
    held = set(filter(None, arguments.hold.split(",")))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    factors: dict[str, Any] = {}
    for task in [arguments.task] if arguments.task else TASKS:
        random.seed(1)
        torch.manual_seed(1)
        learner = Learner(task, device, arguments.base)
        of_task: Sequence[Any] = data.questions if task == "questions" else data.claims
        learnt = [each for each in of_task if each.project not in held]
        others = [each for each in of_task if each.project in held]
        if task == "questions":
            epochs: list[Any] = [question_steps(learnt) for _ in range(learner.epochs)]
            learner.train(epochs, question_loss(learner, data.units))
            print(*question_figures(learner, others, data.units) if others else (), sep="\n")
        else:
            epochs = [claim_steps(learnt) for _ in range(learner.epochs)]
            learner.train(epochs, claim_loss(learner))
            print(*claim_figures(learner, others) if others else (), sep="\n", flush=True)
        factors |= learner.factors()
        np.savez(arguments.out, **factors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
