"""The other names under which a thing is looked for."""

from __future__ import annotations

import pytest

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.other_names import MOST_NAMES, OtherNames, unusable_lines

TRADE = OtherNames()


def test_a_thing_is_looked_for_under_each_of_its_names() -> None:
    names = TRADE.variants("Indications for use")
    assert names[:2] == ("Indications for use", "intended use")


def test_the_other_words_of_a_need_stay() -> None:
    assert "what is the expiry of the kit" in TRADE.variants("what is the shelf life of the kit")


def test_what_has_no_other_name_is_looked_for_as_it_stands() -> None:
    assert TRADE.variants("Who signed the report?") == ("Who signed the report?",)
    assert TRADE.variants("instability") == ("instability",)


@pytest.mark.parametrize("group", listed("synonyms", "names"))
def test_no_list_is_longer_than_what_is_looked_for(group: list[str]) -> None:
    assert 2 <= len(group) <= MOST_NAMES
    for name in group:
        assert TRADE.variants(name)[0] == name
        assert len(TRADE.variants(name)) > 1


def test_names_of_the_user_come_before_those_of_the_trade() -> None:
    names = OtherNames(("MAF = minimum air flow", "shelf life = keeping time"))
    assert names.variants("MAF of the pump") == ("MAF of the pump", "minimum air flow of the pump")
    assert names.variants("the minimum air flow")[1:] == ("the MAF",)
    made = names.variants("shelf life")
    assert made[:3] == ("shelf life", "keeping time", "expiry")
    assert names.variants("MAF or shelf life")[:3] == (
        "MAF or shelf life",
        "minimum air flow or keeping time",
        "MAF or expiry",
    )
    assert len(made) <= MOST_NAMES


def test_a_query_says_the_users_other_names_once() -> None:
    names = OtherNames(("MAF = minimum air flow = lowest flow", "BGM = glucose meter"))
    assert (
        names.written_out("What is the MAF of the BGM?")
        == "What is the MAF (minimum air flow, lowest flow) of the BGM (glucose meter)?"
    )
    once = names.written_out("the minimum air flow (MAF)")
    assert once == "the minimum air flow (lowest flow) (MAF)"
    assert names.written_out(once) == once
    assert names.written_out("MAFs and bgmx") == "MAFs and bgmx"
    assert names.names_of("maf") == ("maf", "minimum air flow", "lowest flow")
    assert names.names_of("flow") == ("flow",)
    assert TRADE.written_out("shelf life") == "shelf life"


def test_capitals_that_spell_a_small_word_are_no_such_word() -> None:
    names = OtherNames(("OR = operating room",))
    assert names.variants("this or that") == ("this or that",)
    assert names.variants("in the OR")[1:] == ("in the operating room",)


def test_lines_that_name_nothing_twice_are_told_and_passed_over() -> None:
    lines = ("", "MAF", "= x =", " a.b (c)  =  d+ ", "MAF = MAF")
    assert unusable_lines(lines) == ("MAF", "= x =", "MAF = MAF")
    names = OtherNames(lines)
    assert names.variants("about a.b (c) here") == ("about a.b (c) here", "about d+ here")
    assert names.variants("MAF") == ("MAF",)


def test_an_abbreviation_of_the_documents_is_looked_for_in_its_words_too() -> None:
    names = OtherNames(("MAF = least flow",), (("BI", "biological indicator"),))
    assert names.own_variants("limit of the BI") == (
        "limit of the BI",
        "limit of the biological indicator",
    )
    assert names.own_variants("Which biological indicators grew?")[1:] == ("Which BI grew?",)
    assert names.written_out("the BIs") == "the BIs (biological indicator)"
    assert names.names_of("BI") == ("BI", "biological indicator")
    # Neither a word in small letters nor a part of an identifier.
    for other in ("a bi in it", "BI-0440", "X-BI"):
        assert names.own_variants(other) == (other,)


def test_names_of_the_user_and_of_the_trade_stand_before_abbreviations() -> None:
    defined = (("CAPA", "clinical and product assurance"), ("MAF", "mean air flow"))
    names = OtherNames(("MAF = minimum air flow",), defined)
    assert "clinical and product assurance" not in names.variants("CAPA")
    assert names.own_variants("MAF") == ("MAF", "minimum air flow")
