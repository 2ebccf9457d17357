from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.paths import user_places
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run

FACTS: tuple[dict[str, Any], ...] = (
    {"prompt": "accuracy.md", "fact": "within 1.5 °C", "pattern": "WITHIN\\s+1\\.5 °C"},
    {"prompt": "accuracy.md", "fact": "in the pool alone", "pattern": "TR-999"},
    {"prompt": "accuracy.md", "fact": "not that gap", "pattern": "bathtub", "missing": True},
    {"prompt": "saddle.md", "fact": "abstains", "pattern": ""},
    {
        "prompt": "saddle.md",
        "fact": "no maker of the saddle",
        "pattern": "leather saddle",
        "missing": True,
    },
)


def _facts(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "facts.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), "utf-8")
    return path


def _runs() -> list[Any]:
    with closing(RunStore(user_places().data / "evaluation" / RUNS_FILE)) as store:
        return [json.loads(run.report) for run in store.runs() if run.kind == "drafts"]


def test_figures_as_json(run: Run, warmer: Path, tmp_path: Path) -> None:
    said = run("eval", "--drafts", warmer, _facts(tmp_path, *FACTS), "--no-llm", "--json")
    assert said.code == 0
    assert said.json["model"] == "extractive"
    metrics = said.json["metrics"]
    assert (metrics["facts"]["found"], metrics["facts"]["wanted"]) == (1, 2)
    assert metrics["facts"]["share"] == 0.5
    assert metrics["drafted"] == metrics["facts"]
    assert metrics["pool"]["found"] == metrics["selected"]["found"] == 1
    assert metrics["missing"] == {"found": 1, "wanted": 2}
    assert metrics["abstentions"] == {"found": 1, "wanted": 1}
    assert metrics["status"] == {"abstained": 1, "complete": 1}
    assert metrics["words"]["mean"] > 5
    assert set(metrics["seconds"]["plan"]) == set(metrics["seconds"]["draft"]) == {"p50", "p95"}
    accuracy, plate = metrics["prompts"]
    assert accuracy["prompt"] == "accuracy.md"
    assert accuracy["not_found"] == ["in the pool alone", "not that gap"]
    assert accuracy["drafted"] == {"found": 1, "wanted": 2}
    assert plate["abstains"] is True
    assert plate["words"] == 0
    assert plate["not_found"] == []
    assert _runs()[-1] == said.json


def test_figures_in_words(run: Run, warmer: Path, tmp_path: Path) -> None:
    said = run("eval", "--drafts", warmer, _facts(tmp_path, *FACTS), "--no-llm")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].split() == [
        "prompt", "status", "pool", "select", "draft", "gaps", "words", "s",
    ]  # fmt: skip
    assert lines[1].split()[:6] == ["accuracy.md", "complete", "1/2", "1/2", "1/2", "0/1"]
    assert lines[2].split()[:6] == ["saddle.md", "abstained", "0/0", "0/0", "0/0", "1/1"]
    assert lines[3].split()[:5] == ["total", "1/2", "1/2", "1/2", "1/2"]
    assert "abstained 1 of 1 that should" in said.out


def test_no_draft_and_no_log_entry_is_kept(run: Run, fresh: Path, tmp_path: Path) -> None:
    assert run("index", fresh).code == 0
    before = run("log", fresh, "--json").json["entries"]
    assert run("eval", "--drafts", fresh, _facts(tmp_path, *FACTS), "--no-llm").code == 0
    assert run("log", fresh, "--json").json["entries"] == before
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(fresh)) as session,
    ):
        assert session.drafts.list() == ()


def test_one_half_of_the_prompts(run: Run, warmer: Path, tmp_path: Path) -> None:
    facts = _facts(tmp_path, *FACTS)
    asked: list[str] = []
    for half in Half:
        names = [n for n in ("accuracy.md", "saddle.md") if half.has(n)]
        said = run("eval", "--drafts", warmer, facts, "--no-llm", "--half", half.value, "--json")
        if names:
            assert [each["prompt"] for each in said.json["metrics"]["prompts"]] == names
        else:
            assert said.code == 1
            assert "half" in said.json["error"]["message"]
        asked += names
    assert sorted(asked) == ["accuracy.md", "saddle.md"]


def test_a_blocked_prompt_states_nothing(run: Run, warmer: Path, tmp_path: Path) -> None:
    facts = _facts(tmp_path, {"prompt": "broken.md", "fact": "the alarm", "pattern": "alarm"})
    said = run("eval", "--drafts", warmer, facts, "--no-llm", "--json")
    assert said.code == 0
    assert said.json["metrics"]["status"] == {"blocked": 1}
    assert said.json["metrics"]["facts"]["found"] == 0


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"prompt": "accuracy.md", "fact": "f", "pattern": "("}, ("Line 2", "pattern")),
        ("{", ("Line 2", "JSON")),
        ({"prompt": "accuracy.md", "pattern": "a"}, ("Line 2", "fact")),
        ({"prompt": "nowhere.md", "fact": "f", "pattern": "a"}, ("Line 2", "nowhere.md")),
        ({"prompt": "../accuracy.md", "fact": "f", "pattern": "a"}, ("Line 2", "accuracy.md")),
    ],
)
def test_a_bad_row_is_told(
    run: Run, warmer: Path, tmp_path: Path, row: dict[str, Any] | str, words: tuple[str, ...]
) -> None:
    said = run("eval", "--drafts", warmer, _facts(tmp_path, FACTS[0], row), "--no-llm", "--json")
    assert said.code == 1
    error = said.json["error"]
    assert error["remedy"]
    for word in words:
        assert word in error["message"]


def test_an_empty_prompt_is_told(run: Run, fresh: Path, tmp_path: Path) -> None:
    (fresh / "Context" / "Prompt" / "empty.md").write_text(" \n", "utf-8")
    facts = _facts(tmp_path, {"prompt": "empty.md", "fact": "f", "pattern": "a"})
    said = run("eval", "--drafts", fresh, facts, "--no-llm", "--json")
    assert said.code == 1
    assert "no text" in said.json["error"]["message"]


def test_a_model_that_is_not_there_is_told(run: Run, warmer: Path, tmp_path: Path) -> None:
    facts = _facts(tmp_path, *FACTS)
    none = tmp_path / "none.gguf"
    said = run("eval", "--drafts", warmer, facts, "--model", none, "--json")
    assert said.code == 1
    assert "--no-llm" in said.json["error"]["remedy"]


def test_a_model_writes_what_is_counted(
    run: Run, warmer: Path, tmp_path: Path, smollm2_path: Path
) -> None:
    facts = _facts(tmp_path, FACTS[0])
    said = run("eval", "--drafts", warmer, facts, "--model", smollm2_path, "--json")
    assert said.code == 0
    assert said.json["model"] not in ("", "extractive")
    # What so small a model makes of it is its own matter; the passage was there for it.
    (figures,) = said.json["metrics"]["prompts"]
    assert figures["status"] in ("complete", "abstained")
    assert figures["selected"] == {"found": 1, "wanted": 1}


def test_figures_reach_their_reader_where_the_run_cannot_be_kept(
    run: Run, fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))
    (user_places().data).mkdir(parents=True)
    (user_places().data / "evaluation").write_text("a file where the folder belongs", "utf-8")
    facts = _facts(tmp_path, *FACTS)
    said = run("eval", "--drafts", fresh, facts, "--no-llm", "--json")
    assert said.code == 0
    assert said.json["metrics"]["facts"]["found"] == 1
    assert "not kept" in said.json["warnings"][0]


def test_a_stop_is_no_error_of_ours(
    run: Run, warmer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_console: Console, _job: object) -> None:
        raise Cancelled

    monkeypatch.setattr(Console, "run", stopped)
    said = run("eval", "--drafts", warmer, _facts(tmp_path, *FACTS), "--no-llm", "--json")
    assert said.code == 1
    assert said.json["status"] == "cancelled"


@pytest.mark.parametrize(
    "arguments",
    [
        ("eval", "--drafts", "project"),
        ("eval", "--drafts", "project", "facts", "--grounding", "pairs"),
        ("eval", "--drafts", "project", "facts", "--half", "third"),
        ("eval", "--drafts", "project", "facts", "--second-opinion"),
        ("eval", "--grounding", "pairs", "--half", "odd"),
        ("eval", "--grounding", "pairs", "--no-llm"),
        ("eval", "--grounding", "pairs", "--prose"),
        ("eval", "--drafts", "project", "facts", "--prose", "--no-llm"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2
