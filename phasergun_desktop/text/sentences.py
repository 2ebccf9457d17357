"""Splits text into sentences and list items as regulatory documents write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phasergun_desktop.text.lexicon import in_all_languages

# A full stop after one of these does not end a sentence.
ABBREVIATIONS = in_all_languages("sentences", "abbreviations")
# These abbreviate only before a number: "No. 5", but "No. It is not."
_BEFORE_NUMBERS = in_all_languages("sentences", "before_numbers")
MAY_END_SENTENCE = frozenset({"etc", "inc", "ltd", "corp"})
_AFTER_ORDINALS = in_all_languages("sentences", "after_ordinals")
# "z. B.", "z. Hd.": one letter before another abbreviation, and the last letter of such a one.
_SPACED_LETTER = re.compile(r"[^\W\d_]{1,2}\.(?!\S)")
_SPACED_LETTERS = re.compile(r"(?<!\w)[^\W\d_]\.\s[^\W\d_]$")
_FIRST_WORD = re.compile(r"[^\W\d_]{1,20}(?!\w)")
_ORDINAL = re.compile(r"(?<![\w.,])\d{1,2}$")
# Each run of full stops and each line is tried once, so that hostile text costs no more time.
_END = re.compile(
    r"(?<![.!?])[.!?]+[\"'”’)\]]*(?=\s|$)|\n{2,}|\n(?=[^\S\n]*(?:[-*•‣▪]|\d{1,2}[.)])\s)"
)
_LAST_WORD = re.compile(r"(?<![\w.])([A-Za-z][A-Za-z.]*)$")
_NO_INITIAL = re.compile(
    r"(?:[\d°µ%]|\b(?:class|type|annex|appendix|part|grade|level|group|vitamin|hepatitis))\s*$",
    re.IGNORECASE,
)
# "60 days of shelf life" has no number in front.
_HEADING_NUMBER = re.compile(
    r"^\s*(?:\d{1,3}(?:\.\d+)+[.)]?|\d{1,3}[.)]|\d{1,2}(?=\s+[^\W\d_a-z])|[A-Za-z][.)])\s+"
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# A paragraph that begins with so few words says with them what it is on: "Age of children. …".
# What has more characters, be it a question or one endless word, is no heading of what follows it.
_MOST_TOPIC_WORDS, _MOST_TOPIC_CHARACTERS = 5, 200
_WORD = re.compile(r"\w+")
_LIST_MARK = re.compile(r"^\s*(?:[-*•‣▪–·]\s+|\(?[a-z0-9]{1,2}[.)]\s+|\([ivxl]{3,6}\)\s+)")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return ``(start, end)`` code points of the sentences of ``text``, white space trimmed.

    ``e.g.``, ``No. 5``, ``21 CFR 820.30(a)``, decimals and initials do not end a sentence; a
    blank line and the start of a list item do.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if text[match.start()] == "." and not _ends_sentence(text, match.start(), match.end()):
            continue
        _add_trimmed(spans, text, start, match.end())
        start = match.end()
    _add_trimmed(spans, text, start, len(text))
    return spans


def sentences_with_topics(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int] | None]]:
    """Yield the sentences of a paragraph, as ``sentence_spans`` gives them, each with the one
    before it that says what it is on, if one does: the last question, or the first sentence where
    that has few words."""
    topic: tuple[int, int] | None = None
    for at, (start, end) in enumerate(sentence_spans(text)):
        yield (start, end), topic
        said = text[start:end]
        if len(said) > _MOST_TOPIC_CHARACTERS:
            continue
        words = 0 if at else len(_WORD.findall(without_list_mark(said)))
        if 0 < words <= _MOST_TOPIC_WORDS or said.endswith("?"):
            topic = start, end


def sentences(text: str) -> list[str]:
    """Return the sentences of ``text``."""
    return [text[start:end] for start, end in sentence_spans(text)]


def complete_sentences(text: str) -> tuple[list[str], str]:
    """Return the finished sentences of a growing ``text`` and the unfinished rest.

    The last sentence counts as finished only when something follows it: ``20.`` may go on as
    ``20.5``.
    """
    spans = sentence_spans(text)
    if not spans:
        return [], text
    *finished, last = spans
    return [text[start:end] for start, end in finished], text[last[0] :]


def without_list_mark(text: str) -> str:
    """Return ``text`` without a leading bullet or item number."""
    return _LIST_MARK.sub("", text, count=1).strip()


def without_heading_number(heading: str) -> str:
    """Return ``heading`` without its number or letter."""
    return _HEADING_NUMBER.sub("", heading).strip()


def without_leading_address(text: str) -> str:
    """Return ``text`` without a web address in front of it: it stands between two sentences."""
    match = _ADDRESS.match(text)
    return text[match.end() :].lstrip() if match else text


def _ends_sentence(text: str, stop: int, after: int) -> bool:
    before = _LAST_WORD.search(text[max(0, stop - 24) : stop])
    rest = text[after:].lstrip()
    if before is not None:
        word = before.group(1)
        if word.lower() in _BEFORE_NUMBERS:
            return not (rest[:1].isdigit() or rest[:1].islower())
        if word.lower() in ABBREVIATIONS:
            # "etc." and "Inc." do end a sentence when a new one clearly begins.
            return word.lower() in MAY_END_SENTENCE and rest[:1].isupper()
        if _is_spaced_abbreviation(text, stop, rest):
            return False
        if len(word) == 1 and word.isupper():
            # An initial (J. Smith), but not a unit (12 V.) or a class (type B.).
            return bool(_NO_INITIAL.search(text[max(0, stop - 24) : stop - 1]))
    if rest[:1].islower():
        return bool(_ADDRESS.match(rest))
    if _ORDINAL.search(text, max(0, stop - 4), stop) and _follows_ordinal(rest):
        return False
    # A bare item number ("2.") belongs to what follows it.
    line = text[text.rfind("\n", 0, stop) + 1 : stop].strip()
    return not re.fullmatch(r"\d{1,2}(?:\.\d{1,2})*", line)


def _is_spaced_abbreviation(text: str, stop: int, rest: str) -> bool:
    """Whether the full stop at ``stop`` is one of "z. B.", "z. Hd." or "d. h."."""
    return _SPACED_LETTERS.search(text, max(0, stop - 4), stop) is not None or (
        text[stop - 1].islower()
        and not text[max(0, stop - 2) : stop - 1].isalnum()
        and _SPACED_LETTER.match(rest) is not None
    )


def _follows_ordinal(rest: str) -> bool:
    first = _FIRST_WORD.match(rest)
    return first is not None and first[0].lower() in _AFTER_ORDINALS


def _add_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))
