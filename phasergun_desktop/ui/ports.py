"""What the window asks of an open project and of the workspace, and nothing more.

What they return is imported for typing alone: the window is there before its libraries are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from phasergun_desktop.ui.prompt_ports import PromptsPort
from phasergun_desktop.ui.proof_ports import DraftProofPort

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from phasergun_desktop.documents.protocol import PageImage
    from phasergun_desktop.drafts.model import Draft
    from phasergun_desktop.drafts.rescue import RescueCopy
    from phasergun_desktop.drafts.store import DraftSummary
    from phasergun_desktop.drafts.typed_prompts import TypedPrompt
    from phasergun_desktop.index.records import FileRecord
    from phasergun_desktop.jobs import Job
    from phasergun_desktop.language_models.model_check import ModelCheck
    from phasergun_desktop.models.store import ModelStatus
    from phasergun_desktop.planning.model import Plan, PlannedUnit
    from phasergun_desktop.profiles.section_template import SectionTemplate
    from phasergun_desktop.projects.project import Project
    from phasergun_desktop.projects.project_records import RegisteredProject
    from phasergun_desktop.retrieval.model import SearchResult
    from phasergun_desktop.settings.model import Generation
    from phasergun_desktop.settings.model_choice import ModelProfile, RemoteEndpoint
    from phasergun_desktop.sync.events import SyncReport
    from phasergun_desktop.workspace.model_choices import ConnectionTrial
    from phasergun_desktop.workspace.session import SourceDocument
    from phasergun_desktop.workspace.work_salvage import Salvage
    from phasergun_desktop.writing.model import AnswerResult


class DraftStorePort(Protocol):
    """Where drafts are kept; thread-safe."""

    def save(self, draft: Draft) -> object:
        """Keep the draft."""
        ...

    def load(self, draft_id: str) -> Draft:
        """Return the draft."""
        ...

    def delete(self, draft_id: str) -> None:
        """Remove the draft."""
        ...

    def throw_away(self, draft_id: str) -> None:
        """Put the draft in the trash."""
        ...

    def put_back(self, draft_id: str) -> None:
        """Take the draft out of the trash."""
        ...

    def empty_trash(self) -> None:
        """Remove what is in the trash for good."""
        ...

    def latest(self) -> Draft | None:
        """Return the draft that was saved last."""
        ...

    def list(self) -> tuple[DraftSummary, ...]:
        """Return a line of each draft, the last changed first."""
        ...


class SessionPort(DraftProofPort, PromptsPort, Protocol):
    """One open project. Readers may be called from any thread; ``sync`` from one only."""

    @property
    def project(self) -> Project:
        """Folder and name."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what was not as it should be when the project was opened."""
        ...

    @property
    def salvage(self) -> Salvage | None:
        """What was saved where the database of the drafts was found damaged at the opening."""
        ...

    @property
    def drafts(self) -> DraftStorePort:
        """The store of drafts."""
        ...

    def save_draft(self, draft: Draft) -> None:
        """Keep the draft, or a copy of it elsewhere: ``NotSavedError`` says where."""
        ...

    def rescued(self) -> tuple[RescueCopy, ...]:
        """The copies of what could not be saved before the last closing."""
        ...

    def bring_back(self, copy: RescueCopy) -> None:
        """What the copy holds is about to be saved; the copy goes with that."""
        ...

    def discard_rescue(self, copy: RescueCopy) -> None:
        """Delete a copy."""
        ...

    def typed_prompts(self) -> tuple[TypedPrompt, ...]:
        """What was typed as prompts and is not in their files."""
        ...

    def keep_typed_prompts(self, prompts: tuple[TypedPrompt, ...]) -> None:
        """Keep what was typed as prompts, apart from their files; see ``save_draft``."""
        ...

    def files(self) -> tuple[FileRecord, ...]:
        """Every file of the folder with its state."""
        ...

    def sync(
        self, *, retry_failed: bool = False, retry_files: frozenset[str] = frozenset()
    ) -> Job[SyncReport]:
        """Bring the index up to date; with ``retry_failed`` read again what failed before, or
        just ``retry_files``. What failed for want of a password is read again by the first sync
        after one was added."""
        ...

    def add_password(self, password: str) -> bool:
        """Try this password on protected documents from now on; whether the system's keyring
        keeps it beyond this session. Not on the window's thread: the keyring may ask."""
        ...

    def has_passwords(self) -> bool:
        """Whether passwords were entered for this project."""
        ...

    def forget_passwords(self) -> None:
        """Delete the passwords of this project, also from the keyring."""
        ...

    def reading_languages(self) -> str:
        """Languages of scanned pages, tesseract's names joined by ``+`` (``eng+deu``)."""
        ...

    def set_reading_languages(self, languages: str) -> None:
        """Choose them for this project; the next sync reads again what depends on them."""
        ...

    def installed_languages(self) -> tuple[str, ...]:
        """What can be chosen; empty without tesseract. Starts it: not on the window's thread."""
        ...

    def templates(self) -> tuple[SectionTemplate, ...]:
        """The section templates that can be used, by family and title."""
        ...

    def plan(self, prompt: str, template: str = "") -> Plan:
        """Resolve and retrieve, without the language model; ``template`` is a template's name."""
        ...

    def settled(self, plan: Plan) -> Plan:
        """Return a plan in which other units are ticked with its tokens, summaries and
        discrepancies, without units of documents that have changed."""
        ...

    def search_units(self, query: str, *, limit: int = 20) -> tuple[PlannedUnit, ...]:
        """Search every layer for units that can be added to a plan."""
        ...

    def draft(
        self, plan: Plan, *, should_stop: Callable[[], bool], use_model: bool = True
    ) -> Job[AnswerResult]:
        """Write what was planned."""
        ...

    def keep(self, result: AnswerResult, prompt_file: str, draft_id: str = "") -> Draft:
        """Store a result as a draft."""
        ...

    def search(self, query: str, *, limit: int = 10) -> SearchResult:
        """Search every layer."""
        ...

    def occurring(self, words: frozenset[str]) -> frozenset[str]:
        """Return which of ``words`` stand in a document."""
        ...

    def source(self, file: str) -> SourceDocument:
        """Return an indexed document."""
        ...

    def page_image(self, file: str, page: int, scale: float) -> PageImage:
        """Render a page; ``scale`` 1.0 is 72 dots per inch."""
        ...

    def export(self, draft: Draft, path: Path) -> None:
        """Write a draft as a file, by its ending."""
        ...

    def watch(self, on_dirty: Callable[[], None]) -> Callable[[], None]:
        """Call back, on a thread of its own, when the folder changed; return what stops it."""
        ...

    def warm(self) -> Job[None]:
        """Load what the first plan and draft will need."""
        ...

    def model_status(self) -> str:
        """Empty when a model is ready, else why not."""
        ...

    def model_name(self) -> str:
        """Name of the model."""
        ...

    def close(self) -> None:
        """Free everything."""
        ...


class ModelChoicesPort(Protocol):
    """The model profiles; nothing here is for the window's thread. See ``ModelChoices``."""

    def generation(self) -> Generation:
        """What the settings say now."""
        ...

    def save(self, generation: Generation) -> None:
        """Keep these choices and use them from the next draft on."""
        ...

    def use(self, profile: ModelProfile) -> Generation:
        """Draft with this profile's model from now on."""
        ...

    def set_consent(self, profile: ModelProfile, *, agrees: bool) -> Generation:
        """Agree that passages go to the profile's server, or take that back."""
        ...

    def catalogue(self) -> tuple[ModelStatus, ...]:
        """The language models of the catalogue."""
        ...

    def default_of(self, profile: ModelProfile) -> str:
        """The catalogue's own choice for a profile."""
        ...

    def fetch(self, name: str) -> Job[Path]:
        """Bring a model to this machine."""
        ...

    def check_file(self, path: Path) -> Job[ModelCheck]:
        """Try a model file in a process of its own."""
        ...

    def known_check(self, path: Path) -> ModelCheck | None:
        """What is known of a file that was checked before."""
        ...

    def has_key(self, address: str) -> bool:
        """Whether a key is kept for this address."""
        ...

    def set_key(self, address: str, key: str) -> bool:
        """Keep a key; whether it outlives this session."""
        ...

    def try_connection(
        self, endpoint: RemoteEndpoint, key: str | None, should_stop: Callable[[], bool]
    ) -> Job[ConnectionTrial]:
        """Ask a server for one word."""
        ...


class WorkspacePort(Protocol):
    """The projects of this user."""

    @property
    def language_models(self) -> ModelChoicesPort:
        """What can be done about language models. Not for the window's thread."""
        ...

    def known(self) -> tuple[RegisteredProject, ...]:
        """Projects, last opened first."""
        ...

    def open(self, root: Path) -> SessionPort:
        """Open a folder."""
        ...

    def create(self, root: Path) -> SessionPort:
        """Make the folder tree and open it."""
        ...

    def forget(self, root: Path) -> None:
        """Drop a project from the list with its index."""
        ...

    def sample(self) -> Path:
        """Return a writable copy of the sample project."""
        ...

    def close(self) -> None:
        """Free everything."""
        ...
