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
from phasergun_desktop.writing.confidence_weights import (
    BIAS,
    SELECTION_BIAS,
    SELECTION_SLOPE,
    WEIGHTS,
)
from phasergun_desktop.writing.gaps import gap_name
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel, Criterion
from phasergun_desktop.writing.question_form import AskedFor, asked_for, has_value_asked_for

_ALSO_SAYS = 0.6
_NO_VALUE = (AskedFor.WORDS, AskedFor.YES_OR_NO)
# The bands of texts, and of answers by the probability that they are right.
BANDS = ConfidenceSettings()
# Just below the high band: no other part makes up for two sources that disagree.
_BELOW = 0.01
_WRONG = (ProblemCode.CONTRADICTED, ProblemCode.VALUE_MISSING, ProblemCode.NEGATION)
_CONTESTED = (DiscrepancyKind.VALUES, DiscrepancyKind.BOOTSTRAP, DiscrepancyKind.SUPERSEDED)


def confidence_of(
    units: Sequence[DraftSentence],
    plan: Plan,
    gaps: int,
    *,
    footnotes: Sequence[Footnote] = (),
    discrepancies: Sequence[Discrepancy] = (),
    documents: IndexedDocuments | None = None,
    settings: ConfidenceSettings = BANDS,
) -> Confidence:
    """Return the confidence; every part is computed from this draft, none is constant.

    That of answers to questions is the probability that they are right, by a logistic regression on
    its parts (``confidence_weights``), or where the profile's ``settings`` say so the similarity of
    what was retrieved, in the profile's bands; questions that are told to have no answer do not
    enter it, and the rationale names them. That of a text is the share of it that answers what was
    asked for, by the selector's probabilities, and is carried. A part that does not apply (OCR
    where nothing recognised is cited) is left out. Medium is the most where a source disagrees on a
    value that is given.
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
        if settings.measure is ConfidenceMeasure.RETRIEVAL:
            bands = settings
            criteria = _present(_retrieval(plan, settings.counted), recognised)
            score, weakest = criteria[0].score, criteria[0]
        else:
            asked = (_subject(plan, notes), _form(plan, stating))
            criteria = _present(_answer(plan), *carried, *asked, recognised)
            score = probability({part.name: part.score for part in criteria})
            weakest = min(criteria, key=lambda part: _pull(part.name, part.score))
    else:
        criteria = _present(_selection(plan), *carried, _coverage(plan, gaps), recognised)
        score = share_to_the_point({part.name: part.score for part in criteria})
        # That a second document says it too is shown, and is not needed.
        needed = [part for part in criteria if part.name != "agreement"]
        weakest = min(needed, key=lambda part: part.score)
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
    if "selection" in before:
        was, score = share_to_the_point(before), share_to_the_point(scores)
    else:
        was, score = probability(before), probability(scores)
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


def probability(scores: dict[str, float]) -> float:
    """Return the probability (0..1) that an answer with these parts (each 0..1) is right."""
    # (Kept conversations have parts of before, too.)
    odds = BIAS + sum(_pull(name, score) for name, score in scores.items() if name in WEIGHTS)
    return _sigmoid(odds)


def share_to_the_point(scores: dict[str, float]) -> float:
    """Return the share (0..1) of a text that answers what was asked for and is carried, less the
    share of what was asked for that was not found."""
    shares = ("selection", "support", "coverage", "ocr")
    return math.prod(scores.get(name, 1.0) for name in shares)


def _selection(plan: Plan) -> Criterion:
    """How probable it is that what stands in a text answers a need: what was found by rule, or by
    the writer, does."""
    by_hand = {point.need_id for point in plan.points if point.is_by_hand}
    scores = [
        1.0 if unit.is_cell or need.need.need_id in by_hand else _answering_share(unit.score)
        for need in plan.needs
        for unit in need.chosen
    ]
    for point in plan.points:
        scores += [1.0] * (len(point.pairs) + (point.value is not None))
    mean = sum(scores) / len(scores) if scores else 0.0
    return Criterion(
        "selection", mean, f"about {mean:.0%} of what is stated answers what was asked for"
    )


def _answering_share(chance: float) -> float:
    """Return the share of units of this probability that answer what was asked for."""
    if not 0.0 < chance < 1.0:
        return chance
    return _sigmoid(SELECTION_BIAS + SELECTION_SLOPE * math.log(chance / (1.0 - chance)))


def _sigmoid(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _pull(name: str, score: float) -> float:
    weight = WEIGHTS[name]
    return weight.weight * (score - weight.usual)


def _answer(plan: Plan) -> Criterion | None:
    """How probable it is that what is stated answers: of each part of the question the best."""
    chances = [max(unit.score for unit in need.chosen) for need in plan.needs if need.chosen]
    if not chances:
        return None
    mean = sum(chances) / len(chances)
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


def _coverage(plan: Plan, gaps: int) -> Criterion:
    asked = max(1, len(plan.points))
    missing = min(asked, gaps)
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


def _subject(plan: Plan, notes: Sequence[Footnote]) -> Criterion | None:
    """How much of what was asked for the cited passages speak of, headings and titles included."""
    asked = {stem for point in plan.points for stem in content_words(point.query)}
    if not asked or not notes:
        return None
    near: set[str] = set()
    for note in notes:
        near.update(content_words(" ".join((note.quote, note.title, *note.heading_path))))
    share = len(asked & near) / len(asked)
    return Criterion(
        "subject", share, f"the cited passages speak of {share:.0%} of what was asked for"
    )


def _form(plan: Plan, stating: Sequence[DraftSentence]) -> Criterion | None:
    """How many of the questions for a value (when, how much, how long) get one; a whole table or
    list says how many there are."""
    asked = [point.query for point in plan.points if asked_for(point.query) not in _NO_VALUE]
    if not asked:
        return None
    entries = sum(unit.kind in (UnitKind.TABLE_ROW, UnitKind.LIST_ITEM) for unit in stating)
    given = sum(
        (asked_for(query) is AskedFor.COUNT and entries > 1)
        or any(has_value_asked_for(query, unit.text) for unit in stating)
        for query in asked
    )
    return Criterion(
        "form",
        given / len(asked),
        f"{given} of {len(asked)} questions for a value are answered with one",
    )


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
