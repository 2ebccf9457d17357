"""Projects of any size: the test projects' Markdown files again and again in other words, indexed
by the product itself with vectors that are drawn instead of computed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.document_reader import ReadingOptions, reading_version
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.documents.tools import find_tesseract
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.vector_caches import VectorCaches
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.sync.sync_folder import SyncFolder
from tests.benchmarks.glucose import GlucoseProject, places_in, test_data

_SOURCES = ("project-glucose", "project-oxygenator")
# Folders that a project has one document of, or none.
_NOT_COPIED = ("Bootstrap", "Prompt")
# Measured on the copies: 790 characters a window.
_CHARACTERS_OF_WINDOW = 790
_WINDOWS_OF_GLUCOSE = 1_164
_EXCHANGED, _INVENTED = 0.4, 0.03
_SYLLABLES = tuple(a + b for a in "bcdfghklmnprstvz" for b in "aeiou")
_WORD = re.compile(r"\b[A-Za-z]{4,}\b")
_SEED = 15


class DrawnVectors(OnnxEmbedder):
    """The product's embedder by name and in what it counts; its vectors are random ones, always the
    same for a text."""

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1."""
        rows = [
            np.random.default_rng(crc32(text.encode("utf-8", "replace"))).standard_normal(
                self.dimensions, np.float32
            )
            for text in texts
        ]
        made = np.stack(rows)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made


def lay_out_grown(root: Path, windows: int) -> None:
    """Make ``root``: project-glucose, and as many further documents as make about ``windows``
    windows. Raises ``Unavailable`` without the test data."""
    GlucoseProject().lay_out(root)
    data = test_data()
    sources = [
        (path.relative_to(data / name).parent, path.stem, path.read_text("utf-8"))
        for name in _SOURCES
        for path in sorted((data / name).rglob("*.md"))
        if not set(path.parent.parts).intersection(_NOT_COPIED)
    ]
    # Drawn from all words that stand there: frequent ones are drawn often.
    words = [word for *_, text in sources for word in _WORD.findall(text)]
    chance = random.Random(_SEED)
    missing = (windows - _WINDOWS_OF_GLUCOSE) * _CHARACTERS_OF_WINDOW
    number = 0
    while missing > 0:
        folder, stem, text = sources[number % len(sources)]
        number += 1
        text = _WORD.sub(lambda found: _other(found.group(), words, chance), text)
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / f"{stem[:40]}-{number:05}.md").write_text(text, "utf-8")
        missing -= len(text)


def index_grown(root: Path, home: Path) -> None:
    """Index ``root`` for the user of the folder ``home``, and save its vectors and units."""
    places = places_in(home)
    places.make_private()
    resources = resources_path()
    project = ProjectRegistry(places.data / "projects.json").open(root)
    cache = places.project_cache(project.project_id)
    embedder = DrawnVectors(
        resources / "models" / "all-MiniLM-L6-v2-int8.onnx",
        resources / "models" / "tokenizer.json",
        threads=1,
    )
    profile = ProfileStore(resources, places.config / "profiles").load(DEFAULT_PROFILE)
    options, tesseract = ReadingOptions(), find_tesseract("")
    reader = ChildProcessReader(tesseract=tesseract)
    database = open_index(cache)
    try:
        store = IndexStore(database)
        run_to_end(
            SyncFolder(
                root,
                store=store,
                writer=IndexWriter(database),
                reader=reader,
                embedder=embedder,
                chunking=chunking_for(profile.chunking),
                parser_version=reading_version(options, tesseract),
            ).run()
        )
        vectors = VectorCaches(
            store, cache, identity=embedder.identity, dimensions=embedder.dimensions
        )
        vectors.get(profile.retrieval.graph).refresh()
        vectors.snapshot()
        units = UnitIndex(store, embedder.identity, cache)
        units.table()
        units.snapshot()
    finally:
        database.close()
        reader.close()
        embedder.close()


def _other(word: str, words: Sequence[str], chance: random.Random) -> str:
    drawn = chance.random()
    if drawn < _INVENTED:
        # Squared: some of the invented words are common too, most are rare.
        word = _invented(int(chance.random() ** 2 * 60_000))
    elif drawn < _EXCHANGED:
        word = chance.choice(words)
    return word


def _invented(number: int) -> str:
    syllables = []
    for _ in range(3):
        number, place = divmod(number, len(_SYLLABLES))
        syllables.append(_SYLLABLES[place])
    return "".join(syllables)
