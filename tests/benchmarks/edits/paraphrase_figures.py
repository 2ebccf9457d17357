"""How many rewritten sentences the judge marks, faithful ones and others.

``paraphrases.jsonl`` holds 150 sentences of the projects of ``packaging/selector_data`` as a person
rewrote them who knew nothing of the judge: 95 say what their source says (light, medium or free),
55 do not (a role, a condition, an exception, an obligation, a date … is another one). Checks were
written beside those of eight projects; the others are ``aside`` and were seen as totals alone. Two
checks are gone that found more beside the eight and nothing aside: provisos and reservations that
are left out ("provided", "about"), and reasons that the source does not give ("because").
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.grounding.judge import Evidence, EvidenceText, load_judge
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.paths import resources_path
from tests.benchmarks.frame import Figure, share

PARAPHRASES = Path(__file__).with_name("paraphrases.jsonl")


def rewritten_sentences() -> Iterator[Figure]:
    """Yield the shares that are marked, of those aside and of those that were looked at."""
    models = resources_path() / "models"
    judge = load_judge(
        OnnxEmbedder(models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json")
    )
    told: dict[tuple[bool, bool], list[tuple[str, bool]]] = {}
    for line in PARAPHRASES.read_text("utf-8").splitlines():
        row = json.loads(line)
        judged = judge.judge(row["paraphrase"], Evidence((EvidenceText(row["sentence"]),)))
        key = row["is_aside"], row["faithful"]
        told.setdefault(key, []).append((row["project"], judged.support is not Support.SUPPORTED))
    for is_aside, where in ((True, "aside"), (False, "looked at")):
        yield share(f"unfaithful paraphrases marked, {where}", told[is_aside, False])
        yield share(f"faithful paraphrases marked, {where}", told[is_aside, True])
