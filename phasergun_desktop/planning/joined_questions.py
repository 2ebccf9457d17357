"""Questions that one sentence joins ("What is the limit, and who set it?"), each by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phasergun_desktop.planning.needs import MOST_NEEDS, Need, Request
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import content_words

_JOINING = re.compile(r",?\s+(?:and|&)\s+(?=\w)", re.IGNORECASE)
# With the words of the first question, one of so many words finds what answers that one.
NAMES_ENOUGH = 3
_WORD = re.compile(r"\w+")
_OPENING = frozenset(listed("questions", "opening"))
_AUXILIARIES = frozenset(listed("conversation", "auxiliaries"))
_PREPOSITIONS = frozenset(listed("conversation", "prepositions"))
_NAMING = frozenset(
    word
    for name in ("determiners", "pronouns", "owners", "pointing")
    for word in listed("conversation", name)
)


def each_by_itself(request: Request) -> Request:
    """Return ``request`` with a need for each question that a need joins. One of few words goes on
    from the first: "and who set it?" names nothing."""
    needs = [part for need in request.needs for part in _parts(need)]
    numbered = [replace(need, need_id=f"n{at}") for at, need in enumerate(needs, 1)]
    left_out = (*numbered[MOST_NEEDS:], *request.left_out)
    return replace(request, needs=tuple(numbered[:MOST_NEEDS]), left_out=left_out)


def _parts(need: Need) -> Iterator[Need]:
    joints = [m for m in _JOINING.finditer(need.quote) if _asks(need.quote[m.end() :])]
    if need.value is not None or not joints:
        yield need
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
            goes_on_from=first if len(set(content_words(quote))) < NAMES_ENOUGH else "",
        )


def _asks(text: str) -> bool:
    """Whether ``text`` begins as a question does: "at what rate", "who", "is it"."""
    words = [word[0].casefold() for word in _WORD.finditer(text[:60])][:2]
    if words and words[0] in _PREPOSITIONS:
        words = words[1:]
    elif len(words) == 2 and words[0] in _AUXILIARIES:
        return words[1] in _NAMING
    return bool(words) and words[0] in _OPENING
