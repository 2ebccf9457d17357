"""The list of projects: ids that stay, folders that move, files that are damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.registry import ProjectRegistry


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
    assert registry.forget(root) == first.project_id
    assert registry.forget(root) is None
    assert registry.open(root).project_id != first.project_id


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
