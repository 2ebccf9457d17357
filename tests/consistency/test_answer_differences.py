"""What answers a need with another value is told, and what answers something else is not."""

from __future__ import annotations

import pytest

from phasergun_desktop.consistency.between_sources import source_discrepancies
from phasergun_desktop.planning.model import DiscrepancyKind, PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.subject import subjects_of
from phasergun_desktop.retrieval.model import Passage
from tests.consistency.doubtful_project import (
    DESCRIPTION,
    PREDICATE,
    RECORD,
    REPORT,
    documents_of,
    point_reading,
)

QUESTION = "How heavy is it?"


def _told(first: str, second: str, *, file: str = REPORT, chance: float = 0.6) -> list[str]:
    """Return what is told of an answer ``first`` where ``second`` in ``file`` answers too."""
    documents = documents_of(
        {RECORD: "Device Name: Heater H1", DESCRIPTION: first, file: f"{second}\nIt is blue."}
    )
    units = []
    for record in documents.documents()[1:]:
        text = documents.parsed(record.document_id).text.splitlines()[0]
        score = 0.9 if record.file == DESCRIPTION else chance
        passage = Passage.of(record, 0, len(text), text)
        units.append(PlannedUnit(passage, record.file == DESCRIPTION, score))
    point = point_reading(documents, DESCRIPTION)
    need = Need("n1", QUESTION, 0, len(QUESTION), QUESTION, point.scope)
    found = source_discrepancies(
        [point], documents, (), subjects_of(documents), [PlannedNeed(need, tuple(units))]
    )
    assert {each.kind for each in found} <= {DiscrepancyKind.VALUES}
    for each in found:
        assert all(side.value and side.value in side.quote for side in each.sides)
    return [each.message for each in found]


def test_another_document_that_answers_with_another_value() -> None:
    [message] = _told("318 g without batteries", "Table-top unit, 138 x 102 x 61 mm, 312 g")
    assert message == "On “How heavy is it?” Description.docx says 318 g, Report.md 312 g."
    assert _told("you are under 16 years old", "We go with 18 years and older.")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("318 g without batteries", "0.318 kg without them"),
        # Another sort of quantity, and numbers of which any may be the answer.
        ("318 g without batteries", "It is 6 cm high"),
        ("318 g without batteries", "312 g or 325 g, by the model"),
        ("318 g without batteries", "Sample 3 of 12, 312 g"),
        ("318 g with four cells", "312 g"),
    ],
)
def test_what_does_not_answer_otherwise(first: str, second: str) -> None:
    assert _told(first, second) == []


def test_what_hardly_answers_or_speaks_of_another_device() -> None:
    assert _told("318 g without batteries", "312 g without them", chance=0.3) == []
    assert _told("318 g without batteries", "312 g without them", file=PREDICATE) == []
    old = "Context/Ongoing/Report_SUPERSEDED.md"
    assert _told("318 g without batteries", "312 g without them", file=old) == []
