"""The difference between two texts, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.rendering import GroupKind, group_units, paragraphs_of, row_cells

_TOKEN = re.compile(r"\s+|[\w.,/°µ%±-]*\w|[^\w\s]")


class Change(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    DELETED = "deleted"
    INSERTED = "inserted"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stayed, went or came."""

    change: Change
    text: str


def word_differences(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces in reading order: without the inserted ones they are ``before``, without
    the deleted ones ``after``. Lines are compared first, then the words of those that differ."""
    pieces: list[Piece] = []
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            _add(pieces, Change.SAME, "".join(old[i1:i2]))
        else:
            for piece in _words("".join(old[i1:i2]), "".join(new[j1:j2])):
                _add(pieces, piece.change, piece.text)
    return tuple(pieces)


def draft_text(draft: Draft) -> str:
    """Return the words of a draft, a paragraph, item or row a line, without footnote marks: a
    number that moved on is no change of the text."""
    lines: list[str] = []
    for group in group_units(draft.units):
        if group.kind is GroupKind.TABLE:
            lines.extend(" | ".join(_line(t) for t, _ in row_cells(unit)) for unit in group.units)
            continue
        lead = "• " if group.kind is GroupKind.LIST else ""
        lines.extend(
            lead + " ".join(_line(unit.text) for unit in paragraph)
            for paragraph in paragraphs_of(group)
        )
    return "\n".join(lines) + "\n" if lines else ""


def _words(before: str, after: str) -> Iterator[Piece]:
    old, new = _tokens(before), _tokens(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield Piece(Change.SAME, "".join(old[i1:i2]))
            continue
        if i1 < i2:
            yield Piece(Change.DELETED, "".join(old[i1:i2]))
        if j1 < j2:
            yield Piece(Change.INSERTED, "".join(new[j1:j2]))


def _tokens(text: str) -> Sequence[str]:
    return _TOKEN.findall(text)


def _add(pieces: list[Piece], change: Change, text: str) -> None:
    if not text:
        return
    if pieces and pieces[-1].change is change:
        pieces[-1] = Piece(change, pieces[-1].text + text)
    else:
        pieces.append(Piece(change, text))


def _line(text: str) -> str:
    return " ".join(text.split())
