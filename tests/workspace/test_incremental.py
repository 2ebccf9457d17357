from __future__ import annotations

import threading
from pathlib import Path

from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.sync.events import FileChanged, SyncReport
from phasergun_desktop.workspace.session import ProjectSession

FILE = "Context/Ongoing/Long.md"
SECTIONS = 6


def _write(root: Path, changed: str = "") -> None:
    parts = []
    for number in range(1, SECTIONS + 1):
        text = f"The part number of component {number} is PN-{number:04d}, revision A."
        extra = f" {changed}" if number == 3 and changed else ""
        parts.append(f"## {number} Component {number}\n\n{text}{extra}")
    (root / FILE).write_text("# Components\n\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


def _sync(session: ProjectSession) -> SyncReport:
    return run_to_end(session.sync())


def test_a_change_costs_what_the_change_costs(session: ProjectSession) -> None:
    _write(session.project.root)
    first = _sync(session)
    assert (first.changed, first.embedded > 1) == (1, True)
    assert (_sync(session).changed, _sync(session).embedded) == (0, 0)
    _write(session.project.root, "It was changed.")
    second = _sync(session)
    assert (second.changed, second.embedded) == (1, 1)
    assert "It was changed." in session.search("component 3 was changed").hits[0].text


def test_a_rename_embeds_nothing(session: ProjectSession) -> None:
    _write(session.project.root)
    _sync(session)
    before = session.search("component 3 part number")
    root = session.project.root
    (root / "Context" / "Initiation" / "Parts").mkdir()
    (root / FILE).rename(root / "Context" / "Initiation" / "Parts" / "Renamed.md")
    report = _sync(session)
    assert (report.renamed, report.changed, report.embedded) == (1, 0, 0)
    after = session.search("component 3 part number")
    assert after.hits[0].file == "Context/Initiation/Parts/Renamed.md"
    assert after.hits[0].text == before.hits[0].text


def test_what_is_gone_is_not_found(session: ProjectSession) -> None:
    root = session.project.root
    (root / "Context" / "Ongoing" / "Hazard-Log.csv").unlink()
    assert _sync(session).removed == 1
    assert all(hit.file.endswith(".csv") is False for hit in session.search("bubble").hits)


def test_a_cancelled_sync_goes_on_where_it_was(session: ProjectSession) -> None:
    root = session.project.root
    for number in range(4):
        (root / "Context" / "Ongoing" / f"note-{number}.md").write_text(f"# {number}\n\nText.\n")
    job = session.sync()
    next(job)
    job.close()
    report = _sync(session)
    assert (report.pending, report.failed) == (0, 0)
    states = {r.state for r in session.files() if r.file.startswith("Context/Ongoing/note")}
    assert states == {FileState.INDEXED}


def test_what_a_plan_names_is_read_before_what_waits_longer(session: ProjectSession) -> None:
    folder = session.project.root / "Context" / "Ongoing" / "Many"
    folder.mkdir()
    for number in range(8):
        (folder / f"Note-{number}.md").write_text(
            f"# Note {number}\n\nIt says {number}.\n", "utf-8"
        )
    read: list[str] = []
    for event in session.sync():
        if isinstance(event, FileChanged) and event.record.state is FileState.INDEXED:
            read.append(Path(event.record.file).stem)
            if len(read) == 1:
                session.plan("Describe what [Context|Ongoing|Note-6.md] says.")
    assert read[:4] == ["Note-0", "Note-1", "Note-6", "Note-2"]


def test_what_is_saved_while_many_wait_is_read_next(session: ProjectSession) -> None:
    folder = session.project.root / "Context" / "Ongoing" / "Many"
    folder.mkdir()
    for number in range(60):
        (folder / f"Note-{number:02}.md").write_text(f"# Note {number}\n\nIt says so.\n", "utf-8")
    read: list[str] = []
    noticed = threading.Event()
    stop = session.watch(noticed.set)
    try:
        for event in session.sync():
            if isinstance(event, FileChanged) and event.record.state is FileState.INDEXED:
                read.append(Path(event.record.file).stem)
                if len(read) == 1:
                    (folder / "Saved.md").write_text("# Saved\n\nIt says more.\n", "utf-8")
                    assert noticed.wait(10)
    finally:
        stop()
    assert "Saved" in read[1:4]
