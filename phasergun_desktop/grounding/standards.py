"""Standards and regulations that a text names, by their own names and never as files read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAMED = re.compile(
    r"\b(?:ANSI/AAMI |AAMI |EN )?(?:EN ISO|ISO/IEC|ISO/TR|ISO|IEC|ASTM|CLSI|AAMI)[ \u00a0]"
    r"[A-Z]{0,4}\d[\d-]*\d(?::\d{4}(?:\+A\d+:\d{4})*)?"
    r"|\b21[ \u00a0]CFR[ \u00a0](?:Parts? )?\d{3,4}(?:\.\d+)?(?:\([a-z0-9]+\))*"
)


def named_standards(
    texts: Iterable[str], known: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Return ``(id, title)`` of the standards named in ``texts``, in the order of naming.

    ``known`` gives titles by id; an edition in the text is kept as written there.
    """
    found: dict[str, str] = {}
    for text in texts:
        for match in _NAMED.finditer(text):
            identifier = " ".join(match.group().split()).replace("Part ", "").replace("Parts ", "")
            found.setdefault(identifier, _title(identifier, known))
    return tuple(found.items())


def _title(identifier: str, known: Sequence[tuple[str, str]]) -> str:
    bare = _comparable(identifier)
    for name, title in known:
        if _comparable(name) == bare:
            return title
    return ""


def _comparable(identifier: str) -> str:
    return identifier.split(":", maxsplit=1)[0].lower().replace(" part ", " ").replace("fda ", "")
