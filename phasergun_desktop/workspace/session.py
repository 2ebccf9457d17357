"""One open project with everything that can be done in it; both faces use this and no more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.documents.document_reader import DocumentReader, PageImage
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.drafts.rescue import RescueCopies, save_or_rescue
from phasergun_desktop.drafts.typed_prompts import TypedPrompt, TypedPromptStore
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.errors import (
    DocumentError,
    DocumentProblem,
    ModelError,
    PhaserGunError,
    ProjectError,
    StorageError,
)
from phasergun_desktop.grounding.judge import Evidence, EvidenceText
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import KeywordIndex
from phasergun_desktop.index.records import DocumentRecord, FileRecord
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.planning.model import FoundUnits, Plan
from phasergun_desktop.profiles.agents import Agent, AgentStore
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.projects.project import Project
from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.reference_names import ReferenceNames, names_of
from phasergun_desktop.storage.locks import ProjectLock
from phasergun_desktop.sync.events import SyncReport
from phasergun_desktop.sync.folder_watch import FolderWatch
from phasergun_desktop.sync.hidden_files import hidden_among
from phasergun_desktop.sync.pace import Pace
from phasergun_desktop.sync.sync_folder import SyncFolder
from phasergun_desktop.sync.sync_plan import Retry
from phasergun_desktop.sync.sync_wishes import SyncWishes
from phasergun_desktop.workspace.engines import Engines
from phasergun_desktop.workspace.folder_state import files_now, folder_bytes, why_not_shown
from phasergun_desktop.workspace.kept_results import failure_of, indexing_of
from phasergun_desktop.workspace.language_model_slot import LanguageModelSlot
from phasergun_desktop.workspace.project_reading import ProjectReading
from phasergun_desktop.workspace.session_asking import SessionAsking
from phasergun_desktop.workspace.session_categories import SessionCategories
from phasergun_desktop.workspace.session_evaluation import SessionEvaluation
from phasergun_desktop.workspace.session_prompts import SessionPrompts
from phasergun_desktop.workspace.work_storage import WorkStorage
from phasergun_desktop.writing.model import AnswerResult

if TYPE_CHECKING:
    from phasergun_desktop.workspace.drafting_parts import Drafting


class ProjectInUseError(ProjectError):
    """Another instance keeps the index of this project up to date."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """An indexed document with its text and blocks."""

    record: DocumentRecord
    document: ParsedDocument


@dataclass(frozen=True, slots=True)
class SessionParts:
    """What a session is made of; ``project_wiring`` puts it together."""

    index: IndexStore
    engines: Engines
    make_sync: Callable[[Retry], SyncFolder]
    wishes: SyncWishes
    pace: Pace
    reading: ProjectReading
    lock: ProjectLock
    templates: SectionTemplateStore
    agents: AgentStore
    rescue: RescueCopies
    typed_prompts: TypedPromptStore
    embedder: Embedder
    page_reader: DocumentReader
    models: LanguageModelSlot
    on_close: Callable[[], None]
    index_folder: Path
    versions: tuple[tuple[str, str], ...] = ()


class ProjectSession(SessionAsking, SessionPrompts, SessionCategories, SessionEvaluation):
    """An open project. Readers are safe on any thread; ``sync`` belongs to the one that writes
    the index, ``draft`` to the one that owns the language model."""

    def __init__(self, project: Project, parts: SessionParts, work: WorkStorage) -> None:
        self.project = project
        self.drafts = work.drafts
        self.activity = work.activity
        self.engines = parts.engines
        self.rescue = parts.rescue
        self._work = work
        self._index = parts.index
        self._models = parts.models
        self._agents = parts.agents
        self._templates = parts.templates
        self._wishes = parts.wishes
        self._parts = parts
        self.reading = parts.reading

    # ------------------------------------------------------------ files and index

    def files(self) -> tuple[FileRecord, ...]:
        """Return every file of the folder with its state, as the last sync saw it."""
        return self._index.files()

    def files_now(self) -> tuple[FileRecord, ...]:
        """Return every file as it lies in the folder now; what the index does not know in this
        form is pending. Nothing is written. Raises ``ProjectError`` for an unreadable folder."""
        return files_now(self.project.root, self.files(), self.reading.hidden_keys())

    def documents(self) -> tuple[DocumentRecord, ...]:
        """Return every indexed document: how it was read, what it says of itself, its warnings."""
        return self._index.documents()

    def sync(
        self,
        *,
        retry_failed: bool = False,
        retry_files: frozenset[str] = frozenset(),
        renew: bool = False,
    ) -> Job[SyncReport]:
        """Bring the index up to date; yields ``Progress`` and ``FileChanged``.

        Read again though unchanged: everything that failed (``retry_failed``), ``retry_files``,
        when a password was added, the files that failed for want of one, and what another version
        has made: of what takes over a minute the report ``asks``, unless ``renew`` allows it.
        Raises ``ProjectInUseError`` while another instance keeps the index of this project: it can
        be searched and drafted from all the same; so it can after a ``StorageError``.
        """
        if self._index.write_problem is not None:
            raise self._index.write_problem
        if not self._parts.lock.acquire():
            holder = self._parts.lock.holder()
            who = f" (process {holder.pid})" if holder else ""
            raise ProjectInUseError(
                "The project is open elsewhere",
                f"Another PhaserGun{who} keeps its index up to date.",
                "You can go on writing here; close the other one to index from here.",
            )
        locked: set[str] = set()
        if self.reading.take_new_password():
            locked = {f.file for f in self.files() if f.problem is DocumentProblem.PASSWORD}
        retry = Retry(retry_failed, retry_files | locked, outdated=renew)
        report: SyncReport = yield from self._parts.make_sync(retry).run()
        if report.changed or report.removed or report.renamed:
            try:
                self.activity.append(indexing_of(report, self.project.name))
            except StorageError as error:
                # The index is in a database of its own, and it is up to date.
                unlogged = f"This is not in the activity log: {error.message} {error.remedy}"
                report = replace(report, warnings=(*report.warnings, unlogged))
        return report

    def look_again(self) -> None:
        """Have a sync that is running look at the folder again before it reads the next file."""
        self._wishes.look_again()

    def note_typing(self) -> None:
        """Have background work leave the machine to the writer for some seconds."""
        self._parts.pace.typed()

    def details(self) -> dict[str, object]:
        """Return sizes and versions of the index, for ``status --json``."""
        index = self._index
        return {
            "index": {
                "version": index.version(),
                "id": index.index_id(),
                "documents": len(index.documents()),
                "embedder": self._parts.embedder.identity,
                "size": folder_bytes(self._parts.index_folder),
            },
            "versions": dict((*self._parts.versions, *self.engines.versions())),
            "project": {"id": self.project.project_id, "name": self.project.name},
            "hidden": list(self.reading.hidden_labels()),
        }

    def versions_in_words(self, profile: str = "") -> str:
        """Return what searches and plans here with a profile (empty: the project's), for the
        record of an evaluation. Raises ``ProfileError``."""
        index, engine = self._index, self.engines.get(profile)
        used, reranker = engine.profile, engine.retriever.reranker
        versions = "; ".join(f"{name} {version}" for name, version in self._parts.versions)
        if engine.retriever.own_embedder:
            versions += f"; searches with {engine.retriever.own_embedder}"
        if reranker not in ("", self._parts.embedder.identity):
            versions += f"; reranker {reranker}"
        made = f"index {index.version()} of {index.index_id()[:8]}"
        return f"{made}; {versions}; profile {used.name} {used.digest()}"

    def watch(self, on_dirty: Callable[[], None]) -> Callable[[], None]:
        """Call ``on_dirty`` on another thread when the folder changed or the index is found to be
        damaged; return what stops it."""
        integrity = self._index.integrity

        def on_change() -> None:
            self.look_again()
            on_dirty()

        watch = FolderWatch(self.project.root, on_change)
        watch.start()
        integrity.on_damage = on_dirty

        def stop() -> None:
            integrity.on_damage = None
            watch.stop()

        return stop

    def occurring(self, words: frozenset[str]) -> frozenset[str]:
        """Return which of ``words`` stand in a document; see ``KeywordIndex.occurring``."""
        return KeywordIndex(self._index).occurring(words)

    def source(self, file: str) -> SourceDocument:
        """Return an indexed document; ``ProjectError`` says why there is none."""
        record = self._index.document_by_file(file)
        if record is None or hidden_among([record], self.reading.hidden_keys()):
            raise why_not_shown(file, self.files())
        return SourceDocument(record, self._index.parsed(record.document_id))

    def page_image(self, file: str, page: int, scale: float) -> PageImage:
        """Render a page in the parser's child process; ``scale`` 1.0 is 72 dots per inch."""
        options = self.reading.options()
        return self._parts.page_reader.render_page(self.project.root / file, page, scale, options)

    # ------------------------------------------------------------ prompts

    def typed_prompts(self) -> tuple[TypedPrompt, ...]:
        """Return what was typed as prompts and is not in their files."""
        return self._parts.typed_prompts.load()

    def keep_typed_prompts(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Keep what was typed as prompts, apart from their files; see ``save_draft``."""
        save_or_rescue(self._parts.typed_prompts.save, self.rescue, prompts)

    # ------------------------------------------------------------ planning and drafting

    def templates(self) -> tuple[SectionTemplate, ...]:
        """Return the templates that can be used, by family and title; read anew each time."""
        return self._templates.usable()

    def template(self, name: str) -> SectionTemplate:
        """Return a template. Raises ``ProfileError`` when it is not known or not valid."""
        return self._templates.load(name)

    def plan_of(self, printed: object) -> Plan:
        """Return the plan of a draft that states what is ticked in ``printed``, the object that
        ``plan --json`` printed. Raises ``PromptError`` where that is not possible."""
        from phasergun_desktop.workspace.printed_plan import read_printed_plan  # noqa: PLC0415

        with self._index.reading():
            read = read_printed_plan(printed, self.engines.usable().documents)
            template = self.template(read.template) if read.template else None
            words = self.agent(read.agent).maximum_words if read.agent else 0

            def made(drafting: Drafting) -> Plan:
                planning = drafting.filtered(read.filters)
                resolution = planning.resolver.resolve(read.prompt)
                plan = planning.planner.plan_of(
                    resolution, read.needs, template, maximum_words=words
                )
                return planning.compared(replace(plan, filters=read.filters, agent=read.agent))

            return self.engines.get(read.profile).planned(made)

    def reference_names(self) -> ReferenceNames:
        """Return all that a prompt can name in this project; documents are read for it."""
        return names_of(DocumentCatalog(self.engines.usable().documents))

    def search_units(self, query: str, *, limit: int = 20) -> FoundUnits:
        """Search every layer for units that a writer may add to a plan, best first."""
        engine = self.engines.usable()
        try:
            return engine.drafting.get().unit_search.find(query, limit)
        except ModelError:
            return engine.by_words.get().unit_search.find(query, limit)

    def draft(
        self, plan: Plan, *, should_stop: Callable[[], bool], use_model: bool = True
    ) -> Job[AnswerResult]:
        """Write ``plan``; see ``Answerer.answer``. Loading the model counts as the first step.

        A failure before anything is stated is logged and raised.
        """
        try:
            return (yield from self._drafted(plan, should_stop, use_model))
        except PhaserGunError as error:
            model = self._models.name if use_model else ""
            # Where it cannot be logged either, the writer hears of what came first.
            with suppress(StorageError):
                entry = failure_of(ActivityKind.DRAFT, plan, error, self.project.name, model)
                self.activity.append(entry)
            raise

    # ------------------------------------------------------------ the model

    def warm(self) -> Job[None]:
        """Load embedder, vectors, judge and model, so that neither the first draft nor the first
        question waits for them, or holds the window up with them."""
        yield Progress("Loading the index")
        try:
            self._parts.embedder.embed(["warm"])
            engine = self.engines.usable()
            # Searches windows, which reads vectors and words, and reads the units.
            engine.drafting.get().unit_search.find("warm", 1)
            self.plan("What is warm?", profile=engine.profile.name, asks=True)
            engine.retriever.warm()
            self._parts.page_reader.warm()
            # Reads the weights of words, makes the patterns of values (100 ms) and, for what is no
            # copy, the first run of the cross-encoder.
            stated = Evidence((EvidenceText("A test takes 5 s."),))
            engine.drafting.get().new_judge().judge("It takes 5 s to test.", stated)
            if not self._models.problem():
                yield Progress("Loading the language model")
                with self._models.turn():
                    self._models.get()
        except (DocumentError, ModelError, ProjectError, StorageError):
            # It is reported when it is needed; warming is a courtesy.
            return

    def model_status(self, agent: Agent | None = None) -> str:
        """Return ``""`` when a model (of ``agent``, if there is one) can be loaded, else why not
        and what to do, in a sentence."""
        return self._models_of(agent).problem()

    def model_name(self) -> str:
        """Return the name of the chosen language model."""
        return self._models.name

    def close(self) -> None:
        """Free the index, the child processes and the model's prefix state."""
        self._parts.on_close()
