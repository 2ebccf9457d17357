"""Puts a project together of what all projects share and of what is its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.chunking.windows import WINDOWS_VERSION
from phasergun_desktop.documents.document_reader import ReadingOptions, reading_version
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.tools import find_tesseract
from phasergun_desktop.drafts.rescue import RescueCopies
from phasergun_desktop.drafts.typed_prompts import TypedPromptStore
from phasergun_desktop.embedding.cross_encoder import CrossEncoder
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.embedding.embedding_lanes import EmbeddingLanes
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.shared_vectors import ProjectVectors, SharedVectors
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.keyword_index import KeywordIndex
from phasergun_desktop.index.own_vector_caches import OwnVectorCaches
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.vector_caches import VectorCaches
from phasergun_desktop.index.window_table import WindowTables
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.language_models.llama_loading import llama_version
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.paths import Places
from phasergun_desktop.profiles.agents import AgentStore
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import PrimaryContext
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.projects.project import Project
from phasergun_desktop.retrieval.reranking import Reranker
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.passwords import KeyringPasswords
from phasergun_desktop.settings.project_settings import ProjectSettingsStore
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.sync.hidden_files import hidden_names
from phasergun_desktop.sync.pace import Pace
from phasergun_desktop.sync.sync_folder import SyncFolder
from phasergun_desktop.sync.sync_plan import Retry
from phasergun_desktop.sync.sync_wishes import SyncWishes
from phasergun_desktop.text.other_names import NamesNow
from phasergun_desktop.workspace.chosen_embedder import ChosenEmbedder
from phasergun_desktop.workspace.engines import Engine, Engines
from phasergun_desktop.workspace.hidden_documents import require_hidden
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.workspace.language_model_slot import LanguageModelSlot, SharedModel
from phasergun_desktop.workspace.late_part import LatePart
from phasergun_desktop.workspace.outgoing import ConfidentialText, GuardedModel
from phasergun_desktop.workspace.project_names import ProjectNames
from phasergun_desktop.workspace.project_reading import ProjectReading
from phasergun_desktop.workspace.session import ProjectSession, SessionParts
from phasergun_desktop.workspace.work_storage import open_work

if TYPE_CHECKING:
    from phasergun_desktop.workspace.drafting_parts import Drafting

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What every project uses: one embedder (searches may use ``own_embedder``), one cross-encoder,
    one language model, the product's texts."""

    places: Places
    resources: Path
    settings: Settings
    embedder: OnnxEmbedder
    own_embedder: ChosenEmbedder
    vectors: SharedVectors
    pace: Pace
    cross_encoder: CrossEncoder
    model: SharedModel
    reranker: Reranker
    names: NamesNow
    profiles: ProfileStore
    primary_context: PrimaryContext
    passwords: KeyringPasswords

    def lanes(self, project_id: str = "") -> EmbeddingLanes:
        """Return what embeds documents; those of a project share their vectors with others."""
        shared = ProjectVectors(self.vectors, project_id) if project_id else None
        return EmbeddingLanes(self.embedder, self.pace.cores, self.pace.lanes, shared)


def make_session(project: Project, shared: SharedParts) -> ProjectSession:
    """Open ``project``. Raises ``StorageError``."""
    cache = shared.places.project_cache(project.project_id)
    data = shared.places.project_data(project.project_id)
    work = open_work(data, project.not_kept)
    try:
        index_database = open_index(cache, project.not_kept)
    except BaseException:
        work.database.close()
        raise
    store = IndexStore(index_database)
    embedder = shared.embedder
    vectors = VectorCaches(store, cache, identity=embedder.identity, dimensions=embedder.dimensions)
    own = OwnVectorCaches(store, cache / "own-embedder", shared.own_embedder.get)
    units = UnitIndex(store, embedder.identity, cache)
    reading = project_reading(project.project_id, shared)

    def check() -> None:
        require_hidden(store.documents(), reading.hidden_keys())

    engines = _engines(project.project_id, shared, store, vectors, own, units, check)
    # Two children: a page can be shown while a document is being read.
    limits = ReadingLimits(seconds=shared.settings.indexing.parse_limit_s)
    parser = ChildProcessReader(limits, reading.tesseract())
    pages = ChildProcessReader(limits)
    lock = ProjectLock(cache / "writer.lock")
    wishes = SyncWishes()

    def close() -> None:
        parser.close()
        pages.close()
        if lock.is_held:
            # They are derived: without them the next start reads the vectors from the index.
            try:
                vectors.snapshot()
                own.snapshot()
                units.snapshot()
            except StorageError as error:
                _log.warning("The vectors were not saved: %s", error.title)
        lock.release()
        index_database.close()
        work.database.close()

    def make_sync(retry: Retry) -> SyncFolder:
        # A program may have been installed since the last time.
        tesseract = reading.tesseract()
        parser.use_tesseract(tesseract)
        return SyncFolder(
            project.root,
            store=store,
            writer=IndexWriter(index_database),
            reader=parser,
            embedder=embedder,
            chunking=engines.chunking(),
            parser_version=reading_version(ReadingOptions(reading.languages()), tesseract),
            options=reading.options,
            retry=retry,
            hidden=reading.hidden_keys,
            wishes=wishes,
            own=shared.own_embedder.get(),
            lanes=shared.lanes(project.project_id),
        )

    parts = SessionParts(
        index=store,
        engines=engines,
        make_sync=make_sync,
        wishes=wishes,
        pace=shared.pace,
        reading=reading,
        lock=lock,
        templates=_templates(shared),
        agents=AgentStore(shared.resources, shared.places.config / "agents"),
        embedder=embedder,
        page_reader=pages,
        rescue=RescueCopies(shared.places.rescue, project.project_id),
        typed_prompts=TypedPromptStore(work.database),
        models=LanguageModelSlot(
            shared.model,
            lambda model: _prefixes(cache, model),
            lambda model: _guarded(store, model),
        ),
        on_close=close,
        index_folder=cache,
        versions=(
            ("parser", reading_version(ReadingOptions(reading.languages()), reading.tesseract())),
            ("windows", WINDOWS_VERSION),
            ("embedder", embedder.identity),
            ("models", _digest_of_models(shared.resources / "models")),
        ),
    )
    return ProjectSession(project, parts, work)


def _digest_of_models(folder: Path) -> str:
    """Return what names the bundled models that choose and judge: their figures, and the catalogue
    that has the digests of the large ones."""
    files = [folder / "catalogue.toml", *sorted(folder.glob("*.json"))]
    read = [each.read_bytes() for each in files if each.name != "tokenizer.json"]
    return sha256(b"".join(read)).hexdigest()[:16]


def _engines(
    project_id: str,
    shared: SharedParts,
    store: IndexStore,
    vectors: VectorCaches,
    own: OwnVectorCaches,
    units: UnitIndex,
    check: Callable[[], None],
) -> Engines:
    embedder = shared.embedder
    by_words = UnitIndex(store, WordVectors.identity)
    windows = WindowTables(store)
    keywords = KeywordIndex(store, windows)
    names = ProjectNames(store, shared.names)

    def make(profile: Profile) -> Engine:
        chunks = ChunkSets(store, chunking_for(profile.chunking))
        documents = ProfiledDocuments(store, chunks)
        near = vectors.get(profile.retrieval.graph)
        retriever = Retriever(
            store,
            near,
            embedder,
            profile,
            chunks=chunks,
            windows=windows,
            keywords=keywords,
            reranker=shared.reranker,
            own=own,
            names=names,
        )

        def drafting(units: UnitIndex, embedder: Embedder) -> Drafting:
            # Imported when a plan or a check is wanted first: the window is usable before.
            from phasergun_desktop.workspace.drafting_parts import DraftingTexts, make_drafting  # noqa: PLC0415

            texts = DraftingTexts(
                profile, shared.primary_context, _templates(shared), shared.resources, names
            )
            return make_drafting(
                documents,
                units,
                embedder,
                retriever,
                texts,
                shared.cross_encoder,
                lambda: hidden_names(store.files()),
            )

        return Engine(
            profile,
            chunks,
            documents,
            retriever,
            LatePart(lambda: drafting(units, embedder)),
            LatePart(lambda: drafting(by_words, WordVectors())),
        )

    settings = ProjectSettingsStore(_project_settings(project_id, shared))
    default = shared.settings.generation.profile
    return Engines(shared.profiles, settings, make, default, check)


def _project_settings(project_id: str, shared: SharedParts) -> Path:
    return shared.places.project_data(project_id) / "settings.json"


def _templates(shared: SharedParts) -> SectionTemplateStore:
    return SectionTemplateStore(shared.resources, shared.places.config / "templates")


def project_reading(project_id: str, shared: SharedParts) -> ProjectReading:
    """Return how the files of a project are read: passwords, languages and programs."""
    return ProjectReading(
        project_id,
        ProjectSettingsStore(_project_settings(project_id, shared)),
        shared.passwords,
        lambda: find_tesseract(shared.settings.indexing.tesseract_path),
    )


def _prefixes(cache: Path, model: LanguageModel) -> PrefixStore:
    # A state is in the library's own form: another version may read it as something else.
    key = f"{model.digest} {model.context_tokens} {llama_version()}"
    return PrefixStore(cache / "prefixes", key)


def _guarded(store: IndexStore, model: LanguageModel) -> LanguageModel:
    # One state of the index: no document may go between the list and its text.
    with store.reading():
        return GuardedModel(model, ConfidentialText(store.documents(), store.parsed))
