from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import phasergun_desktop
from tests.fakes.warmer_project import make_warmer_project

# Runs at the start of every Python process below this one, the parser's child included. An audit
# hook sees each socket of Python, whoever opens it, and cannot be taken off again.
_HOOK = """
import os, sys
_folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(_folder, "started"), "a") as _file:
    _file.write(" ".join(sys.orig_argv) + "\\n")
def _refuse(event, arguments):
    if event.startswith("socket."):
        with open(os.path.join(_folder, "sockets"), "a") as file:
            file.write(event + "\\n")
        raise OSError("sockets are blocked")
sys.addaudithook(_refuse)
"""
_NETWORKING = ("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "requests", "httpx")
_ALLOWED = {
    # The user's own model server, off by default.
    ("language_models/http_exchange.py", "http.client"),
    ("language_models/http_exchange.py", "socket"),
    ("language_models/http_exchange.py", "ssl"),
    ("models/download.py", "urllib.request"),
    ("models/download.py", "urllib.error"),
    ("storage/database.py", "urllib.parse"),
}


class _Blocked:
    """Runs commands in processes that cannot open a socket."""

    def __init__(self, folder: Path, models: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_HOOK, encoding="utf-8")
        root = str(Path(phasergun_desktop.__file__).resolve().parents[1])
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), root]),
            "PHASERGUN_HOME": str(folder / "home"),
            "PHASERGUN_MODELS": str(models),
        }

    def run(self, *arguments: str | Path) -> Any:
        """Run a command with ``--json``; return its object."""
        done = subprocess.run(
            [sys.executable, "-m", "phasergun_desktop", *map(str, arguments), "--json"],
            capture_output=True,
            env=self.environment,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    @property
    def sockets(self) -> list[str]:
        """What was tried."""
        path = self.folder / "sockets"
        return path.read_text("utf-8").splitlines() if path.exists() else []


def test_the_whole_job_opens_no_connection(
    tmp_path: Path, smollm2_path: Path, models_path: Path
) -> None:
    root = make_warmer_project(tmp_path / "project")
    blocked = _Blocked(tmp_path / "hook", models_path)
    assert blocked.run("index", root)["counts"]["indexed"] == 7
    assert blocked.run("plan", root, "accuracy.md")["passages"]
    out = tmp_path / "Accuracy.docx"
    drafted = blocked.run("draft", root, "accuracy.md", "--model", smollm2_path, "--out", out)
    # What the small model writes may be carried by nothing; here it only has to have written.
    assert drafted["status"] in ("complete", "abstained")
    assert drafted["metrics"]["completion_tokens"] > 0
    assert out.is_file()
    assert blocked.sockets == []
    started = (blocked.folder / "started").read_text("utf-8")
    module = "phasergun_desktop.documents.isolated.child"
    assert module in started, "the child was not under the hook"


def test_the_hook_would_notice(tmp_path: Path, models_path: Path) -> None:
    blocked = _Blocked(tmp_path / "hook", models_path)
    done = subprocess.run(
        [sys.executable, "-c", "import socket; socket.create_connection(('localhost', 9))"],
        capture_output=True,
        env=blocked.environment,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert blocked.sockets


def test_only_two_rooms_import_networking() -> None:
    package = Path(phasergun_desktop.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            found |= {
                (path.relative_to(package).as_posix(), name)
                for name in names
                if name.split(".")[0] in _NETWORKING or "QtNetwork" in name
            }
    assert found <= _ALLOWED
