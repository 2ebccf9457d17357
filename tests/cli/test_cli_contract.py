from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run
from tests.fakes.warmer_project import TEST_REPORT

LOCATOR_FIELDS = {
    "page": {"type", "page", "rects"},
    "paragraph": {"type", "heading_path", "paragraph", "table", "row", "column"},
    "line": {"type", "line"},
    "row": {"type", "row"},
}
FOOTNOTE_FIELDS = {
    "number", "kind", "rendered", "title", "file", "sha256", "layer", "chunk_id", "score",
    "heading_path", "locator", "block_id", "quote", "start", "end",
}  # fmt: skip
METRICS = {
    "retrieval_ms", "first_token_ms", "generation_ms", "prompt_tokens", "cached_tokens",
    "completion_tokens", "model", "total_ms", "chunks_retrieved",
}  # fmt: skip


def _texts(root: Path) -> dict[str, str]:
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(root)) as session,
    ):
        return {
            record.file: session.source(record.file).document.text
            for record in session.files()
            if record.state == "indexed"
        }


def _check_locator(locator: dict[str, Any]) -> None:
    assert set(locator) <= LOCATOR_FIELDS[locator["type"]]
    if locator["type"] == "paragraph":
        assert "heading_path" in locator
        assert ("paragraph" in locator) != ("table" in locator)
    else:
        assert set(locator) == LOCATOR_FIELDS[locator["type"]]


def test_status_counts_add_up_to_the_folder(run: Run, warmer: Path) -> None:
    said = run("status", warmer, "--json")
    found = said.json
    on_disk = {p.relative_to(warmer).as_posix() for p in warmer.rglob("*") if p.is_file()}
    assert said.code == 0
    assert {each["file"] for each in found["files"]} == on_disk
    counts = found["counts"]
    assert sum(counts[state] for state in ("indexed", "pending", "failed", "skipped")) == len(
        on_disk
    )
    assert counts["pending"] == counts["failed"] == 0
    for each in found["files"]:
        assert each["state"] in ("indexed", "skipped")
        assert each["layer"] is None or each["layer"] in set(Layer)
        assert bool(each["reason"]) == (each["state"] == "skipped")
        assert each["size"] > 0
        assert (each["chunks"] > 0) == (each["state"] == "indexed")
        assert each["problem"] is None
        assert ("format" in each) == (each["state"] == "indexed")
        if each["state"] == "indexed":
            assert each["format"] in ("md", "docx", "csv", "txt", "pdf")
            assert "/" in each["mime"]
            assert each["warnings"] == []
            assert "recognised_pages" not in each
    reasons = {each["file"]: each["reason"] for each in found["files"]}
    assert "prompt" in reasons["Context/Prompt/broken.md"]
    assert "not part of the index" in reasons["notes to self.txt"]
    assert found["index"]["size"] > 0
    assert {"parser", "chunker", "embedder"} <= set(found["versions"])


def test_status_shows_what_the_index_does_not_know_as_pending(run: Run, fresh: Path) -> None:
    assert run("status", fresh, "--json").json["counts"]["pending"] == 7
    run("index", fresh)
    (fresh / TEST_REPORT).write_text("# Changed\n\nAll new.\n", encoding="utf-8")
    (fresh / "Context/General/Supplier-Note.md").unlink()
    (fresh / "Context/Ongoing/new.md").write_text("# New\n\nText.\n", encoding="utf-8")
    found = run("status", fresh, "--json").json
    states = {each["file"]: each["state"] for each in found["files"]}
    assert states[TEST_REPORT] == "pending"
    assert states["Context/Ongoing/new.md"] == "pending"
    assert "Context/General/Supplier-Note.md" not in states
    assert found["counts"]["pending"] == 2


def test_search_hits_carry_the_source_text(run: Run, warmer: Path) -> None:
    said = run("search", warmer, "over-temperature alarm", "--json", "-k", "3")
    found = said.json
    texts = _texts(warmer)
    assert said.code == 0
    assert len(found["hits"]) == 3
    assert [hit["rank"] for hit in found["hits"]] == [1, 2, 3]
    assert found["hits"][0]["file"] == TEST_REPORT
    for hit in found["hits"]:
        assert hit["text"] == texts[hit["file"]][hit["start"] : hit["end"]]
        assert {"chunk_id", "block_id", "heading_path", "similarity", "bm25", "rerank"} <= set(hit)
        assert 0 <= hit["score"] <= 1
        _check_locator(hit["locator"])
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert found["timings"]["total_ms"] > 0


def test_every_format_has_its_locator(run: Run, warmer: Path) -> None:
    queries = {
        "bubble detector air embolism": ("Context/Ongoing/Hazard-Log.csv", "row"),
        "disposable cassette heated plates": ("Context/Initiation/Device-Description.txt", "line"),
        "intended use intravenous adults": ("Context/Calmera-Master-Record.docx", "paragraph"),
        "leakage current": (TEST_REPORT, "line"),
    }
    for query, (file, kind) in queries.items():
        hits = run("search", warmer, query, "--json").json["hits"]
        hit = next(hit for hit in hits if hit["file"] == file)
        assert hit["locator"]["type"] == kind, query
        _check_locator(hit["locator"])


def test_plan_names_what_it_uses(run: Run, warmer: Path) -> None:
    said = run("plan", warmer, "performance.md", "--json")
    found = said.json
    texts = _texts(warmer)
    assert said.code == 0
    assert found["problems"] == []
    assert found["tokens"] > 0
    [reference] = found["references"]
    assert reference["text"] == "[Master Record|Device Name]"
    assert reference["value"] == "Calmera T1 Infusion Warmer"
    assert found["passages"]
    for passage in found["passages"]:
        assert passage["text"] == texts[passage["file"]][passage["start"] : passage["end"]]


@pytest.mark.parametrize("command", ["draft", "ask"])
def test_a_draft_is_as_the_contract_words_it(run: Run, warmer: Path, command: str) -> None:
    what = "performance.md" if command == "draft" else "At which temperature does the alarm sound?"
    said = run(command, warmer, what, "--no-llm", "--json")
    found = said.json
    texts = _texts(warmer)
    assert said.code == 0
    assert found["status"] == "complete"
    assert "42.5 °C" in found["text"]
    assert "## Sources" in found["text"]
    numbers = {note["number"] for note in found["footnotes"]}
    assert numbers == set(range(1, len(found["footnotes"]) + 1))
    for note in found["footnotes"]:
        assert set(note) >= FOOTNOTE_FIELDS
        assert note["kind"] in ("procedure", "context", "standard")
        assert note["rendered"].startswith(f"[{note['number']}] ")
        assert note["rendered"] in found["text"]
        assert note["quote"] == texts[note["file"]][note["start"] : note["end"]] != ""
        assert note["layer"] in set(Layer)
        assert len(note["sha256"]) == 64
        _check_locator(note["locator"])
    for sentence in found["sentences"]:
        assert set(sentence["citations"]) <= numbers
        assert sentence["support"] in ("supported", "partly", "unsupported", "contradicted")
        for problem in sentence["problems"]:
            assert set(problem) == {"code", "value", "message"}
    used = {number for sentence in found["sentences"] for number in sentence["citations"]}
    assert used == numbers, "retrieved is not cited"
    assert set(found["confidence"]) >= {"level", "score", "criteria", "rationale"}
    assert found["confidence"]["level"] in ("high", "medium", "low", "very_low")
    assert set(found["metrics"]) >= METRICS
    assert found["plan"]["passages"]
    assert found["discrepancies"] == []


def test_an_answer_that_is_nowhere_is_abstained_from(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "empty"
    root.mkdir()
    said = run("ask", root, "What is the shelf life of the cassette?", "--no-llm", "--json")
    found = said.json
    assert said.code == 0
    assert found["status"] == "abstained"
    assert found["footnotes"] == []
    assert "shelf life" in found["text"]
    assert found["confidence"]["score"] == 0


def test_stream_prints_json_lines(run: Run, warmer: Path) -> None:
    said = run("draft", warmer, "performance.md", "--no-llm", "--stream")
    events = [line["event"] for line in said.lines]
    assert said.code == 0
    assert events[:2] == ["start", "evidence"]
    assert events[-1] == "complete"
    assert said.lines[-1]["status"] == "complete"
    assert said.lines[1]["passages"]


def test_what_was_asked_is_in_the_log(run: Run, fresh: Path) -> None:
    run("ask", fresh, "At which temperature does the alarm sound?", "--no-llm")
    run("draft", fresh, "performance.md", "--no-llm")
    run("draft", fresh, "broken.md", "--no-llm")
    found = run("log", fresh, "--json").json
    assert found["verified"] is True
    kinds = [entry["kind"] for entry in found["entries"]]
    assert kinds == ["draft", "draft", "ask", "index"]
    assert [entry["status"] for entry in found["entries"][:2]] == ["blocked", "complete"]
    asked = found["entries"][2]
    assert asked["prompt"] == "At which temperature does the alarm sound?"
    assert asked["citations"]
    assert asked["chunk_ids"]
    assert len(run("log", fresh, "--json", "-n", "2").json["entries"]) == 2


def test_models_lists_the_catalogue(run: Run) -> None:
    said = run("models", "--json")
    names = {model["name"] for model in said.json["models"]}
    assert said.code == 0
    assert "smollm2-135m-instruct" in names
    for model in said.json["models"]:
        assert {"name", "state", "bytes", "sha256", "licence"} <= set(model)
        assert len(model["sha256"]) == 64


@pytest.mark.parametrize("suffix", [".md", ".docx", ".json"])
def test_out_writes_the_draft(run: Run, warmer: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"Performance{suffix}"
    assert run("draft", warmer, "performance.md", "--no-llm", "--out", out).code == 0
    assert out.stat().st_size > 100
    if suffix == ".json":
        assert json.loads(out.read_text("utf-8"))["status"] == "complete"


def test_a_changed_file_is_found_without_asking_for_an_index(run: Run, fresh: Path) -> None:
    run("index", fresh)
    (fresh / "Context/Ongoing/new.md").write_text(
        "# Battery\n\nThe lithium battery lasts four hours.\n", encoding="utf-8"
    )
    hits = run("search", fresh, "lithium battery", "--json").json["hits"]
    assert hits[0]["file"] == "Context/Ongoing/new.md"


def test_the_same_command_for_people(run: Run, warmer: Path) -> None:
    assert "indexed" in run("status", warmer).out
    assert TEST_REPORT in run("search", warmer, "alarm").out
    assert "→ Calmera T1 Infusion Warmer" in run("plan", warmer, "performance.md").out
    assert "42.5 °C" in run("draft", warmer, "performance.md", "--no-llm").out
    assert "whole" in run("log", warmer).out
    assert "smollm2" in run("models").out
