from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.paths import user_places
from tests.fakes.command import Run

SOURCE = "The AquaFlow pump delivers saline at 2 to 40 mL/min. The housing is made of nylon."


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    rows = [
        {"claim": "The housing is made of nylon.", "source": SOURCE, "label": "supported"},
        {"claim": "The pump delivers saline.", "source": SOURCE, "label": "supported"},
        {"claim": "Surgeons praise the display.", "source": SOURCE, "label": "not_enough_info"},
        {"claim": "The housing is not made of nylon.", "source": SOURCE, "label": "contradicted"},
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))


def test_figures_as_json(run: Run, pairs: Path) -> None:
    said = run("eval", "--grounding", pairs, "--json")
    assert said.code == 0
    metrics = said.json["metrics"]
    assert {"balanced_accuracy", "auc", "f1"} <= set(metrics)
    assert metrics["auc"] >= 0.75
    low, high = said.json["intervals"]["auc"]
    assert low <= metrics["auc"] <= high
    by_label = said.json["by_label"]
    assert set(by_label["supported"]) == {"supported", "partly", "unsupported", "contradicted"}
    assert by_label["supported"]["supported"] == 2
    assert by_label["not_enough_info"]["supported"] == 0
    with closing(RunStore(user_places().data / "evaluation" / RUNS_FILE)) as store:
        (kept,) = store.runs()
    assert json.loads(kept.report) == said.json


def test_figures_in_words(run: Run, pairs: Path) -> None:
    said = run("eval", "--grounding", pairs)
    assert said.code == 0
    assert "area under the curve" in said.out
    assert "4 rows, 4 claims" in said.out


def test_one_class_alone_is_no_number(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"claim": "a b", "source": "c", "label": "supported"}), "utf-8")
    said = run("eval", "--grounding", path, "--json")
    assert said.code == 0
    assert said.json["metrics"]["auc"] is None
    assert "NaN" not in said.out


def test_bad_rows_are_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"claim": "a", "source": "b", "label": "supported"}\n{"claim": 1}\n', "utf-8")
    said = run("eval", "--grounding", path, "--json")
    assert said.code == 1
    assert "Line 2" in said.json["error"]["message"]
    assert said.json["error"]["remedy"]


def test_a_model_that_is_not_there_is_told(run: Run, pairs: Path, tmp_path: Path) -> None:
    said = run(
        "eval",
        "--grounding",
        pairs,
        "--second-opinion",
        "--model",
        tmp_path / "none.gguf",
        "--json",
    )
    assert said.code == 1
    assert said.json["error"]["message"]


@pytest.mark.parametrize("arguments", [("eval",), ("eval", "--grounding")])
def test_what_is_not_offered_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2
