from __future__ import annotations

import json
import math

import pytest

from phasergun_desktop.evaluation.draft_report import (
    DraftFigures,
    FactFound,
    drafts_json,
    report_of,
)
from phasergun_desktop.evaluation.draft_texts import gap_texts, stated_texts
from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.writing.model import (
    AnswerMetrics,
    AnswerResult,
    AnswerStatus,
    Confidence,
    ConfidenceLevel,
)

UNITS = (
    DraftSentence("Alarms", UnitKind.HEADING),
    DraftSentence("It sounds at 42.5 °C."),
    DraftSentence("HAZ-01", UnitKind.LIST_ITEM),
    DraftSentence("Id | Harm", UnitKind.TABLE_ROW, cells=("Id", "Harm"), is_header=True),
    DraftSentence("HAZ-01, burn", UnitKind.TABLE_ROW, cells=("HAZ-01", "burn")),
    DraftSentence("[TODO: the documents searched say nothing on the ESD level]", UnitKind.TODO),
)


def _result(status: AnswerStatus, missing: str = "") -> AnswerResult:
    return AnswerResult(
        status=status,
        text="",
        sentences=UNITS,
        footnotes=(),
        confidence=Confidence(ConfidenceLevel.LOW, 0.0),
        plan=Plan("", "", "", "", (), (), (), 0),
        metrics=AnswerMetrics(),
        missing=missing,
    )


def test_what_a_draft_states() -> None:
    stated = ["It sounds at 42.5 °C.", "HAZ-01", "HAZ-01 | burn"]
    assert stated_texts(_result(AnswerStatus.COMPLETE)) == stated
    assert stated_texts(_result(AnswerStatus.ERROR)) == stated


@pytest.mark.parametrize("status", [AnswerStatus.ABSTAINED, AnswerStatus.BLOCKED])
def test_a_draft_that_is_not_shown_states_nothing(status: AnswerStatus) -> None:
    assert stated_texts(_result(status)) == []


def test_what_a_draft_reports_as_missing() -> None:
    assert gap_texts(_result(AnswerStatus.COMPLETE)) == [UNITS[-1].text]
    assert gap_texts(_result(AnswerStatus.ABSTAINED, "the UDI"))[-1] == "the UDI"


def _figures(
    name: str, drafted: list[bool], words: int = 10, *, abstains: bool | None = None
) -> DraftFigures:
    facts = tuple(FactFound(f"{name} {at}", True, True, is_in) for at, is_in in enumerate(drafted))
    missing = (("no ESD level", False),) if words else ()
    return DraftFigures(name, "complete", facts, missing, abstains, words, 0.1, 0.2)


def test_prompts_are_drawn_whole_and_always_alike() -> None:
    prompts = [_figures(str(at), [at % 3 > 0] * 4) for at in range(12)]
    report = report_of("extractive", prompts)
    assert (report.drafted.found, report.drafted.wanted) == (32, 48)
    share = report.drafted.share
    assert share.low < share.value < share.high
    # Facts of one prompt fall together here: 48 that are independent would give about 0.27.
    assert share.high - share.low > 0.4
    assert report_of("extractive", prompts) == report
    assert report.pool.share.low == 1.0


def test_words_are_of_the_drafts_that_state_something() -> None:
    prompts = [_figures("a", [True], 10), _figures("b", [True], 40), _figures("c", [False], 0)]
    assert report_of("m", prompts).words == (25.0, 25.0)


def test_without_facts_nothing_is_defined() -> None:
    report = report_of(
        "m", [_figures("a", [], 0, abstains=True), _figures("b", [], abstains=False)]
    )
    assert math.isnan(report.drafted.share.value)
    told = drafts_json(report)
    text = json.dumps(told, allow_nan=False)
    assert json.loads(text)["metrics"]["facts"] == {
        "found": 0,
        "wanted": 0,
        "share": None,
        "interval": [None, None],
    }
    assert json.loads(text)["metrics"]["abstentions"] == {"found": 1, "wanted": 2}
