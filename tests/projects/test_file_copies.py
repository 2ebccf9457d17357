"""Copies into the project: whole or not at all, under free names, and only into the project."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProjectError, StorageError
from phasergun_desktop.jobs import Progress, run_to_end
from phasergun_desktop.projects.file_copies import FileCopy, beside, copy_files, plan_copies


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "Context" / "Ongoing").mkdir(parents=True)
    return root


def _planned(sources: list[Path], folder: Path, root: Path) -> tuple[FileCopy, ...]:
    return run_to_end(plan_copies(sources, folder, root)).copies


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A folder with two reports, one of them deeper, and what no report is."""
    folder = tmp_path / "reports"
    (folder / "2026").mkdir(parents=True)
    (folder / "TR-1.txt").write_text("one")
    (folder / "2026" / "TR-2.txt").write_text("two")
    (folder / ".hidden").write_text("x")
    (folder / "~$TR-1.docx").write_text("x")
    (folder / "link.txt").symlink_to(folder / "TR-1.txt")
    return folder


def test_a_folder_is_copied_with_what_is_in_it(root: Path, reports: Path) -> None:
    target = root / "Context" / "Ongoing"
    copies = _planned([reports], target, root)
    assert [one.target.relative_to(target).as_posix() for one in copies] == [
        "reports/TR-1.txt",
        "reports/2026/TR-2.txt",
    ]
    seen: list[object] = []
    assert run_to_end(copy_files(copies), seen.append) == 2
    assert (target / "reports" / "2026" / "TR-2.txt").read_text() == "two"
    assert sorted({one.done for one in seen if isinstance(one, Progress)}) == [0, 1]
    assert (reports / "TR-1.txt").is_file()


def test_what_lies_there_already_is_not_copied_on_itself(root: Path) -> None:
    file = root / "Context" / "Ongoing" / "TR-1.txt"
    file.write_text("one")
    assert _planned([file], file.parent, root) == ()


def test_two_of_one_name_are_both_wanted(root: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "TR-1.txt").write_text(name)
    target = root / "Context" / "Ongoing"
    run_to_end(copy_files(_planned([tmp_path / n / "TR-1.txt" for n in "ab"], target, root)))
    assert {one.name: one.read_text() for one in target.iterdir()} == {
        "TR-1.txt": "a",
        "TR-1 (2).txt": "b",
    }


def test_a_free_name_is_found(root: Path) -> None:
    folder = root / "Context"
    (folder / "note.txt").write_text("1")
    (folder / "note (2).txt").write_text("2")
    found = beside(FileCopy(Path("note.txt"), folder / "note.txt"))
    assert found.target.name == "note (3).txt"


def test_a_folder_is_not_copied_into_itself(root: Path) -> None:
    with pytest.raises(ProjectError, match="inside of project"):
        _planned([root], root / "Context" / "Ongoing", root)


def test_nothing_is_copied_through_a_link_that_leads_outside(root: Path, tmp_path: Path) -> None:
    (root / "Context" / "General").symlink_to(tmp_path)
    with pytest.raises(ProjectError, match="outside the project"):
        _planned([root / "x.txt"], root / "Context" / "General", root)


def test_a_full_disk_leaves_no_half_file(
    root: Path, reports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = root / "Context" / "Ongoing"
    (target / "TR-1.txt").write_text("before")

    def stop(_source: Path, _half: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copystat", stop)
    copies = _planned([reports / "TR-1.txt"], target, root)
    with pytest.raises(StorageError, match="no room"):
        run_to_end(copy_files(copies, frozenset(one.target for one in copies)))
    assert {one.name: one.read_text() for one in target.iterdir()} == {"TR-1.txt": "before"}


def test_what_came_while_the_writer_was_asked_is_not_replaced(root: Path, reports: Path) -> None:
    target = root / "Context" / "Ongoing"
    copies = _planned([reports / "TR-1.txt"], target, root)
    (target / "TR-1.txt").write_text("came meanwhile")
    run_to_end(copy_files(copies))
    assert {one.name: one.read_text() for one in target.iterdir()} == {
        "TR-1.txt": "came meanwhile",
        "TR-1 (2).txt": "one",
    }
    run_to_end(copy_files(copies, frozenset(one.target for one in copies)))
    assert (target / "TR-1.txt").read_text() == "one"


def test_a_folder_that_is_a_link_out_of_the_project_is_left_out(
    root: Path, reports: Path, tmp_path: Path
) -> None:
    target, elsewhere = root / "Context" / "Ongoing", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "TR-2.txt").write_text("not of the project")
    (target / "reports").mkdir()
    (target / "reports" / "2026").symlink_to(elsewhere)
    plan = run_to_end(plan_copies([reports], target, root))
    assert [one.target.name for one in plan.copies] == ["TR-1.txt"]
    assert plan.outside == 1


def test_names_that_differ_in_capitals_are_one(root: Path, tmp_path: Path) -> None:
    for folder, name in (("a", "TR-1.txt"), ("b", "tr-1.TXT")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(folder)
    files = [tmp_path / "a" / "TR-1.txt", tmp_path / "b" / "tr-1.TXT"]
    copies = _planned(files, root / "Context", root)
    assert [one.target.name for one in copies] == ["TR-1.txt", "tr-1 (2).TXT"]


def test_a_large_file_can_be_stopped_between_its_blocks(root: Path, tmp_path: Path) -> None:
    large, target = tmp_path / "large.bin", root / "Context"
    large.write_bytes(b"x" * 3_000_000)
    job = copy_files(_planned([large], target, root))
    before = set(target.iterdir())
    next(job)
    next(job)
    half = set(target.iterdir()) - before
    assert len(half) == 1
    job.close()
    assert set(target.iterdir()) == before
    run_to_end(copy_files(_planned([large], target, root)))
    assert (target / "large.bin").read_bytes() == large.read_bytes()
