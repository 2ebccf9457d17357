"""Questions, answers and fields of bootstrap documents, also when Word joined the lines."""

from __future__ import annotations

from phasergun_desktop.references.bootstrap import parse_bootstrap
from tests.fakes.fake_documents import fake_document


def _read(*lines: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]], tuple[str, ...]]:
    document = fake_document(lines)
    read = parse_bootstrap(document, "b.docx")
    for value in [pair.answer for pair in read.pairs] + [each.value for each in read.fields]:
        assert document.text[value.start : value.end] == value.text
    pairs = [(pair.question, pair.answer.text) for pair in read.pairs]
    return pairs, [(each.name, each.value.text) for each in read.fields], read.unanswered


def test_marks_begin_anywhere_in_a_paragraph() -> None:
    pairs, fields, _ = _read(
        "# Bootstrap",
        "Q: What is it? A: A meter. Q: Who signs? A: Two people.",
        "STERILITY: Not supplied sterile SOFTWARE_LEVEL: Basic level",
    )
    assert pairs == [("What is it?", "A meter."), ("Who signs?", "Two people.")]
    assert fields == [("STERILITY", "Not supplied sterile"), ("SOFTWARE_LEVEL", "Basic level")]


def test_an_answer_goes_on_in_the_next_paragraph_and_ends_at_a_heading() -> None:
    pairs, _, _ = _read("Q1: What?", "A1: First.", "Second.", "# Next", "Not the answer.")
    assert pairs == [("What?", "First.\n\nSecond.")]


def test_running_text_is_no_mark() -> None:
    pairs, fields, _ = _read(
        "Q: Which? A: Hepatitis A: yes. NOTE: see ISO: 14971, GT2-SW1: the app."
    )
    assert pairs == [("Which?", "Hepatitis A: yes. NOTE: see ISO: 14971, GT2-SW1: the app.")]
    assert fields == []


def test_a_field_ends_an_answer_and_rows_are_fields() -> None:
    pairs, fields, _ = _read("Q: A? A: Yes. LEVEL: Basic", "DEVICE_CLASS | Class II")
    assert pairs == [("A?", "Yes.")]
    assert fields == [("LEVEL", "Basic"), ("DEVICE_CLASS", "Class II")]


def test_questions_without_answers_are_named() -> None:
    pairs, _, unanswered = _read("Q: One?", "Q: Two? A: 2", "Q: Three? A:")
    assert pairs == [("Two?", "2")]
    assert unanswered == ("One?", "Three?")


def test_marks_of_markdown_are_not_part_of_the_answer() -> None:
    assert _read("**Q:** One? **A:** Yes, *really*.")[0] == [("One?", "Yes, *really*.")]
