"""Puts the product together: the only module that names native adapters."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.chunking.windows import WINDOWS_VERSION
from phasergun_desktop.documents.document_reader import ReadingOptions, reading_version
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.isolated.scratch import remove_abandoned
from phasergun_desktop.documents.tools import find_tools
from phasergun_desktop.drafts.rescue import RescueCopies
from phasergun_desktop.drafts.typed_prompts import TypedPromptStore
from phasergun_desktop.embedding.cross_encoder import CROSS_ENCODER_FILE, CrossEncoder
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.own_cross_encoder import CrossEncoderReranker
from phasergun_desktop.embedding.telemetry import remove_telemetry
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.keyword_index import KeywordIndex
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.vector_caches import VectorCaches
from phasergun_desktop.index.window_table import WindowTables
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings, llama_version
from phasergun_desktop.language_models.model_check import ModelChecker
from phasergun_desktop.language_models.openai_compatible import OpenAICompatibleModel
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.models.model_store import ModelStore, open_store
from phasergun_desktop.paths import Places, resources_path, user_places
from phasergun_desktop.profiles.agents import AgentStore
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import (
    PrimaryContext,
    find_primary_context,
    load_primary_context,
)
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.retrieval.reranking import LateInteraction, Reranker
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.settings.endpoint_keys import EndpointKeyStore, KeyringKeys
from phasergun_desktop.settings.model import Generation, Settings
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.settings.passwords import KeyringPasswords, PasswordStore
from phasergun_desktop.settings.project_settings import ProjectSettingsStore
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.sync.document_stages import DocumentStages
from phasergun_desktop.sync.sync_folder import SyncFolder
from phasergun_desktop.sync.sync_plan import Retry
from phasergun_desktop.workspace.chosen_models import ModelMaker
from phasergun_desktop.workspace.chosen_reranker import ChosenReranker
from phasergun_desktop.workspace.engines import Engine, Engines
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.workspace.language_model_slot import (
    ChosenModel,
    LanguageModelSlot,
    SharedModel,
)
from phasergun_desktop.workspace.late_part import LatePart
from phasergun_desktop.workspace.model_choices import ModelChoices
from phasergun_desktop.workspace.outgoing import ConfidentialText, GuardedModel
from phasergun_desktop.workspace.project_reading import ProjectReading
from phasergun_desktop.workspace.sample_project import SampleProject
from phasergun_desktop.workspace.session import ProjectSession, SessionParts
from phasergun_desktop.workspace.work_storage import open_work
from phasergun_desktop.workspace.workspace import Workspace

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.collection_run import CollectionEvaluation
    from phasergun_desktop.evaluation.draft_evaluation import DraftEvaluation
    from phasergun_desktop.evaluation.grounding_evaluation import GroundingEvaluation
    from phasergun_desktop.workspace.drafting_parts import Drafting

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Application:
    """The whole product, ready for one of its faces."""

    workspace: Workspace
    models: ModelStore
    _shared: _Shared

    @property
    def grounding(self) -> GroundingEvaluation:
        """The evaluation of the judge; what it needs is imported here, not for the window."""
        from phasergun_desktop.evaluation.grounding_evaluation import (  # noqa: PLC0415
            GroundingEvaluation,
        )

        places, shared = self._shared.places, self._shared

        def model_problem() -> str:
            # Asked when it is needed: another model may have been chosen by then.
            return shared.model.chosen.problem()

        return GroundingEvaluation(
            shared.embedder,
            shared.resources / "models",
            data=places.data / "evaluation",
            cache=places.cache / "evaluation",
            model_problem=model_problem,
            get_model=shared.model.get,
        )

    @property
    def drafts(self) -> DraftEvaluation:
        """The evaluation of drafts."""
        from phasergun_desktop.evaluation.draft_evaluation import (  # noqa: PLC0415
            DraftEvaluation,
        )

        return DraftEvaluation(
            self._shared.places.data / "evaluation", self._shared.embedder.identity
        )

    @property
    def runs_file(self) -> Path:
        """The database of the evaluation runs that belong to no project."""
        from phasergun_desktop.evaluation.run_store import RUNS_FILE  # noqa: PLC0415

        return self._shared.places.data / "evaluation" / RUNS_FILE

    def collections(self, profile: str = "") -> CollectionEvaluation:
        """Return the evaluation of search on test collections with a profile, the default one
        where none is named. Raises ``ProfileError``."""
        from phasergun_desktop.evaluation.collection_run import (  # noqa: PLC0415
            CollectionEvaluation,
        )

        shared = self._shared
        chosen = shared.profiles.load(profile or DEFAULT_PROFILE)
        # A project of its own for each collection, all of it derived.
        below = shared.places.cache / "evaluation" / "collections"
        places = replace(shared.places, cache=below, data=below / "data")

        def opened(name: str) -> ProjectSession:
            project = Project(below / name, name, name)
            return _session(project, replace(shared, places=places))

        return CollectionEvaluation(
            DocumentStages(shared.embedder, chunking_for(chosen.chunking)),
            opened,
            profile=chosen,
            index_folder=places.project_cache,
            data=shared.places.data / "evaluation",
            versions="; ".join(dict.fromkeys((shared.embedder.identity, shared.reranker.identity))),
        )

    def close(self) -> None:
        """Free what is shared by the projects."""
        self.workspace.close()


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every project uses: one embedder, one cross-encoder, one language model, the product's
    texts."""

    places: Places
    resources: Path
    settings: Settings
    embedder: OnnxEmbedder
    cross_encoder: CrossEncoder
    model: SharedModel
    reranker: Reranker
    profiles: ProfileStore
    primary_context: PrimaryContext
    passwords: PasswordStore


def build_application(
    places: Places | None = None,
    *,
    model: str | None = None,
    model_profile: ModelProfile | None = None,
    passwords: PasswordStore | None = None,
    keys: EndpointKeyStore | None = None,
) -> Application:
    """Put the product together; nothing heavy is loaded yet.

    ``model`` (a name of the catalogue or a GGUF file) stands in for the one in the settings,
    ``model_profile`` for the profile in use, ``passwords`` and ``keys`` for the system's keyring.
    Raises ``PhaserGunError`` where the product's own
    files are damaged.
    """
    places = places or user_places()
    places.make_private()
    remove_telemetry(platformdirs.user_cache_path())
    resources = resources_path()
    remove_abandoned()
    settings_store = SettingsStore(places.config / "settings.json")
    settings = settings_store.load()
    store = open_store(places.models, resources)
    threads = max(1, min(2, os.cpu_count() or 1))
    keys = keys or KeyringKeys()

    def consented(profile: ModelProfile) -> str:
        return settings_store.load().generation.choice(profile).endpoint.consented_address

    maker = ModelMaker(store, keys, _load_local, OpenAICompatibleModel, consented)
    generation = settings.generation
    if model_profile is not None:
        generation = replace(generation, model_profile=model_profile)

    def of_profile(profile: ModelProfile) -> ChosenModel:
        # What was named for this run outranks an agent's wish.
        if model or model_profile is not None:
            return language_model.chosen
        now = settings_store.load().generation
        return maker.in_use(replace(now, model_profile=profile))

    embedder = OnnxEmbedder(
        resources / "models" / "all-MiniLM-L6-v2-int8.onnx",
        resources / "models" / "tokenizer.json",
        threads=threads,
    )
    language_model = SharedModel(maker.in_use(generation, model or ""), of_profile)
    shared = _Shared(
        places=places,
        resources=resources,
        settings=settings,
        embedder=embedder,
        model=language_model,
        reranker=ChosenReranker(
            lambda: settings_store.load().reranking,
            LateInteraction(embedder),
            language_model,
            CrossEncoderReranker,
        ),
        cross_encoder=CrossEncoder(
            resources / "models" / CROSS_ENCODER_FILE,
            resources / "models" / "tokenizer.json",
            threads=threads,
        ),
        profiles=ProfileStore(resources, places.config / "profiles"),
        primary_context=load_primary_context(find_primary_context(resources)),
        passwords=passwords or KeyringPasswords(),
    )

    def close() -> None:
        shared.model.close()
        shared.embedder.close()
        shared.cross_encoder.close()

    workspace = Workspace(
        places,
        ProjectRegistry(places.data / "projects.json"),
        settings_store,
        sample=SampleProject(
            resources / "sample_project",
            resources / "sample_draft.json",
            places.data / "Sample project",
        ),
        make_session=lambda project: _session(project, shared),
        on_close=close,
        on_forget=lambda project_id: _reading(project_id, shared).forget_passwords(),
        language_models=ModelChoices(
            settings_store,
            store,
            shared.model,
            keys,
            ModelChecker(places.cache / "model-checks"),
            maker,
            OpenAICompatibleModel,
        ),
    )

    return Application(workspace, store, shared)


def _load_local(path: Path, title: str, digest: str, generation: Generation) -> LanguageModel:
    return LlamaModel(
        LlamaSettings(path, title, digest, generation.context_tokens, generation.threads)
    )


def _session(project: Project, shared: _Shared) -> ProjectSession:
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
    units = UnitIndex(store, embedder.identity, cache)
    engines = _engines(project.project_id, shared, store, vectors, units)
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
            # They are derived: without them the next start reads the vectors from the index.
            try:
                vectors.snapshot()
                units.snapshot()
            except StorageError as error:
                _log.warning("The vectors were not saved: %s", error.title)
        lock.release()
        index_database.close()
        work.database.close()

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
            chunking=engines.chunking(),
            parser_version=reading_version(ReadingOptions(reading.languages()), tools),
            options=reading.options,
            retry=retry,
        )

    parts = SessionParts(
        index=store,
        engines=engines,
        make_sync=make_sync,
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
            (
                "parser",
                reading_version(ReadingOptions(reading.languages()), reading.tools()),
            ),
            ("windows", WINDOWS_VERSION),
            ("embedder", embedder.identity),
        ),
    )
    return ProjectSession(project, parts, work)


def _engines(
    project_id: str,
    shared: _Shared,
    store: IndexStore,
    vectors: VectorCaches,
    units: UnitIndex,
) -> Engines:
    embedder = shared.embedder
    by_words = UnitIndex(store, WordVectors.identity)
    windows = WindowTables(store)
    keywords = KeywordIndex(store, windows)

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
        )

        def drafting(units: UnitIndex, embedder: Embedder) -> Drafting:
            # Imported when a plan or a check is wanted first: the window is usable before.
            from phasergun_desktop.workspace.drafting_parts import (  # noqa: PLC0415
                DraftingTexts,
                make_drafting,
            )

            models = shared.resources / "models"
            texts = DraftingTexts(profile, shared.primary_context, _templates(shared), models)
            return make_drafting(documents, units, embedder, retriever, texts, shared.cross_encoder)

        return Engine(
            profile,
            chunks,
            documents,
            retriever,
            LatePart(lambda: drafting(units, embedder)),
            LatePart(lambda: drafting(by_words, WordVectors())),
        )

    settings = ProjectSettingsStore(_project_settings(project_id, shared))
    return Engines(shared.profiles, settings, make, shared.settings.generation.profile)


def _project_settings(project_id: str, shared: _Shared) -> Path:
    return shared.places.project_data(project_id) / "settings.json"


def _templates(shared: _Shared) -> SectionTemplateStore:
    return SectionTemplateStore(shared.resources, shared.places.config / "templates")


def _reading(project_id: str, shared: _Shared) -> ProjectReading:
    return ProjectReading(
        project_id,
        ProjectSettingsStore(_project_settings(project_id, shared)),
        shared.passwords,
        lambda: find_tools(shared.settings.indexing.tesseract_path),
    )


def _prefixes(cache: Path, model: LanguageModel) -> PrefixStore:
    # A state is in the library's own form: another version may read it as something else.
    key = f"{model.digest} {model.context_tokens} {llama_version()}"
    return PrefixStore(cache / "prefixes", key)


def _guarded(store: IndexStore, model: LanguageModel) -> LanguageModel:
    # One state of the index: no document may go between the list and its text.
    with store.reading():
        return GuardedModel(model, ConfidentialText(store.documents(), store.parsed))
