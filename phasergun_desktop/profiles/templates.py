"""Texts with places like ``{title}``: which are allowed, and how they are filled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_WHERE = ("locator", "place", "heading")
_OF_SOURCE = ("chunk_id", "source_id", "authors", "journal", "date")
PASSAGE_PLACES = ("number", "title", "file", "layer", *_WHERE, *_OF_SOURCE, "text")
CITATION_PLACES = ("number", "title", "file", *_WHERE, *_OF_SOURCE, "doi", "id")
ANSWER_PLACES = ("wanted", "documents")
_PLACE = re.compile(r"\{([A-Za-z_]\w*)\}")


def unknown_places(template: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the places of ``template`` that are not ``known``."""
    allowed = frozenset(known)
    return tuple(name for name in _PLACE.findall(template) if name not in allowed)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with its places filled; places without a value become empty.

    One pass: braces inside a value (it may come from a hostile document) stay as they are.
    A line whose places are all empty is left out.
    """
    lines = []
    for line in template.split("\n"):
        names = _PLACE.findall(line)
        if names and not any(values.get(name) for name in names):
            continue
        lines.append(_PLACE.sub(lambda match: values.get(match.group(1), ""), line))
    return "\n".join(lines)
