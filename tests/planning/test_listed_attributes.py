"""The attributes of a comparison are read from any list that a prompt has."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.comparing.listed_attributes import listed_attributes
from phasergun_desktop.references.model import PromptSentence
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.text.sentences import sentence_spans

LEAD = "SE table, our Heater against Orbex (K111111)."
WANTED = ("intended use", "weight with stand (kg)", "noise, declared")


def _listed(prompt: str) -> tuple[str, ...] | None:
    sentences = [
        PromptSentence(prompt[start:end], prompt[start:end], start, end, (), SearchScope())
        for start, end in sentence_spans(prompt)
    ]
    found = listed_attributes(prompt, sentences, lambda item: "Orbex" in item or "Heater" in item)
    if found is not None:
        assert found.names[0] in prompt[found.start : found.end].partition(found.names[1])[0]
        assert prompt[found.start : found.end].rstrip(" .").endswith(found.names[-1])
    return found.names if found is not None else None


@pytest.mark.parametrize(
    "prompt",
    [
        f"{LEAD} Rows: intended use; weight with stand (kg); noise, declared. Short cells, please.",
        f"{LEAD}\n- intended use\n- weight with stand (kg)\n- noise, declared\nLeave it short.",
        f"{LEAD}\nRows:\nintended use\nweight with stand (kg)\nnoise, declared\n\nNo prose.",
        f"{LEAD}\n- intended use\n- weight with\n  stand (kg)\n- noise, declared",
        f"{LEAD}\n1. intended use\n2. weight with stand (kg)\n\n3. noise, declared",
    ],
)
def test_a_list_is_read_in_any_form(prompt: str) -> None:
    assert _listed(prompt) == WANTED


def test_commas_part_a_sentence_and_its_order_is_no_attribute() -> None:
    assert _listed(f"{LEAD} One row each for intended use, weight, noise and shelf life.") == (
        "intended use",
        "weight",
        "noise",
        "shelf life",
    )
    assert _listed(f"{LEAD} Say what ours has, in this order: use, weight, noise.") == (
        "use",
        "weight",
        "noise",
    )
    assert _listed(f"{LEAD} Please cover who may use it, weight, and noise.") == (
        "who may use it",
        "weight",
        "noise",
    )


def test_columns_are_no_attributes_and_two_are_no_list() -> None:
    columns = "Columns: the Heater, Orbex, remarks. Rows: weight; noise; shelf life."
    assert _listed(columns) == ("weight", "noise", "shelf life")
    in_parentheses = "Compare Heater with Orbex (rows = weight; noise; shelf life) and say why."
    assert _listed(in_parentheses) == ("weight", "noise", "shelf life")
    assert _listed(f"{LEAD} Say how weight and noise differ.") is None
