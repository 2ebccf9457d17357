"""Words on the form of a text, which ask for nothing that a source could state."""

from __future__ import annotations

from phasergun_desktop.text.lexicon import in_all_languages, listed
from phasergun_desktop.text.words import STOP_WORDS

FORM_WORDS = in_all_languages("prompts", "form")
# How many of something: of form, like the words beside them.
COUNT_WORDS = in_all_languages("prompts", "counts")
# What a part of a document is called; the words beside it name the part.
SEVERAL_SECTIONS = in_all_languages("prompts", "sections")
SECTION_WORDS = in_all_languages("prompts", "section")
# What every text is for.
SUBMISSIONS = in_all_languages("prompts", "submissions")
_TO_A_SOURCE = frozenset(listed("prompts", "to_a_source"))
_BEFORE_TO_A_SOURCE = frozenset(listed("prompts", "before_to_a_source"))


def without_joining_words(before: str) -> str:
    """Return ``before`` without the words that it ends with and that only lead to a source: a stop
    word, "on the basis of", "according to". "Follow-up" keeps its end."""
    text = _without_last(before, STOP_WORDS)
    shorter = _without_last(text, _TO_A_SOURCE)
    if shorter == text:
        return text
    for _ in range(2):
        shorter = _without_last(shorter, _BEFORE_TO_A_SOURCE)
    return shorter


def _without_last(text: str, words: frozenset[str]) -> str:
    last = text.split()[-1:]
    return text.rstrip().removesuffix(last[0]) if last and last[0] in words else text
