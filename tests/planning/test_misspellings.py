"""Misspelt words of prompts are looked for as words that the documents have."""

from __future__ import annotations

import re

import pytest

from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.misspellings import meant_words, with_meant
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.spelling.dictionaries import Suggestions
from tests.planning.implant_project import IMPLANT

SUGGESTIONS = Suggestions(resources_path() / "dictionaries")
KNOWN = frozenset(
    {"software", "verification", "label", "sterilization", "aluminum", "donning", "use"}
    | {"single", "summaries", "t"}
)


def meant(text: str) -> dict[str, str]:
    # As an index does, which has words that stand together by any of them.
    return meant_words(text, lambda word: not KNOWN.isdisjoint(re.split("[- ]", word)), SUGGESTIONS)


def test_a_word_that_nobody_has_is_the_closest_of_the_documents() -> None:
    assert meant("singleuse") == {"singleuse": "single-use"}
    assert meant("Softwear verifcation and lable") == {
        "Softwear": "software",
        "verifcation": "verification",
        "lable": "label",
    }


def test_a_british_word_is_looked_for_as_the_documents_write_it() -> None:
    assert meant("sterilisation of aluminium") == {
        "sterilisation": "sterilization",
        "aluminium": "aluminum",
    }


@pytest.mark.parametrize(
    "text",
    [
        "the leakage of the valve",  # right, though no document has it
        "temprature",  # what was meant is in no document
        "dont",  # too short
        "“softwear”",
        "Kestrova",
        "verification",
        "Summarise",  # says how to write, and no document needs it
        "decidet",  # "decide t", of which the documents have one word
        "offlabel",  # which is "off-label", of which the documents have one part
    ],
)
def test_other_words_stay(text: str) -> None:
    assert meant(text) == {}


def test_a_request_is_looked_for_with_them_and_says_what_the_prompt_says() -> None:
    prompt = "Describe the softwear. Leave out the lable."
    request = read_request(PromptResolver(IMPLANT).resolve(prompt))
    found = with_meant(request, {"softwear": "software", "lable": "label"})
    [need] = found.needs
    assert "software" in need.query
    assert "software" in found.topic
    assert need.quote == request.needs[0].quote
    assert found.said == request.said
    assert [("label" in each, "lable" in each) for each in found.exclusions] == [(True, False)]
    assert with_meant(request, {}) is request
