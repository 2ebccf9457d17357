from __future__ import annotations

import errno
import os
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.cli import commands
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.problems import full_error
from phasergun_desktop.wiring import build_application
from tests.documents.sample_files import Page, PdfFile
from tests.fakes.command import Run, Said
from tests.fakes.warmer_project import make_warmer_project


def _is_told(said: Said, *words: str) -> None:
    """One sentence with a remedy on stderr, one object on stdout, exit code 1."""
    assert said.code == 1
    error = said.json["error"]
    assert said.json["status"] == "error"
    assert set(error) == {"title", "message", "remedy"}
    assert error["message"]
    assert error["remedy"]
    assert error["message"] in said.err
    for word in words:
        assert word in f"{error['title']} {error['message']} {error['remedy']}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("bogus",),
        ("search",),
        ("search", "project"),
        ("search", "project", " "),
        ("search", "project", "query", "-k", "0"),
        ("search", "project", "query", "-k", "many"),
        ("draft", "project", "prompt", "--out", "draft.pdf"),
        ("draft", "project", "prompt", "--prose", "--no-llm"),
        ("models", "fetch"),
        ("models", "frobnicate"),
        ("index", "project", "--unknown"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    plain = run(*arguments)
    assert plain.code == 2
    assert plain.out == ""
    assert "usage: phasergun" in plain.err
    said = run(*arguments, "--json")
    assert said.code == 2
    assert said.json["status"] == "error"
    assert set(said.json["error"]) == {"title", "message", "remedy"}


@pytest.mark.parametrize(
    "command",
    [["index"], ["status"], ["search", "x"], ["plan", "p.md"], ["draft", "p.md"], ["ask", "x"],
     ["log"]],
)  # fmt: skip
def test_a_missing_folder(run: Run, tmp_path: Path, command: list[str]) -> None:
    name, *rest = command
    _is_told(run(name, tmp_path / "absent", *rest, "--json"), "absent")


def test_a_file_in_place_of_a_folder(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "report.docx"
    file.write_bytes(b"x")
    _is_told(run("index", file, "--json"), "is a file")


def test_an_unreadable_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    # The administrator may read everything: the system's answer is played.
    monkeypatch.setattr(os, "scandir", denied)
    _is_told(run("index", tmp_path, "--json"), "Permission denied")


def test_a_folder_without_documents(run: Run, tmp_path: Path) -> None:
    said = run("index", tmp_path)
    assert said.code == 0
    assert "no documents" in said.err
    assert run("search", tmp_path, "alarm", "--json").json["warnings"] == ["no matching documents"]


def test_files_that_cannot_be_read(run: Run, fresh: Path) -> None:
    folder = fresh / "Context" / "Ongoing"
    (folder / "empty.md").write_bytes(b"")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "damaged.docx").write_bytes(b"PK\x03\x04 not a Word file at all")
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.4\nnothing more")
    encrypted = PdfFile([Page([(72, 100, 11, False, "Secret")])])
    encrypted.save(
        folder / "encrypted.pdf",
        "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<" + "41" * 32 + ">/U<" + "42" * 32 + ">>>",
    )
    (folder / "slides.pptx").write_bytes(b"PK\x03\x04")
    (folder / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", "utf-8")
    said = run("index", fresh, "--json")
    states = {Path(each["file"]).name: each for each in said.json["files"]}
    assert said.code == 0
    for name in ("damaged.docx", "damaged.pdf", "encrypted.pdf", "empty.pdf", "slides.pptx"):
        assert states[name]["state"] == "failed", states[name]
        assert len(states[name]["reason"]) > 15
    assert states["empty.md"]["state"] in ("failed", "skipped")
    assert states["empty.md"]["reason"]
    assert states["drawing.svg"]["state"] == "skipped"
    assert states["TR-100-Warming-Test.md"]["state"] == "indexed"
    counts = said.json["counts"]
    assert counts["total"] == sum(p.is_file() for p in fresh.rglob("*"))
    assert "password" in states["encrypted.pdf"]["reason"]
    people = run("index", fresh)
    assert "encrypted.pdf" in people.err


@pytest.mark.parametrize("command", ["plan", "draft"])
def test_every_problem_of_a_prompt_is_told_at_once(run: Run, warmer: Path, command: str) -> None:
    said = run(command, warmer, "broken.md", "--json")
    found = said.json
    problems = found["problems"] if command == "plan" else found["plan"]["problems"]
    assert said.code == 1
    assert found["status"] == "blocked"
    text = " ".join(problem["message"] for problem in problems)
    for word in ("Colour of the Cat", "absent.docx", "no_such_category"):
        assert word in text
    blocking = [problem for problem in problems if problem["severity"] == "blocks"]
    assert len(blocking) == 4
    prompt = (warmer / "Context/Prompt/broken.md").read_text("utf-8").strip()
    assert any(
        prompt[each["start"] :].startswith("[Master Record|Device Name.") for each in blocking
    )
    assert all(each["remedy"] for each in problems)
    assert set(found["error"]) == {"title", "message", "remedy"}
    people = run(command, warmer, "broken.md")
    assert people.code == 1
    assert people.err.count("BLOCKS:") == 4


def test_a_blocked_stream_ends_with_an_error(run: Run, warmer: Path) -> None:
    said = run("draft", warmer, "broken.md", "--stream")
    assert said.code == 1
    assert said.lines[-1]["event"] == "error"
    assert said.lines[-1]["status"] == "blocked"


@pytest.mark.parametrize("content", [b"", b"   \n", b"\xff\xfe\x00bad", b"ab\x00cd"])
def test_a_prompt_without_text(run: Run, warmer: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "prompt.md"
    file.write_bytes(content)
    _is_told(run("plan", warmer, file, "--json"), "prompt")


def test_a_prompt_that_is_not_there(run: Run, warmer: Path) -> None:
    _is_told(run("draft", warmer, "absent.md", "--json"), "absent.md")


@pytest.mark.parametrize("name", ["no-such-model", "absent.gguf"])
def test_no_model(run: Run, warmer: Path, name: str) -> None:
    said = run("draft", warmer, "performance.md", "--model", name, "--json")
    _is_told(said, name, "--no-llm")


@pytest.mark.parametrize("content", [b"", b"this is a letter", b"GGUF" + bytes(range(256)) * 9])
def test_a_model_file_that_is_none(run: Run, warmer: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    said = run("draft", warmer, "performance.md", "--model", file, "--json")
    _is_told(said, "model.gguf")


def test_an_error_in_a_stream_is_a_json_line(run: Run, warmer: Path) -> None:
    said = run("draft", warmer, "performance.md", "--model", "absent.gguf", "--stream")
    assert said.code == 1
    assert said.lines[-1]["event"] == "error"
    assert said.lines[-1]["error"]["remedy"]


def test_the_folder_of_the_draft_is_looked_at_before_it_is_written(
    run: Run, warmer: Path, tmp_path: Path
) -> None:
    out = tmp_path / "absent" / "draft.md"
    _is_told(run("draft", warmer, "performance.md", "--no-llm", "--out", out, "--json"), "folder")


def test_a_full_disk_while_indexing(run: Run, fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("status", fresh)

    def full(self: Database) -> None:
        raise full_error(self.path)

    monkeypatch.setattr(Database, "transaction", full)
    _is_told(run("index", fresh, "--json"), "room")


def test_a_full_disk_before_anything_is_there(
    run: Run, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(Path, "mkdir", full)
    _is_told(run("index", fresh, "--json"), "room")


def test_a_full_disk_does_not_lose_the_text(
    run: Run, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("index", fresh)
    transaction = Database.transaction

    def full(self: Database) -> object:
        if self.path.name == "work.db":
            raise full_error(self.path)
        return transaction(self)

    monkeypatch.setattr(Database, "transaction", full)
    said = run("draft", fresh, "performance.md", "--no-llm", "--json")
    assert said.json["status"] == "complete"
    assert "42.5 °C" in said.json["text"]
    assert "room" in said.json["warnings"][0]


def test_a_second_instance_on_the_same_project(run: Run, fresh: Path) -> None:
    run("index", fresh)
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(fresh)) as session,
    ):
        for _ in session.sync():
            pass
        _is_told(run("index", fresh, "--json"), "Another PhaserGun", "process")
        # Reading and writing drafts goes on.
        assert run("search", fresh, "alarm", "--json").json["hits"]
        assert run("draft", fresh, "performance.md", "--no-llm", "--json").code == 0
    assert run("index", fresh, "--json").code == 0


def test_a_damaged_index_is_made_anew(run: Run, fresh: Path) -> None:
    run("index", fresh)
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(fresh)) as session,
    ):
        identity = session.project.project_id
    cache = Path(os.environ["PHASERGUN_HOME"]) / "cache" / "projects" / identity
    for each in cache.glob("index.db*"):
        each.write_bytes(b"not a database, but long enough to look like a damaged one" * 50)
    assert run("search", fresh, "over-temperature alarm", "--json").json["hits"]


def test_a_bug_of_ours_is_one_line_and_a_log(
    run: Run, warmer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("secret text of a document")

    monkeypatch.setattr(commands, "say_hits", broken)
    monkeypatch.setattr(commands, "search_json", broken)
    said = run("search", warmer, "alarm", "--json")
    _is_told(said, "ZeroDivisionError", "phasergun.log")
    assert "secret" not in said.err
    log = Path(os.environ["PHASERGUN_HOME"]) / "data" / "logs" / "phasergun.log"
    assert "Traceback" in log.read_text("utf-8")
    assert str(log) in said.err
    assert run("search", warmer, "alarm").code == 1


def test_text_that_is_no_unicode(run: Run, tmp_path: Path) -> None:
    root = make_warmer_project(tmp_path / "p")
    try:
        (root / "Context/Ongoing/b\udcff.md").write_text("# Alarm\n\nText.\n", encoding="utf-8")
    except (OSError, UnicodeError):
        return  # this file system takes no such names
    said = run("index", root, "--json")
    assert said.code == 0
    assert said.json["counts"]["total"] == sum(p.is_file() for p in root.rglob("*"))
    assert run("search", root, "alarm \udcff", "--json").code == 0
