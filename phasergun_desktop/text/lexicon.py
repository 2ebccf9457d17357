"""Words of a language as data: ``resources/lexicon/<language>/<file>.toml``, no patterns in them.

English is the language that is read and checked; the other folders tell in which language a prompt
is written, and how it names lengths and parts of a text.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from phasergun_desktop.paths import resources_path

ENGLISH = "en"


def listed(file: str, name: str, language: str = ENGLISH) -> tuple[str, ...]:
    """Return a list in its order: a text's words, or an array's entries; empty where the language
    has none."""
    found = _read(language, file).get(name, ())
    return tuple(found.split() if isinstance(found, str) else found)


def paired(file: str, name: str, language: str = ENGLISH) -> dict[str, Any]:
    """Return a table: what its words stand for; empty where the language has none."""
    return dict(_read(language, file).get(name, {}))


def in_all_languages(file: str, name: str) -> frozenset[str]:
    """Return the words of a list in every language."""
    return frozenset(word for language in languages() for word in listed(file, name, language))


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there is a folder for, English first."""
    folders = sorted(each.name for each in (resources_path() / "lexicon").iterdir())
    return (ENGLISH, *(name for name in folders if name != ENGLISH))


@cache
def _read(language: str, file: str) -> dict[str, Any]:
    path = resources_path() / "lexicon" / language / f"{file}.toml"
    if not path.is_file():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))
