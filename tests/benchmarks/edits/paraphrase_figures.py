"""How many rewritten sentences the judge marks, faithful ones and others.

``paraphrases.jsonl`` holds 150 sentences of the projects of ``packaging/selector_data`` as a person
rewrote them who knew nothing of the judge: 95 say what their source says (light, medium or free),
55 do not (a role, a condition, an exception, an obligation, a date … is another one). Rules were
written beside those of eight projects, most of which are gone since; the others are ``aside`` and
were seen as totals alone.

``claims.jsonl`` of the small projects holds 23,000 more, by nineteen writers: of one to four units
two or three statements that they carry and three as close to them that say something else. The
2,200 of the projects ``ASIDE`` were not learnt of by the cross-encoder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.grounding.judge import Evidence, EvidenceText, Judge, load_judge
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.paths import resources_path
from tests.benchmarks.frame import Figure, share
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder

_PROJECTS = Path(__file__).parents[3] / "packaging" / "selector_data"
ASIDE = (
    "cath",
    "cuff",
    "ivset",
    "nmblock",
    "port",
    "robot",
    "sono",
    "syringe",
    "topo",
    "tropo",
    "urine",
    "wheel",
)
PARAPHRASES = Path(__file__).with_name("paraphrases.jsonl")


def rewritten_sentences() -> Iterator[Figure]:
    """Yield the shares that are marked, of those aside and of those that were looked at."""
    judge = _judge()
    told: dict[tuple[bool, bool], list[tuple[str, bool]]] = {}
    for line in PARAPHRASES.read_text("utf-8").splitlines():
        row = json.loads(line)
        judged = judge.judge(row["paraphrase"], Evidence((EvidenceText(row["sentence"]),)))
        key = row["is_aside"], row["faithful"]
        told.setdefault(key, []).append((row["project"], judged.support is not Support.SUPPORTED))
    for is_aside, where in ((True, "aside"), (False, "looked at")):
        yield share(f"unfaithful paraphrases marked, {where}", told[is_aside, False])
        yield share(f"faithful paraphrases marked, {where}", told[is_aside, True])


def reworded_claims() -> Iterator[Figure]:
    """Yield the shares of the claims of the projects aside that are marked, by project."""
    judge = _judge()
    told: dict[bool, list[tuple[str, bool]]] = {True: [], False: []}
    for name in ASIDE:
        lines = (_PROJECTS / name / "claims.jsonl").read_text("utf-8").splitlines()
        for row in map(json.loads, lines):
            sources = [
                EvidenceText(each["text"], each["context"].replace(" > ", " "))
                for each in row["sources"]
            ]
            statements = [(text, True) for text in row["faithful"]]
            statements += [(each["text"], False) for each in row["unfaithful"]]
            for text, is_faithful in statements:
                judged = judge.judge(text, Evidence(tuple(sources)))
                told[is_faithful].append((name, judged.support is not Support.SUPPORTED))
    yield share("claims that say something else, marked", told[False])
    yield share("claims that their units carry, marked", told[True])


def _judge() -> Judge:
    models = resources_path() / "models"
    embedder = OnnxEmbedder(models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json")
    return load_judge(embedder, bundled_cross_encoder())
