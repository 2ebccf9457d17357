"""Commands on a disk that is full or read-only: a real one, in a namespace of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import phasergun_desktop
from tests.fakes.warmer_project import make_warmer_project

_SIZE_KB = 24_000
# Root ignores the rights of files, so that only a mount refuses: a small disk in memory at the
# place of the home, which nobody outside of this process tree sees.
_SCRIPT = f"""
home=$1 state=$2
mount -t tmpfs -o size={_SIZE_KB}k tmpfs "$home" || exit 77
phasergun() {{ "$PYTHON" -m phasergun_desktop "$@"; echo "=== $?"; }}
case $state in *indexed*)
    phasergun index "$PROJECT" --json > /dev/null
    phasergun ask "$PROJECT" "$QUESTION" --no-llm > /dev/null
esac
# As an earlier version made them.
case $state in *earlier*) chmod 755 "$home"/* "$home"/*/projects ;; esac
case $state in
    full*) dd if=/dev/zero of="$home/fill" bs=1k 2> /dev/null ;;
    read-only*) mount -o remount,ro "$home" || exit 77 ;;
esac
for command in status search log ask draft index; do
    case $command in
        search) phasergun search "$PROJECT" "over-temperature alarm" --json ;;
        ask) phasergun ask "$PROJECT" "$QUESTION" --no-llm --json ;;
        draft) phasergun draft "$PROJECT" "$PROMPT" --no-llm --json --out "$OUT" ;;
        *) phasergun $command "$PROJECT" --json ;;
    esac
done
"""
COMMANDS = ("status", "search", "log", "ask", "draft", "index")


def _run(state: str, tmp_path: Path, models: Path) -> tuple[dict[str, Any], dict[str, int], str]:
    """Run every command; return the objects they printed, their exit codes, and stderr."""
    home = tmp_path / "home"
    home.mkdir()
    project = make_warmer_project(tmp_path / "project")
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _SCRIPT, "sh", home, state],
        env={
            **os.environ,
            "PYTHON": sys.executable,
            "PYTHONPATH": str(Path(phasergun_desktop.__file__).resolve().parents[1]),
            "PHASERGUN_HOME": str(home),
            "PHASERGUN_MODELS": str(models),
            "PROJECT": str(project),
            "PROMPT": str(project / "Context/Prompt/accuracy.md"),
            "QUESTION": "At which temperature does the alarm sound?",
            "OUT": str(tmp_path / "out.md"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"a mount of one's own is not allowed here: {done.stderr.strip()[-100:]}")
    parts = done.stdout.split("=== ")
    texts, codes = [parts[0]], []
    for part in parts[1:]:
        code, _, text = part.partition("\n")
        codes.append(int(code))
        texts.append(text)
    objects = [json.loads(text) for text in texts[-len(COMMANDS) - 1 : -1]]
    said = dict(zip(COMMANDS, objects, strict=True))
    return said, dict(zip(COMMANDS, codes[-len(COMMANDS) :], strict=True)), done.stderr


pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux gives a process mounts of its own"
)


@pytest.mark.parametrize(
    "state", ["full, indexed", "read-only, indexed", "read-only, indexed, earlier"]
)
def test_what_is_there_can_be_read_and_what_is_written_reaches_the_writer(
    state: str, tmp_path: Path, models_path: Path
) -> None:
    said, codes, err = _run(state, tmp_path, models_path)
    assert codes == {**dict.fromkeys(COMMANDS, 0), "index": 1}
    assert "Traceback" not in err
    for name in COMMANDS:
        assert any("can only be read" in each for each in said[name]["warnings"]), name
    assert said["status"]["counts"]["indexed"] > 0
    assert said["status"]["counts"]["pending"] == 0
    assert "42.5" in said["search"]["hits"][0]["text"]
    assert any("index is used as it is" in each for each in said["search"]["warnings"])
    assert said["log"]["verified"] is True
    assert [each["kind"] for each in said["log"]["entries"]] == ["ask", "index"]
    assert "42.5" in said["ask"]["text"]
    assert any("not kept" in each for each in said["ask"]["warnings"])
    assert "1.5 °C" in said["draft"]["text"]
    assert any("not kept" in each for each in said["draft"]["warnings"])
    assert "1.5 °C" in (tmp_path / "out.md").read_text("utf-8")
    assert said["index"]["error"]["remedy"]


@pytest.mark.parametrize("state", ["full", "read-only"])
def test_a_project_that_was_never_indexed_is_shown(
    state: str, tmp_path: Path, models_path: Path
) -> None:
    said, codes, err = _run(state, tmp_path, models_path)
    assert codes == {
        **dict.fromkeys(COMMANDS, 1),
        "status": 0,
        "log": 0,
    }
    assert "Traceback" not in err
    counts = said["status"]["counts"]
    assert (counts["indexed"], counts["failed"]) == (0, 0)
    assert counts["pending"] > 0
    assert said["log"]["entries"] == []
    for name in ("search", "ask", "draft", "index"):
        assert said[name]["error"]["message"]
        assert said[name]["error"]["remedy"]
