from __future__ import annotations

import pytest

from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.question_form import (
    AskedFor,
    asked_for,
    has_value_asked_for,
    topic_text,
    without_names,
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How long must complaint files be kept?", AskedFor.DURATION),
        ("Within how many working days is a supplier told?", AskedFor.DURATION),
        ("What is the shelf life of the electrode?", AskedFor.DURATION),
        ("How often is the autoclave calibrated?", AskedFor.FREQUENCY),
        ("How many lots were tested?", AskedFor.COUNT),
        ("How much saline does the pump deliver?", AskedFor.AMOUNT),
        ("At what maximum temperature may the kit be stored?", AskedFor.AMOUNT),
        ("What is the capacity of the cell in mAh?", AskedFor.AMOUNT),
        ("When was the protocol approved?", AskedFor.DATE),
        ("Is the housing sterile?", AskedFor.YES_OR_NO),
        ("Does the pump alarm on occlusion?", AskedFor.YES_OR_NO),
        ("Who approves a deviation?", AskedFor.WORDS),
        ("Which material touches the patient?", AskedFor.WORDS),
        ("How is a batch released?", AskedFor.WORDS),
    ],
)
def test_the_form_of_a_question_says_what_it_asks_for(question: str, asked: AskedFor) -> None:
    assert asked_for(question) is asked


@pytest.mark.parametrize(
    ("question", "sentence", "has_it"),
    [
        ("How long are logs kept?", "Logs | lifetime of the device plus two years", True),
        ("How long are logs kept?", "Logs are kept for 36 months.", True),
        ("For how long is it muted?", "The sound is paused for 90 s.", True),
        ("For how long is it muted?", "The sound has 62 dB when it is paused.", False),
        ("How long are logs kept?", "Logs are kept in the archive room.", False),
        ("How often is the pump serviced?", "The pump is serviced annually.", True),
        ("How often is the pump serviced?", "The pump is serviced by the maker.", False),
        ("How many lots were tested?", "Three lots were tested.", True),
        ("How many lots were tested?", "Every lot that was tested passed.", False),
        ("What does model 300 weigh in kg?", "Model 300 weighs 2.4 kg.", True),
        ("What does model 300 weigh in kg?", "Model 300 is the heavy one.", False),
        ("When was it approved?", "It was approved on 3 May 2021.", True),
        ("When was it approved?", "It was approved.", False),
        ("Who approves it?", "The quality lead approves it.", True),
    ],
)
def test_an_answer_has_a_value_of_the_kind_asked_for(
    question: str, sentence: str, has_it: bool
) -> None:
    assert has_value_asked_for(question, sentence) is has_it


def test_words_that_only_ask_are_not_what_a_question_is_about() -> None:
    topic = set(content_words(topic_text("How long must complaint files be kept?")))
    assert topic == set(content_words("complaint files"))
    assert topic_text("How long?") == "How long?"


def test_names_are_left_out_of_what_is_asked() -> None:
    assert without_names("Is Pump P2 sterile?") == "is sterile?"
    assert without_names("weight of the pump") == "weight of the pump"
    assert without_names("") == ""
