"""Questions that one sentence joins ("What is the limit, and who set it?"), each by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from phasergun_desktop.planning.form_words import begins_question
from phasergun_desktop.planning.needs import MOST_NEEDS, Need, Request, query_of
from phasergun_desktop.references.model import ResolvedReference
from phasergun_desktop.text.words import content_words

_JOINING = re.compile(r",?\s+(?:and|&)\s+(?=\w)", re.IGNORECASE)
# With the words of the first question, one of so many words finds what answers that one.
NAMES_ENOUGH = 3


def each_by_itself(request: Request, references: Sequence[ResolvedReference]) -> Request:
    """Return ``request`` with a need for each question that a need joins; ``references`` are those
    of the prompt. One of few words goes on from the first: "and who set it?" names nothing."""
    needs = [part for need in request.needs for part in _parts(need, request.said, references)]
    numbered = [replace(need, need_id=f"n{at}") for at, need in enumerate(needs, 1)]
    left_out = (*numbered[MOST_NEEDS:], *request.left_out)
    return replace(request, needs=tuple(numbered[:MOST_NEEDS]), left_out=left_out)


def _parts(need: Need, said: str, references: Sequence[ResolvedReference]) -> Iterator[Need]:
    joints = [m for m in _JOINING.finditer(need.quote) if begins_question(need.quote[m.end() :])]
    if need.value is not None or not joints:
        yield need
        return
    first = ""
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(need.quote)]
    for low, high in zip(starts, ends, strict=True):
        start, end = need.start + low, need.start + high
        query = query_of(said, start, end, references)
        goes_on = first and len(set(content_words(query))) < NAMES_ENOUGH
        yield replace(
            need,
            label="",
            part="",
            quote=need.quote[low:high],
            start=start,
            end=end,
            query=query,
            goes_on_from=first if goes_on else "",
        )
        first = first or query
