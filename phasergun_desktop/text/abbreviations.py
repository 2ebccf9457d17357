"""The abbreviations that a text defines: "enzyme electrode strip (EES)", "EES: enzyme …"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from phasergun_desktop.text.words import STOP_WORDS

# An abbreviation, and the words that it stands for.
Abbreviation = tuple[str, str]

_SHORT = r"(?P<short>[A-Z][A-Za-z]{0,6}[A-Z])"
_BEHIND = re.compile(rf"\({_SHORT}s?\)")
# Before the words stands a mark, or nothing ("AER automated endoscope reprocessor; ATS …").
_BEFORE = re.compile(rf"(?<![\w-]){_SHORT}s?(?P<mark>\s*[:=|–—(]\s*|\s-\s|\s+)(?=\w)")
# Two letters begin neighbouring words too often.
_TELLING_LETTERS = 3
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:[\s/'’-]+[^\W\d_]+)*")
_COMPOUND = re.compile(r"[^\W\d_]+-")
_AROUND = " \t\"'“”‘’*_"
_STOP = re.compile(r"[.;:()\n|!?,=]")
_REACH = 120
_MOST = 500


def abbreviations_in(texts: Iterable[str]) -> tuple[Abbreviation, ...]:
    """Return what ``texts`` define, each once, where the first letters of the words, or of those
    that are no stop words, are those of the abbreviation."""
    found: dict[Abbreviation, None] = {}
    for text in texts:
        found.update(dict.fromkeys(_behind(text)))
        found.update(dict.fromkeys(_before(text)))
        if len(found) > _MOST:
            break
    return tuple(found)[:_MOST]


def agreed(abbreviations: Iterable[Abbreviation]) -> tuple[Abbreviation, ...]:
    """Return those of ``abbreviations`` that stand for one thing alone, each once."""
    meanings: dict[str, dict[str, Abbreviation]] = {}
    for short, words in abbreviations:
        alike = re.sub(r"[\s-]+", " ", words.casefold()).removesuffix("s")
        meanings.setdefault(short, {}).setdefault(alike, (short, words))
    return tuple(
        each for of_one in meanings.values() if len(of_one) == 1 for each in of_one.values()
    )


def _behind(text: str) -> Iterator[Abbreviation]:
    for match in _BEHIND.finditer(text):
        before = _STOP.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
        starts = [word.start() for word in _WORD.finditer(before)]
        for start in starts[-2 * len(match["short"]) :]:
            words = before[start:].strip(_AROUND)
            if _spells(match["short"], words):
                yield match["short"], " ".join(words.split())
                break


def _before(text: str) -> Iterator[Abbreviation]:
    for match in _BEFORE.finditer(text):
        short = match["short"]
        words = _STOP.split(text[match.end() : match.end() + _REACH])[0].strip(_AROUND)
        is_told = bool(match["mark"].strip()) or len(short) >= _TELLING_LETTERS
        if is_told and _spells(short, words):
            yield short, " ".join(words.split())


def _spells(short: str, text: str) -> bool:
    """Whether ``text`` is words whose first letters are ``short``: of all, or of those that are no
    stop words."""
    words = _WORD.findall(text)
    if len(words) < 2 or not _WORDS.fullmatch(text):
        return False
    telling = [word for word in words if word.casefold() not in STOP_WORDS]
    if words[:1] != telling[:1] and not _COMPOUND.match(text):
        return False  # "The report (TR)", but "over-temperature alarm (OTA)".
    letters = ["".join(word[0] for word in each).casefold() for each in (words, telling)]
    return short.casefold() in letters
