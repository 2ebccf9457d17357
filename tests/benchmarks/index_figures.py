"""Indexing project-glucose from nothing: the whole as the product does it, and each stage."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import DocumentError
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.records import FileRecord
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.jobs import Progress, run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.projects.categories import load_categories
from phasergun_desktop.projects.folder_tree import categories_file
from phasergun_desktop.sync.document_stages import DocumentStages, FileReading
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.sync.folder_scan import scan_folder
from phasergun_desktop.sync.pace import available_cores
from tests.benchmarks.frame import Figure, figure, timed
from tests.benchmarks.glucose import GlucoseProject, opened


def index_from_nothing(project: GlucoseProject, runs: int = 3) -> Iterator[Figure]:
    """Index the whole project, then again with nothing changed, then stage by stage."""
    whole: list[float] = []
    again: list[float] = []
    reports: list[SyncReport] = []
    for _ in range(runs):
        with project.empty_home() as home, opened(project.root, home) as (_, session):
            with timed(whole):
                reports.append(run_to_end(session.sync()))
            with timed(again):
                run_to_end(session.sync())
    report = reports[-1]
    yield figure(
        "index_from_nothing",
        "s",
        whole,
        target=60.0,
        note=f"{report.indexed} files indexed, {report.skipped} skipped (formats not read yet,"
        f" prompts), {report.failed} failed, {report.embedded} windows embedded; loading the"
        " embedder and starting the reader's process included",
    )
    yield figure("index_again", "s", again, note="the same folder, nothing changed")
    stages = [_stage_seconds(project) for _ in range(runs)]
    notes = {
        "parse": "in the child process, its start included; the digests of the files too",
        "chunk": "titles, windows and chunks of every document",
        "embed": "every window once, loading the embedder included",
        "write": "one transaction a document: text, blocks, words, windows, vectors, chunks",
    }
    for stage, note in notes.items():
        yield figure(
            f"stage_{stage}",
            "s",
            [each[stage] for each in stages],
            note=f"{note}; stages one after another, in a sync reading overlaps with the rest",
        )


def _stage_seconds(project: GlucoseProject) -> dict[str, float]:
    """Return the seconds of each stage over the files of the project."""
    spent: dict[str, list[float]] = defaultdict(list)
    resources = resources_path()
    embedder = OnnxEmbedder(
        resources / "models" / "all-MiniLM-L6-v2-int8.onnx",
        resources / "models" / "tokenizer.json",
    )
    root = project.root
    with project.empty_home() as home, contextlib.ExitStack() as stack:
        profile = ProfileStore(resources, home / "profiles").load("regulatory")
        reader = ChildProcessReader()
        stack.callback(reader.close)
        stack.callback(embedder.close)
        database = open_index(home)
        stack.callback(database.close)
        store, writer = IndexStore(database), IndexWriter(database)
        reading = FileReading(root, reader)
        lanes = EmbeddingLanes(embedder, available_cores())
        stages = DocumentStages(embedder, chunking_for(profile.chunking), lanes=lanes)
        categories = load_categories(categories_file(root))
        results: list[tuple[FileRecord, ParsedDocument]] = []
        for scanned in scan_folder(root).files:
            if scanned.layer is not None:
                with timed(spent["parse"]), contextlib.suppress(DocumentError):
                    results.append(reading.read(scanned))
        for record, document in results:
            with timed(spent["chunk"]):
                entry = stages.entry(record, document, categories)
            texts = entry.embedded_texts()
            missing = store.vectors.missing(stages.identity, texts)
            wanted = {name: texts[name] for name in missing}
            with timed(spent["embed"]):
                vectors = run_to_end(stages.embed(wanted, Progress("")))
            with timed(spent["write"]):
                writer.write_document(entry, stages.identity, vectors, {})
    return {stage: sum(each) for stage, each in spent.items()}
