"""A workspace in folders of its own, with the real embedder and the real child process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import make_warmer_project


def places_in(folder: Path, models: Path) -> Places:
    """Return places below ``folder``."""
    return Places(folder / "cache", folder / "data", folder / "config", models)


@pytest.fixture
def application(tmp_path: Path, models_path: Path) -> Iterator[Application]:
    """The product with folders of this test's own."""
    made = build_application(places_in(tmp_path / "home", models_path))
    yield made
    made.close()


@pytest.fixture
def session(application: Application, tmp_path: Path) -> Iterator[ProjectSession]:
    """An indexed project of this test's own."""
    opened = application.workspace.open(make_warmer_project(tmp_path / "project"))
    run_to_end(opened.sync())
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def shared_session(
    tmp_path_factory: pytest.TempPathFactory, models_path: Path
) -> Iterator[ProjectSession]:
    """An indexed project that no test of the module changes."""
    folder = tmp_path_factory.mktemp("shared")
    made = build_application(places_in(folder / "home", models_path))
    opened = made.workspace.open(make_warmer_project(folder / "project"))
    run_to_end(opened.sync())
    yield opened
    opened.close()
    made.close()


@pytest.fixture(scope="module")
def opened(
    application: Application, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProjectSession]:
    """An indexed project, for modules that have an ``application`` of their own."""
    session = application.workspace.open(make_warmer_project(tmp_path_factory.mktemp("project")))
    run_to_end(session.sync())
    yield session
    session.close()
