"""Each step of retrieval on a public test collection, by the product's own evaluation.

ObliQA: passages of financial rules and the development questions on them. Those whose id has an
even SHA-256 are for choosing settings; the figures are of the odd ones.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.evaluation.collection_run import CollectionAsked
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.wiring import build_application
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.glucose import NO_MODEL, places_in, test_data

_SPLIT = "dev"
_SHOWN = {"recall@10": "R@10", "map@10": "MAP@10", "ndcg@10": "nDCG@10"}
_TARGETS = {"recall@10": 0.79, "map@10": 0.65}


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the table: ``profile`` with other ``retrieval`` settings where some are given;
    ``is_fast`` leaves out reranking."""

    name: str
    profile: str
    retrieval: Mapping[str, str]
    is_fast: bool = False


def retrieval_steps(limit: int = 0) -> Iterator[Figure]:
    """Search ObliQA with keywords alone, with vectors alone and with each profile; ``limit`` above
    0 searches for only so many of its odd questions."""
    half = Half.ODD
    with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as name:
        folder, places = Path(name) / "obliqa", places_in(Path(name) / "home")
        lay_out(test_data() / "retrieval" / "obliqa", folder, half, limit)
        own = ProfileStore(resources_path(), places.config / "profiles")
        steps = measured_steps(own.names())
        for step in steps:
            if step.retrieval:
                own.save(step.profile, changed(own.text(DEFAULT_PROFILE), step))
        with closing(build_application(places, model=NO_MODEL)) as application:
            for step in steps:
                asked = CollectionAsked(folder, _SPLIT, half, step.is_fast)
                report = run_to_end(application.collections(step.profile).run(asked))
                note = f"{half} questions, {report.documents} passages"
                for key, found in report.figures.ranking:
                    if key in _SHOWN:
                        yield Figure(
                            f"{step.name}: {_SHOWN[key]}",
                            "mean",
                            len(report.questions),
                            found.low,
                            found.value,
                            found.high,
                            found.high,
                            _TARGETS.get(key),
                            at_least=True,
                            note=note,
                        )
                spent = [each.ms for each in report.questions]
                yield figure(f"{step.name}: a search", "ms", spent)


def measured_steps(profiles: tuple[str, ...]) -> tuple[Step, ...]:
    """Return the rows of the table: keywords alone, vectors alone, and ``profiles``."""
    # One candidate is the least that a profile may take of a search; it gets no weight.
    words = {"keyword_weight": "1.0", "vector_candidates": "1"}
    vectors = {"keyword_weight": "0.0", "keyword_candidates": "1"}
    return (
        Step("keywords", "keywords", words),
        Step("vectors", "vectors", vectors),
        *(Step(each, each, {}) for each in profiles),
        Step("evidence, fast", "evidence", {}, is_fast=True),
    )


def changed(text: str, step: Step) -> str:
    """Return the file of a profile with the name and the settings of ``step``."""
    for key, value in {"name": step.profile, **step.retrieval}.items():
        text, count = re.subn(rf"\b{key}: [\w.-]+", f"{key}: {value}", text)
        if count != 1:
            raise ValueError(f"{key} stands {count} times in the profile")
    return text


def lay_out(collection: Path, folder: Path, half: Half, limit: int) -> None:
    """Make ``folder`` a collection with the judgments of the first ``limit`` (0: of all) queries
    of a half, in the order of their ids. Raises ``Unavailable`` without the ``collection``."""
    if not (collection / "corpus.jsonl").is_file():
        raise Unavailable(f"{collection.name} is absent (set PHASERGUN_TEST_DATA)")
    folder.mkdir()
    judgments, queries = f"qrels_{_SPLIT}.tsv", f"queries_{_SPLIT}.jsonl"
    for each in ("corpus.jsonl", queries):
        (folder / each).symlink_to((collection / each).resolve())
    head, *rows = (collection / judgments).read_text("utf-8").splitlines()
    ids = sorted({row.split("\t")[0] for row in rows})
    chosen = set([each for each in ids if half.has_id(each)][: limit or None])
    kept = [row for row in rows if row.split("\t")[0] in chosen]
    (folder / judgments).write_text("\n".join((head, *kept, "")), "utf-8")
