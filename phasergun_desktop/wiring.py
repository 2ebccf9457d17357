"""Puts the product together; with ``project_wiring`` the only module that names native adapters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.isolated.scratch import remove_abandoned
from phasergun_desktop.embedding.cross_encoder import CROSS_ENCODER_FILE, CrossEncoder
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.own_cross_encoder import CrossEncoderReranker
from phasergun_desktop.embedding.own_embedder import OwnEmbedder
from phasergun_desktop.embedding.shared_vectors import SHARED_FILE, SharedVectors
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from phasergun_desktop.language_models.model_check import ModelChecker
from phasergun_desktop.language_models.openai_compatible import OpenAICompatibleModel
from phasergun_desktop.models.model_store import ModelStore, open_store
from phasergun_desktop.paths import Places, resources_path, user_places
from phasergun_desktop.profiles.primary_context import find_primary_context, load_primary_context
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.project_wiring import SharedParts, make_session, project_reading
from phasergun_desktop.projects.project import Project
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.retrieval.reranking import LateInteraction
from phasergun_desktop.settings.endpoint_keys import KeyringKeys
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.settings.passwords import KeyringPasswords
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.sync.document_stages import DocumentStages
from phasergun_desktop.sync.pace import Pace, available_cores
from phasergun_desktop.sync.power_supply import is_on_battery
from phasergun_desktop.text.other_names import OtherNames
from phasergun_desktop.workspace.chosen_embedder import ChosenEmbedder
from phasergun_desktop.workspace.chosen_models import ModelMaker
from phasergun_desktop.workspace.chosen_reranker import ChosenReranker
from phasergun_desktop.workspace.language_model_slot import ChosenModel, SharedModel
from phasergun_desktop.workspace.model_choices import ModelChoices
from phasergun_desktop.workspace.sample_project import SampleProject
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.workspace.workspace import Workspace

if TYPE_CHECKING:
    from phasergun_desktop.evaluation.collection_run import CollectionEvaluation
    from phasergun_desktop.evaluation.draft_evaluation import DraftEvaluation
    from phasergun_desktop.evaluation.grounding_evaluation import GroundingEvaluation


@dataclass(frozen=True, slots=True)
class Application:
    """The whole product, ready for one of its faces."""

    workspace: Workspace
    models: ModelStore
    _shared: SharedParts

    @property
    def grounding(self) -> GroundingEvaluation:
        """The evaluation of the judge; what it needs is imported here, not for the window."""
        from phasergun_desktop.evaluation.grounding_evaluation import GroundingEvaluation  # noqa: PLC0415

        places, shared = self._shared.places, self._shared

        def model_problem() -> str:
            # Asked when it is needed: another model may have been chosen by then.
            return shared.model.chosen.problem()

        return GroundingEvaluation(
            shared.embedder,
            shared.cross_encoder,
            shared.resources / "models",
            data=places.data / "evaluation",
            cache=places.cache / "evaluation",
            model_problem=model_problem,
            get_model=shared.model.get,
        )

    @property
    def drafts(self) -> DraftEvaluation:
        """The evaluation of drafts."""
        from phasergun_desktop.evaluation.draft_evaluation import DraftEvaluation  # noqa: PLC0415

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
        where none is named. Raises ``ProfileError``, and ``ModelError`` for an embedder of the
        user's own that cannot be used."""
        from phasergun_desktop.evaluation.collection_run import CollectionEvaluation  # noqa: PLC0415

        shared = self._shared
        chosen = shared.profiles.load(profile or DEFAULT_PROFILE)
        own = shared.own_embedder.get()
        embedders = [each.identity for each in (shared.embedder, own) if each is not None]
        # A project of its own for each collection, all of it derived.
        below = shared.places.cache / "evaluation" / "collections"
        places = replace(shared.places, cache=below, data=below / "data")

        def opened(name: str) -> ProjectSession:
            project = Project(below / name, name, name)
            return make_session(project, replace(shared, places=places))

        return CollectionEvaluation(
            DocumentStages(shared.embedder, chunking_for(chosen.chunking), own, shared.lanes()),
            opened,
            profile=chosen,
            index_folder=places.project_cache,
            data=shared.places.data / "evaluation",
            versions="; ".join(dict.fromkeys((*embedders, shared.reranker.identity))),
        )

    def close(self) -> None:
        """Free what is shared by the projects."""
        self.workspace.close()


def build_application(
    places: Places | None = None,
    *,
    model: str | None = None,
    model_profile: ModelProfile | None = None,
    passwords: KeyringPasswords | None = None,
    keys: KeyringKeys | None = None,
) -> Application:
    """Put the product together; nothing heavy is loaded yet.

    ``model`` (a name of the catalogue or a GGUF file) stands in for the one in the settings,
    ``model_profile`` for the profile in use, ``passwords`` and ``keys`` for the system's keyring.
    Raises ``PhaserGunError`` where the product's own
    files are damaged.
    """
    places = places or user_places()
    places.make_private()
    resources = resources_path()
    remove_abandoned()
    settings_store = SettingsStore(places.config / "settings.json")
    settings = settings_store.load()
    store = open_store(places.models, resources)
    cores = available_cores()
    # For what somebody waits for: a search or a plan has few texts.
    threads = min(2, cores)
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
    vectors = SharedVectors(places.cache / SHARED_FILE)
    language_model = SharedModel(maker.in_use(generation, model or ""), of_profile)
    shared = SharedParts(
        places=places,
        resources=resources,
        settings=settings,
        embedder=embedder,
        own_embedder=ChosenEmbedder(lambda: settings_store.load().embedding, OwnEmbedder),
        vectors=vectors,
        pace=Pace(
            cores, is_generating=lambda: language_model.is_working, is_on_battery=is_on_battery
        ),
        model=language_model,
        reranker=ChosenReranker(
            lambda: settings_store.load().reranking,
            LateInteraction(embedder),
            language_model,
            CrossEncoderReranker,
        ),
        names=lambda: OtherNames(settings_store.load().naming.other_names),
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
        vectors.close()

    workspace = Workspace(
        places,
        ProjectRegistry(places.data / "projects.json"),
        settings_store,
        sample=SampleProject(
            resources / "sample_project",
            resources / "sample_draft.json",
            places.data / "Sample project",
        ),
        vectors=vectors,
        make_session=lambda project: make_session(project, shared),
        on_close=close,
        on_forget=lambda project_id: project_reading(project_id, shared).forget_passwords(),
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
