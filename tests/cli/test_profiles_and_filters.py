from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fakes.command import Run
from tests.fakes.warmer_project import TEST_REPORT

QUESTION = "At which temperature does the over-temperature alarm sound?"


def test_a_search_is_bound_by_filters(run: Run, warmer: Path) -> None:
    found = run("search", warmer, "alarm", "--filter", "layer=predicates", "--json").json
    assert {hit["layer"] for hit in found["hits"]} == {"predicates"}
    both = run(
        "search", warmer, "alarm", "--filter", "layer=predicates", "--filter", "layer=ongoing",
        "--json",
    ).json  # fmt: skip
    assert {hit["layer"] for hit in both["hits"]} == {"predicates", "ongoing"}


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_filter_that_excludes_everything_says_so(run: Run, warmer: Path, command: str) -> None:
    said = run(command, warmer, QUESTION, "--filter", "format=pptx", "--json")
    assert said.code == 0
    assert any("no matching documents" in each for each in said.json["warnings"])


def test_labels_are_hidden_from_the_command_line(run: Run, fresh: Path) -> None:
    categories = fresh / "Procedures/categories.yaml"
    categories.write_text(f"documents:\n  {TEST_REPORT}: {{confidentiality: secret}}\n", "utf-8")
    assert run("index", fresh).code == 0
    assert TEST_REPORT in run("search", fresh, QUESTION, "--json").out
    said = run("index", fresh, "--hide", "Secret", "--hide", "other", "--json").json
    (record,) = [each for each in said["files"] if each["file"] == TEST_REPORT]
    assert (record["state"], record["problem"]) == ("skipped", "hidden")
    assert record["reason"] == "hidden by the project's confidentiality setting"
    assert TEST_REPORT not in run("search", fresh, QUESTION, "--json").out
    # 242.5 may be how many milliseconds it took.
    assert not re.search(r"(?<!\d)42\.5", run("ask", fresh, QUESTION, "--json").out)
    status = run("status", fresh, "--json").json
    assert status["hidden"] == ["Secret", "other"]
    assert record in status["files"]
    assert "labelled Secret, other are hidden" in run("status", fresh).out
    assert run("index", fresh, "--show", "secret", "--show", "other").code == 0
    assert TEST_REPORT in run("search", fresh, QUESTION, "--json").out


def test_a_search_is_logged_with_what_it_found(run: Run, warmer: Path, tmp_path: Path) -> None:
    query = "overheated fluid haemolysis"
    found = run("search", warmer, query, "--profile", "disclosure", "--json").json
    assert run("search", warmer, query, "--filter", "format=pptx").code == 0
    second, first = run("log", warmer, "--kind", "search", "-n", "2", "--json").json["entries"]
    assert (first["prompt"], first["profile"], first["status"]) == (query, "disclosure", "complete")
    assert first["chunk_ids"] == [hit["chunk_id"] for hit in found["hits"]]
    assert first["retrieval_ms"] > 0
    assert (second["profile"], second["chunk_ids"]) == ("regulatory", [])
    # What was looked for is a text that can be left out.
    told = tmp_path / "log.jsonl"
    run("log", warmer, "--export", told, "--without-texts")
    assert query not in told.read_text("utf-8")
    assert run("log", told, "--verify").code == 0


def test_a_search_that_fails_is_logged_with_why(run: Run, warmer: Path) -> None:
    said = run("search", warmer, "alarm", "--profile", "disclosures", "--json")
    assert said.code == 1
    (entry,) = run("log", warmer, "--kind", "search", "-n", "1", "--json").json["entries"]
    assert (entry["prompt"], entry["status"], entry["chunk_ids"]) == ("alarm", "error", [])
    assert (entry["profile"], entry["errors"]) == ("disclosures", [said.json["error"]["message"]])
    assert run("log", warmer, "--verify").code == 0


def test_a_filter_that_is_not_possible_is_wrong_usage(run: Run, warmer: Path) -> None:
    said = run("search", warmer, "alarm", "--filter", "layr=sops")
    assert said.code == 2
    assert "Did you mean “layer”?" in said.err


def test_another_profile_answers_in_its_own_way(run: Run, warmer: Path) -> None:
    usual = run("ask", warmer, QUESTION, "--json").json
    other = run("ask", warmer, QUESTION, "--profile", "disclosure", "--fast", "--json").json
    assert (usual["plan"]["profile"], other["plan"]["profile"]) == ("regulatory", "disclosure")
    assert "42.5 °C" in usual["text"]
    assert "42.5 °C" in other["text"]
    assert "[1]" in usual["text"]
    assert "[Citation 1]" in other["text"]
    assert other["text"].rstrip().splitlines()[-1].startswith("[Citation 1] ")
    assert "## Citations" in other["text"]


def test_an_unknown_profile_is_told(run: Run, warmer: Path) -> None:
    said = run("search", warmer, "alarm", "--profile", "disclosures", "--json")
    assert said.code == 1
    assert "disclosures" in said.json["error"]["message"]


def test_a_plan_keeps_its_filters(run: Run, warmer: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "p.md"
    prompt.write_text("Describe the alarm behaviour.", "utf-8")
    said = run("plan", warmer, prompt, "--filter", f"document={Path(TEST_REPORT).name}", "--json")
    printed = tmp_path / "plan.json"
    printed.write_text(said.out, "utf-8")
    assert {each["file"] for each in said.json["passages"]} == {TEST_REPORT}
    drafted = run("draft", warmer, "--plan", printed, "--json").json
    assert drafted["plan"]["filters"] == [f"document={Path(TEST_REPORT).name}"]
    assert {note["file"] for note in drafted["footnotes"] if note["file"]} == {TEST_REPORT}
