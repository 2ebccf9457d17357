"""Questions that one sentence joins ("What is the limit, and who set it?", "What are the weight and
the height of the pump?"), each by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phasergun_desktop.planning.needs import MOST_NEEDS, Need, Request
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import content_words

_JOINING = re.compile(r",?\s+(?:and|&)\s+(?=\w)", re.IGNORECASE)
# With the words of the first question, one of so many words finds what answers that one.
_NAMES_ENOUGH = 3
_WORD = re.compile(r"\w+")
_OPENING = frozenset(listed("questions", "opening"))
_AUXILIARIES = frozenset(listed("conversation", "auxiliaries"))
_PREPOSITIONS = frozenset(listed("conversation", "prepositions"))
_NAMING = frozenset(
    word
    for name in ("determiners", "pronouns", "owners", "pointing")
    for word in listed("conversation", name)
)
# What a thing is of, in or with; "for use" is of its name.
_BEHIND = re.compile(
    rf"\b(?:of|(?:{'|'.join(_PREPOSITIONS)})(?=\s+(?:(?:an?|the|our)\b|(?-i:[A-Z\d]))))\s",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(rf"\s(?:{'|'.join(_PREPOSITIONS)})\s", re.IGNORECASE)
_THING = r"the\s+(?:(?!\s(?:and|&)\s+the\b)[^,;:?])+"
_BOTH = re.compile(
    rf"(?:(?P<asks>(?:what|which) (?:is|are|was|were))\s+)?"
    rf"(?P<first>{_THING})\s+(?:and|&)\s+(?P<second>{_THING})\?",
    re.IGNORECASE,
)


def each_by_itself(request: Request) -> Request:
    """Return ``request`` with a need for each question that a need joins, and for each of two
    things that it asks for. A question of few words goes on from the first: "and who set it?" names
    nothing."""
    needs = [part for need in request.needs for part in _parts(need)]
    numbered = [replace(need, need_id=f"n{at}") for at, need in enumerate(needs, 1)]
    left_out = (*numbered[MOST_NEEDS:], *request.left_out)
    return replace(request, needs=tuple(numbered[:MOST_NEEDS]), left_out=left_out)


def _parts(need: Need) -> Iterator[Need]:
    joints = [m for m in _JOINING.finditer(need.quote) if _asks(need.quote[m.end() :])]
    if need.value is not None or not joints:
        yield from _both(need) or (need,)
        return
    ends = [*(joint.start() for joint in joints), len(need.quote)]
    first = need.quote[: ends[0]]
    alone = replace(need, label="", part="")
    yield replace(alone, quote=first, end=need.start + ends[0], query=first, goes_on_from="")
    for joint, end in zip(joints, ends[1:], strict=True):
        quote = need.quote[joint.end() : end]
        yield replace(
            alone,
            quote=quote,
            start=need.start + joint.end(),
            end=need.start + end,
            query=quote,
            goes_on_from=first if len(set(content_words(quote))) < _NAMES_ENOUGH else "",
        )


def _asks(text: str) -> bool:
    """Whether ``text`` begins as a question does: "at what rate", "who", "is it"."""
    words = [word[0].casefold() for word in _WORD.finditer(text[:60])][:2]
    if words and words[0] in _PREPOSITIONS:
        words = words[1:]
    elif len(words) == 2 and words[0] in _AUXILIARIES:
        return words[1] in _NAMING
    return bool(words) and words[0] in _OPENING


def _both(need: Need) -> tuple[Need, ...]:
    """Return a need for each of the two things that ``need`` asks for, where both have a
    determiner; none where it does not. What stands behind the second is said of the first, too,
    where nothing of its own stands behind that."""
    quoted, asked = _BOTH.fullmatch(need.quote), _BOTH.fullmatch(need.query)
    if need.value or need.label or quoted is None or asked is None:
        return ()
    first, second = asked["first"], asked["second"]
    own, shared = _BEHIND.search(first), _BEHIND.search(second)
    if own is not None and own[0].casefold() not in second.casefold():
        return ()  # "The difference between the mean and the limit" is one thing.
    if own is None and shared is not None:
        first = f"{first} {second[shared.start() :]}"
    parts = ((first, (0, quoted.end("first"))), (second, quoted.span("second")))
    return tuple(
        replace(
            need,
            quote=need.quote[start:end],
            start=need.start + start,
            end=need.start + end,
            query=f"{_asking(asked['asks'], thing)} {thing}?",
            goes_on_from="",
        )
        for thing, (start, end) in parts
    )


def _asking(words: str | None, thing: str) -> str:
    """Return with which ``words`` ("what are") one ``thing`` of two is asked for."""
    name = _PREPOSITION.split(thing)[0]
    is_many = re.search(r"(?<![sui])s$", name) is not None
    if words is None:
        return "What are" if is_many else "What is"
    return words if is_many else words.replace(" are", " is").replace(" were", " was")
