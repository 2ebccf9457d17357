"""The engines of one project: what searches, plans and writes with one profile, made on first use
and kept beside those of the other profiles."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from phasergun_desktop.chunking.strategies import Chunking, chunking_for
from phasergun_desktop.errors import ModelError, ProfileError
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.profile_store import DEFAULT_PROFILE, ProfileStore
from phasergun_desktop.retrieval.query_text import by_keywords_alone
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.settings.project_settings import ProjectSettingsStore
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.workspace.late_part import LatePart

if TYPE_CHECKING:
    from phasergun_desktop.workspace.drafting_parts import Drafting


@dataclass(frozen=True, slots=True)
class Engine:
    """What works with ``profile``: the documents with its chunk set, its retriever, and what plans
    and writes with it; ``by_words`` does so where the embedder fails."""

    profile: Profile
    chunks: ChunkSets
    documents: ProfiledDocuments
    retriever: Retriever
    drafting: LatePart[Drafting]
    by_words: LatePart[Drafting]

    def drafting_of(self, plan: Plan) -> Drafting:
        """Return what ``plan`` was made with."""
        return (self.by_words if plan.by_words else self.drafting).get()

    def planned(self, make: Callable[[Drafting], Plan]) -> Plan:
        """Return the plan that ``make`` makes: where the embedder fails by words alone, which a
        warning says."""
        try:
            return make(self.drafting.get())
        except ModelError as error:
            plan = make(self.by_words.get())
            warnings = dict.fromkeys((by_keywords_alone(error), *plan.warnings))
            return replace(plan, by_words=True, warnings=tuple(warnings))


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """A profile in a list. ``is_own``: the file is the user's; ``problem`` says with line and
    column why it cannot be used, empty for one that can."""

    name: str
    title: str
    description: str
    is_own: bool
    problem: str = ""


class Engines:
    """Makes engines on first use. A profile whose file says something else gets a new one; that of
    another profile is never discarded. Projects that have chosen none use ``default``. ``check``
    raises where nothing may be searched or planned now. Safe on any thread."""

    def __init__(
        self,
        profiles: ProfileStore,
        settings: ProjectSettingsStore,
        make: Callable[[Profile], Engine],
        default: str = DEFAULT_PROFILE,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = profiles
        self._settings = settings
        self._make = make
        self._default = default
        self._check = check
        self._lock = threading.Lock()
        self._made: dict[str, Engine] = {}

    @property
    def profile_name(self) -> str:
        """The profile of the project."""
        return self._settings.load().asking.profile or self._default

    def set_profile(self, name: str) -> None:
        """Use the profile ``name`` in this project. Raises ``ProfileError`` where it is not known
        or not valid, ``StorageError``."""
        self.store.load(name)
        self._settings.change(
            lambda known: replace(known, asking=replace(known.asking, profile=name))
        )

    def entries(self) -> tuple[ProfileEntry, ...]:
        """Return every profile, the default one first, also those that cannot be used."""
        return tuple(map(self._entry, self.store.names()))

    def _entry(self, name: str) -> ProfileEntry:
        is_own = self.store.is_own(name)
        try:
            profile = self.store.load(name)
        except ProfileError as error:
            return ProfileEntry(name, name, "", is_own, f"{error.message} {error.remedy}".rstrip())
        return ProfileEntry(name, profile.title, profile.description, is_own)

    def get(self, name: str = "") -> Engine:
        """Return the engine of the profile ``name``, empty for the project's. Raises
        ``ProfileError`` where it is not known or not valid, and what ``check`` raises."""
        self._check()
        profile = self.store.load(name or self.profile_name)
        with self._lock:
            engine = self._made.get(profile.name)
            if engine is None or engine.profile != profile:
                engine = self._made[profile.name] = self._make(profile)
            return engine

    def usable(self, name: str = "") -> Engine:
        """Return the engine of the profile ``name`` or, where that cannot be used, the default
        one: an index must not wait until a profile is mended."""
        try:
            return self.get(name)
        except ProfileError:
            return self.get(DEFAULT_PROFILE)

    def prepare(self, name: str = "") -> Job[int]:
        """Cut what the profile ``name`` has not cut yet, beside what others have; return how many
        documents that were. Without it the first search does so, without a word. Yields
        ``Progress``, the first before anything is cut; raises ``ProfileError``."""
        engine = self.get(name)
        missing = engine.chunks.missing()
        what = f"Preparing the documents for the profile “{engine.profile.title}”"
        for done, document_id in enumerate(missing):
            yield Progress(what, done, len(missing), "documents")
            engine.chunks.chunks(document_id)
        return len(missing)

    def chunking(self) -> Chunking:
        """Return how the documents of this project are cut when they are indexed."""
        return chunking_for(self._usable_profile().chunking)

    def versions(self) -> Iterable[tuple[str, str]]:
        """Return the names of profile and chunkers, for ``status --json``."""
        chunking = self.chunking()
        yield "chunker", f"{chunking.procedures.identity} {chunking.context.identity}"
        yield "profile", self.profile_name
        yield "profile_digest", self._usable_profile().digest()

    def _usable_profile(self) -> Profile:
        try:
            return self.store.load(self.profile_name)
        except ProfileError:
            return self.store.load(DEFAULT_PROFILE)
