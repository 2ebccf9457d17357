"""The words of a sentence that its source knows nothing of: what a model made up."""

from __future__ import annotations

import re

from phasergun_desktop.grounding.token_reading import ReadText
from phasergun_desktop.text.words import content_words

# By reading reworded and invented sentences: another word for the same thing ("displayed" for
# "shown", "device" for "meter") matches above 0.4, a foreign one ("hospital", "convenient")
# below 0.35.
_MATCHES_FROM = 0.37
_WORD = re.compile(r"[^\W_]+(?:[-/'’][^\W_]+)*")


def foreign_words(claim: ReadText, source: ReadText) -> tuple[str, ...]:
    """Return the content words of ``claim``, in order, that are not in ``source`` and whose word
    pieces resemble none of its pieces."""
    stated = set(content_words(source.text))
    if not len(claim.vectors) or not len(source.vectors):
        return tuple(m.group() for m in _WORD.finditer(claim.text) if content_words(m.group()))
    best = (claim.vectors @ source.vectors.T).max(axis=1)
    found: list[str] = []
    for match in _WORD.finditer(claim.text):
        stems = content_words(match.group())
        if not stems or all(stem in stated for stem in stems):
            continue
        inside = (claim.starts >= match.start()) & (claim.starts < match.end())
        if inside.any() and float(best[inside].max()) < _MATCHES_FROM:
            found.append(match.group())
    return tuple(found)
