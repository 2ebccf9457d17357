"""The project that is measured: a copy of project-glucose, indexed once, with places of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.model_store import open_store
from phasergun_desktop.paths import Places, resources_path, user_places
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Unavailable
from tests.benchmarks.window_child import STARTED

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE_MODEL = "qwen2.5-coder-1.5b-instruct"
# Names no file: the product then works without a language model.
NO_MODEL = "no-language-model.gguf"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the files that answer it and regular expressions its answer matches."""

    name: str
    text: str
    answerable: bool
    files: tuple[str, ...]
    must_contain: tuple[str, ...]
    scope: str

    @property
    def prompt(self) -> str:
        """What is asked: the question after its scope."""
        return f"{self.scope} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class WantedFact:
    """A fact that a good section for ``prompt`` states, as a regular expression."""

    prompt: str
    fact: str
    pattern: str


def places_in(home: Path) -> Places:
    """Return the places that ``PHASERGUN_HOME`` would give, with the user's own models."""
    return Places(home / "cache", home / "data", home / "config", user_places().models)


def child_environment(home: Path) -> dict[str, str]:
    """Return the environment of a child process of the product with these places.

    Byte code is kept, as it is for a user, but outside of the repository.
    """
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {
        **inherited,
        "PYTHONPYCACHEPREFIX": str(home / "bytecode"),
        "PHASERGUN_HOME": str(home),
        "PHASERGUN_MODELS": str(user_places().models),
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
    }


def run_child(module: str, root: Path, home: Path, *more: str) -> dict[str, Any]:
    """Run ``module`` on the project ``root`` in a process of its own; return the numbers of its
    last line. Raises ``Unavailable`` without the resources of the product."""
    if not (resources_path() / "models").is_dir():
        raise Unavailable("the resources of the product are absent")
    done = subprocess.run(
        [sys.executable, "-m", module, str(root), *more],
        env={**child_environment(home), STARTED: repr(time.time())},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        raise AssertionError(f"{module} ended with {done.returncode}: {done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def model_file(name: str) -> Path:
    """Return the file of a model of the catalogue. Raises ``Unavailable`` with the remedy."""
    try:
        return open_store(user_places().models, resources_path()).path_of(name)
    except ModelError as error:
        raise Unavailable(f"{error.message} {error.remedy}") from error


@contextmanager
def opened(
    root: Path, home: Path, *, model: str | None = NO_MODEL
) -> Iterator[tuple[Application, ProjectSession]]:
    """Open a project as the product does; ``model`` None is the one of the settings."""
    application = build_application(places_in(home), model=model)
    try:
        session = application.workspace.open(root)
        try:
            yield application, session
        finally:
            session.close()
    finally:
        application.close()


class GlucoseProject:
    """project-glucose, or the project of the test data that is named, as a writable copy; indexed
    at first need, removed at the end.

    Every benchmark gets a copy of the index, so that none sees what another has left.
    """

    def __init__(self, name: str = "project-glucose") -> None:
        self.name = name
        self._folder: Path | None = None
        self._has_index = False

    @property
    def root(self) -> Path:
        """The project folder. Raises ``Unavailable`` without the test data."""
        return self._made() / "project"

    @contextmanager
    def empty_home(self) -> Iterator[Path]:
        """Yield the folder of a user who never opened a project."""
        with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-home-") as home:
            yield Path(home)

    @contextmanager
    def indexed_home(self) -> Iterator[Path]:
        """Yield the folder of a user who has the project indexed and closed."""
        template = self._made() / "home"
        if not self._has_index:
            with opened(self.root, template) as (_, session):
                run_to_end(session.sync())
            self._has_index = True
        with self.empty_home() as home:
            shutil.copytree(template, home, dirs_exist_ok=True)
            yield home

    def lay_out(self, root: Path) -> None:
        """Make the project folder ``root``. Raises ``Unavailable`` without the test data."""
        # Contents alone: the data may be read-only, and the copy is written to.
        shutil.copytree(test_data() / self.name, root, copy_function=shutil.copyfile)
        for path in [root, *root.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)

    def questions(self) -> tuple[Question, ...]:
        """Return the questions on the project, those without an answer too."""
        return tuple(map(question_of, data_rows(f"{self.name}-questions.jsonl")))

    def facts(self) -> tuple[WantedFact, ...]:
        """Return the facts wanted in the sections of the five prompts."""
        return tuple(
            WantedFact(str(row["prompt"]), str(row["fact"]), str(row["pattern"]))
            for row in data_rows(f"{self.name}-facts.jsonl")
        )

    def _made(self) -> Path:
        if self._folder is None:
            folder = Path(tempfile.mkdtemp(prefix="phasergun-benchmark-"))
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self.lay_out(folder / "project")
            self._folder = folder
        return self._folder


def question_of(row: Mapping[str, Any]) -> Question:
    """Return the question of a row of a file."""
    return Question(
        name=str(row["id"]),
        text=str(row["question"]),
        answerable=bool(row["answerable"]),
        files=tuple(row.get("files", ())),
        must_contain=tuple(row["must_contain"]),
        scope=str(row.get("scope", "")),
    )


def test_data() -> Path:
    """Return the folder of the test data. Raises ``Unavailable`` without it."""
    folder = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "project-glucose").is_dir():
        raise Unavailable("project-glucose is absent (set PHASERGUN_TEST_DATA)")
    return folder


def data_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSON-lines file of the test data. Raises ``Unavailable`` without it."""
    path = test_data() / name
    if not path.is_file():
        raise Unavailable(f"{name} is absent (set PHASERGUN_TEST_DATA)")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
