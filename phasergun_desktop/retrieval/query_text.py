"""The text of a query as it is searched with."""

from __future__ import annotations

import re
import unicodedata

from phasergun_desktop.errors import ModelError

# What stays beside letters, digits and their accents: marks inside words, identifiers and numbers,
# and the signs of units and relations.
_KEPT_SIGNS = frozenset("?.,!-–−'’/%‰°µ&+#@_:()[]|~^*\"？！。，、：؟،।")
# Symbols of mathematics and currencies (≤, ±, ×, €); units such as Ω and ℃ are letters or symbols.
_KEPT_KINDS = ("L", "M", "N", "Sm", "Sc", "So")
_BY_KEYWORDS_ALONE = "The search was by keywords alone: the meaning could not be compared."
_BY_BUNDLED = "The bundled model searched, not your own."
# Longer questions gain by a second order, all lengths alike: ObliQA's even half, of 16 to 60 words.
_WORDS_OF_A_FACT = 15
_PARTS = re.compile(r"[;\n]+|(?<=[?!？])\s*(?=\S)")


def cleaned(query: str) -> str:
    """Return ``query`` with white space folded, and without what is neither a letter or digit of
    any script, nor a sign of units, numbers, relations or sentences."""
    kept = (
        sign if sign in _KEPT_SIGNS or unicodedata.category(sign).startswith(_KEPT_KINDS) else " "
        for sign in query
    )
    return " ".join("".join(kept).split())


def by_keywords_alone(error: ModelError) -> str:
    """Return the warning that vectors could not be had, and why."""
    return f"{_BY_KEYWORDS_ALONE} {error.message} {error.remedy}".rstrip()


def by_bundled_model(error: ModelError) -> str:
    """Return the warning that the user's own embedder did not search, and why."""
    return f"{_BY_BUNDLED} {error.message} {error.remedy}"


def asks_for_one_fact(query: str) -> bool:
    """Whether ``query`` asks for one thing, as far as its punctuation tells it, in few words."""
    parts = sum(bool(part.strip(" \t?!？-*•")) for part in _PARTS.split(query))
    return parts <= 1 and len(query.split()) <= _WORDS_OF_A_FACT
