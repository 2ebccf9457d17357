from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.planning.questions.premises import premise_of
from phasergun_desktop.writing.model import AnswerStatus
from tests.fakes.desk import Desk
from tests.fakes.small_project import SmallProject

SHEET = "Context/Initiation/sheet.md"
FILES = {
    "Context/Project-Master-Record.docx": (
        "# Device Information\n\nDevice Name: Aerlo T3 Warming Blanket\n\nRated Power: 90 W\n"
    ),
    SHEET: (
        "# Blanket\n\nThe cover is supplied non-sterile.\n\nThe blanket has no speaker.\n\n"
        "The hose is not made of latex.\n\nA drop test of the hose was not carried out.\n\n"
        "The control unit switches off after 12 minutes.\n\nThe fan runs on mains voltage.\n\n"
        "If the filter is not clean, the fan stops.\n\nThe filter is clean when delivered.\n\n"
        "The blanket shall not be sterilised by steam.\n"
    ),
    "Bootstrap/answers.md": "# Answers\n\nQ: Is it implanted? A: No. It is not implanted.\n",
    "Context/Predicates/K111222.md": "# K111222\n\nThe predicate has no fan and no filter.\n",
}


@pytest.fixture
def blanket(tmp_path: Path) -> Iterator[Desk]:
    """A blanket of which several things are denied, and a predicate of which others are."""
    project = SmallProject(tmp_path)
    for file, text in FILES.items():
        project.write(file, text)
    yield Desk(project)
    project.close()


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Why is the cover sterile?", "The cover is supplied non-sterile."),
        ("How is the cover sterilised?", "The cover is supplied non-sterile."),
        ("How loud is the speaker?", "The blanket has no speaker."),
        ("Why does the blanket have a speaker?", "The blanket has no speaker."),
        ("Why is the hose made of latex?", "The hose is not made of latex."),
        ("When was the drop test of the hose completed?", "A drop test of the hose was not"),
        ("Who performed the drop test of the hose?", "A drop test of the hose was not"),
        ("Why is the Aerlo T3 implanted?", "It is not implanted."),
        ("Why is the rated power 200 W?", "Rated Power: 90 W"),
    ],
)
def test_a_premise_that_a_source_denies_is_refused(
    blanket: Desk, question: str, passage: str
) -> None:
    written = blanket.write(question, ["The model must not be asked."])
    assert written.model is not None
    assert written.model.prompts == []
    [unit] = written.result.sentences
    assert unit.text.startswith("The sources say otherwise: “")
    assert passage in unit.text
    [note] = written.result.footnotes
    assert unit.citations == (note.number,)
    assert passage in note.quote
    assert blanket.text(note.file)[note.start : note.end] == note.quote
    assert written.result.status is AnswerStatus.COMPLETE
    assert note.chunk_id or note.file


@pytest.mark.parametrize(
    "question",
    [
        "Why is the cover non-sterile?",
        "Why is the filter clean?",
        "Why does the fan stop?",
        "What does the fan run on?",
        "When does the control unit switch off?",
        "Why is the rated power 90 W?",
        "Why is the filter not clean?",
        "How is the blanket sterilised?",
        "Why does the blanket have a fan?",
        "Is the cover sterile?",
        "Describe the cover.",
    ],
)
def test_what_no_source_plainly_denies_is_answered_as_usual(blanket: Desk, question: str) -> None:
    points = blanket.plan(question).points
    assert [point.denial for point in points] == [None]


def test_without_a_model_the_premise_is_refused_too(blanket: Desk) -> None:
    written = blanket.write("Why is the cover sterile?", None)
    assert "The sources say otherwise" in written.result.text


def test_a_question_about_the_predicate_looks_at_its_documents(blanket: Desk) -> None:
    [point] = blanket.plan("Why does the predicate have a fan?").points
    assert point.denial is not None
    assert point.denial.file == "Context/Predicates/K111222.md"


@pytest.mark.parametrize(
    "text",
    ["", "Describe the device.", "Why?", "How is it?", "?" * 50, "为什么它是无菌的?"],
)
def test_what_has_no_premise_has_none(text: str) -> None:
    premise = premise_of(text, ["Aerlo T3"])
    assert premise is None or not premise.things
