"""How far a draft can be trusted, from what was measured while it was written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from phasergun_desktop.grounding.model import (
    STATEMENTS,
    DraftSentence,
    Footnote,
    ProblemCode,
    SourcePlace,
    Support,
    UnitKind,
)
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind, Plan, PointKind
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.profiles.model import ConfidenceMeasure, ConfidenceSettings
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.values import missing_values
from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.gaps import gap_name
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel, Criterion

_ALSO_SAYS = 0.6
# The bands of texts, and of answers by the probability that they are right.
BANDS = ConfidenceSettings()
# Just below the high band: no other part makes up for two sources that disagree.
_BELOW = 0.01
_WRONG = (ProblemCode.CONTRADICTED, ProblemCode.VALUE_MISSING, ProblemCode.NEGATION)
# What the confidence is the product of.
_SHARES = ("answer", "selection", "support", "coverage", "ocr")
# The probability that a unit answers is also how often an answer is right: of 441, word for word,
# to 942 questions on six judged projects of which the cross-encoder learnt nothing, of those below
# 0.5 are 0.44 right, to 0.65 0.69, to 0.8 0.87, to 0.9 0.89, above 0.96. The documents that say it
# too, the words that its passages share with the question and a value of the kind asked for told
# right from wrong no better.
# How often units of a text answer what was asked for, by the log odds of their probability: an
# intercept and a slope. That is fitted on small projects: in larger ones much is said in many
# places (``python -m tests.benchmarks evidence``: 0.27 of those below 0.2, 0.35 below 0.4, 0.43
# below 0.6, 0.88 below 0.8, 0.90 above; this says 0.21, 0.42, 0.57, 0.72, 0.87).
_SELECTION = (0.3, 0.75)
_CONTESTED = (DiscrepancyKind.VALUES, DiscrepancyKind.BOOTSTRAP, DiscrepancyKind.SUPERSEDED)


def confidence_of(
    units: Sequence[DraftSentence],
    plan: Plan,
    *,
    footnotes: Sequence[Footnote] = (),
    discrepancies: Sequence[Discrepancy] = (),
    documents: IndexedDocuments | None = None,
    settings: ConfidenceSettings = BANDS,
) -> Confidence:
    """Return the confidence; every part is computed from this draft, none is constant.

    That of answers to questions is the probability that they are right and carried, or where the
    profile's ``settings`` say so the similarity of what was retrieved, in the profile's bands;
    questions that are told to have no answer do not enter it, and the rationale names them. That of
    a text is the share of it that answers what was asked for and is carried. A part that does not
    apply (OCR where nothing recognised is cited) is left out. Medium is the most where a source
    disagrees on a value that is given.
    """
    stating = [unit for unit in units if unit.kind in STATEMENTS and not unit.is_header]
    if not stating:
        return Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), "Nothing could be stated.")
    cited = {number for unit in stating for number in unit.citations}
    notes = [note for note in footnotes if note.number in cited and note.file]
    carried = (_support(stating), _agreement(stating, notes, plan, discrepancies))
    recognised = _ocr(notes, documents)
    bands, told = BANDS, ""
    if all(point.kind is PointKind.VALUE for point in plan.points):
        plan, unanswered = _answered(plan, units)
        if unanswered:
            told = f"Not answered, and not counted in the confidence: {'; '.join(unanswered)}. "
        criteria = _present(_answer(plan), *carried, recognised)
        if settings.measure is ConfidenceMeasure.RETRIEVAL:
            bands = settings
            criteria = _present(_retrieval(plan, settings.counted), recognised)
    else:
        criteria = _present(_selection(plan), *carried, _coverage(plan, units), recognised)
    scores = {part.name: part.score for part in criteria}
    score = scores["retrieval"] if "retrieval" in scores else share_to_the_point(scores)
    # That a second document says it too is shown, and is not needed.
    needed = [part for part in criteria if part.name != "agreement"]
    weakest = needed[0] if "retrieval" in scores else min(needed, key=lambda part: part.score)
    rationale = f"{told}Weakest part: {weakest.explanation}."
    contested = [one for one in discrepancies if _concerns(one, stating, notes)]
    if contested:
        score = min(score, bands.high - _BELOW)
        rationale = f"Sources disagree on what is given: {contested[0].message} {rationale}"
    if recognised is None:
        rationale += " No recognised text was used."
    return Confidence(ConfidenceLevel(bands.band(score)), round(score, 4), criteria, rationale)


def _present(*parts: Criterion | None) -> tuple[Criterion, ...]:
    return tuple(part for part in parts if part is not None)


def _retrieval(plan: Plan, counted: int) -> Criterion:
    """How near to the questions that are answered what was found for them is; 0 where words alone
    were compared."""
    cosines = [need.retrieval_score for need in plan.needs] or [0.0]
    mean = max(0.0, min(1.0, sum(cosines) / len(cosines)))
    said = (
        f"the best {counted} passages found have a mean cosine of {mean:.2f} to what was asked for"
    )
    return Criterion("retrieval", mean, f"{said}, weighted by 1/rank")


def _answered(plan: Plan, units: Sequence[DraftSentence]) -> tuple[Plan, list[str]]:
    """Return ``plan`` without the questions for which ``units`` have a gap, and their names."""
    gaps = {unit.point for unit in units if unit.kind is UnitKind.TODO}
    left = tuple(point for at, point in enumerate(plan.points) if at not in gaps)
    unanswered = [plan.points[at] for at in sorted(gaps)]
    without = {point.need_id for point in unanswered}
    needs = tuple(need for need in plan.needs if need.need.need_id not in without)
    return replace(plan, points=left, needs=needs), [gap_name(point) for point in unanswered]


def confidence_of_page(kept: Confidence, units: Sequence[DraftSentence]) -> Confidence:
    """Return ``kept``, the confidence that a draft was written with, for the page as its
    ``units`` stand after edits.

    The part that the text alone decides, its support, is computed again: words that the writer
    answers for are carried, those that were not checked yet do not count. Medium is the most
    where a statement says otherwise than its source or gives a value that it has not.
    """
    stating = [unit for unit in units if unit.kind in STATEMENTS and not unit.is_header]
    if not stating:
        return Confidence(ConfidenceLevel.VERY_LOW, 0.0, (), "Nothing is stated on the page.")
    judged = [
        replace(unit, support=Support.SUPPORTED, score=1.0) if unit.is_accepted else unit
        for unit in stating
        if unit.is_accepted or not (unit.needs_check or _is_lead_in(unit))
    ]
    before = {part.name: part.score for part in kept.criteria}
    if not judged or "support" not in before:
        return kept
    support = _support(judged)
    scores = before | {"support": support.score}
    was, score = share_to_the_point(before), share_to_the_point(scores)
    wrong = [
        unit
        for unit in judged
        if not unit.is_accepted and any(problem.code in _WRONG for problem in unit.problems)
    ]
    if wrong or kept.score < was - 0.001:
        score = min(score, BANDS.high - _BELOW)
    rationale = kept.rationale
    if abs(support.score - before["support"]) > 0.001 or wrong:
        rationale = f"As the page stands now: {support.explanation}."
        if wrong:
            rationale += f" Not so in its source: “{shorten(wrong[0].text, 80, placeholder=' …')}”."
    criteria = tuple(support if part.name == "support" else part for part in kept.criteria)
    return Confidence(ConfidenceLevel(BANDS.band(score)), round(score, 4), criteria, rationale)


def _is_lead_in(unit: DraftSentence) -> bool:
    """Whether the writer typed it and it states nothing that could have a source."""
    return unit.is_own and not unit.problems and not unit.citations


def share_to_the_point(scores: dict[str, float]) -> float:
    """Return the probability (0..1) that an answer with these parts (each 0..1) is right, or the
    share of a text that answers what was asked for and is carried, less the share of what was asked
    for that was not found."""
    return math.prod(scores.get(name, 1.0) for name in _SHARES)


def _selection(plan: Plan) -> Criterion:
    """How probable it is that what stands in a text answers a need: what was found by rule, or by
    the writer, does."""
    by_hand = {point.need_id for point in plan.points if point.is_by_hand}
    scores = [
        1.0
        if unit.is_cell or need.need.need_id in by_hand
        # That of a field is the probability that it is filled in right.
        else (unit.score if need.need.is_field else _share_of(unit.score))
        for need in plan.needs
        for unit in need.chosen
    ]
    for point in plan.points:
        scores += [1.0] * (len(point.pairs) + (point.value is not None))
    mean = sum(scores) / len(scores) if scores else 0.0
    return Criterion(
        "selection", mean, f"about {mean:.0%} of what is stated answers what was asked for"
    )


def _share_of(chance: float) -> float:
    """Return how many of the units with this probability answer what was asked for."""
    if not 0.0 < chance < 1.0:
        return chance
    intercept, slope = _SELECTION
    odds = intercept + slope * math.log(chance / (1.0 - chance))
    return 1.0 / (1.0 + math.exp(-odds))


def _answer(plan: Plan) -> Criterion | None:
    """How probable it is that what is stated answers: of each part of the question the best."""
    if not any(need.chosen for need in plan.needs):
        return None
    # What answers two parts stands under one of them.
    best = [max((unit.score for unit in need.chosen), default=need.chance) for need in plan.needs]
    mean = sum(best) / len(best)
    return Criterion("answer", mean, f"what is stated answers with a probability of {mean:.0%}")


def _support(stating: Sequence[DraftSentence]) -> Criterion:
    carried = [
        0.0 if unit.support in (Support.UNSUPPORTED, Support.CONTRADICTED) else unit.score
        for unit in stating
    ]
    without = sum(score == 0.0 for score in carried)
    return Criterion(
        "support",
        max(0.0, min(1.0, sum(carried) / len(carried))),
        f"{len(stating) - without} of {len(stating)} have a source",
    )


def _coverage(plan: Plan, units: Sequence[DraftSentence]) -> Criterion:
    """How much of what was asked for has no gap; of a comparison, how many cells are stated."""
    gaps = {unit.point for unit in units if unit.kind is UnitKind.TODO}
    asked = max(1, len(plan.points))
    missing = sum(
        point.value is None if point.kind is PointKind.COMPARE else at in gaps
        for at, point in enumerate(plan.points)
    )
    return Criterion(
        "coverage", 1.0 - missing / asked, f"{missing} of {asked} points not found in the sources"
    )


def _agreement(
    stating: Sequence[DraftSentence],
    notes: Sequence[Footnote],
    plan: Plan,
    discrepancies: Sequence[Discrepancy],
) -> Criterion:
    """Half for one document that says it, three quarters for two, and so on; nothing where a
    cited passage is contested by another source."""
    by_number = {note.number: note for note in notes}
    passages = plan.passages
    scores: list[float] = []
    contested = several = 0
    for unit in stating:
        cited = [by_number[number] for number in unit.citations if number in by_number]
        if not cited:
            scores.append(0.0)
        elif any(_touches(one, note) for one in discrepancies for note in cited):
            contested += 1
            scores.append(0.0)
        else:
            files = {note.file for note in cited} | _also_say(unit, passages)
            several += len(files) > 1
            scores.append(1.0 - 0.5 ** len(files))
    explanation = f"{several} of {len(stating)} stated by more than one document"
    if contested:
        explanation += f", {contested} contested by another source"
    return Criterion("agreement", sum(scores) / len(scores), explanation)


def _touches(discrepancy: Discrepancy, note: Footnote) -> bool:
    return discrepancy.kind in _CONTESTED and any(
        side.file == note.file and side.start < note.end and note.start < side.end
        for side in discrepancy.sides
    )


def _concerns(
    discrepancy: Discrepancy, stating: Sequence[DraftSentence], notes: Sequence[Footnote]
) -> bool:
    """Whether a unit gives what the sides disagree on: it cites a side and gives its value, or
    says in most of its words what a side says, from a third source that the list does not name."""
    if discrepancy.kind not in _CONTESTED:
        return False
    touched = {note.number for note in notes if _touches(discrepancy, note)}
    return any(
        not missing_values(side.value, unit.text)
        and (not touched.isdisjoint(unit.citations) or _says(unit, side))
        for unit in stating
        for side in discrepancy.sides
    )


def _says(unit: DraftSentence, side: SourcePlace) -> bool:
    words = set(content_words(side.quote))
    is_said = len(words & set(content_words(unit.text))) / max(1, len(words)) >= _ALSO_SAYS
    return bool(side.value) and is_said


def _also_say(unit: DraftSentence, passages: Sequence[Passage]) -> set[str]:
    """Return the files whose passages hold the unit's values and most of its words."""
    words = set(content_words(unit.text))
    return {
        passage.file
        for passage in passages
        if words
        and len(words & set(content_words(passage.text))) / len(words) >= _ALSO_SAYS
        and not missing_values(unit.text, passage.text)
    }


def _ocr(notes: Sequence[Footnote], documents: IndexedDocuments | None) -> Criterion | None:
    read = documents.documents() if documents is not None else ()
    ids = {record.file: record.document_id for record in read}
    recognised = [
        block.ocr_confidence
        for note in notes
        if documents is not None and note.file in ids
        for block in documents.parsed(ids[note.file]).blocks
        if block.ocr_confidence is not None and block.start < note.end and note.start < block.end
    ]
    if not recognised:
        return None
    mean = sum(recognised) / len(recognised)
    return Criterion("ocr", mean, f"recognised text is cited, recognised with {mean:.0%} certainty")
