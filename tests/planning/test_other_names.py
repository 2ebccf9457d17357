"""The other names under which a need is looked for."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.other_names import MOST_NAMES, with_other_names
from phasergun_desktop.text.lexicon import listed


def test_a_thing_is_looked_for_under_each_of_its_names() -> None:
    names = with_other_names("Indications for use")
    assert names[:2] == ("Indications for use", "intended use")


def test_the_other_words_of_a_need_stay() -> None:
    assert "what is the expiry of the kit" in with_other_names("what is the shelf life of the kit")


def test_what_has_no_other_name_is_looked_for_as_it_stands() -> None:
    assert with_other_names("Who signed the report?") == ("Who signed the report?",)
    assert with_other_names("instability") == ("instability",)


@pytest.mark.parametrize("group", listed("synonyms", "names"))
def test_no_list_is_longer_than_what_is_looked_for(group: list[str]) -> None:
    assert 2 <= len(group) <= MOST_NAMES
    for name in group:
        assert with_other_names(name)[0] == name
        assert len(with_other_names(name)) > 1
