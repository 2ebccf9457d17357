"""What the steps of retrieval are measured with; the collection itself is not searched here."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.evaluation.collection_files import read_queries
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_file import read_profile
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from tests.benchmarks import __main__ as program
from tests.benchmarks.frame import Unavailable
from tests.benchmarks.retrieval_figures import changed, lay_out, measured_steps


def test_a_step_is_a_profile_with_its_own_weights_alone(tmp_path: Path) -> None:
    store = ProfileStore(resources_path(), tmp_path)
    whole = store.load(DEFAULT_PROFILE)
    steps = {step.name: step for step in measured_steps(store.names())}
    assert set(steps) >= {"keywords", "vectors", "regulatory", "evidence", "evidence, fast"}
    for name, weight in (("keywords", 1.0), ("vectors", 0.0)):
        made = read_profile(f"{name}.yaml", changed(store.text(DEFAULT_PROFILE), steps[name]))
        assert made.retrieval.fusion.keyword_weight == weight
        assert made.retrieval.limit == whole.retrieval.limit
        assert made.chunking == whole.chunking
        assert not made.retrieval.rerank.enabled
    with pytest.raises(ValueError, match="stands 0 times"):
        changed("nothing", steps["keywords"])


def test_only_the_wanted_half_of_the_questions_is_judged(tmp_path: Path) -> None:
    collection = tmp_path / "whole"
    collection.mkdir()
    names = [f"q{at}" for at in range(40)]
    (collection / "corpus.jsonl").write_text('{"_id": "d1", "text": "One."}\n', "utf-8")
    lines = "".join(f'{{"_id": "{name}", "text": "What is {name}?"}}\n' for name in names)
    (collection / "queries_dev.jsonl").write_text(lines, "utf-8")
    rows = "".join(f"{name}\td1\t1\n" for name in names)
    (collection / "qrels_dev.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", "utf-8")
    odd = [name for name in names if Half.ODD.has_id(name)]
    for limit, wanted in ((0, odd), (3, sorted(odd)[:3])):
        folder = tmp_path / f"of {limit}"
        lay_out(collection, folder, Half.ODD, limit)
        found = [each.query_id for each in read_queries(folder, "dev").queries]
        assert sorted(found) == sorted(wanted)
        assert (folder / "corpus.jsonl").read_bytes() == (collection / "corpus.jsonl").read_bytes()
    with pytest.raises(Unavailable, match="absent is absent"):
        lay_out(tmp_path / "absent", tmp_path / "none", Half.ODD, 0)


def test_a_number_of_questions_is_for_what_asks_questions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for wrong in (["--questions", "3"], ["open", "--questions", "3"]):
        with pytest.raises(SystemExit):
            program.main(wrong)
        assert "--questions is for" in capsys.readouterr().err
