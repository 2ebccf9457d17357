"""Makes the plan: what a text will state and from where, complete before a model is loaded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.answer_selection import AnswerFinder
from phasergun_desktop.planning.comparing.cells import ComparisonFinder
from phasergun_desktop.planning.comparing.comparison_request import Comparison
from phasergun_desktop.planning.evidence_edits import (
    as_planned,
    evidence_point,
    in_text_order,
    with_evidence,
)
from phasergun_desktop.planning.evidence_points import evidence_of
from phasergun_desktop.planning.forms import form_request
from phasergun_desktop.planning.hidden_instructions import (
    warnings_of,
    without_instructions,
)
from phasergun_desktop.planning.joined_questions import each_by_itself
from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.misspellings import meant_words, with_meant
from phasergun_desktop.planning.model import (
    Plan,
    PlannedNeed,
    PlannedPoint,
    PointKind,
)
from phasergun_desktop.planning.named_documents import for_named_documents
from phasergun_desktop.planning.needs import Need, Request, read_request
from phasergun_desktop.planning.pool import Pool, UnitPools
from phasergun_desktop.planning.prompt_warnings import (
    is_little,
    left_out_needs,
    little_evidence,
    missing_items,
    missing_predicate,
    misspelt_words,
    prompt_warnings,
    unknown_device_problems,
    unread_document,
    unstated_parts,
)
from phasergun_desktop.planning.questions_before import with_questions_before
from phasergun_desktop.planning.settling import PlanSettings, Settling
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.stated_values import (
    pairs_of,
    value_point,
    without_pairs_documents,
    without_unstated,
)
from phasergun_desktop.planning.subject import Subjects, subjects_of
from phasergun_desktop.planning.subject_scope import (
    without_other_subjects,
    without_own_names,
)
from phasergun_desktop.planning.template_needs import TemplateRequest, template_request
from phasergun_desktop.planning.unknown_devices import unknown_devices
from phasergun_desktop.profiles.section_template import ItemKind, SectionTemplate
from phasergun_desktop.references.model import (
    Problem,
    QuestionAnswer,
    Resolution,
)
from phasergun_desktop.retrieval.model import Place

_EMPTY_PROMPT = "empty_prompt"
# The evidence of a question: about sixteen units.
_WORDS_OF_A_QUESTION = 350


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be planned; ``template`` is empty where there is none. ``asks``: short answers
    are wanted. ``unknown`` are the devices of needs, by their ids, that no document names;
    ``meant`` the words that are looked for in place of misspelt ones."""

    request: Request
    asks: bool = False
    template: TemplateRequest = field(default_factory=TemplateRequest)
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    meant: Mapping[str, str] = field(default_factory=dict)


class Planner:
    """Turns a resolved prompt into a plan. ``suggested`` gives what a misspelt word may have been,
    ``count_tokens`` estimates the cost of a text."""

    def __init__(
        self,
        documents: IndexedDocuments,
        pools: UnitPools,
        answers: AnswerFinder,
        embedder: Embedder,
        settings: PlanSettings,
        suggested: Callable[[str], Sequence[str]],
        *,
        system: str,
        count_tokens: Callable[[str], int],
    ) -> None:
        self._documents = documents
        self._embedder = embedder
        self._settings = settings
        self._suggested = suggested
        self._pools = pools
        self._answers = answers
        self._comparisons = ComparisonFinder(documents, pools, embedder)
        self._settling = Settling(documents, settings, system=system, count_tokens=count_tokens)
        self._subjects: tuple[Sequence[DocumentRecord], Subjects] | None = None

    def plan(
        self,
        resolution: Resolution,
        template: SectionTemplate | None = None,
        *,
        asks: bool = False,
        before: Sequence[Resolution] = (),
        cited_before: Sequence[Place] = (),
        maximum_words: int = 0,
    ) -> Plan:
        """Return the plan, of a text of at most ``maximum_words`` (0: what prompt and template
        say); a blocked prompt gets one without needs.

        ``asks``: the prompt wants short answers, not a text, and may go on from the questions
        ``before`` it, the first one first; the answer to the last one cites ``cited_before``. With
        a ``template`` its items are the needs; a prompt beside it restricts the sources and adds to
        it, an empty one drafts it from the whole project.
        """
        started = time.perf_counter()
        if template is not None:
            resolution = _for_template(resolution, template)
        if resolution.is_blocked or resolution.is_too_long:
            made = self._plan(resolution, _Asked(Request((), "", 0)), (), ())
        else:
            asked = self._asked(resolution, template, before, cited_before, asks=asks)
            if maximum_words:
                words = min(asked.request.words, round(maximum_words / TOLERANCE))
                asked = replace(asked, request=replace(asked.request, words=words))
            resolution = replace(
                resolution,
                references=(*resolution.references, *asked.template.references),
            )
            pairs = pairs_of(resolution, asked.request.needs, self._embedder)
            subjects = self.subjects()
            is_foreign = self._pools.is_foreign(asked.request)
            said = f"{asked.request.said}\n{asked.request.said_before}"
            meant = {} if is_foreign else meant_words(said, self._is_known, self._suggested)
            asked = replace(
                asked,
                request=without_pairs_documents(with_meant(asked.request, meant), pairs),
                unknown=unknown_devices(
                    asked.request,
                    self._is_known,
                    subjects.device.is_named_in,
                    is_foreign=is_foreign,
                ),
                meant=meant,
            )
            found, compared = self._looked_up(resolution, asked, subjects)
            needs, hidden = without_instructions(found)
            points = self._points(needs, asked, pairs, compared)
            needs = without_unstated(needs, points)
            if compared is not None:
                needs = tuple(map(compared.with_cells, needs))
            made = self._plan(resolution, asked, needs, points)
            made = replace(
                made,
                problems=(*made.problems, *self._unread(resolution, asked, made, subjects)),
                warnings=(
                    *warnings_of(hidden),
                    *self._pools.reader.warnings,
                    *made.warnings,
                ),
            )
        elapsed_ms = (time.perf_counter() - started) * 1000
        name, words = (template.name, template.maximum_words) if template else ("", 0)
        words = min(words or maximum_words, maximum_words or words)
        return replace(made, template=name, maximum_words=words, retrieval_ms=elapsed_ms)

    def plan_of(
        self,
        resolution: Resolution,
        needs: tuple[PlannedNeed, ...],
        template: SectionTemplate | None = None,
        *,
        maximum_words: int = 0,
    ) -> Plan:
        """Return the plan of a text that states what is selected in ``needs`` and nothing else, but
        for what stands in it word for word."""
        planned = self.plan(resolution, template, maximum_words=maximum_words)
        needs, hidden = without_instructions(as_planned(needs, planned.needs))
        if planned.is_blocked or resolution.is_too_long:
            return planned
        made = self.settled(with_evidence(planned, needs))
        return replace(made, warnings=(*warnings_of(hidden), *made.warnings))

    def settled(self, plan: Plan) -> Plan:
        """Return ``plan`` with the tokens and summaries of its points, where a writer has changed
        what they state."""
        return self._settling.settled(plan)

    def subjects(self) -> Subjects:
        """Return who the documents speak of, read anew when the index gives another list: then
        some document is another one."""
        known, documents = self._subjects, self._documents.documents()
        if known is None or known[0] is not documents:
            known = self._subjects = (documents, subjects_of(self._documents))
        return known[1]

    def _looked_up(
        self, resolution: Resolution, asked: _Asked, subjects: Subjects
    ) -> tuple[tuple[PlannedNeed, ...], Comparison | None]:
        """Return the needs with the evidence of their subject, and the comparison of a text: the
        needs that it answers have no other evidence."""
        request = without_other_subjects(asked.request, subjects)
        everything = request.needs
        request = replace(
            request, needs=tuple(n for n in everything if n.need_id not in asked.unknown)
        )
        tables = {i for i, item in asked.template.items.items() if item.kind is ItemKind.COMPARE}
        compared = None
        for need in (each for each in request.needs if each.need_id in tables):
            attributes = asked.template.items[need.need_id].attributes
            compared = self._comparisons.of_item(need, attributes, resolution.task, subjects)
        if not asked.asks and not asked.template.items:
            compared = self._comparisons.of(resolution, request, subjects)
        answered = compared.needs if compared is not None else ()
        left = {n for n in request.needs if n in answered or n.need_id not in tables}
        request = replace(request, needs=tuple(n for n in request.needs if n in left))
        done: tuple[Need, ...] = ()
        if compared is not None:
            # A template has items of its own for what its table leaves open.
            done = compared.needs if tables else compared.tabled
        # A value word for word takes no words from what others state.
        rest = replace(
            request, needs=tuple(n for n in request.needs if n not in done and n.value is None)
        )

        def keep(pool: Pool) -> Pool:
            return compared.without_cells(pool, self._documents) if compared is not None else pool

        if asked.asks:
            found = self._answers.of(rest, keep)
        else:
            rest = without_own_names(rest, subjects.device)
            found = evidence_of(rest, self._documents, self._pools, keep)
        looked_at = {each.need.need_id: each for each in found}
        needs = tuple(
            replace(looked_at.get(n.need_id, PlannedNeed(n)), need=n)
            for n in everything
            if n in left or (n.need_id in asked.unknown and n.need_id not in tables)
        )
        return needs, compared

    def _unread(
        self, resolution: Resolution, asked: _Asked, made: Plan, subjects: Subjects
    ) -> tuple[Problem, ...]:
        is_for_one = not (asked.unknown or asked.template.items)
        if not (made.needs and is_for_one and is_little(made.needs, made.points)):
            return ()
        request = without_other_subjects(asked.request, subjects)
        if asked.asks:
            unread = self._answers.best_unread(request)
        else:
            request = without_own_names(request, subjects.device)
            documents = self._documents.documents()
            unread = self._pools.best_unread(request, documents)
        return unread_document(made.needs, unread)

    def _is_known(self, word: str) -> bool:
        """Whether a document has ``word``, in its text or in the name of its file."""
        return self._pools.is_known(word) or any(
            word.casefold() in record.file.casefold() for record in self._documents.documents()
        )

    def _asked(
        self,
        resolution: Resolution,
        template: SectionTemplate | None,
        before: Sequence[Resolution],
        cited_before: Sequence[Place],
        *,
        asks: bool,
    ) -> _Asked:
        if template is None:
            request = read_request(resolution)
            form = None if asks else form_request(request, resolution)
            if asks or form is not None:
                request = form or each_by_itself(request, resolution.references)
                if asks and before:
                    request = with_questions_before(
                        request, resolution, before, cited_before, self.subjects()
                    )
                words = _WORDS_OF_A_QUESTION * len(request.needs)
                return _Asked(replace(request, words=words, title=""), asks=True)
            request = for_named_documents(request, resolution)
            return _Asked(self._pools.without_remarks(request))
        made = template_request(template, resolution, self._documents)
        return _Asked(made.request, template=made)

    def _plan(
        self,
        resolution: Resolution,
        asked: _Asked,
        needs: tuple[PlannedNeed, ...],
        points: Sequence[PlannedPoint],
    ) -> Plan:
        problems = (
            *resolution.problems,
            *left_out_needs(asked.request.left_out),
            *misspelt_words(asked.meant),
            *unknown_device_problems(asked.unknown),
            *little_evidence(needs, points),
            *(() if asked.asks else unstated_parts(needs)),
            *missing_items(points),
            *(missing_predicate(points) if asked.template.compares else ()),
        )
        made = Plan(
            prompt=resolution.prompt,
            task=resolution.task,
            title=asked.request.title,
            profile=self._settings.profile,
            references=resolution.references,
            problems=problems,
            points=tuple(points),
            tokens=0,
            warnings=prompt_warnings(resolution.task, points),
            needs=needs,
            words=asked.request.words,
            is_settled=False,
        )
        return self._settling.settled(made)

    def _points(
        self,
        needs: Sequence[PlannedNeed],
        asked: _Asked,
        pairs: Mapping[str, Sequence[QuestionAnswer]],
        compared: Comparison | None,
    ) -> tuple[PlannedPoint, ...]:
        """Return what is written for each need: values and answers word for word before what its
        evidence states, a table for those of a comparison."""
        points: list[PlannedPoint] = []
        for planned, chosen in zip(needs, in_text_order(needs), strict=True):
            need, made = planned.need, evidence_point(planned, chosen)
            if compared is not None and need in compared.needs:
                if need == compared.needs[0]:
                    points.extend(replace(p, need_id=need.need_id) for p in compared.points)
                if not (made.evidence or need.value or pairs.get(need.need_id)):
                    continue
                made = replace(made, heading="", is_supplement=True)
            if need.value is not None:
                points.append(value_point(need, made))
                continue
            point = replace(made, pairs=tuple(pairs.get(need.need_id, ())))
            item = asked.template.items.get(need.need_id)
            if item is not None:
                stated = asked.template.values.get(need.need_id, ())
                stated = tuple(replace(p, need_id=need.need_id) for p in stated)
                point = replace(
                    point,
                    helps=item.helps,
                    is_required=item.is_required and not stated,
                    is_supplement=point.is_supplement or bool(stated),
                )
                points.extend(stated)
                if stated and item.kind is ItemKind.VALUE:
                    continue
                point = replace(point, heading="") if stated else point
            if asked.asks:
                kind = PointKind.FIELD if need.is_field else PointKind.VALUE
                point = replace(point, kind=kind)
            points.append(point)
        return tuple(points)


def _for_template(resolution: Resolution, template: SectionTemplate) -> Resolution:
    """Return ``resolution`` for a template: an empty prompt asks for it from the whole project."""
    return replace(
        resolution,
        task=resolution.task if resolution.prompt.strip() else template.title,
        problems=tuple(each for each in resolution.problems if each.code != _EMPTY_PROMPT),
    )
