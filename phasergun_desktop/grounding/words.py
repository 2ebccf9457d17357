"""The content words of a text, lightly stemmed, for comparing a sentence with its source."""

from __future__ import annotations

import re
import unicodedata

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
_SUFFIXES = ("ations", "ation", "ings", "ing", "ies", "ied", "edly", "ed", "es", "ly", "s")


def fold(text: str) -> str:
    """Return ``text`` in lower case, compatibility forms and dashes made equal."""
    text = unicodedata.normalize("NFKC", text).lower()
    return text.replace("–", "-").replace("—", "-").replace("’", "'").replace("μ", "µ")


def stem(word: str) -> str:
    """Return a crude stem: enough that "measures" meets "measuring"."""
    if any(character.isdigit() for character in word):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def content_words(text: str) -> list[str]:
    """Return the stems of the words of ``text`` that carry meaning, in order."""
    words = []
    for match in _WORD.finditer(fold(text)):
        word = match.group().strip(".-/")
        if word and word not in STOP_WORDS:
            words.append(stem(word))
    return words
