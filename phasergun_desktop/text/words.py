"""The content words of a text, stemmed, for comparing a sentence with its source."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

from phasergun_desktop.text.lexicon import listed

_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*", re.UNICODE)
STOP_WORDS = frozenset(listed("stop_words", "stop_words"))


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
# An exponent is one of ten, or has a sign. Behind other numbers stand the marks of notes (2020¹,²)
# and degrees (10⁰C).
_POWER = re.compile(rf"(?:(?<=(?<![\d.,])10)|(?<=\d)(?=⁻))(?!⁰(?![⁰¹²³⁴-⁹]))[{_SUPERSCRIPTS}]+")
_NOTE_MARK = re.compile(r"(?<=\d)[⁰¹²³⁴-⁹]+(?:,[⁰¹²³⁴-⁹]+)*")
_PLAIN_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_RAISED_DIGITS = str.maketrans("0123456789-", _SUPERSCRIPTS)
_TYPED_EXPONENT = re.compile(r"(?P<base>10(?=\^)|[cdkmµ]?m(?=[23]$))\^?(?P<exponent>-?\d{1,3})")
# A space that cannot break between digits groups them: 10 745 is one number.
_GROUP_GAP = re.compile(r"(?<=\d)[\u00a0\u2009\u202f\u2007](?=\d{3}(?!\d))")
_EVENED = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\ufe58\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201b\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        "μ": "µ",
    }
)


def stem_set(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the content words among ``words``."""
    return frozenset(content_words(" ".join(words)))


def word_set(text: str) -> frozenset[str]:
    """Return the words of ``text``, which white space parts, for tables of words."""
    return frozenset(text.split())


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return the stem (Snowball English) of a folded word; words with digits stay as they are."""
    if any(character.isdigit() for character in word):
        return word
    return str(Stemmer.Stemmer("english").stemWord(word))


def even(text: str) -> str:
    """Return ``text`` with compatibility forms, dashes, quotes and spaces made equal, case kept.

    The minus sign stays apart from the hyphen; a raised exponent becomes ``^``,
    the mark of a note behind a number is left out.
    """
    text = _POWER.sub(lambda match: "^" + match.group().translate(_PLAIN_DIGITS), text)
    text = _NOTE_MARK.sub("", text)
    return unicodedata.normalize("NFKC", _GROUP_GAP.sub("", text)).translate(_EVENED)


def fold(text: str) -> str:
    """Return ``text`` in even form (see ``even``) and in lower case."""
    return even(text).lower()


def exponent_forms(word: str) -> tuple[str, ...]:
    """Return ``word``, and how its exponent is written as well: cm2 and cm², 10^6 and 10⁶."""
    plain = fold(word)
    typed = _TYPED_EXPONENT.fullmatch(plain)
    if typed is None:
        return (word,)
    raised = typed["exponent"].translate(_RAISED_DIGITS)
    return tuple(dict.fromkeys((word, plain, typed["base"] + raised)))


def squeezed(text: str) -> str:
    """Return ``text`` folded and without spaces or its last stop: PDF files lose some spaces
    ("wholeblood"), and a copy of such a passage is a copy all the same."""
    return "".join(fold(text).split()).rstrip(".;,")


def content_words(text: str) -> list[str]:
    """Return the stems (Snowball English) of the words of ``text`` that carry meaning, in order.

    Words with digits are kept whole: GT2-100 is not GT2-10.
    """
    return list(_content_words(text))


@lru_cache(maxsize=8192)
def _content_words(text: str) -> tuple[str, ...]:
    words = (match.group().strip(".-/") for match in _WORD.finditer(fold(text)))
    kept = [word for word in words if word and word not in STOP_WORDS]
    # A stemmer is not safe between threads; making one takes a microsecond.
    stemmer = Stemmer.Stemmer("english")
    return tuple(
        word if any(character.isdigit() for character in word) else stemmer.stemWord(word)
        for word in kept
    )
