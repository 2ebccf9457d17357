"""Embedding on all cores beside one thread, text by text, as a sync embeds documents."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import DocumentError
from phasergun_desktop.jobs import Progress, run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.projects.categories import load_categories
from phasergun_desktop.projects.folder_tree import categories_file
from phasergun_desktop.sync.document_stages import DocumentStages, FileReading
from phasergun_desktop.sync.folder_scan import scan_folder
from phasergun_desktop.sync.pace import available_cores
from tests.benchmarks.frame import Figure, alternate, figure
from tests.benchmarks.glucose import GlucoseProject

_SHARE = 0.9
_TEXTS = 800


def all_cores(project: GlucoseProject, pairs: int = 5) -> Iterator[Figure]:
    """Embed windows and units of documents of the project in both ways, in turn."""
    models, cores = resources_path() / "models", available_cores()
    embedder = OnnxEmbedder(models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json")
    documents = _documents(project, embedder)
    lanes = EmbeddingLanes(embedder, cores)

    def one_thread() -> None:
        for texts in documents:
            for text in texts.values():
                embedder.embed([text])

    def every_core() -> None:
        for texts in documents:
            run_to_end(lanes.embed(texts, Progress("")))

    measured = alternate(every_core, one_thread, pairs)
    embedder.close()
    count = sum(map(len, documents))
    yield figure(
        "lanes_share_of_cores",
        "share",
        [ratio / cores for ratio in measured.ratios],
        target=_SHARE,
        at_least=True,
        note=f"of {cores} cores times one thread; {count} windows and units of "
        f"{len(documents)} documents, one after the other, alternated pairs",
    )
    yield figure("lanes_speed", "texts/s", [count / each for each in measured.first_s])
    yield figure("lanes_one_thread", "texts/s", [count / each for each in measured.second_s])


def _documents(project: GlucoseProject, embedder: OnnxEmbedder) -> list[dict[bytes, str]]:
    """Return what a sync embeds of each document, by hash."""
    root = project.root
    profile = ProfileStore(resources_path(), root / "profiles").load(DEFAULT_PROFILE)
    stages = DocumentStages(embedder, chunking_for(profile.chunking))
    categories = load_categories(categories_file(root))
    found: list[dict[bytes, str]] = []
    with contextlib.closing(ChildProcessReader()) as reader:
        reading = FileReading(root, reader)
        for scanned in scan_folder(root).files:
            if sum(map(len, found)) >= _TEXTS:
                break
            with contextlib.suppress(DocumentError):
                if scanned.layer is not None:
                    entry = stages.entry(*reading.read(scanned), categories)
                    found.append({**entry.embedded_texts(), **entry.unit_texts()})
    return found
