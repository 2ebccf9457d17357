"""What the real processes send and leave behind, seen from outside: native code cannot hide."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest

import phasergun_desktop
from tests.acceptance import counted_network
from tests.fakes.warmer_project import make_warmer_project

# ONNX Runtime 1.31.1 asked for its maker's address 10 to 20 s after the embedder's first use.
_WATCHED_S = 30.0
# Where programs send what they know of their users.
_COLLECTORS = (
    b"events.data.microsoft.com",
    b"OneCollector",
    b"google-analytics.com",
    b"ingest.sentry.io",
    b"api.segment.io",
    b"posthog.com",
    b"api.mixpanel.com",
)

_NETWORKING = ("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "requests", "httpx")
_ALLOWED = {
    # The user's own model server, off by default.
    ("language_models/http_exchange.py", "http.client"),
    ("language_models/http_exchange.py", "socket"),
    ("language_models/http_exchange.py", "ssl"),
    ("models/download.py", "urllib.request"),
    ("models/download.py", "urllib.error"),
    # Names inside of a ZIP file and of a database, read and written as in an address.
    ("documents/container/office_package.py", "urllib.parse"),
    ("storage/database.py", "urllib.parse"),
}


def _can_count() -> bool:
    if not sys.platform.startswith("linux") or not shutil.which("unshare"):
        return False
    tried = subprocess.run(
        ["unshare", "--map-root-user", "--net", "ip", "link", "set", "lo", "up"],
        capture_output=True,
        check=False,
    )
    return tried.returncode == 0


counts = pytest.mark.skipif(
    not _can_count(), reason="network namespaces are Linux's, and not permitted everywhere"
)


def _watched(
    commands: list[list[str]], home: Path, models: Path, seconds: float = _WATCHED_S
) -> Any:
    """Run ``commands`` as a user whose home is ``home`` would, and count their packets."""
    passed_on = ("PATH", "LANG", "VIRTUAL_ENV", "PYTHONPATH")
    environment = {name: os.environ[name] for name in passed_on if name in os.environ}
    root = str(Path(phasergun_desktop.__file__).resolve().parents[1])
    known = [environment["PYTHONPATH"]] if "PYTHONPATH" in environment else []
    environment |= {
        "HOME": str(home),
        "PHASERGUN_MODELS": str(models),
        "PYTHONPATH": os.pathsep.join([*known, root]),
        "QT_QPA_PLATFORM": "offscreen",
    }
    isolated = ("unshare", "--map-root-user", "--net")
    done = subprocess.run(
        [*isolated, sys.executable, counted_network.__file__, str(seconds), json.dumps(commands)],
        capture_output=True,
        env=environment,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@counts
def test_commands_and_window_send_nothing_and_write_only_where_they_say(
    tmp_path: Path, smollm2_path: Path, models_path: Path
) -> None:
    root = make_warmer_project(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    product = [sys.executable, "-m", "phasergun_desktop"]
    model = ["--model", str(smollm2_path)]
    seen = _watched(
        [
            [*product, "index", str(root)],
            [*product, "draft", str(root), "accuracy.md", *model],
            [*product, "ask", str(root), "At which temperature does the alarm sound?", *model],
            [*product, "gui", str(root)],
        ],
        home,
        models_path,
    )
    # None: the window was still there when its time was over.
    assert seen["codes"] == [0, 0, 0, None], seen["said"]
    assert seen["packets"] == 0
    written = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    ours = (".cache/PhaserGun/", ".local/share/PhaserGun/", ".config/PhaserGun/")
    # Fontconfig's and Mesa's are caches of the system, of fonts and shaders alone.
    systems = (".cache/fontconfig/", ".cache/mesa_shader_cache")
    assert written
    assert not {name for name in written if not name.startswith((*ours, *systems))}


@counts
@pytest.mark.parametrize(
    "attempt",
    [
        "getaddrinfo(b'events.example', None, None, ctypes.byref(ctypes.c_void_p()))",
        "connect(socket(2, 1, 0), b'\\2\\0\\1\\xbb\\x14\\x31\\x96\\xf1' + bytes(8), 16)",
        "connect(socket(10, 1, 0), b'\\n\\0\\1\\xbb' + bytes(4) + b'\\x26' * 16 + bytes(4), 28)",
    ],
    ids=["name", "address", "address of 128 bits"],
)
def test_a_packet_of_native_code_would_be_counted(
    tmp_path: Path, models_path: Path, attempt: str
) -> None:
    code = f"import ctypes; from ctypes import *; c = CDLL(None); socket = c.socket; c.{attempt}"
    assert _watched([[sys.executable, "-c", code]], tmp_path, models_path, 60)["packets"] > 0


def test_no_native_library_knows_the_address_of_a_collector() -> None:
    found = set()
    for distribution in distributions():
        for file in distribution.files or ():
            if file.suffix not in (".so", ".pyd", ".dll", ".dylib") and ".so." not in file.name:
                continue
            path = Path(str(distribution.locate_file(file)))
            content = path.read_bytes() if path.is_file() else b""
            found |= {(file.name, each) for each in _COLLECTORS if each in content}
    assert not found


def test_libraries_are_told_before_they_are_loaded() -> None:
    code = (
        "import phasergun_desktop, os, sys; print(os.environ['ORT_DISABLE_TELEMETRY'], "
        "os.environ['HF_HUB_OFFLINE'], 'onnxruntime' in sys.modules)"
    )
    root = Path(phasergun_desktop.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=root, env={}, check=True
    )
    assert done.stdout.split() == [b"1", b"1", b"False"]


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
