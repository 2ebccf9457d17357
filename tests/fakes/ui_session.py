"""A session and a workspace for tests of the window, with the signatures of the real ones."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image, ImageDraw

from phasergun_desktop.activity.chain import ChainedRow
from phasergun_desktop.activity.entry_filter import EVERY_ENTRY, EntryFilter
from phasergun_desktop.activity.log import ActivityLog
from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.documents.document_reader import PageImage
from phasergun_desktop.drafts.export import export_draft
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.rescue import RescueCopies, RescueCopy, save_or_rescue
from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.errors import (
    DocumentError,
    DocumentProblem,
    ExportError,
    PhaserGunError,
    StorageError,
)
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    UnitKind,
)
from phasergun_desktop.index.records import ChunkId, FileRecord, FileState
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.planning.evidence_edits import evidence_point
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind, FoundUnits, Plan
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.profiles.section_template import (
    SectionTemplate,
    TemplateFamily,
    TemplateItem,
)
from phasergun_desktop.projects.categories import CategoryEntry, parse_categories
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.projects.project import Project
from phasergun_desktop.references.model import (
    Problem,
    ReferenceKind,
    ResolvedReference,
    Severity,
    SourceValue,
)
from phasergun_desktop.references.reference_names import ReferenceName, ReferenceNames
from phasergun_desktop.retrieval.filters import Filter, allowed_documents
from phasergun_desktop.retrieval.model import Hit, SearchResult, Span
from phasergun_desktop.sync.events import FileChanged, SyncReport
from phasergun_desktop.workspace.kept_results import search_of
from phasergun_desktop.workspace.prompt_problems import (
    PromptChangedError,
    prompt_digest,
    prompt_exists_error,
    prompt_stem,
)
from phasergun_desktop.workspace.session import ProjectSession, SourceDocument
from phasergun_desktop.workspace.session_categories import CategorySheet
from phasergun_desktop.workspace.session_prompts import PromptFile
from phasergun_desktop.workspace.work_salvage import Salvage
from phasergun_desktop.writing.model import (
    AnswerMetrics,
    AnswerResult,
    AnswerStatus,
    Confidence,
    ConfidenceLevel,
    Criterion,
    FirstToken,
    PlanReady,
    PointStarted,
    StreamDiscarded,
    TextStreamed,
    UnitBound,
)
from tests.fakes.ui_asking import FakeAsking
from tests.fakes.ui_desk_stores import FakeDraftStore
from tests.fakes.ui_documents import (
    DEVICE,
    device_description,
    predicate_summary,
    risk_procedure,
)
from tests.fakes.ui_draft_proof import FakeProof
from tests.fakes.ui_logs import DeskLogs
from tests.fakes.ui_reading import FakeReading
from tests.fakes.ui_units import draft_units, planned_needs, planned_unit

PROMPT_FILE = "Context/Prompt/device-description.md"
PROMPT = (
    "Write the Device Description section for [Master Record|Device Name]: principle of "
    "operation, components with part numbers. Use [Context|Initiation|Device-Description.docx]."
)
TEMPLATES = (
    SectionTemplate(
        "labelling", "Labelling", TemplateFamily.SUBMISSION, "What the labels say.", 900,
        (TemplateItem("Device Label", "device label", is_required=True, helps="draft labels"),)),
    SectionTemplate(
        "software", "Software", TemplateFamily.SUBMISSION, "How it was developed.", 900,
        (TemplateItem("Version", "software version"),)),
    SectionTemplate(
        "blueprint", "Blueprint", TemplateFamily.ARTIFACT, "The project at a glance.", 900,
        (TemplateItem("Goals", "goals of the project"),)),
)  # fmt: skip
NAMES = ReferenceNames(
    (
        ReferenceName(("Procedure", "sops"), "the standard operating procedures: 2 documents"),
        ReferenceName(("Procedure", "sops", "risk_management"), "Risk Management"),
        ReferenceName(("Master Record", "Device Name"), "α-Sense"),
        ReferenceName(("Context", "Initiation"), "the initiation documents: 1 document"),
        ReferenceName(("Context", "Initiation", "Device-Description.docx"), "Device"),
    ),
    (
        ReferenceName(("@sops",), "the standard operating procedures: 2 documents"),
        ReferenceName(("@initiation",), "the initiation documents: 1 document"),
    ),
)
BROKEN_PROMPT = "Describe 😀 [Context|Initiation|Absent.docx] in one paragraph."


@dataclass(slots=True)
class FakeSession(FakeProof, FakeAsking, ProjectSession):
    """One project about a glucose meter. ``gate`` (if set) holds a draft in its middle until
    it is opened or the draft is stopped; ``deaf`` holds it at its start and hears no stop;
    ``unread`` holds the reading of the folder before its last file. ``planned`` counts plans."""

    project: Project
    drafts: FakeDraftStore = field(default_factory=FakeDraftStore)
    rescue: RescueCopies = field(default_factory=lambda: RescueCopies((), "fake"))
    typed: dict[str, TypedPrompt] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    salvage: Salvage | None = None
    model_problem: str = ""
    gate: threading.Event | None = None
    deaf: threading.Event | None = None
    unread: threading.Event | None = None
    planned: int = 0
    settlings: int = 0
    failure: Exception | None = None
    is_closed: bool = False
    dirty: Callable[[], None] | None = None
    syncs: int = 0
    renews: bool = False
    keys: int = 0
    retries: int = 0
    retried_files: list[frozenset[str]] = field(default_factory=list)
    right_password: str = "open sesame"
    search_filters: tuple[Filter, ...] = ()
    search_failure: PhaserGunError | None = None
    page_requests: list[tuple[str, int, float]] = field(default_factory=list)
    sources: dict[str, SourceDocument] = field(default_factory=dict)
    saved_prompts: dict[str, str] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)
    hidden_files: set[str] = field(default_factory=set)
    categories_text: str = ""
    reading: FakeReading = field(default_factory=FakeReading)
    withheld: frozenset[str] = frozenset()
    paths_given: set[str] = field(default_factory=set)
    deleted_prompts: set[str] = field(default_factory=set)
    section_templates: tuple[SectionTemplate, ...] = TEMPLATES

    _logs: DeskLogs | None = None

    @property
    def logs(self) -> DeskLogs:
        """Log and evaluation runs, real ones."""
        if self._logs is None:
            self._logs = DeskLogs(self.project.root.parent / f"{self.project.name} data")
        return self._logs

    @property
    def _index(self) -> FakeSession:  # type: ignore[override]
        return self

    @property
    def activity(self) -> ActivityLog:  # type: ignore[override]
        return self.logs.activity

    @property
    def runs_file(self) -> Path:
        return self.logs.runs_file

    def versions_in_words(self, profile: str = "") -> str:
        return f"fake; profile {profile or 'regulatory'}"

    def __post_init__(self) -> None:
        FakeProof.__init__(self)
        FakeAsking.__init__(self)
        for made in (device_description(), risk_procedure(), predicate_summary()):
            self.sources[made.record.file] = made

    # What is in the folder

    def files(self) -> tuple[FileRecord, ...]:
        indexed = [
            FileRecord(
                file,
                one.record.layer,
                FileState.INDEXED,
                size=48_000,
                sha256=one.record.sha256,
                pages=one.record.metadata.pages,
                chunks=9,
            )
            for file, one in self.sources.items()
        ]
        others = [
            FileRecord("Context/Ongoing/TR-0147-scan.png", Layer.ONGOING, FileState.SKIPPED,
                       "images are read in a later version", 90_000),
            FileRecord("Procedures/SOPs/SOP-015-change-control.pdf", Layer.SOPS,
                       FileState.FAILED, "the file is encrypted", 120_000,
                       problem=DocumentProblem.PASSWORD),
            FileRecord("Context/Ongoing/Design-Review-2-Minutes.md", Layer.ONGOING,
                       FileState.PENDING, size=6_000),
            FileRecord("Context/Predicates/K233058.md", Layer.PREDICATES, FileState.PENDING,
                       size=9_000),
            FileRecord("Notes/private.txt", None, FileState.SKIPPED, "not in a layer folder",
                       900),
        ]  # fmt: skip
        made = (*indexed, *(one for one in others if one.file not in self.sources))
        return tuple(
            replace(one, state=FileState.SKIPPED, problem=DocumentProblem.HIDDEN)
            if one.file in self.hidden_files
            else one
            for one in made
        )

    def note_typing(self) -> None:
        self.keys += 1

    def sync(
        self,
        *,
        retry_failed: bool = False,
        retry_files: frozenset[str] = frozenset(),
        renew: bool = False,
    ) -> Job[SyncReport]:
        self.syncs += 1
        self.renews = renew
        self.retries += retry_failed
        self.retried_files.append(retry_files)
        pending = [one for one in self.files() if one.state is FileState.PENDING]
        for number, record in enumerate(pending):
            yield Progress("Reading", number, len(pending), "files", record.file)
        for record in self.files():
            if record.file in retry_files:
                yield FileChanged(replace(record, state=FileState.PENDING))
                opens = self.right_password in self.reading.passwords
                yield FileChanged(
                    replace(
                        record, state=FileState.INDEXED, reason="", problem=DocumentProblem.OTHER
                    )
                    if opens
                    else record
                )
        if self.unread is not None:
            self.unread.wait(10)
        if pending:
            yield FileChanged(replace(pending[0], state=FileState.INDEXED, sha256="ab" * 32))
        return SyncReport(4, 1, 2, 0, False, 0.1, pending=1, changed=1)

    def watch(self, on_dirty: Callable[[], None]) -> Callable[[], None]:
        self.dirty = on_dirty

        def stop() -> None:
            self.dirty = None

        return stop

    def reference_names(self) -> ReferenceNames:
        return NAMES

    def prompts(self) -> tuple[PromptFile, ...]:
        made = [
            PromptFile(PROMPT_FILE, "Device description", PROMPT),
            PromptFile("Context/Prompt/broken.md", "Broken", BROKEN_PROMPT),
        ]
        made = [one for one in made if one.file not in self.saved_prompts]
        made += [PromptFile(f, Path(f).stem, text) for f, text in self.saved_prompts.items()]
        return tuple(one for one in made if self._is_there(one.file))

    def _is_there(self, file: str) -> bool:
        """Whether it was not deleted; one that was asked for by its path is a file."""
        if file in self.paths_given and not (self.project.root / file).exists():
            return False
        return file not in self.deleted_prompts

    def category_sheet(self) -> CategorySheet:
        files = tuple(sorted(one.file for one in self.files() if one.layer is not None))
        taken = ((DEVICE, CategoryEntry(kind="report")),)
        text = self.categories_text
        return CategorySheet(text, parse_categories(text), files, taken, self.reading.hidden)

    def save_categories(self, before: str, text: str) -> None:
        if before != self.categories_text:
            raise StorageError("Changed", "The file was changed meanwhile.", "Open it again.")
        self.categories_text = text

    def prompt_path(self, file: str) -> Path:
        path = self.project.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("A prompt.", "utf-8")
        self.paths_given.add(file)
        return path

    def rename_prompt(self, file: str, name: str) -> PromptFile:
        text = next(one.text for one in self.prompts() if one.file == file)
        self.deleted_prompts.add(file)
        self.saved_prompts.pop(file, None)
        return self.save_prompt(f"Context/Prompt/{prompt_stem(name)}.md", text)

    def delete_prompt(self, file: str) -> None:
        self.deleted_prompts.add(file)

    def typed_prompts(self) -> tuple[TypedPrompt, ...]:
        return tuple(self.typed.values())

    def keep_typed_prompts(self, prompts: tuple[TypedPrompt, ...]) -> None:
        save_or_rescue(self._keep_typed, self.rescue, prompts)

    def _keep_typed(self, prompts: tuple[TypedPrompt, ...]) -> None:
        if self.drafts.fails:
            raise StorageError("Disk full", "There is no room left.", "Free some space.")
        self.typed |= {each.file: each for each in prompts}
        self.typed = {file: each for file, each in self.typed.items() if each.text}

    def save_prompt(
        self, file: str, text: str, *, is_new: bool = False, before: str = ""
    ) -> PromptFile:
        there = next((one.text for one in self.prompts() if one.file == file), "")
        if before and there not in ("", text) and prompt_digest(there) != before:
            raise PromptChangedError(Path(file).name, there)
        if is_new and file in self.unlisted:
            raise prompt_exists_error(Path(file).name)
        self.saved_prompts[file] = text
        return PromptFile(file, Path(file).stem, text)

    # Drafting

    def templates(self) -> tuple[SectionTemplate, ...]:
        return self.section_templates

    def plan(
        self,
        prompt: str,
        template: str = "",
        *,
        agent: Agent | None = None,
        profile: str = "",
        **_options: object,
    ) -> Plan:
        self.planned += 1
        problems: tuple[Problem, ...] = ()
        references: tuple[ResolvedReference, ...] = ()
        for bracket in ("[Context|Initiation|Absent.docx]",):
            start = prompt.find(bracket)
            if start >= 0:
                problems = (
                    Problem("missing", Severity.BLOCKS, "Absent.docx is not in Initiation.",
                            "Put the file there or change the reference.", start,
                            start + len(bracket),
                            ("[Context|Initiation|Device-Description.docx]",)),
                )  # fmt: skip
        start = prompt.find("[Master Record|Device Name]")
        if start >= 0:
            references = (
                ResolvedReference(
                    ReferenceKind.MASTER_RECORD, "[Master Record|Device Name]", start, start + 27,
                    "Device Name", (DEVICE,), SourceValue("α-Sense", DEVICE, 0, 7)),
                ResolvedReference(
                    ReferenceKind.CONTEXT, "[Context|Initiation|Device-Description.docx]", 0, 0,
                    "Device-Description.docx", (DEVICE,)),
            )  # fmt: skip
        needs = planned_needs(self.sources)
        points = tuple(
            replace(evidence_point(need, need.chosen), instruction=f"Describe: {need.need.query}.")
            for need in needs
        )
        titles = {one.name: one.title for one in self.section_templates}
        return Plan(prompt, prompt, titles.get(template, "Device Description"),
                    profile or self.profile_name, references, problems, points, 1480,
                    retrieval_ms=180.0,
                    template=template, needs=needs, words=120,
                    agent=agent.name if agent is not None else "")  # fmt: skip

    def settled(self, plan: Plan) -> Plan:
        self.settlings += 1
        tokens = 100 * len(plan.passages)
        return plan if plan.is_settled else replace(plan, tokens=tokens, is_settled=True)

    def log_entries(
        self, limit: int | None = None, wanted: EntryFilter = EVERY_ENTRY
    ) -> tuple[ActivityEntry, ...]:
        return self.activity.entries(limit, wanted)

    def log_rows(self, wanted: EntryFilter = EVERY_ENTRY) -> tuple[ChainedRow, ...]:
        return self.activity.chain(wanted)

    def search_units(self, query: str, *, limit: int = 20) -> FoundUnits:
        found = self.search(query, limit=limit)
        units = (
            planned_unit(self.sources[hit.file], hit.text, score=1.0, is_ticked=False)
            for hit in found.hits
        )
        return FoundUnits(tuple(units), found)

    def draft(
        self, plan: Plan, *, should_stop: Callable[[], bool], use_model: bool = True
    ) -> Job[AnswerResult]:
        if self.deaf is not None:
            yield Progress("Loading the language model")
            self.deaf.wait(10)
        yield PlanReady(plan)
        if self.failure is not None:
            raise self.failure
        yield PointStarted(0, 2, plan.points[0])
        units = draft_units(self.sources)
        done: list[tuple[DraftSentence, tuple[Footnote, ...]]] = []
        yield FirstToken(1234.0)
        for index, (unit, notes) in enumerate(units):
            if index == 3 and self.gate is not None:
                while not should_stop() and not self.gate.wait(0.02):
                    yield TextStreamed("still ", 11.2)
                yield StreamDiscarded()
                # The paragraph that was being written stands in the words of its source.
            elif should_stop():
                return self.result(plan, done, AnswerStatus.CANCELLED)
            if use_model and unit.kind is UnitKind.SENTENCE:
                for word in unit.text.split():
                    yield TextStreamed(word + " ", 11.2)
            yield UnitBound(unit, notes)
            done.append((unit, notes))
            if index == 4:
                yield PointStarted(1, 2, plan.points[1])
        yield TextStreamed("NOT FOU", 11.0)
        yield StreamDiscarded()
        return self.result(plan, done, AnswerStatus.COMPLETE)

    def result(
        self,
        plan: Plan,
        done: list[tuple[DraftSentence, tuple[Footnote, ...]]],
        status: AnswerStatus,
    ) -> AnswerResult:
        return AnswerResult(
            status=status,
            text="\n".join(unit.text for unit, _notes in done),
            sentences=tuple(unit for unit, _notes in done),
            footnotes=tuple(note for _unit, notes in done for note in notes),
            confidence=Confidence(ConfidenceLevel.MEDIUM, 0.71, (
                Criterion("selection", 1.0, "all of it answers what was asked for."),
                Criterion("support", 0.71, "8 of 10 statements are carried."),), "Mostly carried."),
            plan=plan,
            metrics=AnswerMetrics(total_ms=23_000.0),
            discrepancies=(Discrepancy(DiscrepancyKind.VALUES, "Two different ranges are given."),),
        )  # fmt: skip

    def keep(self, result: AnswerResult, prompt_file: str, draft_id: str = "") -> Draft:
        draft = Draft(
            draft_id=draft_id or "made",
            title=result.plan.title,
            prompt_file=prompt_file,
            prompt=result.plan.prompt,
            status=result.status.value,
            units=result.sentences,
            footnotes=result.footnotes,
            created="2026-01-01T00:00:00+00:00",
            modified="2026-01-01T00:00:00+00:00",
            model="fake",
            profile=result.plan.profile,
            confidence_level=result.confidence.level.value,
            confidence_score=result.confidence.score,
            confidence_rationale=result.confidence.rationale,
            confidence_criteria=result.confidence.criteria,
            discrepancies=result.discrepancies,
            warnings=result.warnings,
            plan_json=json.dumps({"agent": result.plan.agent}),
        )
        self.drafts.save(draft)
        return draft

    # Reading

    def log_search(
        self, query: str, found: SearchResult | PhaserGunError, profile: str = ""
    ) -> None:
        self.activity.append(search_of(query, found, profile or "regulatory", self.project.name))

    def search(
        self, query: str, *, limit: int = 10, filters: Sequence[Filter] = (), **_options: object
    ) -> SearchResult:
        self.search_filters = tuple(filters)
        if self.search_failure is not None:
            raise self.search_failure
        hits: list[Hit] = []
        allowed = allowed_documents(filters, [one.record for one in self.sources.values()])
        for source in [self.sources[record.file] for record in allowed]:
            for block in source.document.blocks:
                text = source.document.block_text(block)
                if query.lower() in text.lower() and len(hits) < limit:
                    record = source.record
                    hits.append(Hit(
                        len(hits) + 1, 0.9, ChunkId(block.block_id), record.document_id,
                        record.file, record.sha256, record.title, record.layer, block.start,
                        block.end, text, block.heading_path, block.locator, block.block_id,
                        windows=(Span(block.start, block.end, 0.9),)))  # fmt: skip
        return SearchResult(tuple(hits))

    def occurring(self, words: frozenset[str]) -> frozenset[str]:
        texts = " ".join(one.document.text for one in self.sources.values())
        return words.intersection(re.findall(r"[^\W\d_]+", texts))

    def source(self, file: str) -> SourceDocument:
        if file not in self.sources:
            raise DocumentError("Not indexed", f"{file} is not indexed.", "Wait until it is read.")
        return self.sources[file]

    def page_image(self, file: str, page: int, scale: float) -> PageImage:
        self.page_requests.append((file, page, scale))
        document = self.sources[file].document
        size = document.pages[page - 1]
        image = Image.new("RGB", (round(size.width * scale), round(size.height * scale)), "white")
        draw = ImageDraw.Draw(image)
        for block in document.blocks:
            for segment in block.segments:
                if segment.page == page:
                    where = (segment.rect.x0 * scale, segment.rect.y0 * scale)
                    text = document.text[segment.start : segment.end]
                    draw.text(where, text, fill="black", font_size=11 * scale)
        stream = io.BytesIO()
        image.save(stream, "PNG")
        return PageImage(stream.getvalue(), size.width, size.height)

    def save_draft(self, draft: Draft) -> None:
        save_or_rescue(self.drafts.save, self.rescue, draft)

    def bring_back(self, copy: RescueCopy) -> None:
        self.rescue.take(copy)

    def require_exportable(self, draft: Draft) -> None:
        if self.withheld & {note.file for note in draft.footnotes}:
            raise ExportError("Neither exported nor printed", "It cites a document.", "Show it.")

    def export(self, draft: Draft, path: Path) -> None:
        export_draft(draft, path)

    def warm(self) -> Job[None]:
        yield Progress("Loading the language model")

    def model_status(self, agent: Agent | None = None) -> str:
        return self.model_problem

    def model_name(self) -> str:
        return "fake model"

    def close(self) -> None:
        self.is_closed = True
        if self._logs is not None:
            self._logs.close()
