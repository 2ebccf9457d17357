"""Every check of the repository, the tests last."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence

from setup_steps.places import Checkout
from setup_steps.terminal import Terminal, duration


def _commands(checkout: Checkout) -> list[tuple[str, list[str]]]:
    python = str(checkout.python)
    ours = ["phasergun_desktop", "packaging", "tests"]
    return [
        ("ruff check", [python, "-m", "ruff", "check", *ours]),
        ("ruff format", [python, "-m", "ruff", "format", "--check", *ours]),
        ("mypy", [python, "-m", "mypy"]),
        # import-linter has no module to run with -m.
        (
            "import-linter",
            [python, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        ),
    ]


def run_checks(checkout: Checkout, terminal: Terminal, pytest_words: Sequence[str]) -> int:
    """Run all checks, then the tests; 0 only if everything passed.

    The output ends with pytest's own closing line, so what failed before is named above it.
    """
    failed = []
    for name, words in _commands(checkout):
        started = time.monotonic()
        result = subprocess.run(
            words,
            cwd=checkout.root,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        took = duration(time.monotonic() - started)
        if result.returncode == 0:
            terminal.done(f"{name} ({took})")
        else:
            failed.append(name)
            terminal.say((result.stdout + result.stderr).rstrip())
            terminal.warn(f"{name} failed ({took})")
    if failed:
        terminal.warn(f"Failed so far: {', '.join(failed)}. The tests follow.")
    tests = subprocess.run(
        [str(checkout.python), "-m", "pytest", *pytest_words],
        cwd=checkout.root,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")},
    )
    return tests.returncode or (1 if failed else 0)
