"""The marks that a model writes behind its statements: found, taken out, and looked up among the
passages that it was given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from phasergun_desktop.profiles.model import ModelMarks

# Nothing in a mark may be so long that a hostile text makes the search slow.
_MARKS: Mapping[ModelMarks, re.Pattern[str]] = {
    ModelMarks.CITATION_NUMBER: re.compile(
        r"\[\s*citations?\s{0,3}((?:\d{1,4}(?:\s{0,3}(?:,|;|and|&)\s{0,3})?){1,20})\]",
        re.IGNORECASE,
    ),
    ModelMarks.CHUNK_ID: re.compile(
        r"\[\s*(?:cite|chunk)\s*:\s*([^\]\[\n]{1,200})\]", re.IGNORECASE
    ),
    ModelMarks.SOURCE_TITLE: re.compile(r"\[\s*source\s*:\s*([^\]\[\n]{1,300})\]", re.IGNORECASE),
    ModelMarks.SOURCE_ID: re.compile(
        # A letter, and somewhere a digit: S3, PMC123, SOP-QA-012.
        r"\[(?=[^\]\s]{0,32}\d)([A-Za-z][\w.-]{0,31}(?:\s*[,;]\s*[\w.-]{1,32}){0,9})\]"
    ),
}
# What stands in brackets, and where it stands behind the end of its sentence.
_BRACKETED = re.compile(r"\[[^\[\]\n]{1,300}\]")
_BEHIND_ITS_END = re.compile(
    rf"([.!?])[ \t]*({_BRACKETED.pattern}(?:[ \t]*{_BRACKETED.pattern}){{0,9}})(?=\s|$)"
)
# Stands for a blank in brackets, where sentences are told apart; of no script.
_HELD = "\ue000"
_PARTS = re.compile(r"\s*(?:,|;|&|\band\b)\s*|\s+", re.IGNORECASE)


def held_together(text: str) -> str:
    """Return ``text`` so that no sentence ends inside of a mark, and one that a mark stands behind
    ends after it; see ``let_go``."""
    moved = _BEHIND_ITS_END.sub(r" \2\1", text)
    return _BRACKETED.sub(lambda mark: mark[0].replace(" ", _HELD), moved)


def let_go(text: str) -> str:
    """Return what ``held_together`` made as it is read."""
    return text.replace(_HELD, " ")


def is_in_a_mark(text: str) -> bool:
    """Whether a growing ``text`` ends inside of what may become a mark, or right behind one: what
    follows tells whether it is."""
    return text.endswith("]") or ("[" in text[-300:] and text.rfind("]") < text.rfind("["))


def without_marks(text: str, marks: ModelMarks) -> tuple[str, tuple[str, ...]]:
    """Return ``text`` without the marks, and what they name, in order and once each: the numbers,
    ids, or titles with their place."""
    pattern = _MARKS.get(marks)
    if pattern is None:
        return text, ()
    named: dict[str, None] = {}
    for match in pattern.finditer(text):
        said = match[1].strip()
        parts = [said] if marks is ModelMarks.SOURCE_TITLE else _PARTS.split(said)
        named.update(dict.fromkeys(part.casefold() for part in parts if part))
    bare = re.sub(r"[ \t]+(?=[.,;:!?]|$)", "", pattern.sub("", text))
    return re.sub(r"[ \t]{2,}", " ", bare).strip(), tuple(named)


def looked_up(named: Sequence[str], keys: Sequence[str], marks: ModelMarks) -> tuple[int, ...]:
    """Return the places among ``keys``, which stood before the passages, of what marks have
    ``named``; what was not in the prompt is left out. Of titles the longest that begins the mark
    counts, since a model rarely copies the place behind it."""
    known = [key.casefold() for key in keys]
    found: dict[int, None] = {}
    for name in named:
        if marks is ModelMarks.SOURCE_TITLE:
            alike = [i for i, key in enumerate(known) if key and _is_of(name, key)]
            longest = max((len(known[i]) for i in alike), default=0)
            found.update(dict.fromkeys(i for i in alike if len(known[i]) == longest))
        else:
            found.update(dict.fromkeys(i for i, key in enumerate(known) if key and key == name))
    return tuple(found)


def _is_of(name: str, key: str) -> bool:
    return name == key or name.startswith((f"{key},", f"{key} "))
