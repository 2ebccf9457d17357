from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.paths import user_places
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run
from tests.fakes.warmer_project import GENERAL_FILE, TEST_REPORT, make_warmer_project

QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "id": "w1",
        "question": "At what temperature does the over-temperature alarm sound?",
        "files": [TEST_REPORT],
        "must_contain": ["42\\.5"],
    },
    {
        "id": "w2",
        "question": "Which company makes the ceramic heater plate?",
        "files": [GENERAL_FILE],
        "must_contain": ["ostwald"],
        "scope": "@general",
    },
    {
        "id": "w3",
        "question": "Who sewed the leather saddle of the racing horse?",
        "answerable": False,
        "files": [],
    },
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PHASERGUN_HOME", str(tmp_path_factory.mktemp("home")))
        yield make_warmer_project(tmp_path_factory.mktemp("asked") / "Calmera T1")


def _file(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "asked.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_search_alone(run: Run, project: Path, tmp_path: Path) -> None:
    said = run("eval", project, _file(tmp_path, *QUESTIONS), "--json")
    assert said.code == 0
    metrics = said.json["metrics"]
    assert metrics["recall@10"] == 1.0
    assert 0 < metrics["mrr@10"] <= 1
    assert "answers_right" not in metrics
    assert said.json["rows"] == 3
    # Nothing answers the third: only its answer could be judged.
    assert ["recall@1" in row for row in said.json["questions"]] == [True, True, False]
    assert "profile regulatory " in said.json["versions"]


def test_answers_are_judged(run: Run, project: Path, tmp_path: Path) -> None:
    said = run("eval", project, _file(tmp_path, *QUESTIONS), "--answers", "--json")
    assert said.code == 0
    metrics = said.json["metrics"]
    assert metrics["answers_right"] == metrics["refused_rightly"] == 1.0
    assert metrics["wrong"] == metrics["wrong_sure"] == 0.0
    assert metrics["citation_precision"] == metrics["citation_recall"] == 1.0
    alarm, plate, saddle = said.json["questions"]
    assert "42.5" in alarm["answer"]
    assert plate["cited"] == [GENERAL_FILE]
    assert (saddle["refused"], saddle["right"]) == (1.0, 1.0)
    assert said.json["intervals"]["answers_right"] == [1.0, 1.0]


def test_profile_and_filters_are_asked_with(run: Run, project: Path, tmp_path: Path) -> None:
    file = _file(tmp_path, *QUESTIONS)
    said = run("eval", project, file, "--filter", "folder=Context/Ongoing", "--fast", "--json")
    assert said.code == 0
    # The second question's file lies elsewhere.
    assert [row.get("recall@10") for row in said.json["questions"]] == [1.0, 0.0, None]
    assert "folder Context/Ongoing; fast" in said.json["versions"]
    other = run("eval", project, file, "--profile", "literature", "--json")
    assert other.code == 0
    assert "profile literature " in other.json["versions"]
    assert run("eval", project, file, "--filter", "colour=red", "--json").code == 2


def test_nothing_of_it_is_logged(run: Run, project: Path, tmp_path: Path) -> None:
    run("eval", project, _file(tmp_path, *QUESTIONS), "--answers")
    kinds = {entry["kind"] for entry in run("log", project, "--json").json["entries"]}
    assert kinds <= {"index"}


def test_bad_lines_are_named_and_the_rest_runs(run: Run, project: Path, tmp_path: Path) -> None:
    bad: tuple[dict[str, Any] | str, ...] = (
        "{",
        "[1]",
        {"id": "w1", "question": "Twice?", "files": ["a"]},
        {"question": "No files?"},
        {"question": "A broken pattern?", "files": ["a"], "must_contain": ["("]},
        {"question": "A long one?", "files": ["a"], "must_contain": ["x" * 2000]},
        {"question": "Not a list?", "files": "a"},
        {"question": "Not a truth?", "answerable": "yes", "files": ["a"]},
        {"question": 7},
        "[" * 2000,
    )
    said = run("eval", project, _file(tmp_path, QUESTIONS[0], *bad, QUESTIONS[2]), "--json")
    assert said.code == 0
    assert said.json["rows"] == 2
    warnings = said.json["warnings"]
    assert [each.split(" of ")[0] for each in warnings] == [f"Line {at}" for at in range(2, 12)]
    assert warnings[2] == "Line 4 of asked.jsonl has the id “w1” of line 1."


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\x00", b"{}\n"])
def test_a_file_without_questions_is_told(
    run: Run, project: Path, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    said = run("eval", project, path, "--json")
    assert said.code == 1
    assert said.json["error"]["message"]
    assert said.json["error"]["remedy"]


def test_runs_are_listed_and_compared(run: Run, project: Path, tmp_path: Path) -> None:
    wrong = {**QUESTIONS[0], "must_contain": ["99 °C"]}
    for rows in (QUESTIONS, (wrong, *QUESTIONS[1:])):
        assert run("eval", project, _file(tmp_path, *rows), "--answers").code == 0
    listed = run("eval", project, "--runs", "--json").json["runs"]
    first, second = listed[-2]["run"], listed[-1]["run"]
    assert listed[-1]["metrics"]["answers_right"] == 0.5
    said = run("eval", project, "--compare", str(first), str(second), "--json").json
    right = said["metrics"]["right"]
    assert (right["won"], right["lost"], right["same"]) == (0, 1, 2)
    assert right["difference"] == pytest.approx(-1 / 3, abs=1e-4)
    assert right["interval"][0] <= right["difference"] <= right["interval"][1]
    assert said["questions"][0]["differs"] == {
        "right": [1.0, 0.0],
        "wrong": [0.0, 1.0],
        "wrong_sure": [0.0, 1.0],
    }
    told = run("eval", project, "--compare", str(first), str(second))
    assert "not on the same file" in told.err
    assert "right 1.00 → 0.00" in told.out
    assert str(second) in run("eval", "--runs", project).out


def test_a_run_that_is_not_there_is_told(run: Run, project: Path) -> None:
    said = run("eval", project, "--compare", "900", "901", "--json")
    assert said.code == 1
    assert "no run 900" in said.json["error"]["message"]


def test_runs_without_a_project_are_those_of_the_machine(
    run: Run, project: Path, tmp_path: Path
) -> None:
    del project
    row = {"claim": "It is nylon.", "source": "It is nylon.", "label": "supported"}
    assert run("eval", "--grounding", _file(tmp_path, row)).code == 0
    assert [each["kind"] for each in run("eval", "--runs", "--json").json["runs"]] == ["grounding"]
    assert (user_places().data / "evaluation").is_dir()


def test_the_questions_of_the_project_itself(run: Run, project: Path, tmp_path: Path) -> None:
    assert run("eval", project, "--json").code == 1
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(project)) as session,
    ):
        kept = session.add_question(
            JudgedQuestion(
                "", "When does the alarm sound?", files=(TEST_REPORT,), passage="At 42.5"
            )
        )
        other = session.add_question(JudgedQuestion("", "Who rode the horse?", is_answerable=False))
        session.remove_questions([other.question_id])
        assert session.questions() == (kept,)
        session.export_questions(tmp_path / "own.jsonl")
    said = run("eval", project, "--json")
    assert said.code == 0
    assert [row["id"] for row in said.json["questions"]] == [kept.question_id]
    again = run("eval", project, tmp_path / "own.jsonl", "--json")
    assert again.json["metrics"]["recall@1"] == said.json["metrics"]["recall@1"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("project", "q.jsonl", "--runs"),
        ("project", "--beir", "folder"),
        ("--answers", "--runs"),
        ("--compare", "1"),
        ("project", "q.jsonl", "--second-opinion"),
        ("project", "q.jsonl", "--prose"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("eval", *arguments).code == 2
