"""What a question asks for (a duration, a count, yes or no) and what it is about."""

from __future__ import annotations

import re
from enum import StrEnum

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.values import ValueKind, extract_values
from phasergun_desktop.text.words import content_words, fold, stem_set


class AskedFor(StrEnum):
    """The kind of answer that a question wants; ``WORDS`` where its form does not say."""

    DURATION = "duration"
    FREQUENCY = "frequency"
    COUNT = "count"
    AMOUNT = "amount"
    DATE = "date"
    YES_OR_NO = "yes_or_no"
    WORDS = "words"


_TIME_UNIT = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_FORMS: tuple[tuple[AskedFor, re.Pattern[str]], ...] = tuple(
    (asked, re.compile(pattern, re.IGNORECASE))
    for asked, pattern in (
        (AskedFor.FREQUENCY, r"\bhow (?:often|frequently)\b|\bat what intervals?\b"),
        (
            AskedFor.DURATION,
            r"\bhow long\b(?! is the| was the)|\b(?:how many|what number of) (?:\w+ )?"
            + _TIME_UNIT
            + r"\b|\b(?:what|which) (?:is the |are the )?(?:\w+ ){0,2}"
            r"(?:shelf[- ]life|retention (?:period|time)|duration|period|deadline|time limit)\b",
        ),
        (AskedFor.COUNT, r"\bhow many\b|\bwhat number of\b"),
        (
            AskedFor.AMOUNT,
            (
                r"\bhow (?:much|far|high|tall|large|big|small|heavy|wide|deep|fast|hot|cold|loud"
                r"|accurate|precise)\b|\bwhat (?:percentage|fraction|share|proportion)\b"
                r"|\b(?:what|which) (?:is the |are the |was the |were the )?(?:\w+ ){0,3}"
                r"(?:price|cost|height|altitude|weight|width|length|volume|capacity|temperature|humidity|pressure"
                r"|voltage|dose|speed|rate|range|limit|threshold)\b(?! of (?:rules|things))"
                r"|\bin (?:mAh|mg/dL|mmol/L|kg|mm|cm|degrees|percent)\b"
            ),
        ),
        (
            AskedFor.DATE,
            r"^(?:since |until |by |on |from )?(?:when|what date|which (?:day|year))\b",
        ),
        (
            AskedFor.YES_OR_NO,
            (
                r"^(?:is|are|was|were|does|do|did|has|have|had|can|could|may|must|shall|should|will"
                r"|would)\b"
            ),
        ),
    )
)
# These words carry the asking, not what is asked about: a table row "CAPA records | 15 years"
# answers "How long must CAPA records be kept?" without "long" and "kept".
_ASKING = stem_set(listed("questions", "asking"))
_COUNTED = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|thousand)"
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(listed('questions', 'small_numbers'))}|{_COUNTED})\b")
_LASTING = re.compile(
    rf"\b(?:\d[\d.,]*|a|an|one|half|{_COUNTED})[\s-]+(?:\w+ )?{_TIME_UNIT}\b"
    r"|\b(?:life of|lifetime|indefinite\w*|permanent\w*|for ever|until)\b"
)
# What lengths of time are compared as.
_OF_TIME = frozenset({"s", "working day", "month"})
_DIGIT = re.compile(r"\d")
_REPEATED = re.compile(
    rf"\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annual\w*|hourly|biennial\w*"
    rf"|once|twice|every|each|per (?:day|week|month|quarter|year)|periodic\w*|regular\w*"
    rf"|continuous\w*|{_TIME_UNIT})\b"
)
_AT_A_TIME = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:after|before|within|upon|once|prior|when|whenever|until|during|at"
    r"|by|days?|if)\b"
)


def asked_for(question: str) -> AskedFor:
    """Return what kind of answer the form of ``question`` wants."""
    text = " ".join(question.split())
    return next((asked for asked, form in _FORMS if form.search(text)), AskedFor.WORDS)


def topic_text(question: str) -> str:
    """Return ``question`` without the words that only ask: what it is about.

    A question made of nothing else is kept whole.
    """
    kept = [word for word in question.split() if not set(content_words(word)) <= _ASKING]
    return " ".join(kept) or question


def without_names(text: str) -> str:
    """Return the words of ``text`` that are no name: without capitals (but at its start) and
    digits. A device's name stands everywhere; that it is named answers nothing."""
    first, *others = text.split() or [""]
    words = [first[:1].lower() + first[1:], *others]
    return " ".join(word for word in words if word.islower() and not _DIGIT.search(word))


def has_value_asked_for(question: str, sentence: str) -> bool:
    """Whether ``sentence`` has a value of the kind that ``question`` asks for, and not only
    one that the question itself names."""
    asked = asked_for(question)
    text = fold(sentence)
    if asked is AskedFor.DATE:
        is_date = any(value.kind is ValueKind.DATE for value in extract_values(sentence))
        return is_date or _AT_A_TIME.search(text) is not None
    if asked is AskedFor.FREQUENCY:
        return _REPEATED.search(text) is not None
    if asked in (AskedFor.WORDS, AskedFor.YES_OR_NO):
        return True
    given = {value.key for value in extract_values(question)}
    new = [value for value in extract_values(sentence) if value.key not in given]
    is_counted = any(value.kind is ValueKind.NUMBER for value in new)
    if asked is AskedFor.DURATION:
        return _LASTING.search(text) is not None or any(each.unit in _OF_TIME for each in new)
    return is_counted or (asked is AskedFor.COUNT and _NUMBER_WORD.search(text) is not None)
