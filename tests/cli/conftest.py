"""A project that is indexed once, and a way to run commands on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.cli.main import main
from tests.fakes.command import Run, command_of
from tests.fakes.warmer_project import make_warmer_project


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""
    return command_of(capsys)


@pytest.fixture(scope="session")
def warmer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An indexed project that no test changes."""
    root = make_warmer_project(tmp_path_factory.mktemp("warmer") / "Calmera T1")
    assert main(["index", str(root), "--json"]) == 0
    return root


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A project of this test's own, not indexed yet."""
    return make_warmer_project(tmp_path / "Calmera T1")
