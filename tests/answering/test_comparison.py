from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from phasergun_desktop.answering.comparing.comparison import NOT_STATED, Cell, answered_cell
from phasergun_desktop.answering.comparing.slots import fill_from_counterparts
from phasergun_desktop.answering.model import AnswerStatus
from phasergun_desktop.answering.writing.verbatim import word_for_word
from phasergun_desktop.documents.model import Block, BlockKind, LineLocator
from phasergun_desktop.grounding.binding import SpanBinder
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.language_models.protocol import ModelPrompt
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import QuestionAnswer, SourceValue
from phasergun_desktop.retrieval.model import Passage
from tests.answering.conftest import PREDICATE, REPORT, Desk

PROMPT = (
    "Compare [Master Record|Device Name] with [Master Record|Predicate Device]. "
    "Cover alarm and weight."
)


def _value(prompt: ModelPrompt) -> str:
    """Copy the value as the bundled model does, or say that there is none."""
    wanted = "alarm" if "alarm" in prompt.task else "weigh"
    for line in prompt.shared.splitlines():
        if wanted in line and re.search(r"\d", line) and not line.startswith("---"):
            return line.rstrip(".")
    return "NOT FOUND"


def test_each_cell_is_a_value_of_its_device(desk: Desk) -> None:
    written = desk.write(PROMPT, _value)
    result = written.result
    assert result.status is AnswerStatus.COMPLETE
    rows = [unit for unit in result.sentences if unit.kind is UnitKind.TABLE_ROW]
    assert rows[0].is_header
    assert rows[0].cells == ("Attribute", "Heater H1", "K111222")
    alarm, weight = rows[1:]
    assert ["78 dB" in alarm.cells[1], "81 dB" in alarm.cells[2]] == [True, True]
    assert "3.2 kg" in weight.cells[1]
    assert weight.cells[2] == NOT_STATED
    notes = {note.number: note for note in result.footnotes}
    assert {notes[n].file for n in alarm.citations_per_cell[1]} == {REPORT}
    assert {notes[n].file for n in alarm.citations_per_cell[2]} == {PREDICATE}
    assert weight.citations_per_cell[2] == ()


def test_what_one_device_lacks_is_a_gap(desk: Desk) -> None:
    written = desk.write(PROMPT, _value)
    gaps = [unit.text for unit in written.result.sentences if unit.kind is UnitKind.TODO]
    assert len(gaps) == 1
    assert "K111222" in gaps[0]


def test_a_value_that_no_passage_states_is_not_taken(desk: Desk) -> None:
    written = desk.write(PROMPT, lambda prompt: "The alarm sounds at 99 dB.")
    assert "99 dB" not in written.result.text


def test_a_bootstrap_answer_outranks_what_the_documents_state(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    answer = SourceValue("77 dB", REPORT, 0, 5)
    pair = QuestionAnswer("What is the alarm of the heater?", answer)
    other = QuestionAnswer("What is the colour of the heater?", SourceValue("red", REPORT, 0, 3))
    point = next(p for p in plan.points if p.attribute == "alarm")
    assert answered_cell(replace(point, pairs=(other,))) is None
    cell = answered_cell(replace(point, pairs=(other, pair)))
    assert cell is not None
    assert (cell.text, cell.value) == ("77 dB", answer)


def test_what_is_missing_says_where_it_belongs(desk: Desk) -> None:
    result = desk.write(PROMPT, _value).result
    [gap] = [unit.text for unit in result.sentences if unit.kind is UnitKind.TODO]
    assert "Context/Predicates" in gap


class _NoSpans:
    def spans_of(self, passages: Sequence[Passage]) -> list[CandidateSpan]:
        return []


def test_what_a_document_of_the_other_device_says_is_told_to_the_writer(desk: Desk) -> None:
    points = [p for p in desk.plan(PROMPT).points if p.attribute == "weight"]
    cells = (("", "Weight"), ("Heater H1", "3.2 kg"), ("Predicate (K111222)", "3.5 kg"))
    text = "; ".join(cell for _, cell in cells)
    passage = Passage(1, REPORT, "", "a", Layer.ONGOING, ChunkId("c"), 0, len(text), text, (), 1.0)
    block = Block(0, BlockKind.TABLE_ROW, 0, len(text), LineLocator(1), cells=cells)
    row = CandidateSpan(passage, block, 0, len(text), text, "")
    subject = Cell("weight", "Heater H1", "3.2 kg", word_for_word(row))
    rows = [[subject, Cell("weight", "K111222")]]
    fill_from_counterparts(rows, points, cast("SpanBinder", _NoSpans()))
    assert rows[0][1].text == ""
    assert rows[0][1].elsewhere == f"{REPORT} gives “3.5 kg” for it"
