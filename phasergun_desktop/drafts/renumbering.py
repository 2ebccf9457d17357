"""Footnote numbers by first use, after units came or went."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.grounding.model import DraftSentence, Footnote

STANDARD = "standard"


def renumbered_line(rendered: str, number: int) -> str:
    """Return a rendered source line with ``number`` in place of its own, if it has one."""
    return re.sub(r"^(\s*\[(?:[^\]\d]*\s)?)\d+\]", rf"\g<1>{number}]", rendered)


def with_number(note: Footnote, number: int) -> Footnote:
    """Return a footnote of a draft with ``number``, which is its mark there, whatever an answer
    that it comes from has marked it with."""
    rendered = renumbered_line(note.rendered, number)
    return replace(note, number=number, rendered=rendered, mark="")


def renumbered(
    units: Sequence[DraftSentence], footnotes: Sequence[Footnote]
) -> tuple[tuple[DraftSentence, ...], tuple[Footnote, ...]]:
    """Return units and footnotes numbered from 1 by first use.

    A footnote that no unit cites goes; standards, which none cites, follow the others.
    """
    known = {note.number: note for note in footnotes}
    order: dict[int, int] = {}
    for unit in units:
        for number in unit.cited:
            if number in known:
                order.setdefault(number, len(order) + 1)
    for note in footnotes:
        if note.kind == STANDARD:
            order.setdefault(note.number, len(order) + 1)
    kept = [with_number(known[old], new) for old, new in order.items()]
    return tuple(unit.renumbered(order) for unit in units), tuple(kept)
