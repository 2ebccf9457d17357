from __future__ import annotations

import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.activity.log import ActivityLog
from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.paths import user_places
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Calmera T1"
    root.mkdir()
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(root)) as session,
    ):
        log: ActivityLog = session.activity
        for at in range(6):
            kind = ActivityKind.ASK if at % 2 else ActivityKind.DRAFT
            status = "complete" if at else "error"
            log.append(Activity(kind, prompt=f"How warm is it, {at}?", status=status))
    return root


def _change(statement: str) -> None:
    (path,) = (user_places().data / "projects").glob("*/work.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'activity'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)


def _numbers(run: Run, *arguments: str | Path) -> list[int]:
    return [entry["number"] for entry in run("log", *arguments, "--json").json["entries"]]


def test_filters(run: Run, project: Path) -> None:
    assert _numbers(run, project) == [6, 5, 4, 3, 2, 1]
    assert _numbers(run, project, "--kind", "ask") == [6, 4, 2]
    assert _numbers(run, project, "--status", "error") == [1]
    assert _numbers(run, project, "--text", "IT, 3") == [4]
    assert _numbers(run, project, "--since", "2999-01-01") == []
    assert _numbers(run, project, "--until", "2999-01-01", "-n", "2") == [6, 5]
    assert run("log", project, "--since", "yesterday").code == 2


def test_a_sound_log_verifies(run: Run, project: Path) -> None:
    said = run("log", project, "--verify")
    assert said.code == 0
    assert "whole" in said.out


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE activity SET texts = replace(texts, 'warm', 'cold') WHERE number = 3", "entry 3"),
        ("DELETE FROM activity WHERE number IN (4, 5)", "entry 4: 2 entries are missing"),
        ("DELETE FROM activity WHERE number < 3", "2 entries are missing"),
        ("DELETE FROM activity WHERE number = 6", "entry 6: 1 entry is missing"),
    ],
)
def test_the_first_changed_or_removed_line_is_named(
    run: Run, project: Path, statement: str, told: str
) -> None:
    _change(statement)
    said = run("log", project, "--verify")
    assert said.code == 1
    assert told in said.out
    assert run("log", project, "--verify", "--json").json["first_bad"] in (1, 3, 4, 6)


def test_an_export_without_texts_verifies(run: Run, project: Path, tmp_path: Path) -> None:
    out = tmp_path / "log.jsonl"
    said = run("log", project, "--export", out, "--without-texts", "--json")
    assert (said.code, said.json["entries"]) == (0, 6)
    assert "warm" not in out.read_text("utf-8")
    assert run("log", out, "--verify").code == 0
    lines = out.read_text("utf-8").splitlines()
    out.write_text("\n".join([*lines[:2], *lines[3:]]), "utf-8")
    said = run("log", out, "--verify", "--json")
    assert (said.code, said.json["first_bad"], said.json["missing"]) == (1, 3, 1)
    out.write_text("\n".join(lines[:-2]), "utf-8")
    assert run("log", out, "--verify", "--json").code == 1


def test_an_export_as_a_table(run: Run, project: Path, tmp_path: Path) -> None:
    out = tmp_path / "log.csv"
    assert run("log", project, "--export", out, "--kind", "ask").code == 0
    assert out.read_text("utf-8").count("How warm") == 3
    assert run("log", project, "--export", tmp_path / "log.xlsx").code == 2
    (tmp_path / "none").write_text("a file")
    assert run("log", project, "--export", tmp_path / "none" / "log.csv").code == 1


def test_retention_asks_first(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _change("DELETE FROM sqlite_sequence WHERE 0")
    (path,) = (user_places().data / "projects").glob("*/work.db")
    _age(path)
    said = run("log", project, "--keep-days", "30")
    assert said.code == 1
    assert "--yes" in said.err
    monkeypatch.setattr(sys, "stdin", _Terminal("n\n"))
    assert run("log", project, "--keep-days", "30").code == 1
    assert len(_numbers(run, project)) == 6
    monkeypatch.setattr(sys, "stdin", _Terminal("y\n"))
    assert run("log", project, "--keep-days", "30").code == 0
    said = run("log", project, "--json")
    assert [entry["kind"] for entry in said.json["entries"]] == ["checkpoint"]
    assert (said.json["removed"], said.json["verified"]) == (6, True)
    assert said.json["entries"][0]["removed"]["drafts"] == 3
    assert run("log", project, "--keep-days", "30", "--yes", "--json").json["removed"] == 0


def test_texts_alone_are_removed_too(run: Run, project: Path) -> None:
    _change("DELETE FROM sqlite_sequence WHERE 0")
    (path,) = (user_places().data / "projects").glob("*/work.db")
    _age(path)
    said = run("log", project, "--keep-days", "30", "--only-texts")
    assert said.code == 1
    assert "the texts of 6 entries" in said.err
    assert run("log", project, "--keep-days", "30", "--only-texts", "--yes").code == 0
    said = run("log", project, "--json")
    assert said.json["verified"]
    assert "texts of 6 entries were removed" in said.json["chain"]
    assert [entry["prompt"] for entry in said.json["entries"]] == [""] * 7
    said = run("log", project, "--keep-days", "30", "--only-texts", "--yes", "--json")
    assert said.json["removed"] == 0


def _age(path: Path) -> None:
    """Make the log one of last year, with a chain that fits."""
    from phasergun_desktop.activity.anchor import START_HASH
    from phasergun_desktop.activity.chain import chain_hash

    with closing(sqlite3.connect(path)) as connection, connection:
        previous = START_HASH
        rows = connection.execute("SELECT number, kind, body FROM activity").fetchall()
        at = "2020-01-01T00:00:00.000+00:00"
        for number, kind, body in rows:
            parts = (each.encode() for each in (at, kind, body))
            digest = chain_hash(previous.encode(), number, *parts).decode()
            connection.execute(
                "UPDATE activity SET at = ?, previous = ?, hash = ? WHERE number = ?",
                (at, previous, digest, number),
            )
            previous = digest
        connection.execute(
            "CREATE TRIGGER activity_no_delete BEFORE DELETE ON activity BEGIN SELECT 1; END"
        )
    anchor = path.with_name("activity.json")
    anchor.write_text(json.dumps({"entries": len(rows), "hash": previous}), "utf-8")
