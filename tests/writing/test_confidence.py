"""Every part of the confidence moves with what it measures, and none is constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from msgspec import structs

from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    SourcePlace,
    Support,
    UnitKind,
)
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.model import (
    Discrepancy,
    DiscrepancyKind,
    Plan,
    PlannedNeed,
    PlannedPoint,
    PlannedUnit,
    PointKind,
)
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.profiles.model import ConfidenceMeasure, ConfidenceSettings
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import SourceValue
from phasergun_desktop.retrieval.model import Passage, SearchScope
from phasergun_desktop.writing.confidence import confidence_of, confidence_of_page
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel, Criterion
from tests.consistency.doubtful_project import REPORT, DoubtfulDocuments, documents_of
from tests.fakes.desk import Desk
from tests.fakes.fake_documents import fake_document

SAID = "The alarm of the heater sounds at 78 dB."
OTHER = "Context/Ongoing/other.md"


def _passage(file: str, text: str, score: float) -> Passage:
    return Passage(
        0, file, "0" * 64, "Report", Layer.ONGOING, ChunkId(file), 0, len(text), text, (), score
    )


def _plan(*passages: Passage, query: str = "alarm of the heater", relevance: float = 0.5) -> Plan:
    point = PlannedPoint(
        PointKind.VALUE, "", query, query, SearchScope(), passages, relevance=relevance
    )
    return Plan("", "", "", "small", (), (), (point,), 0)


def _unit(**more: object) -> DraftSentence:
    unit = DraftSentence(SAID, citations=(1,), support=Support.SUPPORTED, score=0.9)
    return replace(unit, **more)  # type: ignore[arg-type]  # the fields of the unit by name


def _note(documents: DoubtfulDocuments, file: str = REPORT, number: int = 1) -> Footnote:
    record = next(each for each in documents.documents() if each.file == file)
    text = documents.parsed(record.document_id).text
    start = text.index(SAID)
    return Footnote(
        number, "context", "", record.title, file, quote=SAID, start=start, end=start + len(SAID)
    )


@pytest.fixture
def documents() -> DoubtfulDocuments:
    return documents_of({REPORT: f"# Report\n{SAID}\nThe weight is 3 kg.", OTHER: f"# O\n{SAID}"})


def _of(documents: DoubtfulDocuments, plan: Plan | None = None, **unit: object) -> Confidence:
    used = plan or _plan(_passage(REPORT, SAID, 0.9), _passage(OTHER, "Nothing here.", 0.3))
    return confidence_of([_unit(**unit)], used, footnotes=[_note(documents)], documents=documents)


def _part(confidence: Confidence, name: str) -> float:
    return next(one.score for one in confidence.criteria if one.name == name)


def test_support(documents: DoubtfulDocuments) -> None:
    assert _part(_of(documents), "support") == pytest.approx(0.9)
    assert _part(_of(documents, score=0.4), "support") == pytest.approx(0.4)
    for wrong in (Support.UNSUPPORTED, Support.CONTRADICTED):
        assert _part(_of(documents, support=wrong), "support") == 0.0


def test_an_answer_is_as_probable_as_the_best_unit_of_each_part(
    documents: DoubtfulDocuments,
) -> None:
    plan = _plan(_passage(REPORT, SAID, 0.9))
    units = tuple(
        PlannedUnit(_passage(REPORT, text, score), is_selected, score)
        for text, score, is_selected in ((SAID, 0.7, True), ("x", 0.4, True), ("y", 0.3, False))
    )
    need = PlannedNeed(Need("n1", "", 0, 0, "", SearchScope()), units)
    other = replace(need, units=tuple(replace(unit, score=0.5) for unit in units[:1]))
    for needs, mean in (((need,), 0.7), ((need, other), 0.6)):
        said = _part(_of(documents, replace(plan, needs=needs)), "answer")
        assert said == pytest.approx(mean, abs=0.001)
    names = {one.name for one in _of(documents, plan).criteria}
    assert "answer" not in names


def test_agreement_counts_documents_and_falls_where_one_is_contested(
    documents: DoubtfulDocuments,
) -> None:
    alone = _of(documents)
    both = _of(documents, _plan(_passage(REPORT, SAID, 0.9), _passage(OTHER, SAID, 0.5)))
    assert _part(alone, "agreement") == pytest.approx(0.5)
    assert _part(both, "agreement") == pytest.approx(0.75)
    note = _note(documents)
    side = SourcePlace(REPORT, "", note.quote, note.start, note.end)
    contested = confidence_of(
        [_unit()],
        _plan(_passage(REPORT, SAID, 0.9)),
        footnotes=[note],
        discrepancies=[Discrepancy(DiscrepancyKind.VALUES, "Two values.", (side, side))],
        documents=documents,
    )
    assert _part(contested, "agreement") == 0.0
    assert contested.score < alone.score


@pytest.mark.parametrize(
    ("kind", "value", "cites", "is_capped"),
    [
        (DiscrepancyKind.VALUES, "78 dB", True, True),
        (DiscrepancyKind.VALUES, "78 dB", False, True),  # says it from a third source
        (DiscrepancyKind.VALUES, "12 kg", True, False),  # another value of the cited sentence
        (DiscrepancyKind.BOOTSTRAP, "", True, True),
        (DiscrepancyKind.BOOTSTRAP, "", False, False),
        (DiscrepancyKind.SUPERSEDED, "", True, True),
        (DiscrepancyKind.GAP, "78 dB", True, False),
    ],
)
def test_a_value_on_which_sources_disagree_is_never_highly_trusted(
    documents: DoubtfulDocuments, kind: DiscrepancyKind, value: str, cites: bool, is_capped: bool
) -> None:
    note = _note(documents)
    start, end = (note.start, note.end) if cites else (0, 3)
    side = SourcePlace(REPORT, "", note.quote, start, end, value=value)
    # Nine more documents say so, and everything else is as good as it can be.
    said = [_passage(f"{n}.md", SAID, 0.1) for n in range(9)]
    confidence = confidence_of(
        [_unit(score=1.0)],
        _plan(_passage(REPORT, SAID, 0.9), *said, relevance=0.9),
        footnotes=[note],
        discrepancies=[Discrepancy(kind, "Sources say other things.", (side,))],
        documents=documents,
    )
    assert (confidence.level is ConfidenceLevel.HIGH) is not is_capped
    assert ("Sources say other things." in confidence.rationale) is is_capped
    assert (confidence.score < 0.8) is is_capped


def test_what_is_told_to_have_no_answer_says_nothing_of_what_is_stated(
    documents: DoubtfulDocuments,
) -> None:
    alarm = replace(_plan().points[0], need_id="n1")
    who = "Who sewed the saddle?"
    sewed = replace(alarm, query=who, instruction=who, need_id="n2")
    unit = PlannedUnit(_passage(REPORT, SAID, 0.9), selected=True, score=0.98)
    needs = tuple(
        PlannedNeed(Need(each.need_id, "", 0, 0, "", SearchScope()), found, chance)
        for each, found, chance in ((alarm, (unit,), unit.score), (sewed, (), 0.5))
    )
    gap = DraftSentence("[TODO: it was not found]", UnitKind.TODO, point=1)

    def asked(count: int, *units: DraftSentence) -> Confidence:
        plan = replace(_plan(), points=(alarm, sewed)[:count], needs=needs[:count])
        notes = [_note(documents)]
        return confidence_of(units, plan, footnotes=notes, documents=documents)

    alone, joined = asked(1, _unit(point=0)), asked(2, _unit(point=0), gap)
    assert (joined.score, joined.criteria) == (alone.score, alone.criteria)
    assert alone.level is ConfidenceLevel.HIGH
    assert "Not answered" in joined.rationale
    assert "“Who sewed the saddle?”" in joined.rationale
    assert "Not answered" not in alone.rationale
    # What is not told to have no answer is answered, if at all, by what is stated.
    assert asked(2, _unit(point=0)).score < alone.score


DISCLOSED = ConfidenceSettings(0.5, 0.4, 0.15, measure=ConfidenceMeasure.RETRIEVAL)


def _retrieved(
    documents: DoubtfulDocuments,
    *cosines: float,
    gaps: int = 0,
    discrepancies: Sequence[Discrepancy] = (),
) -> Confidence:
    point = _plan().points[0]
    points = tuple(replace(point, need_id=f"n{at}") for at in range(len(cosines)))
    needs = tuple(
        PlannedNeed(Need(f"n{at}", "", 0, 0, "", SearchScope()), retrieval_score=cosine)
        for at, cosine in enumerate(cosines)
    )
    stated = len(cosines) - gaps
    units = [_unit(point=at) for at in range(stated)]
    units += [DraftSentence("[TODO]", UnitKind.TODO, point=stated + at) for at in range(gaps)]
    return confidence_of(
        units,
        replace(_plan(), points=points, needs=needs),
        footnotes=[_note(documents)],
        discrepancies=discrepancies,
        documents=documents,
        settings=DISCLOSED,
    )


def test_a_profile_may_measure_what_was_retrieved_in_its_own_bands(
    documents: DoubtfulDocuments,
) -> None:
    levels = {0.5: "high", 0.49: "medium", 0.39: "low", 0.1: "very_low", -0.2: "very_low"}
    for cosine, level in levels.items():
        found = _retrieved(documents, cosine)
        assert (found.score, found.level.value) == (max(0.0, cosine), level)
        assert [one.name for one in found.criteria] == ["retrieval"]
    assert (
        "the best 5 passages found have a mean cosine of 0.45"
        in _retrieved(documents, 0.45).rationale
    )
    assert _retrieved(documents, 0.5, 0.3).score == pytest.approx(0.4)
    assert _retrieved(documents, 0.5, 0.3, gaps=1).score == 0.5
    # What was retrieved is the same after an edit.
    kept = _retrieved(documents, 0.45)
    assert confidence_of_page(kept, [_unit(), _unit(score=0.1)]) == kept
    note = _note(documents)
    side = SourcePlace(REPORT, "", note.quote, note.start, note.end)
    two = Discrepancy(DiscrepancyKind.VALUES, "Two values.", (side, side))
    assert _retrieved(documents, 0.6, discrepancies=[two]).level is ConfidenceLevel.MEDIUM


def _drafted(documents: DoubtfulDocuments, *scores: float, gaps: int = 0) -> Confidence:
    plan = _plan(_passage(REPORT, SAID, 0.9))
    [point] = plan.points
    passages = [_passage(f"{at}.md", SAID, score) for at, score in enumerate(scores)]
    units = tuple(PlannedUnit(each, selected=True, score=each.score) for each in passages)
    need = PlannedNeed(Need("n1", "alarm", 0, 5, "alarm", SearchScope()), units)
    points = (replace(point, kind=PointKind.DESCRIBE, need_id="n1"),)
    return confidence_of(
        [_unit(score=1.0), *(DraftSentence("[TODO]", UnitKind.TODO, point=0) for _ in range(gaps))],
        replace(plan, needs=(need,), points=points),
        footnotes=[_note(documents)],
        documents=documents,
    )


def test_a_text_is_trusted_as_far_as_its_evidence_is_probable(
    documents: DoubtfulDocuments,
) -> None:
    weak, strong = _drafted(documents, 0.1, 0.2), _drafted(documents, 0.9, 0.8)
    assert 0.2 < _part(weak, "selection") < 0.3
    assert _part(_drafted(documents, 0.0, 1.0), "selection") == 0.5
    assert (weak.level, strong.level) == (ConfidenceLevel.VERY_LOW, ConfidenceLevel.HIGH)
    assert "about 26% of what is stated" in weak.rationale
    gap = _drafted(documents, 0.9, 0.8, gaps=1)
    assert (_part(strong, "coverage"), _part(gap, "coverage")) == (1.0, 0.0)
    assert gap.level is ConfidenceLevel.VERY_LOW


def test_a_comparison_covers_what_its_cells_state(documents: DoubtfulDocuments) -> None:
    [point] = _plan().points
    cell = replace(point, kind=PointKind.COMPARE, attribute="alarm", device="Heater")
    stated = replace(cell, value=SourceValue(SAID, REPORT, 0, 1))
    plan = replace(_plan(), points=(stated, replace(cell, device="Other")))
    assert _part(_of(documents, plan), "coverage") == 0.5


def test_a_field_is_filled_in_as_probably_as_its_unit_answers(
    documents: DoubtfulDocuments,
) -> None:
    [point] = _plan().points
    unit = PlannedUnit(_passage(REPORT, SAID, 0.6), selected=True, score=0.6)
    need = Need("n1", "alarm", 0, 5, "alarm", SearchScope(), is_field=True)
    points = (replace(point, kind=PointKind.FIELD, need_id="n1"),)
    plan = replace(_plan(), needs=(PlannedNeed(need, (unit,)),), points=points)
    assert _part(_of(documents, plan), "selection") == 0.6


def test_what_a_writer_ticks_is_meant(documents: DoubtfulDocuments, desk: Desk) -> None:
    plan = desk.ticked("Describe the alarm of the heater.", [SAID])
    result = desk.verbatim(plan)
    assert _part(result.confidence, "selection") == 1.0


def test_recognised_text_counts_only_where_it_is_cited() -> None:
    parsed = fake_document(["# Report", SAID])
    blocks = tuple(structs.replace(block, ocr_confidence=0.62) for block in parsed.blocks)
    scanned = DoubtfulDocuments({REPORT: replace(parsed, blocks=blocks)})
    assert _part(_of(scanned), "ocr") == pytest.approx(0.62)
    plain = _of(documents_of({REPORT: f"# Report\n{SAID}"}))
    assert all(one.name != "ocr" for one in plain.criteria)
    assert "No recognised text was used" in plain.rationale


def test_nothing_stated_is_no_confidence(documents: DoubtfulDocuments) -> None:
    heading = DraftSentence("Alarm", UnitKind.HEADING)
    result = confidence_of([heading], _plan(), documents=documents)
    assert (result.level, result.score) == (ConfidenceLevel.VERY_LOW, 0.0)


# The page as it stands ------------------------------------------------------------------------

KEPT = Confidence(
    ConfidenceLevel.HIGH,
    0.81,
    (Criterion("selection", 0.9, "s"), Criterion("support", 0.9, "2 of 2 have a source")),
    "Weakest part: s.",
)


def test_a_page_that_was_not_edited_has_the_confidence_that_it_was_written_with() -> None:
    assert confidence_of_page(KEPT, [_unit(), _unit()]) == KEPT


def test_what_the_writer_adds_without_a_source_lowers_it_until_they_answer_for_it() -> None:
    own = _unit(
        citations=(),
        is_own=True,
        support=Support.UNSUPPORTED,
        problems=(SentenceProblem(ProblemCode.NO_SOURCE, "", "No source yet."),),
    )
    page = confidence_of_page(KEPT, [_unit(), _unit(), own])
    assert (page.level, page.score) == (ConfidenceLevel.LOW, 0.54)
    assert "2 of 3 have a source" in page.rationale
    answered = confidence_of_page(KEPT, [_unit(), _unit(), replace(own, accepted="2026")])
    assert answered.level is ConfidenceLevel.HIGH
    unchecked = replace(own, needs_check=True)
    assert confidence_of_page(KEPT, [_unit(), _unit(), unchecked]).score == KEPT.score
    lead_in = _unit(citations=(), is_own=True, score=0.0)
    assert confidence_of_page(KEPT, [_unit(), _unit(), lead_in]).score == KEPT.score


def test_no_page_with_a_value_that_its_source_has_not_is_high() -> None:
    problem = SentenceProblem(ProblemCode.VALUE_MISSING, "79 dB", "“79 dB” does not occur.")
    page = confidence_of_page(KEPT, [_unit(), _unit(problems=(problem,))])
    assert page.level is ConfidenceLevel.MEDIUM
    assert SAID in page.rationale


def test_an_empty_page_is_very_low() -> None:
    heading = DraftSentence("Alarms", UnitKind.HEADING)
    assert confidence_of_page(KEPT, [heading]).level is ConfidenceLevel.VERY_LOW
