"""A small project with an engine per profile: hashed vectors, everything else as it is shipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import find_primary_context, load_primary_context
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.settings.project_settings import ProjectSettingsStore
from phasergun_desktop.workspace.drafting_parts import Drafting, DraftingTexts, make_drafting
from phasergun_desktop.workspace.engines import Engine, Engines
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.workspace.late_part import LatePart
from phasergun_desktop.workspace.session_profiles import SessionProfiles
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.small_project import SmallProject


class _Profiled(SessionProfiles):
    """What searches and plans, without the rest of a session."""

    def __init__(
        self, engines: Engines, project: SmallProject, templates: SectionTemplateStore
    ) -> None:
        self.engines = engines
        self._index = project.store
        self._templates = templates
        self._wishes = project.wishes


class ProfiledProject:
    """``project`` searched, planned and written with any profile. ``own_profiles`` is the user's
    folder of profiles."""

    def __init__(self, project: SmallProject, folder: Path) -> None:
        self.project = project
        resources = resources_path()
        self.own_profiles = folder / "own"
        self._context = load_primary_context(find_primary_context(resources))
        self._templates = SectionTemplateStore(resources, folder / "templates")
        self._vectors = project.vectors()
        self._units = UnitIndex(project.store, project.embedder.identity)
        self.engines = Engines(
            ProfileStore(resources, self.own_profiles),
            ProjectSettingsStore(folder / "settings.json"),
            self.engine,
        )
        self.session = _Profiled(self.engines, project, self._templates)

    def engine(self, profile: Profile) -> Engine:
        """Make the engine of ``profile``."""
        store, embedder = self.project.store, self.project.embedder
        chunks = ChunkSets(store, chunking_for(profile.chunking))
        documents = ProfiledDocuments(store, chunks)
        retriever = Retriever(store, self._vectors, embedder, profile, chunks=chunks)

        def drafting(units: UnitIndex, embedder: Embedder) -> Drafting:
            texts = DraftingTexts(profile, self._context, self._templates, resources_path())
            return make_drafting(
                documents, units, embedder, retriever, texts, bundled_cross_encoder()
            )

        return Engine(
            profile,
            chunks,
            documents,
            retriever,
            LatePart(lambda: drafting(self._units, embedder)),
            LatePart(lambda: drafting(UnitIndex(store, WordVectors.identity), WordVectors())),
        )

    def with_profile(self, name: str, profile: Profile) -> SessionProfiles:
        """Return what searches and plans with ``profile`` under the name ``name``."""
        made = self.engine(replace(profile, name=name))

        class _Only(Engines):
            def get(self, name: str = "") -> Engine:
                return made

        engines = _Only(
            ProfileStore(resources_path(), self.own_profiles),
            ProjectSettingsStore(self.own_profiles.parent / "settings.json"),
            self.engine,
        )
        return _Profiled(engines, self.project, self._templates)
