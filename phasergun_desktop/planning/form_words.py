"""Words on the form of a text, which ask for nothing that a source could state."""

from __future__ import annotations

import re

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
_OPENING = in_all_languages("questions", "opening")
_TO_A_DOCUMENT = in_all_languages("questions", "to_a_document")
_AUXILIARIES = frozenset(listed("conversation", "auxiliaries"))
_PREPOSITIONS = frozenset(listed("conversation", "prepositions"))
_NAMING = frozenset(
    word
    for name in ("determiners", "pronouns", "owners", "pointing")
    for word in listed("conversation", name)
)
_SAYS_ON = re.compile(r"\s+[^\W\d_]+\s+([^\W\d_]+)\s+")
_ANY_WORD = re.compile(r"\w+")
WORD = re.compile(r"[^\W\d_]{2,}|\d[\w.]*")
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


def words_of_asking(before: str, behind: str) -> int:
    """Return how many characters of ``behind``, which stands behind the name of a document, only
    put a question to it ("What does … say on"), as what stands ``before`` it does; else 0."""
    begin = before.casefold().split()[-2:]
    asks = len(begin) == 2 and begin[0] in _TO_A_DOCUMENT and begin[1] in _AUXILIARIES
    match = _SAYS_ON.match(behind) if asks else None
    return match.end() if match is not None and match[1].casefold() in _PREPOSITIONS else 0


def _without_last(text: str, words: frozenset[str]) -> str:
    last = text.split()[-1:]
    is_one = bool(last) and last[0].casefold() in words
    return text.rstrip().removesuffix(last[0]) if is_one else text


def without_remarks_on_form(text: str) -> str:
    """Return what a need asks for without what it says of the text to be written: "Write the device
    description section for the 510(k), half a page", "device description". What is of form alone
    stays as it is."""
    parts = text.split(", ")
    words = ", ".join([part for part in parts if not is_of_form(part)]).split()
    while words and words[-1].casefold() in SECTION_WORDS | SUBMISSIONS:
        is_submission = words.pop().casefold() in SUBMISSIONS
        while is_submission and words and words[-1].casefold() in STOP_WORDS:
            words.pop()
    left = " ".join(words)
    if words and words[0].casefold() in FORM_WORDS:
        left = without_form_words(left)
    return text if not left or is_of_form(left) else left


def without_form_words(text: str) -> str:
    """Return ``text`` without the words on form that it begins with: "State the flow", "flow"."""
    for word in WORD.finditer(text):
        if not names_nothing(word[0]):
            return text[word.start() :]
    return text


def as_named(text: str) -> str:
    """Return what is asked for as it is called: a question, direct or not, as it stands ("how the
    limit was set"), else without the words on form that it begins with."""
    first = WORD.search(text)
    asks = text.endswith(("?", "？")) or (first is not None and first[0].casefold() in _OPENING)
    return text if asks else without_form_words(text)


def begins_question(text: str) -> bool:
    """Whether ``text`` begins as a question does: "at what rate", "who", "is it"."""
    words = [word[0].casefold() for word in _ANY_WORD.finditer(text[:60])][:2]
    if words and words[0] in _PREPOSITIONS:
        words = words[1:]
    elif len(words) == 2 and words[0] in _AUXILIARIES:
        return words[1] in _NAMING
    return bool(words) and words[0] in _OPENING


def goes_on_to_another(text: str) -> bool:
    """Whether ``text`` asks nothing but goes on with something else: "and the predicate", "what
    about the predicate", and not "against which predicate" nor "predicate"."""
    words = [word[0].casefold() for word in _ANY_WORD.finditer(text)]
    about = len(words) > 1 and words[0] in _OPENING and words[1] in _PREPOSITIONS
    rest = words[2:] if about else words
    return not _OPENING.intersection(rest) and any(word in STOP_WORDS for word in rest)


def names_nothing(word: str) -> bool:
    return word.casefold() in FORM_WORDS or word.casefold() in STOP_WORDS


def is_of_form(text: str, also: frozenset[str] = frozenset()) -> bool:
    words = [word.casefold() for word in WORD.findall(text) if not word[0].isdigit()]
    of_form = FORM_WORDS | COUNT_WORDS | also
    is_asked = bool(words) and not any(word in of_form for word in words)  # "what it is for"
    return not is_asked and all(word in of_form or word in STOP_WORDS for word in words)
