"""The content words of a text, stemmed, for comparing a sentence with its source."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*", re.UNICODE)
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "each",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "more",
        "most",
        "must",
        "no",
        "nor",
        "not",
        "of",
        "on",
        "one",
        "only",
        "or",
        "other",
        "our",
        "over",
        "own",
        "same",
        "shall",
        "should",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "under",
        "until",
        "up",
        "used",
        "using",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "will",
        "with",
        "within",
        "would",
        "you",
        "your",
        "also",
        "both",
        "between",
        "per",
        "via",
    ]
)


def fold(text: str) -> str:
    """Return ``text`` in lower case, compatibility forms and dashes made equal."""
    text = unicodedata.normalize("NFKC", text).lower()
    return text.replace("–", "-").replace("—", "-").replace("’", "'").replace("μ", "µ")


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
