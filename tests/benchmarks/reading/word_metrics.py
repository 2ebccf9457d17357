"""How much of a reference text is found in another, and in which order.

A word, here: the text after NFKC and case folding, without invisible characters, words that
are broken by a hyphen at a line's end joined again (where a small letter follows), cut at white
space and at every character that is neither letter nor digit. Accents written as marks of their
own are left out where NFKC does not join them. Hyphens and apostrophes inside of a word are
dropped rather than cut at, so that ``post-market`` broken after its hyphen is the same word;
each character of a script that is written without spaces is a word of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

_BROKEN = re.compile(r"(?<=[^\W\d_])[\u00ad\-\u2010\u2011][^\S\n]*\n[^\S\n]*([^\W\d_])")
_INSIDE = re.compile("[\\-\u2010\u2011'\u2018\u2019\u02bc]")
# Han, kana, Hangul, Thai, Lao and Khmer: their words are not told apart by spaces.
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_NO_LETTER = re.compile(r"[\W_]+")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, as the module says."""
    # Before NFKC, which makes two-letter forms out of some hyphens and spaces.
    joined = _BROKEN.sub(_if_small, text)
    folded = unicodedata.normalize("NFKC", joined).casefold()
    return _WORD.findall(_INSIDE.sub("", _BEYOND_ASCII.sub(_if_seen, folded)))


def _if_small(found: re.Match[str]) -> str:
    return found[1] if found[1].islower() else found[0]


@cache
def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CM"


def _if_seen(found: re.Match[str]) -> str:
    return found[0] if _is_seen(found[0]) else ""


def folded(text: str) -> str:
    """Return ``text`` with every run of white space as one space, trimmed."""
    return " ".join(text.split())


def letters(text: str) -> str:
    """Return the letters and digits of ``text`` in order."""
    return _NO_LETTER.sub("", text)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two texts share: ``common`` of the ``wanted`` words of the reference."""

    common: int
    wanted: int

    @property
    def recall(self) -> float:
        """The share 0..1 of the reference's words that were found; 1 where it has none."""
        return self.common / self.wanted if self.wanted else 1.0


def overlap(ours: Sequence[str], reference: Sequence[str]) -> Overlap:
    """Count the reference's words in ours as multisets: a word twice there must be twice here."""
    return Overlap((Counter(ours) & Counter(reference)).total(), len(reference))


def missing_words(ours: Sequence[str], reference: Sequence[str], most: int = 12) -> list[str]:
    """Return the words of the reference that we lack most often, with their number."""
    lacking = Counter(reference) - Counter(ours)
    return [f"{word}×{count}" for word, count in lacking.most_common(most)]


def order(body: Sequence[str], reference: Sequence[str]) -> float:
    """Return the share 0..1 of the shared words that stand in the reference's order.

    The longest common subsequence over the number of words that both have (multisets): what
    one of the two lacks is the matter of ``overlap``. 1 where they share nothing.
    """
    common = overlap(body, reference).common
    return lcs_length(body, reference) / common if common else 1.0


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, exactly.

    Bit-parallel (Hyyrö 2004): one addition and some logic on an integer of ``len(first)`` bits
    for each word of ``second``; two texts of 100,000 words take some seconds.
    """
    start = 0
    shortest = min(len(first), len(second))
    while start < shortest and first[start] == second[start]:
        start += 1
    end = 0
    while end < shortest - start and first[-1 - end] == second[-1 - end]:
        end += 1
    middle = first[start : len(first) - end]
    places = _places(middle)
    full = (1 << len(middle)) - 1
    unmatched = full
    for word in second[start : len(second) - end]:
        mask = places.get(word)
        if mask is not None:
            matched = unmatched & mask
            unmatched = ((unmatched + matched) | (unmatched - matched)) & full
    return start + end + len(middle) - unmatched.bit_count()


def _places(sequence: Iterable[str]) -> dict[str, int]:
    """Return for each word the integer whose bits are its positions."""
    found: dict[str, list[int]] = {}
    for index, word in enumerate(sequence):
        found.setdefault(word, []).append(index)
    return {word: _bits(indices) for word, indices in found.items()}


def _bits(indices: list[int]) -> int:
    buffer = bytearray(indices[-1] // 8 + 1)
    for index in indices:
        buffer[index >> 3] |= 1 << (index & 7)
    return int.from_bytes(buffer, "little")


@dataclass(frozen=True, slots=True)
class CellOverlap:
    """The cells with text of a table's source: how many, how many are cells of a row of ours,
    and how many stand at least somewhere in our text; ``absent`` are those that do not."""

    wanted: int
    as_cells: int
    in_text: int
    absent: tuple[str, ...] = ()


def cell_overlap(wanted: Sequence[str], cells: Iterable[str], text: str) -> CellOverlap:
    """Look for every cell of the source among our ``cells`` (a multiset), then in ``text``.

    Compared after white-space folding and NFKC; in ``text`` line by line, since the number of a
    list item may stand before a line there. A cell that we repeat (merged ones) counts once for
    each cell of the source.
    """
    have = Counter(_cell_key(each) for each in cells)
    whole = _cell_key(text)
    filled = [each for each in wanted if each.strip()]
    as_cells = 0
    in_text = 0
    absent: list[str] = []
    for each in filled:
        name = _cell_key(each)
        if have[name] > 0:
            have[name] -= 1
            as_cells += 1
        if all(_cell_key(line) in whole for line in each.split("\n")):
            in_text += 1
        else:
            absent.append(name)
    return CellOverlap(len(filled), as_cells, in_text, tuple(absent))


def _cell_key(text: str) -> str:
    return folded(unicodedata.normalize("NFKC", text))
