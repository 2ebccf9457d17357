"""How long a draft may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from phasergun_desktop.planning.form_words import WORD, is_of_form
from phasergun_desktop.planning.prompt_clauses import CLAUSE, COMMA, LABEL, PARENTHESES, cut
from phasergun_desktop.references.model import PromptSentence
from phasergun_desktop.text.asked_lengths import asked_length

WORDS_WITHOUT_A_LIMIT = 700
# How much longer than asked for a draft may become.
TOLERANCE = 1.2
# What is asked for of each of several documents, or how long each part is.
EACH = re.compile(r"\b(?:each|per|je|jeweils)\b", re.IGNORECASE)


def asked_words(sentences: Sequence[PromptSentence], needs: int) -> int:
    """Return the length of the whole text: one that opens the prompt, one that a clause names and
    nothing else, or the only one, at the end of its clause ("… in at most 100 words"). "One
    sentence on the method" is the length of a part."""
    at_end: dict[str, float] = {}
    for sentence in sentences:
        for part, is_first in _remarks(sentence.raw):
            found = asked_length(part)
            if found is None:
                continue
            words, at, behind = found
            rest = part[:at] + part[behind:]
            opens = is_first and sentence is sentences[0] and is_of_form(part[:at])
            if opens or is_of_form(rest):
                is_each = EACH.search(rest) is not None
                return max(1, round(words * (needs if is_each else 1)))
            is_at_end = not WORD.search(part[behind:])
            at_end[part] = words if is_at_end else WORDS_WITHOUT_A_LIMIT
    return max(1, round(sum(at_end.values()))) if len(at_end) == 1 else WORDS_WITHOUT_A_LIMIT


def _remarks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence that may be about the form, and whether one is its first."""
    yield from ((match.group(), False) for match in PARENTHESES.finditer(text))
    for start, end in cut(CLAUSE, text, 0, len(text)):
        label = LABEL.match(text, start, end)
        middle = label.end() if label else start
        for low, high in ((start, middle), (middle, end)):
            for first, last in cut(COMMA, text, low, high):
                yield text[first:last], first == 0
