"""Proper names of a sentence (devices, companies, products, people) that its source lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from phasergun_desktop.text.dates import MONTH_NAMES
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.value_model import Value, ValueKind
from phasergun_desktop.text.words import STOP_WORDS, content_words, even

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['&.][^\W_]+)*|(?<!\d)\d+[^\W\d_]+[^\W_]*")
_CAMEL = re.compile(r"[^\W\d_]*[a-zß-ÿ][A-ZÀ-Þ]")
# After these a capital only says that something begins.
_BEGINS = re.compile(r"(?:^|[.:;!?|•·\"“(\[]|\n|\t| - )\s*[\"'(\[]*$")
# No abbreviation has more letters on either side of a word.
_LONGEST_RUN = 12
_ROMAN_OR_LETTER = re.compile(r"[IVX]+|[A-Z]")
# Capitalised in documents without naming anything in particular.
_COMMON = frozenset(listed("names", "common"))


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    begins: bool

    @property
    def is_strong(self) -> bool:
        """Whether its letters alone make it a name: RIGHTEST, GlucoTrace, G2."""
        text = self.text
        if any(c.isdigit() for c in text):
            return text[0].isalpha() and any(c.isupper() for c in text)
        if len(text) >= 2 and text.isupper():
            return _ROMAN_OR_LETTER.fullmatch(text) is None
        return _CAMEL.match(text) is not None

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def may_name(self) -> bool:
        return self.is_capital and self.text.casefold() not in STOP_WORDS

    @property
    def is_numbered(self) -> bool:
        return self.is_capital and any(c.isdigit() for c in self.text)


def missing_names(
    sentence: str, sources: str, taken: Sequence[tuple[int, int]] = ()
) -> list[Value]:
    """Return the names of ``sentence`` that do not stand in ``sources``.

    A name is a word that mixes letters and digits or capitals and small letters, stands in
    capitals, or is capitalised where nothing begins. Letter case, plurals, abbreviations and
    their expansions agree. ``taken`` are places of the even sentence that are values of another
    kind.
    """
    written = even(sentence)
    tokens = _tokens(written)
    if not any(c.isupper() for c in written):
        return []
    source = _source(sources)
    missing: list[Value] = []
    for index, token in enumerate(tokens):
        if any(start < token.end and token.start < end for start, end in taken):
            continue
        if source.has(token.text) or not _is_name(tokens, index, written, source):
            continue
        if source.abbreviations and _run(tokens, index, written) in source.abbreviations:
            continue
        first = token
        if token.is_numbered and index and _adjacent(tokens[index - 1], token, written):
            # "GlucoTrace G3" says more than "G3".
            first = tokens[index - 1] if tokens[index - 1].is_capital else token
        if missing and missing[-1].end >= first.start - 1:
            first_start = missing.pop().start
        else:
            first_start = first.start
        text = written[first_start : token.end]
        missing.append(
            Value(ValueKind.NAME, text, text.casefold(), start=first_start, end=token.end)
        )
    return missing


def is_common(word: str) -> bool:
    """Whether ``word`` has a capital in documents without naming anything in particular."""
    return word.casefold() in _COMMON or word.casefold() in MONTH_NAMES


def _is_name(tokens: Sequence[_Token], index: int, written: str, source: _Source) -> bool:
    token = tokens[index]
    lower = token.text.casefold()
    if is_common(lower) or len(token.text) < 2:
        return False
    if token.is_strong:
        return True
    if not token.is_capital or lower in STOP_WORDS:
        return False
    if not token.begins:
        return True
    # At the beginning a capital is a name where another one follows that the source lacks too:
    # "Contour Next measures", but not "See Regulation".
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return (
        after is not None
        and _adjacent(token, after, written)
        and after.is_capital
        and (after.is_numbered or not after.is_strong)
        and not source.has(after.text)
    )


def _run(tokens: Sequence[_Token], index: int, written: str) -> str:
    """Return the initials of the capitalised words around ``index``."""
    first = last = index
    lowest, highest = max(0, index - _LONGEST_RUN), min(len(tokens) - 1, index + _LONGEST_RUN)
    while first > lowest and tokens[first - 1].may_name and _near(tokens, first - 1, written):
        first -= 1
    while last < highest and tokens[last + 1].may_name and _near(tokens, last, written):
        last += 1
    return "".join(token.text[0] for token in tokens[first : last + 1]).casefold()


def _near(tokens: Sequence[_Token], index: int, written: str) -> bool:
    return _adjacent(tokens[index], tokens[index + 1], written)


def _adjacent(left: _Token, right: _Token, written: str) -> bool:
    return written[left.end : right.start] in (" ", "-", " & ")


@lru_cache(maxsize=1024)
def _tokens(written: str) -> tuple[_Token, ...]:
    return tuple(
        _Token(
            match.group(),
            match.start(),
            match.end(),
            _BEGINS.search(written[max(0, match.start() - 6) : match.start()]) is not None
            if match.start() > 6
            else not any(c.isalnum() for c in written[: match.start()]),
        )
        for match in _WORD.finditer(written)
    )


class _Source:
    """The words of a source, ready to be asked for names."""

    def __init__(self, sources: str) -> None:
        written = even(sources)
        tokens = _tokens(written)
        self._words = {token.text.casefold() for token in tokens}
        self._words.update(part for word in tuple(self._words) for part in re.split(r"['&.]", word))
        self._stems = set(content_words(sources))
        self._solid = re.sub(r"[\W_]+", "", written.casefold())
        self._initials = " ".join(
            token.text[0].casefold() if token.text.casefold() not in STOP_WORDS else "."
            for token in tokens
        ).replace(" ", "")
        # No initial alone is an abbreviation.
        self.abbreviations = {
            token.text.casefold()
            for token in tokens
            if token.is_strong and token.text.isupper() and len(token.text) >= 2
        }

    def has(self, word: str) -> bool:
        lower = word.casefold()
        bare = re.sub(r"'s?$", "", lower)
        if lower in self._words or bare in self._words or bare.rstrip("s") in self._words:
            return True
        if set(content_words(word)) <= self._stems:
            return True
        # "GlucoTrace" is "Gluco Trace" too; short words would be found inside of others.
        if len(bare) >= 6 and bare in self._solid:
            return True
        if word.isupper() and len(bare) >= 2:
            return bare in self._initials.replace(".", "") or self._spells(bare)
        return False

    def _spells(self, letters: str) -> bool:
        """Whether capitals abbreviate words of the source with small words left out or in."""
        return re.search(r"\.*".join(map(re.escape, letters)), self._initials) is not None


@lru_cache(maxsize=512)
def _source(sources: str) -> _Source:
    return _Source(sources)
