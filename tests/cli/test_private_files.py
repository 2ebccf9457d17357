"""What the product keeps of a user's documents is for that user alone; what is saved is not."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.documents.isolated.scratch import Scratch
from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.paths import user_places
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.wiring import build_application
from tests.fakes.command import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the user's profile does it there")


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Places of this test's own, not made yet, under the usual umask."""
    home = tmp_path / "home"
    monkeypatch.setenv("PHASERGUN_HOME", str(home))
    before = os.umask(0o022)
    monkeypatch.setattr(os, "umask", _refuse)
    yield home
    monkeypatch.undo()
    os.umask(before)


def _refuse(_mask: int) -> int:
    raise AssertionError("another thread may be making a file")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def _open_to_others(home: Path) -> list[str]:
    """Return everything below ``home`` that is not 0700 or 0600."""
    return [
        f"{_mode(path):o} {path.relative_to(home)}"
        for path in sorted(home.rglob("*"))
        if _mode(path) != (0o700 if path.is_dir() else 0o600)
    ]


def _work(run: Run, root: Path, out: Path) -> None:
    assert run("index", root).code == 0
    assert run("draft", root, "performance.md", "--no-llm", "--out", out).code == 0
    assert run("search", root, "alarm").code == 0
    assert run("log", root).code == 0
    assert run("models", "use", "premium", "qwen2.5-coder-0.5b-instruct").code == 0


def test_the_whole_tree_is_private(run: Run, fresh: Path, own_home: Path, tmp_path: Path) -> None:
    out = tmp_path / "exported" / "draft.md"
    out.parent.mkdir()
    _work(run, fresh, out)
    places = user_places()
    with (
        closing(build_application()) as application,
        closing(application.workspace.open(fresh)) as session,
        closing(RunStore(places.data / "evaluation" / RUNS_FILE)),
    ):
        # While it is open the databases have their companions.
        list(session.sync())
        session.reading.set_languages("eng+deu")
        session.save_prompt("Context/Prompt/new.md", "Describe it.")
        application.workspace.sample()
        session.keep_typed_prompts((TypedPrompt("", "Describe it.", is_shown=True),))
        store = PrefixStore(places.cache / "prefixes", "model")
        state = store.path_for([1, 2])
        assert state is not None
        os.close(os.open(state.with_suffix(".partial"), os.O_CREAT, 0o600))
        store.commit(state.with_suffix(".partial"), state, [1, 2])
        names = {path.name for path in own_home.rglob("*")}
        assert {"work.db-wal", "index.db-shm", "vectors.bin", "phasergun.log"} <= names
        assert {"settings.json", "projects.json", RUNS_FILE, "writer.lock"} <= names
        assert {"project.json", "activity.json", "projects.json.lock"} <= names
        assert _open_to_others(own_home) == []
    assert _mode(own_home) == 0o700
    # What the writer saves into folders of their own has the usual rights.
    for path in (out, fresh / "Context/Prompt/new.md"):
        assert _mode(path) == 0o644
    assert _mode(fresh) == _mode(out.parent) == 0o755


def test_what_is_put_aside_stays_private(run: Run, fresh: Path, own_home: Path) -> None:
    assert run("index", fresh).code == 0
    [work] = (own_home / "data/projects").glob("*/work.db")
    work.write_bytes(b"")
    (own_home / "data/projects.json").write_bytes(b"")
    assert "is kept as work.db.damaged-" in run("log", fresh).err
    names = {path.name.partition("-")[0] for path in own_home.rglob("*")}
    assert {"work.db.damaged", "projects.json.damaged", "work.lock"} <= names
    assert _open_to_others(own_home) == []


def test_scratch_of_a_child_is_private(own_home: Path) -> None:
    scratch = Scratch()
    try:
        assert _mode(scratch.path.parent) == 0o700
        assert _open_to_others(scratch.path.parent) == []
        assert not own_home.exists()
    finally:
        scratch.remove()


def test_what_an_earlier_version_left_open_is_closed(
    run: Run, fresh: Path, own_home: Path, tmp_path: Path
) -> None:
    _work(run, fresh, tmp_path / "draft.md")
    model = own_home / "data/models/model.gguf"
    model.parent.mkdir()
    model.write_bytes(b"GGUF")
    outside = tmp_path / "outside.txt"
    outside.write_text("not ours")
    (own_home / "data/link.txt").symlink_to(outside)
    for path in sorted(own_home.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert run("status", fresh).code == 0
    left = [each for each in _open_to_others(own_home) if "link.txt" not in each]
    assert left == ["755 data/models", "644 data/models/model.gguf"]
    assert _mode(outside) == 0o644


def test_an_export_keeps_the_rights_of_what_it_replaces(own_home: Path, tmp_path: Path) -> None:
    del own_home
    path = tmp_path / "draft.md"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new", usual_rights=True)
    assert (path.read_text(), _mode(path)) == ("new", 0o640)
    write_atomically(path, "ours")
    assert _mode(path) == 0o600


def test_no_file_of_another_thread_is_open_to_all_while_one_is_saved(
    own_home: Path, tmp_path: Path
) -> None:
    del own_home
    stop = threading.Event()
    modes: set[int] = set()

    def make_files() -> None:
        number = 0
        while not stop.is_set():
            path = tmp_path / f"other-{number}"
            os.close(os.open(path, os.O_CREAT, 0o666))
            modes.add(_mode(path))
            path.unlink()
            number += 1

    thread = threading.Thread(target=make_files)
    thread.start()
    try:
        for number in range(300):
            write_atomically(tmp_path / f"saved-{number}", "text", usual_rights=True)
    finally:
        stop.set()
        thread.join()
    assert modes == {0o644}
