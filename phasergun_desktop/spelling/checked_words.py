"""The words of a paragraph whose spelling is checked: words of prose, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SHORTEST, LONGEST = 3, 40
# What stands in quotation marks is another's.
_QUOTED = re.compile(r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|\"[^\"]*\"")
_CHUNK = re.compile(r"\S+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
# Signs of something that is not prose: numbers, file names, addresses, references, formulas.
_NO_PROSE = re.compile(r"[\d@_\\|<>=:.#^&%+*~]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN = re.compile(r"[\u0000-\u024f’]+")


@dataclass(frozen=True, slots=True)
class WordAt:
    """A word; ``start``..``end`` are characters of the paragraph."""

    start: int
    end: int
    text: str


def checked_words(paragraph: str) -> Iterator[WordAt]:
    """Yield the words of a paragraph that are checked: no quotations, identifiers, numbers,
    abbreviations, words with capitals inside, or letters of other alphabets."""
    prose = _QUOTED.sub(lambda quote: " " * len(quote.group()), paragraph)
    for chunk in _CHUNK.finditer(prose):
        if _NO_PROSE.search(_EDGES.sub("", chunk.group())):
            continue
        for found in _WORD.finditer(prose, chunk.start(), chunk.end()):
            word = found.group()
            is_long = SHORTEST <= len(word) <= LONGEST
            if is_long and word[1:].islower() and _LATIN.fullmatch(word):
                yield WordAt(found.start(), found.end(), word)


def straight(word: str) -> str:
    """Return a word with the apostrophe of dictionaries."""
    return word.replace("’", "'")
