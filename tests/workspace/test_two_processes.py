"""Two processes at one project: one writes the index, the other reads what is new."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectInUseError, ProjectSession
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in
from tests.workspace.other_process import REPORT

WORK_S = 3.0


class Other:
    """The other process; ``do`` returns when it has done it."""

    def __init__(self, root: Path, home: Path, models: Path) -> None:
        command = [sys.executable, "-m", "tests.workspace.other_process"]
        self.process = subprocess.Popen(
            [*command, str(root), str(home), str(models)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.wait()

    def begin(self, order: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()

    def wait(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "done\n"

    def do(self, order: str) -> None:
        self.begin(order)
        self.wait()

    def end(self, *, killed: bool = False) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if killed:
            self.process.kill()
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture
def both(tmp_path: Path, models_path: Path) -> Iterator[tuple[ProjectSession, Other]]:
    """This process and the other one, both with the project open and not read yet."""
    root, home = make_warmer_project(tmp_path / "project"), tmp_path / "home"
    application = build_application(places_in(home, models_path))
    session = application.workspace.open(root)
    other = Other(root, home, models_path)
    yield session, other
    if other.process.poll() is None:
        other.end()
    session.close()
    application.close()


def test_what_one_has_read_the_other_finds(both: tuple[ProjectSession, Other]) -> None:
    session, other = both
    assert session.search("alarm").hits == ()
    other.do("sync")
    first = session.search("alarm").hits
    assert first
    assert session.plan("State the warming accuracy.").passages
    (session.project.root / REPORT).write_text("# Report\n\nThe zebra alarm is striped.", "utf-8")
    with pytest.raises(ProjectInUseError, match=f"process {other.process.pid}"):
        run_to_end(session.sync())
    other.do("sync")
    assert session.search("zebra").hits[0].file == REPORT
    assert session.source(REPORT).document.text.endswith("striped.")
    (session.project.root / REPORT).unlink()
    other.do("sync")
    assert [hit.file for hit in session.search("alarm").hits] == [hit.file for hit in first]


@pytest.mark.parametrize("killed", [False, True])
def test_who_is_left_goes_on_writing(both: tuple[ProjectSession, Other], *, killed: bool) -> None:
    session, other = both
    other.do("sync")
    if killed:
        # In the middle of it.
        other.begin("work")
        time.sleep(0.3)
    other.end(killed=killed)
    (session.project.root / REPORT).write_text("# Report\n\nThe zebra alarm is striped.", "utf-8")
    report = run_to_end(session.sync())
    assert report.warnings == ()
    assert session.search("zebra").hits[0].file == REPORT


def test_nobody_hears_of_a_locked_database_while_both_work(
    both: tuple[ProjectSession, Other],
) -> None:
    session, other = both
    other.do("sync")
    other.begin("work")
    seen: set[str] = set()
    until = time.monotonic() + WORK_S
    while time.monotonic() < until:
        session.keep_typed_prompts((TypedPrompt("", "Mine"),))
        hits = session.search("report alarm number sounds").hits
        seen |= {hit.text for hit in hits if hit.file == REPORT}
        assert session.plan("State the warming accuracy.").passages
        assert session.files()
        assert session.activity.verify().ok
    other.do("type")
    other.wait()
    # It went on all the time.
    assert len(seen) > 2
