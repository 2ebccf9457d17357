"""Words as data: every language has what is looked for in it, and none of it is a pattern."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.output_language import language_of
from phasergun_desktop.text import lexicon
from phasergun_desktop.text.asked_lengths import asked_length

FILES = sorted((resources_path() / "lexicon").rglob("*.toml"))
PATTERN_SIGNS = set("\\*+?^$|")


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list):
        return [word for each in value for word in _words(each)]
    if isinstance(value, dict):
        return [word for pair in value.items() for each in pair for word in _words(each)]
    return []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_holds_words_and_no_patterns(path: Path) -> None:
    words = _words(tomllib.loads(path.read_text("utf-8")))
    assert words
    assert not [word for word in words if PATTERN_SIGNS & set(word)]


def test_every_language_is_told_by_its_own_words() -> None:
    assert lexicon.languages()[0] == "en"
    for code in lexicon.languages():
        [name] = lexicon.listed("language", "name", code)
        assert lexicon.listed("language", "called", code)
        assert language_of(" ".join(lexicon.listed("language", "grammar", code))) == name


def test_a_length_is_read_in_each_language_that_names_lengths() -> None:
    for code in lexicon.languages():
        units = lexicon.paired("lengths", "units_of_length", code)
        for unit, words in units.items():
            asked = asked_length(f"3 {unit}")
            assert asked is not None
            assert asked[0] == 3 * words


def test_what_a_language_lacks_is_empty() -> None:
    assert lexicon.listed("opposites", "pairs", "it") == ()
    assert lexicon.paired("lengths", "amounts", "nl") == {}
