"""What a sentence of a prompt is for: an order, a list of sources, or a qualification."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phasergun_desktop.text.asked_lengths import asked_length
from phasergun_desktop.text.words import word_set

# A directive is made of these words and of references alone: "Use …", "Based only on … and …".
_DIRECTIVE_WORDS = word_set(
    "use using used based on base upon draw drawing from rely relying refer to see consult cite "
    "only solely exclusively just and or as well with by the a an all of in it this that these "
    "following source sources document documents material reference references fact facts "
    "information content data everything please take taking consider "
    "according follow following basis for stick restrict limit yourself is are "
    "input inputs evidence let us should must be do not anything else other than "
    "at most max maximum least about approximately"
)
# "Answer only from …" names sources too; "Write it by …" asks for something.
_ASKING = re.compile(
    r"^\W*(?:please\s+)?(?:answer|write|draft|work)\s+(?=(?:only|solely|exclusively|from|using)\b)",
    re.IGNORECASE,
)
# Orders that only say how: they never bring a subject of their own.
_MANNER_VERBS = word_set(
    "be keep avoid omit exclude format present number order sort shorten limit cover include "
    "address mention add end begin start stop do don't never always make ensure"
)
# Orders that may bring a subject; they qualify when they point back.
_ORDERS = word_set(
    "name state give list identify note show explain describe compare mark indicate specify "
    "summarise summarize distinguish highlight point quote report tabulate say write use "
    "mention group separate repeat number put"
)
_POINTERS = word_set(
    "each every these those them they differences difference similarities similarity distinctions"
)
# As the object of the order: "State it plainly", but not "State its battery capacity".
_OBJECTS = word_set("it them this that both")
_MOST_WORDS = 14
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def is_directive(text: str, references: Sequence[tuple[int, int]]) -> bool:
    """Whether ``text`` only names sources. ``references`` are the spans in ``text`` of those
    that restrict; what is left must be words that every such sentence is made of, and a length."""
    if not references or text.rstrip().endswith(":"):
        return False
    rest = []
    position = 0
    for start, end in sorted(references):
        rest.append(text[position:start])
        position = max(position, end)
    rest.append(text[position:])
    asked = _ASKING.sub("", " ".join(rest))
    if length := asked_length(asked):
        asked = asked[: length[1]] + asked[length[2] :]
    words = _words(asked)
    return all(word in _DIRECTIVE_WORDS for word in words)


def modifies_previous(text: str) -> bool:
    """Whether ``text``, which names no source itself, only qualifies the sentence before.

    The rule: at most 14 words, it begins with an order, and either the order is one that can
    only say how ("Cover …", "Keep …", "Do not …"), or a word points back ("each", "these",
    "differences", or "it" as its object).
    """
    words = _words(text)
    if not words or len(words) > _MOST_WORDS or text.rstrip().endswith("?"):
        return False
    first, rest = words[0], words[1:]
    if first in ("also", "then", "finally", "please") and rest:
        first, rest = rest[0], rest[1:]
    if first in _MANNER_VERBS:
        return True
    has_object = bool(rest) and rest[0] in _OBJECTS
    return first in _ORDERS and (has_object or any(word in _POINTERS for word in rest))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
