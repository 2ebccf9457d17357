"""Nothing that a document, a prompt or an answer says reaches the program's own log."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.workspace.work_storage import WORK_FILE
from tests.fakes.command import Run

MARK = "Zebramark"
QUESTION = f"How long is the {MARK} adhesive cured?"
# What a bad sector, a half-written page or an editor of databases leaves in a text column.
DAMAGES: dict[str, Callable[[str], bytes]] = {
    "no_utf8": lambda body: body.encode()[:-2] + b'\xff\xfe"}',
    "cut": lambda body: body.encode()[: len(body) // 2],
    "no_object": lambda body: json.dumps([MARK, body]).encode(),
    "deep": lambda body: b"[" * 100_000 + MARK.encode(),
    "strange_kind": lambda body: _changed(body, kind=MARK),
    "number_for_text": lambda body: _changed(body, prompt=5, answer=[MARK]),
    "citations": lambda body: _changed(body, citations=[{MARK: MARK}]),
    "no_citations": lambda body: _changed(body, citations=MARK),
}
COMMANDS = (
    ("index",),
    ("status",),
    ("search", MARK),
    ("plan", "adhesive.md"),
    ("draft", "adhesive.md", "--no-llm"),
    ("ask", QUESTION, "--no-llm"),
    ("log",),
)


def _changed(body: str, **values: object) -> bytes:
    return json.dumps({**json.loads(body), **values}).encode()


def _home() -> Path:
    return Path(os.environ["PHASERGUN_HOME"])


def _logged() -> str:
    return "\n".join(
        path.read_text("utf-8", "replace") for path in (_home() / "data/logs").rglob("*.log*")
    )


def _marked(root: Path) -> Path:
    """Put the mark into a document and a prompt of the project."""
    note = root / "Context/General/Supplier-Note.md"
    note.write_text(f"{note.read_text('utf-8')}\nThe {MARK} adhesive is cured for 24 hours.\n")
    (root / "Context/Prompt/adhesive.md").write_text(f"{QUESTION} Use @general.\n", "utf-8")
    return root


def _damage(damage: str) -> None:
    """Damage the last entry of every log and the last draft, as no code of ours can."""
    for path in (_home() / "data/projects").rglob(WORK_FILE):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DROP TRIGGER IF EXISTS activity_no_update")
            for table, order in (("activity", "number"), ("drafts", "saved")):
                last = f"(SELECT max({order}) FROM {table})"
                row = connection.execute(
                    f"SELECT body FROM {table} WHERE {order} = {last}"
                ).fetchone()
                if row is not None:
                    connection.execute(
                        f"UPDATE {table} SET body = CAST(? AS TEXT) WHERE {order} = {last}",
                        (DAMAGES[damage](row[0]),),
                    )


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_entries_leave_no_text_in_the_log(
    run: Run, fresh: Path, damage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))
    root = _marked(fresh)
    assert MARK in run("draft", root, "adhesive.md", "--no-llm").out
    _damage(damage)
    said = run("log", root)
    assert said.code == 1
    assert "Unexpected" not in said.err
    assert "entry" in (said.out + said.err).lower()
    assert MARK not in said.err
    for command, *rest in COMMANDS:
        said = run(command, root, *rest, "--json")
        assert "Unexpected" not in said.err, (command, said.err)
    assert MARK.lower() not in _logged().lower()


def test_a_bug_on_the_way_leaves_no_text_in_the_log(
    run: Run, fresh: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))
    root = _marked(fresh)
    run("index", root)

    def broken(*_arguments: object) -> None:
        try:
            dict.fromkeys("ab")[f"the {MARK} adhesive"]
        except KeyError as error:
            raise ValueError(f"no value for {MARK}") from error

    for name in ("search_json", "plan_json", "status_json"):
        monkeypatch.setattr(f"phasergun_desktop.cli.commands.{name}", broken)
    monkeypatch.setattr("phasergun_desktop.cli.activity_log.activity_json", broken)
    monkeypatch.setattr("phasergun_desktop.workspace.turn_json.answer_json", broken)
    for command, *rest in COMMANDS:
        said = run(command, root, *rest, "--json")
        assert "ValueError" in said.json["error"]["message"], command
    logged = _logged()
    assert MARK.lower() not in logged.lower()
    # What a developer needs is there all the same.
    assert logged.count("ValueError") == logged.count("KeyError") == len(COMMANDS)
    assert "phasergun_desktop/cli/commands.py, line" in logged
