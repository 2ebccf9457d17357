"""The list of projects: ids that stay, folders that move, files that are damaged."""

from __future__ import annotations

import json
import shutil
import threading
import uuid
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.registry import ProjectRegistry
from tests.storage.test_small_files import STRANGE, posix_only


def _project(folder: Path, files: int = 4) -> Path:
    folder.mkdir(parents=True)
    for number in range(files):
        (folder / f"{number}.md").write_text("x" * number)
    return folder


@pytest.fixture
def registry(tmp_path: Path) -> ProjectRegistry:
    return ProjectRegistry(tmp_path / "data" / "projects.json")


def test_a_folder_keeps_its_id(registry: ProjectRegistry, tmp_path: Path) -> None:
    root = _project(tmp_path / "glucose")
    first = registry.open(root)
    assert registry.open(root / ".." / "glucose") == first
    assert (first.name, first.root) == ("glucose", root.resolve())
    assert list(root.glob(".*")) == []


def test_last_opened_comes_first(registry: ProjectRegistry, tmp_path: Path) -> None:
    one, two = _project(tmp_path / "one"), _project(tmp_path / "two", 5)
    for root in (one, two, one):
        registry.open(root)
    assert [each.name for each in registry.known()] == ["one", "two"]


def test_a_project_that_is_opened_aside_keeps_its_place(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    one, two = _project(tmp_path / "one"), _project(tmp_path / "two", 5)
    registry.open(one)
    registry.open(two)
    assert registry.open(one, is_aside=True).root == one.resolve()
    assert [each.name for each in registry.known()] == ["two", "one"]
    registry.open(_project(tmp_path / "three", 7), is_aside=True)
    assert [each.name for each in registry.known()] == ["three", "two", "one"]


def test_a_renamed_folder_is_known_again(registry: ProjectRegistry, tmp_path: Path) -> None:
    root = _project(tmp_path / "old")
    first = registry.open(root)
    root.rename(tmp_path / "new")
    again = registry.open(tmp_path / "new")
    assert (again.project_id, again.name) == (first.project_id, "new")
    assert len(registry.known()) == 1


def test_a_copy_is_another_project(registry: ProjectRegistry, tmp_path: Path) -> None:
    root = _project(tmp_path / "old")
    first = registry.open(root)
    shutil.copytree(root, tmp_path / "copy")
    assert registry.open(tmp_path / "copy").project_id != first.project_id
    assert registry.moved_candidates(tmp_path / "copy") == ()


def test_a_folder_on_another_disk_is_offered_and_relinked(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "old")
    first = registry.open(root)
    shutil.copytree(root, tmp_path / "elsewhere")
    shutil.rmtree(root)
    assert [each.root for each in registry.moved_candidates(tmp_path / "elsewhere")] == [root]
    assert registry.relink(root, tmp_path / "elsewhere").project_id == first.project_id
    assert registry.find(root) is None


def test_forget(registry: ProjectRegistry, tmp_path: Path) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    assert registry.forget(root) == (first.project_id,)
    assert registry.known() == ()
    assert registry.forget(root) == ()
    assert registry.open(root) == first


def test_a_damaged_file_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "projects.json"
    path.write_text('{"projects": [{"root": "/x", "id": "../../etc"}]}')
    registry = ProjectRegistry(path)
    assert registry.known() == ()
    registry.open(_project(tmp_path / "one"))
    assert len(registry.known()) == 1
    assert len(list(tmp_path.glob("projects.json.damaged*"))) == 1


def test_a_missing_folder_is_one_sentence(registry: ProjectRegistry, tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="not there any more"):
        registry.open(tmp_path / "absent")
    with pytest.raises(ProjectError, match="never opened"):
        registry.relink(tmp_path / "absent", tmp_path)


@pytest.mark.parametrize("left", [None, b"", b"null", b'{"projects": [1]}', b"\xff\xfe"])
def test_the_list_is_made_anew_from_the_records(
    registry: ProjectRegistry, tmp_path: Path, left: bytes | None
) -> None:
    one, two = _project(tmp_path / "one"), _project(tmp_path / "two", 5)
    first, second = registry.open(one), registry.open(two)
    path = tmp_path / "data" / "projects.json"
    path.unlink() if left is None else path.write_bytes(left)
    assert [each.name for each in registry.known()] == ["two", "one"]
    assert registry.open(one) == first
    assert registry.open(two) == second
    assert json.loads(path.read_text("utf-8"))["projects"]


def test_a_record_is_made_anew_from_the_list(registry: ProjectRegistry, tmp_path: Path) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    record = tmp_path / "data" / "projects" / first.project_id / "project.json"
    for left in (None, "", "{"):
        record.unlink() if left is None else record.write_text(left, "utf-8")
        assert registry.open(root) == first
        assert json.loads(record.read_text("utf-8"))["root"] == str(root.resolve())


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_list_is_put_aside_and_made_anew(
    registry: ProjectRegistry, tmp_path: Path, kind: str
) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    path = tmp_path / "data" / "projects.json"
    path.unlink()
    STRANGE[kind](path)
    assert [each.name for each in registry.known()] == ["one"]
    assert registry.open(root) == first
    assert json.loads(path.read_text("utf-8"))["projects"]
    assert len(list(path.parent.glob("projects.json.damaged-*"))) == 1


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_record_is_put_aside_and_made_anew(
    registry: ProjectRegistry, tmp_path: Path, kind: str
) -> None:
    one = _project(tmp_path / "one")
    first = registry.open(one)
    record = tmp_path / "data" / "projects" / first.project_id / "project.json"
    record.unlink()
    STRANGE[kind](record)
    assert [each.name for each in registry.known()] == ["one"]
    assert registry.open(one) == first
    assert json.loads(record.read_text("utf-8"))["id"] == first.project_id
    assert len(list(record.parent.glob("project.json.damaged-*"))) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"root": "/a\0b"},
        {"root": "\ud800"},
        {"device": 1e999},
        {"files": "abc"},
        {"id": "../../elsewhere"},
        {"revision": "9" * 5000},
    ],
)
def test_a_hostile_record_is_made_anew(
    registry: ProjectRegistry, tmp_path: Path, change: dict[str, object]
) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    record = tmp_path / "data" / "projects" / first.project_id / "project.json"
    sound = json.loads(record.read_text("utf-8"))
    for hostile in (json.dumps({**sound, **change}), "[" * 100_000):
        record.write_text(hostile, "utf-8")
        assert registry.open(root) == first
        assert json.loads(record.read_text("utf-8"))["root"] == str(root.resolve())


def test_a_list_of_an_older_version_gets_its_records(tmp_path: Path) -> None:
    roots = [_project(tmp_path / name) for name in ("one", "two")]
    ids = [str(uuid.uuid4()), str(uuid.uuid4())]
    projects = [
        {"root": str(root.resolve()), "id": id_, "name": root.name, "last_opened": "2026-01-01"}
        for root, id_ in zip(roots, ids, strict=True)
    ]
    path = tmp_path / "data" / "projects.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"format": 1, "projects": projects}), "utf-8")
    registry = ProjectRegistry(path)
    assert registry.open(roots[0]).project_id == ids[0]
    # All of them, not only the one that was opened.
    path.unlink()
    assert registry.open(roots[1]).project_id == ids[1]


def test_a_forgotten_folder_that_was_moved_is_known_again(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "old")
    first = registry.open(root)
    registry.forget(root)
    root.rename(tmp_path / "new")
    assert registry.open(tmp_path / "new").project_id == first.project_id
    assert len(registry.known()) == 1


def test_a_copy_of_a_forgotten_project_is_another(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "old")
    first = registry.open(root)
    registry.forget(root)
    shutil.copytree(root, tmp_path / "copy")
    assert registry.open(tmp_path / "copy").project_id != first.project_id
    assert registry.open(root).project_id == first.project_id


def test_of_two_records_of_one_folder_that_with_work_is_used(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "one")
    worked = registry.open(root)
    folder = tmp_path / "data" / "projects"
    (folder / worked.project_id / "activity.json").write_text('{"entries": 9, "hash": "x"}')
    (tmp_path / "data" / "projects.json").unlink()
    # What a version without records made of a lost list, and what a backup brought back.
    (folder / worked.project_id).rename(tmp_path / "away")
    newer = registry.open(root)
    assert newer.project_id != worked.project_id
    (tmp_path / "away").rename(folder / worked.project_id)
    assert [each.name for each in registry.known()] == ["one"]
    assert registry.open(root) == worked
    assert (folder / newer.project_id / "project.json").is_file()
    assert [each.project_id for each in registry.known()] == [worked.project_id]


def test_another_folder_at_the_same_place_is_another_project(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    root.rename(tmp_path / "kept")
    root.mkdir()
    for name in "abcd":
        (root / f"{name}.txt").write_text(name * 50)
    assert registry.open(root).project_id != first.project_id
    assert registry.open(tmp_path / "kept").project_id == first.project_id


def test_an_empty_folder_of_a_disk_that_is_away_keeps_the_id(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    root = _project(tmp_path / "one")
    first = registry.open(root)
    root.rename(tmp_path / "away")
    root.mkdir()
    assert registry.open(root) == first
    root.rmdir()
    (tmp_path / "away").rename(root)
    assert registry.open(root) == first
    assert registry.open(root, as_new=True) != first


def test_two_folders_that_change_places_keep_their_ids(
    registry: ProjectRegistry, tmp_path: Path
) -> None:
    one, two = _project(tmp_path / "one"), _project(tmp_path / "two")
    first, second = registry.open(one), registry.open(two)
    one.rename(tmp_path / "three")
    two.rename(one)
    (tmp_path / "three").rename(two)
    assert registry.open(one).project_id == second.project_id
    assert registry.open(two).project_id == first.project_id


def test_two_windows_make_one_id(tmp_path: Path) -> None:
    path, root = tmp_path / "data" / "projects.json", _project(tmp_path / "one")
    found: list[str] = []

    def open_it() -> None:
        found.append(ProjectRegistry(path).open(root).project_id)

    threads = [threading.Thread(target=open_it) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1
