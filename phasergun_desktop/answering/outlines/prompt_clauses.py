"""The clauses of a prompt in order: headings, list items, lead-ins, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.references.model import PromptSentence

_HEADING = re.compile(r"^\s*(?P<marks>#{1,6})\s+(?P<name>.*?)\s*#*\s*$", re.DOTALL)
_ITEM = re.compile(r"^\s*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?:\[[ xX]\]\s+)?")
# A line in bold alone is how many write a heading.
_BOLD_LINE = re.compile(r"^\s*(?P<marks>\*\*|__)(?P<name>[^*_\n]{2,80})(?P=marks)\s*:?\s*$")
_BOLD_LEVEL = 7
# Of some words: a mark that never closes must not be looked for to the end each time.
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.{1,300}?)(?<=\S)\1")
# Marks that end a sentence in scripts that put no space after it.
_WIDE_STOP = re.compile(r"(?<=[。！？；])\s*")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause without its list mark or heading marks. ``heading`` is the level (0: none);
    ``leads`` says that list items follow it, to which it belongs."""

    text: str
    sentence: PromptSentence
    heading: int = 0
    is_item: bool = False
    leads: bool = False


def clauses_of(sentences: Iterable[PromptSentence]) -> list[Clause]:
    """Return the clauses of ``sentences``; those that only name sources are left out."""
    found: list[Clause] = []
    for sentence in sentences:
        if sentence.is_directive:
            continue
        heading = _HEADING.match(sentence.text)
        if heading is not None:
            name = _plain(heading["name"]).rstrip(":").strip()
            if name:
                found.append(Clause(name, sentence, heading=len(heading["marks"])))
            continue
        bold = _BOLD_LINE.match(sentence.text)
        if bold is not None:
            found.append(Clause(bold["name"].rstrip(": "), sentence, heading=_BOLD_LEVEL))
            continue
        mark = _ITEM.match(sentence.text)
        text = _plain(sentence.text[mark.end() :] if mark else sentence.text)
        for number, part in enumerate(_WIDE_STOP.split(text)):
            if part.strip():
                found.append(Clause(part.strip(), sentence, is_item=bool(mark) and number == 0))
    return _with_leads(found)


def _with_leads(clauses: Sequence[Clause]) -> list[Clause]:
    """Mark each sentence that list items follow."""
    return [
        replace(clause, leads=True)
        if not clause.heading
        and not clause.is_item
        and at + 1 < len(clauses)
        and clauses[at + 1].is_item
        else clause
        for at, clause in enumerate(clauses)
    ]


def _plain(text: str) -> str:
    """Return ``text`` on one line and without marks of emphasis."""
    return " ".join(_EMPHASIS.sub(r"\2", text).split())
