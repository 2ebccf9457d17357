"""The index follows its folder: what was saved last is read first, what is away is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.index.records import FileState
from phasergun_desktop.sync.events import FileChanged, FileRemoved
from tests.fakes.product_reader import ProductReader
from tests.fakes.small_project import SmallProject

FOLDER = "Context/General"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    yield made
    made.close()


def read_while(project: SmallProject, happens: Callable[[], object]) -> list[str]:
    """Sync; when the first document is in the index something happens. Return what was read, in
    that order."""
    has_happened = False
    for event in project.job():
        is_indexed = isinstance(event, FileChanged) and event.record.state is FileState.INDEXED
        if is_indexed and not has_happened:
            happens()
            has_happened = True
    return project.reader.parsed


def test_what_is_saved_while_many_wait_is_read_next(project: SmallProject) -> None:
    for number in range(30):
        project.write(f"{FOLDER}/n{number:02}.md", f"Document number {number}.")

    def save() -> None:
        project.write(f"{FOLDER}/saved.md", "What the writer needs.")
        project.write(f"{FOLDER}/n20.md", "Another text.")
        project.wishes.look_again()

    parsed = read_while(project, save)
    # One was being read already.
    assert parsed[:5] == ["n00.md", "n01.md", "n20.md", "saved.md", "n02.md"]
    assert len(parsed) == len(set(parsed)) == 31
    assert set(project.states().values()) == {"indexed"}


def test_what_is_saved_later_goes_before_what_was_saved_before_and_both_before_the_rest(
    project: SmallProject,
) -> None:
    for number in range(10):
        project.write(f"{FOLDER}/n{number:02}.md", f"Document number {number}.")
    saved = iter(("late.md", "later.md", "latest.md"))
    for event in project.job():
        if isinstance(event, FileChanged) and event.record.state is FileState.INDEXED:
            if (name := next(saved, "")) == "late.md":
                project.write(f"{FOLDER}/last.md", "Saved with it.")
            if name:
                project.write(f"{FOLDER}/{name}", f"This is {name}.")
                project.wishes.look_again()
    parsed = project.reader.parsed
    assert max(map(parsed.index, ("last.md", "late.md", "later.md", "latest.md"))) < parsed.index(
        "n03.md"
    )


def test_what_a_plan_needs_is_read_next(project: SmallProject) -> None:
    for number in range(30):
        project.write(f"{FOLDER}/n{number:02}.md", f"Document number {number}.")
    parsed = read_while(project, lambda: project.wishes.put_first(frozenset({f"{FOLDER}/n25.md"})))
    assert parsed[:4] == ["n00.md", "n01.md", "n25.md", "n02.md"]
    # The same plan again asks for no other look.
    project.wishes.take()
    project.wishes.put_first(frozenset({f"{FOLDER}/n25.md"}))
    assert not project.wishes.are_new


def test_nothing_is_read_twice_for_a_folder_that_never_rests(project: SmallProject) -> None:
    for number in range(8):
        project.write(f"{FOLDER}/n{number}.md", f"Document number {number}.")
    for _ in project.job():
        project.wishes.look_again()
    assert sorted(project.reader.parsed) == [f"n{number}.md" for number in range(8)]


def test_a_removed_file_is_gone_though_the_sync_was_broken_off(project: SmallProject) -> None:
    for number in range(4):
        project.write(f"{FOLDER}/n{number}.md", f"Document number {number}.")
    project.sync()
    project.write(f"{FOLDER}/a.md", "New.")
    project.write(f"{FOLDER}/b.md", "New too.")
    (project.root / FOLDER / "n3.md").unlink()
    removed = []
    for event in project.job():
        if isinstance(event, FileChanged) and event.record.file.endswith("a.md"):
            project.wishes.look_again()
        removed += [event.file] if isinstance(event, FileRemoved) else []
    assert removed == [f"{FOLDER}/n3.md"]


@pytest.mark.parametrize("is_mount_point", [False, True])
def test_a_disk_that_is_away_keeps_its_index(
    project: SmallProject, *, is_mount_point: bool
) -> None:
    project.write(f"{FOLDER}/one.md", "The first document.")
    project.sync()
    away = project.root.with_name("away")
    project.root.rename(away)
    if is_mount_point:
        project.root.mkdir()
    with pytest.raises(ProjectError, match="nothing in" if is_mount_point else "not there"):
        project.sync()
    assert len(project.store.documents()) == 1
    if is_mount_point:
        project.root.rmdir()
    away.rename(project.root)
    project.reader.parsed.clear()
    project.embedder.embedded.clear()
    project.sync()
    assert project.reader.parsed == project.embedder.embedded == []
    assert project.states() == {f"{FOLDER}/one.md": "indexed"}


DISK_INSIDE = """
import subprocess, sys
from pathlib import Path
from tests.fakes.small_project import SmallProject
project = SmallProject(Path(sys.argv[1]))
disk, place = project.root.with_name("disk"), project.root / "Context/Ongoing"
disk.mkdir()
place.mkdir(parents=True)
def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)
mount("-t", "tmpfs", "tmpfs", disk)
mount("--bind", disk, place)
project.write("Context/Ongoing/far.md", "It lies on another disk.")
project.write("Context/General/near.md", "It lies here.")
project.sync()
subprocess.run(["umount", str(place)], check=True)
for _ in range(2):
    report = project.sync()
    print(report.removed, report.warnings, sorted(project.states()))
mount("--bind", disk, place)
project.reader.parsed.clear()
print(project.sync().warnings, project.reader.parsed)
subprocess.run(["umount", str(place)], check=True)
place.rmdir()
print(project.sync().removed)
"""
UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")


@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run([*UNSHARE, "true"], check=False).returncode != 0,
    reason="no disks can be mounted",
)
def test_a_disk_inside_the_project_that_is_away_keeps_its_index(tmp_path: Path) -> None:
    command = [*UNSHARE, sys.executable, "-c", DISK_INSIDE, str(tmp_path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    away = "0 ('The folder Context/Ongoing cannot be read.',)"
    assert said == [
        *[f"{away} ['Context/General/near.md', 'Context/Ongoing/far.md']"] * 2,
        "() []",
        "1",
    ]


def test_an_empty_folder_is_a_project_until_something_was_read(project: SmallProject) -> None:
    assert project.sync().indexed == 0


def test_other_capitals_alone_read_nothing(project: SmallProject) -> None:
    project.write(f"{FOLDER}/report.md", "# Report\n\nThe value is 5 mm.")
    project.sync()
    project.reader.parsed.clear()
    (project.root / FOLDER / "report.md").rename(project.root / FOLDER / "Report.md")
    (project.root / FOLDER).rename(project.root / "Context/GENERAL")
    assert project.sync().renamed == 1
    assert project.reader.parsed == []
    assert list(project.states()) == ["Context/GENERAL/Report.md"]


def test_other_capitals_and_another_text_leave_one_document_on_any_disk(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(f"{FOLDER}/report.md", "# Report\n\nThe value is 5 mm.")
    project.sync()
    (project.root / FOLDER / "report.md").unlink()
    project.write(f"{FOLDER}/Report.md", "# Report\n\nThe value is 6 mm.")
    stat = Path.stat

    def in_any_capitals(path: Path, **options: bool) -> os.stat_result:
        return stat(path.with_name("Report.md") if path.name == "report.md" else path, **options)

    # As the disks of macOS and Windows do.
    monkeypatch.setattr(Path, "stat", in_any_capitals)
    assert project.sync().removed == 1
    assert list(project.states()) == [f"{FOLDER}/Report.md"]


@pytest.mark.parametrize(
    ("old", "new", "is_read"),
    [
        # Without a title of its own its title is its name.
        ("notes.txt", "remarks.txt", True),
        # Text is read by its extension.
        ("notes.md", "notes.txt", True),
        # The number of the document stands in its name.
        ("SOP-001 Washing.md", "SOP-002 Washing.md", False),
        ("notes.md", "remarks.md", False),
    ],
)
def test_a_renamed_document_is_what_reading_it_would_make(
    project: SmallProject, old: str, new: str, *, is_read: bool
) -> None:
    project.reader = ProductReader()
    project.write(f"{FOLDER}/{old}", "# Washing of hands\n\nHands are washed for 30 s.")
    project.sync()
    project.reader.parsed.clear()
    (project.root / FOLDER / old).rename(project.root / FOLDER / new)
    project.sync()
    assert project.reader.parsed == ([new] if is_read else [])
    found = project.store.parsed(project.document(f"{FOLDER}/{new}").document_id)
    assert found == parse_file(project.root / FOLDER / new)
    assert project.document(f"{FOLDER}/{new}").title == found.metadata.title


@pytest.mark.slow
def test_ten_thousand_files_that_arrive_at_once_are_all_read(project: SmallProject) -> None:
    for name in ("early.md", "late.md", "later.md"):
        project.write(f"{FOLDER}/{name}", "It was there before.")
    arriving = project.root.with_name("arriving")
    for number in range(10_000):
        path = arriving / f"{number % 100:02}" / f"n{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Document {number}\n\nThe value is {number} mm.", "utf-8")

    def arrive() -> None:
        shutil.move(arriving, project.root / "Context/Ongoing")
        project.wishes.look_again()

    read_while(project, arrive)
    assert len(project.reader.parsed) == len(project.states()) == 10_003
    assert set(project.states().values()) == {"indexed"}
    assert project.sync().seconds < 10
