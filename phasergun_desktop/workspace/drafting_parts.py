"""What plans, writes and proves the drafts of one project; its libraries take a while to import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from phasergun_desktop.consistency.between_sources import with_discrepancies
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.grounding.judge import Judge, load_judge
from phasergun_desktop.grounding.statement_reading import StatementModel
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.planning.answer_selection import AnswerFinder
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.planning.pair_reading import PairModel
from phasergun_desktop.planning.planner import Planner
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.selector import SELECTOR_FILE, load_selector
from phasergun_desktop.planning.settling import PlanSettings
from phasergun_desktop.planning.unit_reading import UnitReader
from phasergun_desktop.planning.unit_search import UnitSearch
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import PrimaryContext
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.spelling.dictionaries import Suggestions
from phasergun_desktop.text.other_names import NamesNow, OtherNames
from phasergun_desktop.workspace.draft_proof import DraftProof
from phasergun_desktop.workspace.indexed_documents import ProfiledDocuments
from phasergun_desktop.writing.answerer import Answerer, ComposerMaker
from phasergun_desktop.writing.composing import Composer, Composing
from phasergun_desktop.writing.regeneration import Regenerator


@dataclass(frozen=True, slots=True)
class DraftingTexts:
    """What the product itself brings: its profile, its rules for models, its templates and the
    folder of its ``resources``; and ``names``, those of things as the settings say them now."""

    profile: Profile
    context: PrimaryContext
    templates: SectionTemplateStore
    resources: Path
    names: NamesNow = OtherNames


@dataclass(frozen=True, slots=True)
class Planning:
    """What reads prompts and makes plans from ``documents``."""

    documents: ProfiledDocuments
    resolver: PromptResolver
    planner: Planner

    def compared(self, plan: Plan) -> Plan:
        """Return ``plan`` with the discrepancies between its sources."""
        return with_discrepancies(plan, self.documents, self.planner.subjects())


class ReadingModel(PairModel, StatementModel, Protocol):
    """Reads pairs of texts together, whatever the first of them is."""


@dataclass(frozen=True, slots=True)
class Drafting:
    """The parts, made for one project and profile. ``planning_of`` makes those that plan from some
    documents only, ``new_judge`` what judges statements in one thread."""

    new_judge: Callable[[], Judge]
    planning: Planning
    planning_of: Callable[[ProfiledDocuments], Planning]
    unit_search: UnitSearch
    answerer: Answerer
    proof: DraftProof
    composing_with: Callable[[Composing], ComposerMaker]

    def filtered(self, filters: Sequence[Filter]) -> Planning:
        """Return what plans as if the project had only the documents that ``filters`` allow."""
        if not filters:
            return self.planning
        return self.planning_of(self.planning.documents.filtered(filters))


def make_drafting(
    documents: ProfiledDocuments,
    units: UnitIndex,
    embedder: Embedder,
    retriever: Retriever,
    texts: DraftingTexts,
    cross_encoder: ReadingModel,
    hidden: Callable[[], Sequence[str]] = tuple,
) -> Drafting:
    """Put the parts together; ``hidden`` gives the files that are kept out of the index.
    Raises ``ProfileError`` where the product's own files are damaged."""
    profile, context = texts.profile, texts.context
    system = context.tier_one()
    selector = load_selector(texts.resources / "models" / SELECTOR_FILE)
    reader = UnitReader(units, cross_encoder, texts.names)
    pools = UnitPools(units, embedder, selector, reader, texts.names)
    suggestions = Suggestions(texts.resources / "dictionaries")
    settings = PlanSettings(
        profile=profile.name,
        summary_words=profile.prompt.summary_words,
        summary_tokens=profile.prompt.summary_budget_tokens,
    )

    def planning_of(sources: ProfiledDocuments) -> Planning:
        planner = Planner(
            sources,
            pools,
            AnswerFinder(sources, pools),
            embedder,
            settings,
            suggestions,
            system=system,
            count_tokens=embedder.count_tokens,
        )
        return Planning(sources, PromptResolver(sources, hidden), planner)

    planning = planning_of(documents)
    search = UnitSearch(documents, retriever, units, embedder)
    new_judge = partial(load_judge, embedder, cross_encoder)
    answerer = Answerer(
        documents,
        new_judge,
        system=system,
        standards=tuple((one.name, one.title) for one in context.standards),
        settings=profile.answer,
        citations=profile.citation,
        confidence=profile.confidence,
    )

    def plan_again(prompt: str, template: str, filters: tuple[Filter, ...]) -> Plan:
        chosen = texts.templates.load(template) if template else None
        bound = drafting.filtered(filters)
        return bound.planner.plan(bound.resolver.resolve(prompt), chosen)

    def nearest(text: str, limit: int) -> list[Passage]:
        return [unit.passage for unit in search.find(text, limit).units]

    regenerator = Regenerator(documents, embedder, new_judge, system=system)
    proof = DraftProof(documents, new_judge, regenerator, plan_again, nearest)

    def composing_with(composing: Composing) -> ComposerMaker:
        return partial(Composer, profile=profile, composing=composing, system=system)

    drafting = Drafting(new_judge, planning, planning_of, search, answerer, proof, composing_with)
    return drafting
