"""A project of a heater with hashed vectors, planned and written with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest

from phasergun_desktop.consistency.between_sources import with_discrepancies
from phasergun_desktop.grounding.judge import load_judge
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.jobs import Event, Job, run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.answer_selection import AnswerFinder
from phasergun_desktop.planning.model import Plan, PlannedUnit
from phasergun_desktop.planning.pair_reading import PairModel
from phasergun_desktop.planning.planner import Planner
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.selector import Selector
from phasergun_desktop.planning.settling import PlanSettings
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.planning.unit_search import UnitSearch
from phasergun_desktop.profiles.model import AnswerSettings
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.spelling.dictionaries import Suggestions
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.writing.answerer import Answerer
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder
from tests.fakes.open_selector import open_selector
from tests.fakes.profiles import small_profile
from tests.fakes.scripted_model import Reply, ScriptedModel
from tests.fakes.shared_words import SharedWords
from tests.fakes.small_project import SmallProject

SYSTEM = "You write sections of submissions."
STANDARDS = (("ISO 14971", "Risk management"), ("IEC 60601-1", "Electrical safety"))


@dataclass(frozen=True)
class Written:
    """A result with the events and the model that gave it."""

    result: AnswerResult
    events: list[Event]
    model: ScriptedModel | None


class Desk:
    """Plans and writes prompts against ``project``."""

    def __init__(
        self,
        project: SmallProject,
        *,
        settings: PlanSettings | None = None,
        selector: Selector | None = None,
    ) -> None:
        self.project = project
        project.sync()
        self.documents = ProfiledDocuments(
            project.store, ChunkSets(project.store, project.chunking)
        )
        retriever = Retriever(project.store, project.vectors(), project.embedder, small_profile())
        self._resolver = PromptResolver(self.documents)
        units = UnitIndex(project.store, project.embedder.identity)
        self._search = UnitSearch(self.documents, retriever, units, project.embedder)
        chosen = selector or open_selector()

        def pools_read_by(model: PairModel) -> UnitPools:
            return UnitPools(units, project.embedder, chosen, UnitReader(units, model))

        self._planner = Planner(
            self.documents,
            pools_read_by(SharedWords()),
            AnswerFinder(self.documents, pools_read_by(bundled_cross_encoder())),
            project.embedder,
            settings or PlanSettings("small"),
            Suggestions(resources_path() / "dictionaries"),
            system=SYSTEM,
            count_tokens=project.embedder.count_tokens,
        )
        self._answerer = Answerer(
            self.documents,
            partial(load_judge, project.embedder, bundled_cross_encoder()),
            system=SYSTEM,
            standards=STANDARDS,
            settings=AnswerSettings("Nothing is there.", "Not here: {wanted}.", "Add {documents}."),
        )

    def plan(
        self, prompt: str, template: SectionTemplate | None = None, before: Sequence[str] = ()
    ) -> Plan:
        """Plan ``prompt``, with the items of ``template``, or behind the questions ``before``."""
        asks = template is None and prompt.rstrip().endswith("?")
        resolution = self._resolver.resolve(prompt)
        asked = tuple(map(self._resolver.resolve, before))
        return self._compared(self._planner.plan(resolution, template, asks=asks, before=asked))

    def _compared(self, plan: Plan) -> Plan:
        return with_discrepancies(plan, self.documents, self._planner.subjects())

    def ticked(self, prompt: str, texts: Collection[str]) -> Plan:
        """Plan ``prompt`` with the units that are one of ``texts`` ticked, and no others."""
        resolution = self._resolver.resolve(prompt)
        needs = tuple(
            replace(
                need,
                units=tuple(replace(u, selected=u.passage.text in texts) for u in need.units),
            )
            for need in self._planner.plan(resolution).needs
        )
        return self._compared(self._planner.plan_of(resolution, needs))

    def write(
        self,
        prompt: str,
        replies: Sequence[str] | Reply | None,
        should_stop: Callable[[], bool] = lambda: False,
        *,
        context_tokens: int = 4096,
    ) -> Written:
        """Write ``prompt`` with ``replies``; without a model where they are None."""
        model = None if replies is None else ScriptedModel(replies)
        if model is not None:
            model.context_tokens = context_tokens
        events: list[Event] = []
        job = self._answerer.answer(self.plan(prompt), model, should_stop)
        return Written(run_to_end(job, events.append), events, model)

    def search_units(self, query: str) -> tuple[PlannedUnit, ...]:
        """Search as a writer who adds a passage."""
        return self._search.find(query, 10).units

    def settled(self, plan: Plan) -> Plan:
        """Return ``plan`` with what belongs to its points."""
        return self._compared(self._planner.settled(plan))

    def verbatim(self, plan: Plan) -> AnswerResult:
        """Write ``plan`` without a model."""
        return run_to_end(self._answerer.answer(plan, None, lambda: False))

    def write_plan(self, plan: Plan, model: ScriptedModel) -> Job[AnswerResult]:
        """Return the writing of ``plan`` with ``model``, not begun."""
        return self._answerer.answer(plan, model, lambda: False)

    def job(
        self, prompt: str, replies: Sequence[str] | Reply, should_stop: Callable[[], bool]
    ) -> Job[AnswerResult]:
        """Return the writing of ``prompt``, not begun."""
        return self._answerer.answer(self.plan(prompt), ScriptedModel(replies), should_stop)

    def text(self, file: str) -> str:
        """Return the text of a document."""
        record = self.project.document(file)
        return self.documents.parsed(record.document_id).text


REPORT = "Context/Ongoing/report.md"
PREDICATE = "Context/Predicates/K111222.md"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Two devices, their alarms and weights; a general note that no prompt may use unasked."""
    project = SmallProject(tmp_path)
    project.write(
        "Context/Project-Master-Record.docx",
        "# Device Information\n\nDevice Name: Heater H1\n\nPredicate Device: K111222\n",
    )
    project.write(
        REPORT,
        "# Test report\n\n## Alarm\n\nThe alarm of the heater sounds at 78 dB. "
        "The alarm lasts ten seconds.\n\n## Weight\n\nThe heater weighs 3.2 kg with its stand.\n",
    )
    project.write(
        PREDICATE, "# K111222\n\n## Alarm\n\nThe alarm of the predicate sounds at 81 dB.\n"
    )
    project.write("Context/General/note.md", "# Note\n\nThe heater weighs 9.9 kg in its crate.\n")
    yield Desk(project)
    project.close()
