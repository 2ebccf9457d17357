"""The part of a session that keeps drafts: stored, exported, checked, rewritten, with versions."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.activity.chain import ChainedRow
from phasergun_desktop.activity.entry_filter import EVERY_ENTRY, EntryFilter
from phasergun_desktop.activity.log import ActivityLog
from phasergun_desktop.activity.model import Activity, ActivityEntry, ActivityKind
from phasergun_desktop.drafts.draft_store import DraftStore, DraftVersion
from phasergun_desktop.drafts.export import export_draft
from phasergun_desktop.drafts.kept_plan import kept_plan
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.rescue import RescueCopies, RescueCopy, name_of, save_or_rescue
from phasergun_desktop.drafts.source_changes import SourceChange
from phasergun_desktop.errors import (
    ExportNotRecordedError,
    PhaserGunError,
    ProfileError,
    StorageError,
)
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.profiles.agents import Agent, AgentStore
from phasergun_desktop.projects.project import Project
from phasergun_desktop.sync.hidden_files import hidden_names
from phasergun_desktop.workspace.counted_model import CountedModel
from phasergun_desktop.workspace.hidden_documents import (
    cited_by_draft,
    files_of,
    require_exportable,
    require_shown,
    without_hidden_texts,
)
from phasergun_desktop.workspace.kept_results import activity_of, draft_of, edits_of, rewriting_of
from phasergun_desktop.workspace.language_model_slot import LanguageModelSlot
from phasergun_desktop.workspace.outgoing import confidential_files
from phasergun_desktop.workspace.prompt_titles import prompt_title
from phasergun_desktop.workspace.rewritten_groups import Regeneration, now, with_edits
from phasergun_desktop.workspace.work_salvage import Salvage
from phasergun_desktop.workspace.work_storage import WorkStorage
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus

if TYPE_CHECKING:
    # (numpy comes with it: a window that opens needs none.)
    from phasergun_desktop.index.index_store import IndexStore
    from phasergun_desktop.workspace.draft_proof import DraftProof, Rebinding
    from phasergun_desktop.workspace.engines import Engines

WRITTEN = "Written"
BEFORE_REWRITING = "Before a part was written again"
REWRITTEN = "A part was written again"
EXPORTED = "Exported"
SAVED = "Saved by you"
BEFORE_BRINGING_BACK = "Before words that could not be saved were brought back"
BEFORE_RESTORING = "Before an earlier version was restored"


class SessionDrafts:
    """Keeps the drafts of ``project``. All but ``regenerate``, which uses the language model,
    may be called on any thread."""

    project: Project
    drafts: DraftStore
    activity: ActivityLog
    engines: Engines
    rescue: RescueCopies
    _work: WorkStorage
    _index: IndexStore
    _models: LanguageModelSlot
    _agents: AgentStore

    def agents(self) -> tuple[Agent, ...]:
        """Return the agents that can answer and draft, by title; read anew each time."""
        return self._agents.usable()

    def agent(self, name: str) -> Agent:
        """Return an agent. Raises ``ProfileError`` when it is not known or not valid."""
        return self._agents.load(name)

    def _models_of(self, agent: Agent | None) -> LanguageModelSlot:
        """Return what lends the model with which ``agent`` writes, None for nobody."""
        if agent is None:
            return self._models
        return self._models.of_profile(agent.model_profile, f"the agent “{agent.title}”")

    def _proof(self, profile: str = "") -> DraftProof:
        return self.engines.usable(profile).drafting.get().proof

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what was not as it should be when the project was opened."""
        return self._work.warnings

    @property
    def salvage(self) -> Salvage | None:
        """What was saved where the database of the drafts was found damaged at the opening."""
        return self._work.salvage

    # ------------------------------------------------------------ keeping

    def keep(self, result: AnswerResult, prompt_file: str, draft_id: str = "") -> Draft:
        """Store ``result`` as a draft with its first version, and log it: all or nothing.

        What was written must reach the writer all the same: where nothing can be kept, the draft
        is returned with a warning more.
        """
        title = prompt_title(prompt_file, result.plan.task)
        draft = draft_of(result, draft_id or uuid.uuid4().hex, prompt_file, title)
        try:
            with self._work.transaction():
                # What the writer has settled in another draft of the project is settled here.
                settled = self.drafts.settlements()
                asked = {one.message for one in draft.discrepancies}
                draft = replace(draft, edits=tuple(e for e in settled if e.before in asked))
                self.drafts.save(draft)
                self.save_version(draft, WRITTEN)
                self.log(ActivityKind.DRAFT, result, draft.draft_id)
        except StorageError as error:
            return replace(draft, warnings=(*draft.warnings, not_kept(error)))
        return draft

    def kept_draft(self, draft_id: str) -> Draft:
        """Return a draft that is kept; see ``shown``. Raises ``StorageError``."""
        return self.shown(self.drafts.load(draft_id))

    def latest_draft(self) -> Draft | None:
        """Return the draft that was saved last, None without one; see ``shown``."""
        draft = self.drafts.latest()
        return self.shown(draft) if draft is not None else None

    def shown(self, draft: Draft) -> Draft:
        """Return ``draft``. Raises ``HiddenDraftError`` where it cites what is hidden in this
        project."""
        require_shown(draft, self._index.files())
        return draft

    def save_draft(self, draft: Draft) -> None:
        """Store what the writer made of a draft. Where that fails its words go into a rescue copy,
        which ``NotSavedError`` names."""
        save_or_rescue(self.drafts.save, self.rescue, draft)

    def bring_back(self, copy: RescueCopy) -> None:
        """Let a rescue copy go when what it holds, back on the desk, is saved. What is stored of
        its draft becomes a version before. Raises ``StorageError``."""
        name = name_of(copy.item)
        if name in {each.draft_id for each in self.drafts.list()}:
            self.save_version(self.drafts.load(name), BEFORE_BRINGING_BACK)
        self.rescue.take(copy)

    def log(self, kind: ActivityKind, result: AnswerResult, subject: str = "") -> None:
        """Append what was asked and what came back to the activity log."""
        figures = result.metrics
        cost = self._models.cost(figures.model, figures.prompt_tokens, figures.completion_tokens)
        self.activity.append(activity_of(kind, result, self.project.name, subject, cost))

    def log_entries(
        self, limit: int | None = None, wanted: EntryFilter = EVERY_ENTRY
    ) -> tuple[ActivityEntry, ...]:
        """Return entries of the log as ``ActivityLog.entries`` does, without what is hidden in this
        project."""
        hidden = frozenset(hidden_names(self._index.files()))
        found = self.activity.entries(limit, wanted)
        if not hidden:
            return found
        by_draft = cited_by_draft(self.activity.entries())
        return tuple(without_hidden_texts(each, hidden, by_draft) for each in found)

    def log_rows(self, wanted: EntryFilter = EVERY_ENTRY) -> tuple[ChainedRow, ...]:
        """Return entries of the log for an export; see ``ActivityLog.chain``. Raises
        ``ExportError`` where they, or the drafts that they are of, cite what is hidden in this
        project: the chain has its name."""
        files = self._index.files()
        if hidden_names(files):
            entries = self.activity.entries(wanted=wanted)
            by_draft = cited_by_draft(self.activity.entries())
            cited = {one.file for each in entries for one in each.activity.citations}
            cited.update(*(by_draft.get(each.activity.subject, ()) for each in entries))
            require_exportable(cited, files, (each.activity.answer for each in entries))
        return self.activity.chain(wanted)

    def log_edits(self, draft: Draft, edits: Sequence[Edit], *, is_newest: bool = True) -> bool:
        """Append what the writer did with a draft to the activity log; a draft that is kept is
        stored with it as it stands, unless a newer state of it is. Return whether it was."""
        with self._work.transaction():
            # One that was deleted meanwhile stays deleted.
            is_stored = is_newest and self.drafts.holds(draft.draft_id)
            if is_stored:
                self.drafts.save(draft)
            self._append_edits(draft, edits)
        if is_stored:
            self.rescue.remove(name_of(draft))  # An older state that waits is not saved any more.
        return is_stored

    def _append_edits(self, draft: Draft, edits: Sequence[Edit]) -> None:
        for entry in edits_of(draft, edits, self.project.name):
            self.activity.append(entry)

    def require_exportable(self, draft: Draft) -> None:
        """Raise ``ExportError`` where ``draft`` cites what is hidden in this project."""
        require_exportable(files_of(draft), self._index.files())

    def export(self, draft: Draft, path: Path) -> None:
        """Write ``draft`` as DOCX, Markdown or JSON, by the suffix of ``path``; keep what was
        written as a version, and log it. Raises ``ExportError``, also where it cites what is hidden
        in this project."""
        self.require_exportable(draft)
        try:
            with self._work.transaction():
                self.save_version(draft, f"{EXPORTED} to {path.name}")
                self.activity.append(
                    Activity(ActivityKind.EXPORT, subject=path.name, project=self.project.name)
                )
                # Last: the file appears when all that is said of it can be kept.
                export_draft(draft, path)
        except StorageError as error:
            # A full disk here must not keep the writer's text from going to another one.
            export_draft(draft, path)
            raise ExportNotRecordedError(
                "Exported, but not recorded",
                f"“{path.name}” is written; the project has no record of it. {error.message}",
                error.remedy,
            ) from error

    # ------------------------------------------------------------ versions

    def save_version(self, draft: Draft, why: str = SAVED, name: str = "") -> None:
        """Keep the draft as it stands now; without ``name`` only where it differs from the last
        version, and only among the last ones."""
        self.drafts.keep_version(draft, why, now(), name)

    def versions(self, draft_id: str) -> tuple[DraftVersion, ...]:
        """Return the versions of a draft, the last one first."""
        return self.drafts.versions(draft_id)

    def version(self, version_id: int) -> Draft:
        """Return the draft as it was; ``StorageError`` where that version is not kept. See
        ``shown``."""
        return self.shown(self.drafts.version(version_id))

    def restore(self, current: Draft, version_id: int) -> Draft:
        """Return ``current`` with text, footnotes and proof of an earlier version, stored; what
        ``current`` says is kept as a version before. See ``shown``."""
        earlier = self.version(version_id)
        edit = Edit(now(), EditKind.RESTORED, note=f"The version of {earlier.modified}")
        made = replace(earlier, draft_id=current.draft_id, modified=now(), edits=current.edits)
        made = with_edits(made, (edit,))
        with self._work.transaction():
            self.save_version(current, BEFORE_RESTORING)
            self.drafts.save(made)
            self._append_edits(made, (edit,))
        return made

    # ------------------------------------------------------------ checking and rewriting

    def check(self, draft: Draft, indices: Sequence[int]) -> tuple[DraftSentence, ...]:
        """Return the units at ``indices`` checked for the words they have now; see
        ``DraftProof.check``. No language model is involved."""
        return self._proof(draft.profile).check(draft, indices)

    def regenerate(
        self,
        draft: Draft,
        indices: Sequence[int],
        *,
        should_stop: Callable[[], bool],
        use_model: bool = True,
        wish: str = "",
    ) -> Job[Regeneration]:
        """Write the units at ``indices`` again, keeping a version before and after (none of what
        is written to a ``wish``: the writer may still reject it); storing the draft is left to the
        caller. See ``DraftProof.regenerate``. It is logged, however it ends: a prompt was sent all
        the same."""
        status, answer = AnswerStatus.CANCELLED.value, ""
        errors: tuple[str, ...] = ()
        versions: tuple[tuple[Draft, str], ...] = ()
        model: CountedModel | None = None
        agent = self._agent_of(draft)
        models = self._models_of(agent)
        try:
            with models.turn() if use_model else nullcontext():
                if use_model:
                    if not models.is_loaded:
                        yield Progress("Loading the language model")
                    model = CountedModel(models.get())
                withheld = self._withheld_from(model, models)
                persona = agent.persona if agent is not None else ""
                made = yield from self._proof(draft.profile).regenerate(
                    draft, indices, model, should_stop, withheld, wish, persona
                )
            status = EditKind.REGENERATED.value
            answer = " ".join(unit.text for group in made.groups for unit in group.units)
            if not wish and any(group.units for group in made.groups):
                versions = ((draft, BEFORE_REWRITING), (made.draft, REWRITTEN))
        except PhaserGunError as error:
            status, errors = AnswerStatus.ERROR.value, (error.message,)
            raise
        finally:
            calls = model.calls if model is not None else []
            read = model.chunk_ids if model is not None else []
            project = self.project.name
            entry = rewriting_of(
                draft, status, project, calls, chunk_ids=read, answer=answer, errors=errors
            )
            warning = self._keep_rewriting(self._with_cost(entry, model), versions)
        return replace(made, warning=warning)

    def _keep_rewriting(self, entry: Activity, versions: Sequence[tuple[Draft, str]]) -> str:
        """Keep versions and the entry of the log; return why they are not kept, empty where they
        are: what was written must reach the writer all the same."""
        try:
            with self._work.transaction():
                for each, why in versions:
                    self.save_version(each, why)
                self.activity.append(entry)
        except StorageError as error:
            return not_kept(error, "The record of what was written again")
        return ""

    def _with_cost(self, entry: Activity, model: LanguageModel | None) -> Activity:
        name = model.name if model is not None else ""
        cost = self._models.cost(name, entry.prompt_tokens, entry.completion_tokens)
        return replace(entry, model=name, cost=cost)

    def _agent_of(self, draft: Draft) -> Agent | None:
        """Return the agent that wrote ``draft``; None for nobody, and for one that is gone."""
        name = kept_plan(draft.plan_json).agent
        with suppress(ProfileError):
            return self.agent(name) if name else None
        return None

    def _withheld_from(
        self, model: LanguageModel | None, models: LanguageModelSlot
    ) -> frozenset[str]:
        if model is not None and model.is_remote and models.keeps_confidential:
            return frozenset(confidential_files(self._index.documents()))
        return frozenset()

    # ------------------------------------------------------------ sources

    def changed_sources(self, draft: Draft) -> tuple[SourceChange, ...]:
        """Return what became of every cited passage whose file is not what it was. Nothing is
        said of a file that was not read yet: an index that is being built knows none."""
        changes = self._proof(draft.profile).changed_sources(draft)
        if all(one.place is not None for one in changes):
            return changes
        files = {one.file: one for one in self._index.files()}
        waits = not files or any(one.state is FileState.PENDING for one in files.values())

        def is_known(change: SourceChange) -> bool:
            record = files.get(change.note.file)
            if record is not None and record.state is not FileState.PENDING:
                return record.sha256 != change.note.sha256
            # One that is not there any more may stand under another name, still to be read.
            return not waits

        return tuple(c for c in changes if c.place is not None or is_known(c))

    def use_new_place(self, draft: Draft, number: int) -> Rebinding:
        """Return footnote ``number`` at the new text of its source; see ``DraftProof``."""
        return self._proof(draft.profile).use_new_place(draft, number)

    def citation(self, file: str, start: int, end: int, statement: str) -> Footnote | None:
        """Return the footnote for a passage that the writer chose; see ``DraftProof``."""
        return self._proof().citation(file, start, end, statement)


def not_kept(error: StorageError, what: str = "This") -> str:
    """Return the warning that something was not kept."""
    return f"{what} was not kept: {error.message} {error.remedy}".rstrip()
