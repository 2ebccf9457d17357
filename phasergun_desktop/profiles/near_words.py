"""The known word that somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def near_word(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word nearest to ``word``, or None when nothing is near.

    Case, spaces, ``_`` and ``-`` do not matter; ``cutoff`` is difflib's ratio in 0..1.
    """
    by_key: dict[str, str] = {}
    for each in known:
        by_key.setdefault(_key(each), each)
    near = difflib.get_close_matches(_key(word), list(by_key), n=1, cutoff=cutoff)
    if near:
        return by_key[near[0]]
    return _by_beginning(_key(word), by_key)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``Did you mean “…”?``, or an empty text when nothing is near."""
    near = near_word(word, known)
    return f"Did you mean “{near}”?" if near else ""


def _by_beginning(key: str, by_key: dict[str, str]) -> str | None:
    # "risk" for "risk_management" is far by letters but plain to a reader.
    if len(key) < 3:
        return None
    found = [name for other, name in by_key.items() if other.startswith(key)]
    return found[0] if len(found) == 1 else None


def _key(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter not in " _-\t\n\u00a0")
