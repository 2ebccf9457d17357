"""Puts the product together: the only module that names native adapters."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.activity.log import ActivityLog, create_activity
from phasergun_desktop.answering.answerer import Answerer, AnswerTexts
from phasergun_desktop.answering.planner import Planner, PlanSettings
from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.chunking.windows import WINDOWS_VERSION
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.protocol import ReadingOptions, reading_version
from phasergun_desktop.documents.tools import find_tools
from phasergun_desktop.drafts.store import DraftStore, create_drafts
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import ModelError, StorageError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.vector_cache import VectorCache
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings, is_gguf
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.language_models.protocol import LanguageModel
from phasergun_desktop.models.store import ModelStore, open_store
from phasergun_desktop.paths import Places, resources_path, user_places
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import (
    PrimaryContext,
    find_primary_context,
    load_primary_context,
)
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.settings.model import Settings
from phasergun_desktop.settings.passwords import KeyringPasswords, PasswordStore
from phasergun_desktop.settings.project_settings import ProjectSettingsStore
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.storage.problems import storage_errors
from phasergun_desktop.sync.sync_folder import SyncFolder
from phasergun_desktop.sync.sync_plan import Retry
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.workspace.language_model_slot import (
    ChosenModel,
    LanguageModelSlot,
    SharedModel,
)
from phasergun_desktop.workspace.project_reading import ProjectReading
from phasergun_desktop.workspace.session import ProjectSession, SessionParts
from phasergun_desktop.workspace.workspace import Workspace

# The database of what the user made: append to this list, never change it.
WORK_MIGRATIONS = (create_activity, create_drafts)
WORK_FILE = "work.db"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Application:
    """The whole product, ready for one of its faces."""

    workspace: Workspace
    models: ModelStore

    def close(self) -> None:
        """Free what is shared by the projects."""
        self.workspace.close()


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every project uses: one embedder, one language model, the texts of the product."""

    places: Places
    resources: Path
    settings: Settings
    embedder: OnnxEmbedder
    model: SharedModel
    profile: Profile
    primary_context: PrimaryContext
    passwords: PasswordStore


def build_application(
    places: Places | None = None,
    *,
    model: str | None = None,
    passwords: PasswordStore | None = None,
) -> Application:
    """Put the product together; nothing heavy is loaded yet.

    ``model`` (a name of the catalogue or a GGUF file) stands in for the one in the settings,
    ``passwords`` for the system's keyring. Raises ``PhaserGunError`` where the product's own
    files are damaged.
    """
    places = places or user_places()
    resources = resources_path()
    settings_store = SettingsStore(places.config / "settings.json")
    settings = settings_store.load()
    store = open_store(places.models, resources)
    threads = max(1, min(2, os.cpu_count() or 1))
    shared = _Shared(
        places=places,
        resources=resources,
        settings=settings,
        embedder=OnnxEmbedder(
            resources / "models" / "all-MiniLM-L6-v2-int8.onnx",
            resources / "models" / "tokenizer.json",
            threads=threads,
        ),
        model=SharedModel(_chosen_model(model or settings.generation.model, store, settings)),
        profile=ProfileStore(resources, places.config / "profiles").load(
            settings.generation.profile
        ),
        primary_context=load_primary_context(find_primary_context(resources)),
        passwords=passwords or KeyringPasswords(),
    )

    def close() -> None:
        shared.model.close()
        shared.embedder.close()

    workspace = Workspace(
        places,
        ProjectRegistry(places.data / "projects.json"),
        settings_store,
        sample_source=resources / "sample_project",
        make_session=lambda project: _session(project, shared),
        on_close=close,
        on_forget=lambda project_id: _reading(project_id, shared).forget_passwords(),
    )
    return Application(workspace, store)


def _chosen_model(name: str, store: ModelStore, settings: Settings) -> ChosenModel:
    generation = settings.generation
    file = Path(name)
    is_file = file.suffix.lower() == ".gguf" or file.is_file()

    def find() -> tuple[Path, str, str]:
        if is_file:
            if file.is_file() and not is_gguf(file):
                raise ModelError(
                    "This is not a language model",
                    f"The file {file.name} is not a GGUF file, or it is damaged.",
                    "Choose a file that ends in .gguf.",
                )
            stat = file.stat() if file.is_file() else None
            identity = f"{file.name}-{stat.st_size}-{stat.st_mtime_ns}" if stat else ""
            return file, file.stem, identity
        entry = store.catalogue.entry(name)
        return store.path_of(name), entry.title, entry.sha256

    def problem() -> str:
        try:
            path, _, _ = find()
        except ModelError as error:
            return f"{error.message} {error.remedy}".strip()
        if path.is_file():
            return ""
        return f"The model file {path.name} is not there. Choose another one."

    def load() -> LlamaModel:
        path, title, digest = find()
        return LlamaModel(
            LlamaSettings(path, title, digest, generation.context_tokens, generation.threads)
        )

    title = file.stem if is_file else name
    return ChosenModel(title, problem, load)


def _session(project: Project, shared: _Shared) -> ProjectSession:
    cache = shared.places.project_cache(project.project_id)
    data = shared.places.project_data(project.project_id)
    for folder in (cache, data):
        with storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
    work_database = Database(data / WORK_FILE, WORK_MIGRATIONS)
    try:
        index_database, _ = open_index(cache)
    except BaseException:
        work_database.close()
        raise
    store = IndexStore(index_database)
    embedder, profile = shared.embedder, shared.profile
    chunking = chunking_for(profile.chunking)
    documents = ProfiledDocuments(store, ChunkSets(store, chunking))
    vectors = VectorCache(store, cache, identity=embedder.identity, dimensions=embedder.dimensions)
    retriever = Retriever(store, vectors, embedder, profile)
    system = shared.primary_context.tier_one()
    standards = tuple((s.name, s.title) for s in shared.primary_context.standards)
    # Two children: a page can be shown while a document is being read.
    reading = _reading(project.project_id, shared)
    limits = ReadingLimits(seconds=shared.settings.indexing.parse_limit_s)
    parser = ChildProcessReader(limits, reading.tools())
    pages = ChildProcessReader(limits)
    lock = ProjectLock(cache / "writer.lock")

    def close() -> None:
        parser.close()
        pages.close()
        if lock.is_held:
            # The snapshot is derived: without it the next start reads the vectors from the index.
            try:
                vectors.snapshot()
            except StorageError as error:
                _log.warning("The vectors were not saved: %s", error.title)
        lock.release()
        index_database.close()
        work_database.close()

    def make_sync(retry: Retry) -> SyncFolder:
        # A program may have been installed since the last time.
        tools = reading.tools()
        parser.use_tools(tools)
        return SyncFolder(
            project.root,
            store=store,
            writer=IndexWriter(index_database),
            reader=parser,
            embedder=embedder,
            chunking=chunking,
            parser_version=reading_version(ReadingOptions(reading.languages()), tools),
            options=reading.options,
            retry=retry,
        )

    parts = SessionParts(
        index=store,
        make_sync=make_sync,
        reading=reading,
        lock=lock,
        retriever=retriever,
        resolver=PromptResolver(documents),
        planner=Planner(
            documents,
            retriever,
            embedder,
            _plan_settings(profile),
            system=system,
            standards=standards,
            count_tokens=embedder.count_tokens,
        ),
        answerer=Answerer(
            documents,
            embedder,
            system=system,
            standards=standards,
            texts=AnswerTexts(
                profile.answer.fallback,
                profile.answer.not_in_documents,
                profile.answer.ingest_hint,
            ),
            temperature=profile.answer.temperature,
        ),
        embedder=embedder,
        page_reader=pages,
        models=LanguageModelSlot(shared.model, lambda model: _prefixes(cache, model)),
        on_close=close,
        index_folder=cache,
        versions=(
            (
                "parser",
                reading_version(ReadingOptions(reading.languages()), reading.tools()),
            ),
            ("windows", WINDOWS_VERSION),
            ("chunker", f"{chunking.procedures.identity} {chunking.context.identity}"),
            ("embedder", embedder.identity),
            ("profile", profile.name),
        ),
    )
    return ProjectSession(project, parts, DraftStore(work_database), ActivityLog(work_database))


def _reading(project_id: str, shared: _Shared) -> ProjectReading:
    indexing = shared.settings.indexing
    return ProjectReading(
        project_id,
        ProjectSettingsStore(shared.places.project_data(project_id) / "settings.json"),
        shared.passwords,
        lambda: find_tools(
            shared.places.project_cache(project_id) / "converted",
            tesseract=indexing.tesseract_path,
            soffice=indexing.soffice_path,
        ),
    )


def _prefixes(cache: Path, model: LanguageModel) -> PrefixStore:
    return PrefixStore(cache / "prefixes", f"{model.digest} {model.context_tokens}")


def _plan_settings(profile: Profile) -> PlanSettings:
    retrieval = profile.retrieval
    return PlanSettings(
        profile=profile.name,
        procedure_hits=retrieval.procedure_passages,
        context_hits=retrieval.context_passages,
        procedure_hits_unreferenced=retrieval.procedure_passages_unreferenced,
        context_hits_unreferenced=retrieval.context_passages_unreferenced,
        reading_tokens=profile.prompt.reading_budget_tokens,
        min_similarity=profile.abstention.min_score,
    )
