from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.paths import user_places
from tests.fakes.command import Run

TEXTS = {
    "d|1": ("Battery", "The pump runs for nine hours on one charge of its battery."),
    "d|2": ("", "The housing is made of nylon and survives a drop of one metre."),
    "d|3": ("Alarm", "An alarm sounds when the line is blocked for more than ten seconds."),
    "d|4": ("", ""),
}
QUERIES = {
    "q1": "How long does the battery last?",
    "q2": "What is the housing made of?",
    "q3": "When does the alarm sound?",
    "q4": "Nobody judged this one.",
}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "pumps"
    folder.mkdir()
    corpus = [{"_id": name, "title": t, "text": text} for name, (t, text) in TEXTS.items()]
    _write(folder / "corpus.jsonl", corpus)
    _write(folder / "queries.jsonl", [{"_id": n, "text": text} for n, text in QUERIES.items()])
    judged = ["query-id\tcorpus-id\tscore", "q1\td|1\t1", "q2\td|2\t2", "q3\td|3\t1", "q3\td|1\t0"]
    (folder / "qrels_test.tsv").write_text("\n".join(judged) + "\n", "utf-8")
    return folder


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_figures_of_a_collection(run: Run, collection: Path) -> None:
    said = run("eval", "--beir", collection, "--json")
    assert said.code == 0
    metrics = said.json["metrics"]
    assert metrics["recall@1"] == metrics["mrr@10"] == metrics["map@10"] == 1.0
    assert metrics["ndcg@10"] == 1.0
    assert 0 < metrics["latency_ms"]["p50"] <= metrics["latency_ms"]["p95"]
    assert [row["id"] for row in said.json["questions"]] == ["q1", "q2", "q3"]
    assert said.json["questions"][0]["found"][0] == "d|1"
    assert said.json["documents"] == 3
    with closing(RunStore(user_places().data / "evaluation" / RUNS_FILE)) as store:
        (kept,) = store.runs()
    assert (kept.kind, kept.file) == ("beir", "pumps")
    assert json.loads(kept.report)["metrics"] == metrics


def test_the_index_is_made_once(run: Run, collection: Path) -> None:
    assert run("eval", "--beir", collection).code == 0
    (index,) = (user_places().cache / "evaluation" / "collections").rglob("index.db")
    made = index.read_bytes()
    said = run("eval", "--beir", collection)
    assert said.code == 0
    assert index.read_bytes() == made
    assert "recall@10" in said.out


def test_another_profile_has_its_own_chunks_on_the_same_index(run: Run, collection: Path) -> None:
    first = run("eval", "--beir", collection, "--json").json
    second = run("eval", "--beir", collection, "--profile", "disclosure", "--json").json
    assert second["versions"] != first["versions"]
    assert second["documents"] == 3
    assert len([*(user_places().cache / "evaluation" / "collections").rglob("index.db")]) == 1


def test_halves_share_the_queries(run: Run, collection: Path) -> None:
    asked: list[str] = []
    for half in ("even", "odd"):
        said = run("eval", "--beir", collection, "--half", half, "--json")
        if said.code == 0:
            asked += [row["id"] for row in said.json["questions"]]
    assert sorted(asked) == ["q1", "q2", "q3"]


def test_bad_lines_are_named_and_the_rest_runs(run: Run, collection: Path) -> None:
    for name, line in (("corpus.jsonl", '{"title": 1}\n'), ("qrels_test.tsv", "q1 d1 1\n")):
        with (collection / name).open("a", encoding="utf-8") as file:
            file.write(line)
    said = run("eval", "--beir", collection, "--json")
    assert said.code == 0
    assert said.json["metrics"]["recall@10"] == 1.0
    assert said.json["warnings"] == [
        "Line 5 of corpus.jsonl has no “_id”.",
        "Line 6 of qrels_test.tsv is not query, document and score.",
    ]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda folder: (folder / "qrels_test.tsv").unlink(), "has no judgments of the split"),
        (lambda folder: (folder / "corpus.jsonl").write_text(""), "holds no row"),
        (lambda folder: (folder / "corpus.jsonl").write_bytes(b"\xff\xfe\0"), "is not UTF-8"),
        (lambda folder: (folder / "queries.jsonl").unlink(), "is not there"),
        (lambda folder: (folder / "qrels_test.tsv").write_text("q1\td\t0"), "No query"),
    ],
)
def test_a_folder_that_is_no_collection_is_told(
    run: Run,
    collection: Path,
    spoil: object,
    told: str,
) -> None:
    assert callable(spoil)
    spoil(collection)
    said = run("eval", "--beir", collection, "--json")
    assert said.code == 1
    assert told in said.json["error"]["message"]
    assert said.json["error"]["remedy"]


def test_a_profile_that_is_not_known_is_told(run: Run, collection: Path) -> None:
    said = run("eval", "--beir", collection, "--profile", "evidense", "--json")
    assert said.code == 1
    assert "evidense" in said.json["error"]["message"]
