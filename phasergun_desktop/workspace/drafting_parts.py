"""What plans, writes and proves the drafts of one project; its libraries take a while to import."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.consistency.between_sources import with_discrepancies
from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.planning.evidence_points import EvidenceFinder
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.planning.planner import Planner
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.selector import SELECTOR_FILE, load_selector
from phasergun_desktop.planning.settling import PlanSettings
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.unit_search import UnitSearch
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.profiles.primary_context import PrimaryContext
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.workspace.draft_proof import DraftProof
from phasergun_desktop.writing.answerer import Answerer, AnswerTexts
from phasergun_desktop.writing.regeneration import Regenerator


@dataclass(frozen=True, slots=True)
class DraftingTexts:
    """What the product itself brings: its profile, its rules for models, its templates and the
    folder of the models that it was taught (``models``)."""

    profile: Profile
    context: PrimaryContext
    templates: SectionTemplateStore
    models: Path


@dataclass(frozen=True, slots=True)
class Drafting:
    """The parts, made for one project."""

    documents: IndexedDocuments
    resolver: PromptResolver
    planner: Planner
    unit_search: UnitSearch
    answerer: Answerer
    proof: DraftProof

    def compared(self, plan: Plan) -> Plan:
        """Return ``plan`` with the discrepancies between its sources."""
        return with_discrepancies(plan, self.documents)


def make_drafting(
    documents: IndexedDocuments,
    store: IndexStore,
    embedder: Embedder,
    retriever: Retriever,
    texts: DraftingTexts,
) -> Drafting:
    """Put the parts together. Raises ``ProfileError`` where the product's own files are
    damaged."""
    profile, context = texts.profile, texts.context
    system = context.tier_one()
    standards = tuple((one.name, one.title) for one in context.standards)
    resolver = PromptResolver(documents)
    units = UnitIndex(store, embedder.identity)
    pools = UnitPools(units, embedder, load_selector(texts.models / SELECTOR_FILE))
    planner = Planner(
        documents,
        EvidenceFinder(documents, pools),
        embedder,
        PlanSettings(
            profile=profile.name,
            summary_words=profile.prompt.summary_words,
            summary_tokens=profile.prompt.summary_budget_tokens,
        ),
        system=system,
        standards=standards,
        count_tokens=embedder.count_tokens,
    )
    search = UnitSearch(documents, retriever, units, embedder)
    answerer = Answerer(
        documents,
        embedder,
        system=system,
        standards=standards,
        texts=AnswerTexts(
            profile.answer.fallback,
            profile.answer.not_in_documents,
            profile.answer.ingest_hint,
        ),
        temperature=profile.answer.temperature,
    )

    def plan_again(prompt: str, template: str) -> Plan:
        chosen = texts.templates.load(template) if template else None
        return planner.plan(resolver.resolve(prompt), chosen)

    def nearest(text: str, limit: int) -> list[Passage]:
        return [unit.passage for unit in search.units(text, limit)]

    regenerator = Regenerator(documents, embedder, system=system)
    proof = DraftProof(documents, embedder, regenerator, plan_again, nearest)
    return Drafting(documents, resolver, planner, search, answerer, proof)
