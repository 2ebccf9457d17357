"""A sentence of a model before its sources are looked at: whether it states anything."""

from __future__ import annotations

import re

from phasergun_desktop.text.sentences import without_leading_address, without_list_mark
from phasergun_desktop.text.words import content_words

_NOT_FOUND = "not found"
_NO_STATEMENT = r"(?:state|mention|contain|provide|specify|give|include|say|describe|indicate)"
_SAYS_NOTHING = re.compile(
    rf"\b(?:passages?|sources?|documents?|texts?)\b.{{0,40}}\b(?:do(?:es)? not|did not)\s+"
    rf"(?:explicitly |directly )?{_NO_STATEMENT}"
    r"|\bnot (?:explicitly |directly )?(?:stated|specified|mentioned|provided|given) "
    r"(?:in|by) the (?:given )?(?:passages?|sources?|documents?|texts?)\b"
    r"|\bno (?:specific )?(?:information|mention) (?:about|on|of|is)\b",
    re.IGNORECASE,
)
# The line above a passage, repeated by the model as if it were text.
_PASSAGE_HEADER = re.compile(r"^.*›\s*")
_STEP_MARK = re.compile(r"^step \d+\s*[:.)]\s*", re.IGNORECASE)
_A_WORD = re.compile(r"[^\W\d_]{2}")
_MIN_WORDS = 4
# "Result." is a heading with a full stop, "Yes." an answer without its statement.
_MIN_SENTENCE = 2


def as_sentence(text: str) -> str:
    """Return ``text`` as a sentence, or ``""`` where it states nothing (a heading, a lead-in)."""
    if text.startswith("---"):
        return ""  # a line that separates passages, repeated
    text = _STEP_MARK.sub("", without_list_mark(_PASSAGE_HEADER.sub("", text)))
    text = _inline_list(without_leading_address(text))
    if not _A_WORD.search(text) or not content_words(text) or text.endswith(":"):
        return ""
    if text.endswith((".", "!", "?")):
        return text if len(text.split()) >= _MIN_SENTENCE else ""
    return f"{text.rstrip(';,')}." if len(text.split()) >= _MIN_WORDS else ""


def _inline_list(text: str) -> str:
    """Return ``text`` with a list that was written on one line (": - a - b") as one of prose."""
    lead, mark, items = text.partition(": - ")
    return f"{lead}: {'; '.join(each.strip() for each in items.split(' - '))}" if mark else text


def says_nothing(sentence: str) -> bool:
    """Whether ``sentence`` only says that the passages do not state something."""
    return _NOT_FOUND in sentence.lower() or bool(_SAYS_NOTHING.search(sentence))
