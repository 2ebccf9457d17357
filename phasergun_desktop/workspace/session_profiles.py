"""The part of a session that searches, plans and writes, with the project's profile or another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from phasergun_desktop.grounding.footnotes import EarlierFootnotes
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.planning.whole_lists import with_rows_asked_for, with_whole_lists
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import (
    NO_MATCHING_DOCUMENTS,
    Filter,
    FilterKey,
    allowed_documents,
    filter_values,
    parse_filter,
)
from phasergun_desktop.retrieval.model import Passage, Place, SearchResult, SearchScope
from phasergun_desktop.retrieval.query_text import asks_for_one_fact
from phasergun_desktop.retrieval.reranking import ShouldStop
from phasergun_desktop.sync.sync_wishes import SyncWishes
from phasergun_desktop.workspace.engines import ProfileEntry
from phasergun_desktop.workspace.folder_state import waiting_files
from phasergun_desktop.workspace.free_memory import give_back_memory
from phasergun_desktop.workspace.outgoing import confidential_files, left_out_warning, without_files
from phasergun_desktop.workspace.question_passages import with_retrieved
from phasergun_desktop.workspace.session_drafts import SessionDrafts
from phasergun_desktop.writing.composing import Composing
from phasergun_desktop.writing.model import AnswerResult

if TYPE_CHECKING:
    from phasergun_desktop.workspace.drafting_parts import Drafting

_ONLY_WORD_FOR_WORD = (
    "The text is in the words of the sources: what a language model writes cannot be checked now."
)


class SessionProfiles(SessionDrafts):
    """Searches and plans, safe on any thread, and writes. An empty ``profile`` is the project's.
    Filters apply before every limit; they raise ``ProjectError`` where they are not possible."""

    _templates: SectionTemplateStore
    _wishes: SyncWishes

    # ------------------------------------------------------------ profiles

    @property
    def profile_name(self) -> str:
        """The profile of the project."""
        return self.engines.profile_name

    def set_profile(self, name: str) -> None:
        """Use another profile in this project from now on; what was made for the old one stays.
        Raises ``ProfileError``, ``StorageError``."""
        self.engines.set_profile(name)

    def profiles(self) -> tuple[ProfileEntry, ...]:
        """Return every profile, the default one first, also those that cannot be used."""
        return self.engines.entries()

    def prepare_profile(self, name: str = "") -> Job[int]:
        """Make the chunk set of a profile beside the others; see ``Engines.prepare``."""
        return self.engines.prepare(name)

    def profile_text(self, name: str) -> str:
        """Return the file of a profile. Raises ``ProfileError``."""
        return self.engines.store.text(name)

    def save_profile(self, name: str, text: str) -> None:
        """Keep ``text`` as the user's profile ``name``. Raises ``ProfileError`` with line and
        column for what is not valid, ``StorageError``; the file stays what it was then."""
        self.engines.store.save(name, text)

    def filter_values(self) -> dict[FilterKey, tuple[str, ...]]:
        """Return what the documents of this project can be filtered by."""
        return filter_values(self._index.documents())

    # ------------------------------------------------------------ searching and planning

    def search(
        self,
        query: str,
        *,
        limit: int = 0,
        profile: str = "",
        filters: Sequence[Filter] = (),
        is_fast: bool = False,
        should_stop: ShouldStop | None = None,
    ) -> SearchResult:
        """Search every layer; ``limit`` 0 is the profile's; what asks for more than one fact is
        reranked unless ``is_fast``. See ``Retriever.search`` on ``should_stop``."""
        engine = self.engines.get(profile)
        with self._index.reading():
            files = _files(filters, self._index)
            scope = SearchScope(layers=frozenset(Layer), within=files)
            reranks = not (is_fast or asks_for_one_fact(query))
            result = engine.retriever.search(
                query,
                scope,
                limit or engine.profile.retrieval.given(reranks=reranks),
                reranks=reranks,
                should_stop=should_stop,
            )
            warnings = (
                *result.warnings,
                *engine.profile.warnings,
                *self._what_is_missing(files),
            )
        return replace(result, warnings=warnings)

    def plan(
        self,
        prompt: str,
        template: str = "",
        *,
        asks: bool = False,
        before: Sequence[str] = (),
        cited_before: Sequence[Place] = (),
        profile: str = "",
        filters: Sequence[Filter] = (),
        is_fast: bool = False,
        earlier: Sequence[Passage] = (),
        agent: Agent | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Plan:
        """Resolve and retrieve; no language model is involved. Where the embedder fails words
        alone are compared, and a warning says so.

        ``asks``: ``prompt`` is a question that wants a short answer; ``before`` are then the
        questions before it in its conversation, the first one first, from which it may go on,
        ``cited_before`` the places that the answer to the last one cites, and ``earlier`` the
        passages that were cited there, the last ones first. With the name of a
        ``template`` its items are what is asked for, and ``prompt`` may be empty. An ``agent``
        brings its template where there is no other, filters on what is not filtered yet, and bounds
        the length of a text.
        See ``Retriever.search`` on ``should_stop``. Unusual values of profile, template and agent
        are among the warnings.
        Files that the prompt names and that wait to be read are read first.
        Raises ``ProfileError`` for a template or a profile that is not known or not valid.
        """
        if agent is not None:
            template = template or agent.template
            asked = {each.key for each in filters}
            hints = map(parse_filter, agent.sources)
            filters = (*filters, *(each for each in hints if each.key not in asked))
        words = agent.maximum_words if agent is not None and not asks else 0
        chosen = self._templates.load(template) if template else None
        engine = self.engines.get(profile)

        def made(drafting: Drafting) -> Plan:
            planning = drafting.filtered(filters)
            resolve = planning.resolver.resolve
            plan = planning.planner.plan(
                resolve(prompt),
                chosen,
                asks=asks,
                before=tuple(map(resolve, before)),
                cited_before=cited_before,
                maximum_words=words,
            )
            name = agent.name if agent is not None else ""
            plan = replace(plan, filters=tuple(filters), agent=name)
            if asks:
                plan = with_retrieved(
                    plan, engine, files, earlier, is_fast=is_fast, should_stop=should_stop
                )
                # (What the profile leaves without an answer is not partial.)
                plan = with_whole_lists(plan, planning.documents)
            elif not template:
                plan = with_rows_asked_for(plan, planning.documents)
            return planning.compared(planning.planner.settled(plan))

        # One state of the index: documents are being read while a prompt is planned.
        with self._index.reading():
            files = _files(filters, self._index)
            plan = engine.planned(made)
            # Of 456,000 units a plan leaves 28 MB that nothing uses; this takes 1 to 4 ms.
            give_back_memory()
            if self._index.pending_files():
                self._wishes.put_first(waiting_files(prompt, self._index.files()))
            unusual = [
                each.warnings for each in (engine.profile, chosen, agent) if each is not None
            ]
            told = (*self._what_is_missing(files), *chain.from_iterable(unusual))
            return replace(plan, warnings=(*told, *plan.warnings))

    def settled(self, plan: Plan) -> Plan:
        """Return ``plan``, in which a writer has selected other units, with its tokens, summaries
        and discrepancies."""
        if plan.is_settled:
            return plan
        engine = self.engines.get(plan.profile)
        planning = engine.drafting_of(plan).filtered(plan.filters)
        return planning.compared(planning.planner.settled(plan))

    def _drafted(
        self,
        plan: Plan,
        should_stop: Callable[[], bool],
        use_model: bool,
        earlier: EarlierFootnotes = EarlierFootnotes(),  # noqa: B008 - a value
        composing: Composing | None = None,
    ) -> Job[AnswerResult]:
        model: LanguageModel | None = None
        agent = self.agent(plan.agent) if plan.agent else None
        models = self._models_of(agent)
        plan = self.settled(plan)
        remarks: list[str] = []
        if plan.by_words and use_model:
            use_model = False
            remarks.append(_ONLY_WORD_FOR_WORD)
        with ExitStack() as turn:
            if use_model and not plan.is_blocked:
                turn.enter_context(models.turn())
                if models.notice:
                    yield Progress(models.notice)
                if not models.is_loaded:
                    yield Progress("Loading the language model")
                model = models.get()
            left_out: tuple[str, ...] = ()
            if model is not None and model.is_remote and models.keeps_confidential:
                held = confidential_files(self._index.documents())
                plan, left_out = without_files(plan, held)
                if composing is not None:
                    composing = composing.without(held)
            drafting = self.engines.get(plan.profile).drafting_of(plan)
            compose = drafting.composing_with(composing) if composing is not None else None
            persona = agent.persona if agent is not None else ""
            result = yield from drafting.answerer.answer(
                plan, model, should_stop, earlier, compose, persona
            )
            if model is not None:
                remarks += [left_out_warning(left_out), models.notice, models.remark()]
            if any(remarks):
                result = replace(result, warnings=(*result.warnings, *filter(None, remarks)))
            if model is not None:
                result.metrics.model_digest = model.digest
            return result

    def _renumbered(self, result: AnswerResult, new: Mapping[int, int]) -> AnswerResult:
        answerer = self.engines.get(result.plan.profile).drafting.get().answerer
        return answerer.renumbered(result, new)

    def _what_is_missing(self, files: frozenset[str] | None) -> Iterator[str]:
        """Yield why documents may be missing among those that were searched."""
        if files is not None and not files:
            yield NO_MATCHING_DOCUMENTS
        pending = self._index.pending_files()
        if pending:
            what = "1 file is" if pending == 1 else f"{pending} files are"
            yield f"{what} still to be read: only what the index has now was searched."


def _files(filters: Sequence[Filter], store: IndexStore) -> frozenset[str] | None:
    """Return the files that ``filters`` allow; None where there are no filters."""
    if not filters:
        return None
    return frozenset(record.file for record in allowed_documents(filters, store.documents()))
