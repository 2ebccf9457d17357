"""The sync: true states, small costs, and nothing lost when it ends early."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from phasergun_desktop.chunking.paragraphs import ParagraphChunker
from phasergun_desktop.chunking.sections import SectionChunker
from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.documents.document_reader import ReadingOptions, ReadingProgress
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.errors import DocumentProblem, ModelError, ProjectError
from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import Progress, run_to_end
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.sync import renewal
from phasergun_desktop.sync.events import FileChanged, FileRemoved
from phasergun_desktop.workspace.folder_state import files_now
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.small_project import SmallProject

CATEGORIES = "Procedures/categories.yaml"
GENERAL = "Context/General"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write("Procedures/SOPs/one.md", "# One\n\nThe first procedure.")
    made.write("Context/General/two.md", "# Two\n\nThe second document.")
    made.write("Context/Prompt/ask.md", "Draft.")
    made.write("stray.txt", "not ours")
    yield made
    made.close()


class Dump(NamedTuple):
    """A document as a reader of the index sees it."""

    file: str
    layer: Layer
    sha256: str
    title: str
    text: str
    windows: list[tuple[int, int, tuple[str, ...]]]
    vectors: list[bytes]


def dump(project: SmallProject) -> list[Dump]:
    """Everything of the index that a reader sees, without ids."""
    found = []
    for record in project.store.documents():
        windows = project.windows(record.document_id)
        vectors = project.stored_vectors(record.document_id)
        found.append(
            Dump(
                record.file,
                record.layer,
                record.sha256,
                record.title,
                project.store.text(record.document_id),
                [(each.start, each.end, each.heading_path) for each in windows],
                [vectors[each.window_id].tobytes() for each in windows],
            )
        )
    return found


def test_states_add_up_to_the_folder(project: SmallProject) -> None:
    project.write("Context/General/bad.md", "!encrypted")
    project.write("Context/General/picture.png", "\x89PNG")
    project.write("Context/General/plan.md", "!other")
    report = project.sync()
    states = project.states()
    assert states["Procedures/SOPs/one.md"] == "indexed"
    assert states["Context/General/bad.md"] == "failed"
    assert states["Context/General/plan.md"] == "skipped"
    assert states["Context/Prompt/ask.md"] == states["stray.txt"] == "skipped"
    on_disk = [path for path in project.root.rglob("*") if path.is_file()]
    assert report.indexed + report.failed + report.skipped == len(states) == len(on_disk)
    bad = project.record("Context/General/bad.md")
    assert bad.reason == "The file is encrypted. Remove the password."


def test_events_tell_progress_and_every_change(project: SmallProject) -> None:
    project.sync()
    changed = [each.record for each in project.events if isinstance(each, FileChanged)]
    assert [each.state for each in changed if each.file == "Context/General/two.md"] == [
        FileState.PENDING,
        FileState.INDEXED,
    ]
    assert changed[-1].chunks == 1
    assert any(isinstance(each, Progress) and each.total == 2 for each in project.events)


def test_a_second_sync_does_nothing(project: SmallProject) -> None:
    project.sync()
    version = project.store.version()
    project.reader.parsed.clear()
    project.embedder.embedded.clear()
    report = project.sync()
    assert report.changed == report.removed == 0
    assert project.reader.parsed == project.embedder.embedded == []
    assert project.store.version() == version
    assert not [each for each in project.events if isinstance(each, FileChanged)]


def test_a_rename_reads_and_embeds_nothing(project: SmallProject) -> None:
    project.sync()
    project.reader.parsed.clear()
    project.embedder.embedded.clear()
    old = project.root / "Context/General/two.md"
    (project.root / "Context/Initiation").mkdir()
    old.rename(project.root / "Context/Initiation/zwei.md")
    report = project.sync()
    assert report.renamed == 1
    assert project.reader.parsed == project.embedder.embedded == []
    assert "Context/General/two.md" not in project.states()
    record = project.document("Context/Initiation/zwei.md")
    assert record.layer == "initiation"
    assert FileRemoved("Context/General/two.md") in project.events


def test_any_history_gives_the_same_index(project: SmallProject, tmp_path: Path) -> None:
    project.write("Context/General/gone.md", "Soon gone.")
    project.sync()
    project.write("Procedures/SOPs/one.md", "# One\n\nThe first procedure, second edition.")
    (project.root / "Context/General/gone.md").unlink()
    (project.root / "Context/General/two.md").rename(project.root / "Context/General/2.md")
    project.sync()
    (tmp_path / "fresh").mkdir()
    fresh = SmallProject(tmp_path / "fresh")
    for path in project.root.rglob("*"):
        if path.is_file():
            fresh.write(path.relative_to(project.root).as_posix(), path.read_text())
    fresh.sync()
    assert dump(project) == dump(fresh)
    fresh.close()


def test_one_bad_document_stops_no_other_and_its_text_stays_out_of_the_log(
    project: SmallProject, caplog: pytest.LogCaptureFixture
) -> None:
    project.write("Context/General/a-crash.md", "!crash")
    with caplog.at_level(logging.INFO):
        project.sync()
    assert project.states()["Context/General/two.md"] == "indexed"
    record = project.record("Context/General/a-crash.md")
    assert record.state is FileState.FAILED
    assert "ZeroDivisionError" in record.reason
    assert "secret words" not in caplog.text


def test_a_document_that_can_no_longer_be_read_is_not_searched(project: SmallProject) -> None:
    project.sync()
    project.write("Context/General/two.md", "!encrypted now")
    project.sync()
    assert project.store.document_by_file("Context/General/two.md") is None
    assert project.states()["Context/General/two.md"] == "failed"
    project.reader.parsed.clear()
    project.sync()
    assert project.reader.parsed == []
    project.sync(retry_failed=True)
    assert "two.md" in project.reader.parsed


def test_a_cancel_keeps_what_is_done_and_the_next_sync_does_the_rest(project: SmallProject) -> None:
    for number in range(6):
        project.write(f"Context/General/n{number}.md", f"Document number {number}.")
    job = project.job()
    for event in job:
        if isinstance(event, FileChanged) and event.record.state is FileState.INDEXED:
            break
    job.close()
    states = list(project.states().values())
    assert states.count("indexed") == 1
    assert states.count("pending") == 7
    project.embedder.embedded.clear()
    report = project.sync()
    assert report.pending == 0
    assert report.changed == 7


def test_a_sync_that_was_cancelled_at_its_end_leaves_no_vectors(project: SmallProject) -> None:
    project.sync()
    project.write("Context/General/two.md", "# Two\n\nAnother text.")
    job = project.job()
    for event in job:
        if isinstance(event, FileChanged) and event.record.state is FileState.INDEXED:
            break
    job.close()
    # Nothing is left to be read.
    assert project.sync().changed == 0
    texts = "SELECT count(*), count(DISTINCT text_hash) FROM"
    rows = [
        project.database.connection().execute(f"{texts} {table}").fetchone()
        for table in ("windows", "embeddings", "units", "unit_vectors")
    ]
    assert rows == [(2, 2), (2, 2), (1, 1), (1, 1)]


def test_a_kill_in_the_middle_of_writing_leaves_the_old_document(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.sync()
    before = dump(project)
    project.write("Context/General/two.md", "# Two\n\nA new text.")

    def killed(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("phasergun_desktop.index.index_writer._write_chunks", killed)
    with pytest.raises(KeyboardInterrupt):
        project.sync()
    assert dump(project) == before
    monkeypatch.undo()
    project.sync()
    assert "A new text." in dump(project)[0].text


def test_categories_change_records_without_embedding(project: SmallProject) -> None:
    project.sync()
    project.embedder.embedded.clear()
    project.reader.parsed.clear()
    project.write(
        CATEGORIES,
        "documents:\n  Procedures/SOPs/one.md: {category: capa, kind: procedure, tags: [x, y]}\n",
    )
    project.sync()
    record = project.document("Procedures/SOPs/one.md")
    assert (record.category, record.kind, record.tags) == ("capa", "procedure", ("x", "y"))
    assert project.embedder.embedded == project.reader.parsed == []
    project.write(CATEGORIES, "documents: [\n")
    report = project.sync()
    assert any("categories.yaml, line" in each for each in report.warnings)
    assert project.document("Procedures/SOPs/one.md").tags == ()


def test_another_parser_reads_again_and_embeds_only_what_differs(project: SmallProject) -> None:
    project.sync()
    project.embedder.embedded.clear()
    project.reader.version = "2"
    assert project.sync().changed == 2
    assert project.embedder.embedded == []
    assert project.sync().changed == 0


def test_another_embedder_embeds_again_without_reading(project: SmallProject) -> None:
    project.sync()
    project.reader.parsed.clear()
    project.embedder = HashEmbedder(identity="hash:2", dimensions=32)
    vectors = project.vectors()
    vectors.refresh()
    assert len(vectors) == 0
    assert project.sync().embedded == 2
    assert project.reader.parsed == []
    vectors.refresh()
    assert len(vectors) == 2


def test_another_chunker_cuts_again_without_reading_or_embedding(project: SmallProject) -> None:
    project.sync()
    project.reader.parsed.clear()
    project.embedder.embedded.clear()
    project.chunking = Chunking(SectionChunker(5, 20), ParagraphChunker(20, 0, 30))
    project.sync()
    assert project.reader.parsed == project.embedder.embedded == []
    record = project.document("Procedures/SOPs/one.md")
    identity = project.chunking.procedures.identity
    chunks = project.store.chunks_of([record.document_id], identity)
    assert len(chunks[record.document_id]) == 2


class _SlowClock:
    """Says that each document takes 20 s."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 20.0
        return self.now


@pytest.mark.parametrize("other", ["parser", "embedder", "chunker"])
def test_what_another_version_made_is_made_anew_only_where_over_a_minute_is_allowed(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    for number in range(10):
        project.write(f"{GENERAL}/n{number}.md", f"Document number {number}.")
    project.sync()
    project.reader.parsed.clear()
    project.embedder.embedded.clear()
    monkeypatch.setattr(renewal, "time", _SlowClock())
    if other == "parser":
        project.reader.version = "2"
    elif other == "embedder":
        project.embedder = HashEmbedder(identity="hash:2", dimensions=32)
    else:
        project.chunking = Chunking(SectionChunker(5, 20), ParagraphChunker(20, 0, 30))
    project.write(f"{GENERAL}/new.md", "What was saved meanwhile.")
    report = project.sync()
    # One tells how long one takes, the next is under way then; what is new is read in any case.
    assert report.outdated == 10
    assert "read: 10." in report.asks
    assert "about 3 minutes" in report.asks
    assert set(project.states().values()) == {"indexed", "skipped"}
    assert project.record(f"{GENERAL}/new.md").state is FileState.INDEXED
    assert len(project.store.documents()) == 13
    assert run_to_end(project.job(renew=True)).asks == ""
    assert project.sync().asks == ""
    anew = {"parser": project.reader.parsed, "embedder": project.embedder.embedded}
    assert len({*anew.get(other, range(13))}) >= 13


def test_equal_documents_are_embedded_once(project: SmallProject) -> None:
    project.write("Context/General/copy.md", "# Two\n\nThe second document.")
    project.sync()
    # A window and a unit of each text.
    assert len(project.embedder.embedded) == len(set(project.embedder.embedded)) == 4
    assert len(project.store.documents()) == 3


def test_a_vanished_project_deletes_nothing(project: SmallProject) -> None:
    project.sync()
    project.root.rename(project.root.with_name("moved"))
    with pytest.raises(ProjectError):
        project.sync()
    assert len(project.store.documents()) == 2


def test_without_an_embedder_the_sync_says_so_and_loses_nothing(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(_self: object, _texts: object) -> None:
        raise ModelError("Embedding model missing", "It is not there.", "Install it.")

    monkeypatch.setattr(HashEmbedder, "embed", absent)
    with pytest.raises(ModelError):
        project.sync()
    monkeypatch.undo()
    assert project.sync().indexed == 2


def test_a_new_password_reads_the_locked_file_alone(project: SmallProject) -> None:
    project.write("Context/General/locked.md", "!locked open-sesame\n\nBehind the door.")
    project.write("Context/General/bad.md", "!encrypted")
    project.sync()
    record = project.record("Context/General/locked.md")
    assert (record.state, record.problem) == (FileState.FAILED, DocumentProblem.PASSWORD)
    assert project.record("Context/General/bad.md").problem is DocumentProblem.OTHER
    project.options = ReadingOptions(passwords=("open-sesame",))
    project.reader.parsed = []
    project.sync()
    assert project.reader.parsed == []
    project.sync(retry_files=frozenset({"Context/General/locked.md"}))
    assert project.reader.parsed == ["locked.md"]
    assert project.record("Context/General/locked.md").state is FileState.INDEXED
    assert project.record("Context/General/locked.md").problem is DocumentProblem.OTHER
    assert project.record("Context/General/bad.md").state is FileState.FAILED


def test_progress_names_the_page_that_is_recognised(project: SmallProject) -> None:
    project.write("Context/General/scan.md", "!scan of a page")
    project.reader.gate = threading.Event()
    details: list[str] = []
    for event in project.job():
        if isinstance(event, Progress) and event.detail.startswith("Context/General/scan.md"):
            details.append(event.detail)
            if "page" in event.detail:
                project.reader.gate.set()
    assert "Context/General/scan.md: recognising page 1 of 2" in details
    assert details[-1] == "Context/General/scan.md"
    assert project.record("Context/General/scan.md").state is FileState.INDEXED


def test_warnings_and_type_are_known_without_the_text(project: SmallProject) -> None:
    project.sync()
    document = project.document("Context/General/two.md")
    assert (document.mime, document.warnings) == ("text/markdown", ())


class AwayWhileRead(ChildProcessReader):
    """The real reader, under which a file is away for the time it is read; it returns as it was,
    or (``returns`` False) not at all."""

    def __init__(self, file: str, *, returns: bool = True) -> None:
        super().__init__()
        self._file = file
        self._returns = returns

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        if path.name != self._file:
            return super().parse(path, options, on_progress)
        away = path.with_name("away.tmp")
        path.rename(away)
        try:
            return super().parse(path, options, on_progress)
        finally:
            if self._returns:
                away.rename(path)
            else:
                away.unlink()


def test_a_file_that_was_away_for_a_moment_is_read_the_next_time(project: SmallProject) -> None:
    away = AwayWhileRead("two.md")
    with closing(away):
        run_to_end(project.job(reader=away))
    record = project.record("Context/General/two.md")
    assert record.problem is DocumentProblem.UNREACHABLE
    # What is known of it is not thrown away to look at the folder.
    found = {each.file: each for each in files_now(project.root, project.store.files())}
    assert found["Context/General/two.md"] == record
    project.sync()
    assert "two.md" in project.reader.parsed
    assert project.record("Context/General/two.md").state is FileState.INDEXED
    assert project.record("Context/General/two.md").problem is DocumentProblem.OTHER


def test_a_file_that_went_while_it_was_read_is_gone_and_not_failed(project: SmallProject) -> None:
    away = AwayWhileRead("two.md", returns=False)
    with closing(away):
        report = run_to_end(project.job(reader=away))
    assert "Context/General/two.md" not in project.states()
    assert (report.removed, report.failed) == (1, 0)


def test_what_is_wrong_with_the_content_is_not_read_again(project: SmallProject) -> None:
    project.write("Context/General/bad.md", "!encrypted")
    project.sync()
    project.reader.parsed.clear()
    project.sync()
    assert project.reader.parsed == []
    assert project.states()["Context/General/bad.md"] == "failed"
