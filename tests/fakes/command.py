"""Runs a command in this process and keeps what it said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.cli.main import main


@dataclass(frozen=True)
class Said:
    """Exit code, stdout and stderr of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout; fails when there is more or less."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON lines on stdout."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Said]


def command_of(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``phasergun`` with the arguments it is given."""

    def run(*arguments: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Said(code, captured.out, captured.err)

    return run
