"""Dates in the forms in which documents write them, whole and in part."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phasergun_desktop.text.lexicon import listed

_MONTHS = {
    name: index
    for index, names in enumerate(listed("dates", "months"), start=1)
    for name in names.split()
}
MONTH_NAMES = frozenset(_MONTHS)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<y>(?:19|20)\d{2})"
# Whole dates first; what they took is not looked at again.
_FORMS = (
    re.compile(rf"\b{_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?:t[\d:]+z?)?(?![\d-])"),
    re.compile(rf"\b{_DAY}(?: of)?[ -](?P<n>{_MONTH})\.?,?[ -]{_YEAR}\b"),
    re.compile(rf"\b(?P<n>{_MONTH})\.? {_DAY},? {_YEAR}\b"),
    re.compile(rf"\b(?P<a>\d{{1,2}})(?P<gap>[/.-])(?P<b>\d{{1,2}})(?P=gap){_YEAR}\b"),
    re.compile(r"\b(?P<a>\d{1,2})(?P<gap>/)(?P<b>\d{1,2})/(?P<s>\d{2})\b(?!/)"),
    re.compile(rf"\b(?P<n>{_MONTH})\.?,?(?: of)?[ -]{_YEAR}\b"),
    re.compile(rf"\b{_YEAR}-(?P<m>\d{{2}})\b(?!-\d)"),
    re.compile(rf"\bq(?P<q>[1-4])(?: of|,|/|-)? ?{_YEAR}\b"),
    re.compile(rf"\b{_YEAR}[ -/]q(?P<q>[1-4])\b"),
    re.compile(rf"\b(?P<w>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of|,)? {_YEAR}\b"),
    re.compile(rf"\b{_DAY}(?: of)? (?P<n>{_MONTH})\b(?! \d)"),
    re.compile(rf"\b(?P<n>{_MONTH})\.? {_DAY}\b(?![\d.,:]\d)"),
)


def find_dates(folded: str, written: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the dates of ``folded`` with their keys, whole dates before partial ones.

    ``written`` is the same text with its case: "14 may" is a date only as "14 May".

    A key is ``2026-08-14``, ``2026-08``, ``2026-q3`` or ``--08-14``; ``|`` parts the two readings
    of a date such as 08/07/2026. Matches may overlap: the first that takes a place has it.
    """
    for form in _FORMS:
        for match in form.finditer(folded):
            key = _key(match)
            is_verb = (
                match.groupdict().get("n") in ("may", "march")
                and not written[match.start("n")].isupper()
            )
            if key and not is_verb:
                yield match, key


def date_agrees(key: str, other: str) -> bool:
    """Whether the date ``key`` is stated by the date ``other``, which may be more exact."""
    return any(_is_part(mine, theirs) for mine in key.split("|") for theirs in other.split("|"))


def _is_part(mine: str, theirs: str) -> bool:
    if mine == theirs or theirs.startswith(f"{mine}-"):
        return True
    if mine.startswith("--"):
        return theirs.endswith(mine[1:]) and theirs[:4].isdigit()
    year, _, rest = mine.partition("-q")
    if rest and theirs.startswith(f"{year}-") and theirs[5:7].isdigit():
        return (int(theirs[5:7]) + 2) // 3 == int(rest)
    return False


def _key(match: re.Match[str]) -> str:
    groups = match.groupdict()
    year = int(groups["y"]) if groups.get("y") else None
    if groups.get("s"):
        year = 2000 + int(groups["s"])
    if groups.get("q"):
        return f"{year:04d}-q{groups['q']}"
    if groups.get("w"):
        word = groups["w"]
        return f"{year:04d}-q{_QUARTERS.get(word) or word[0]}"
    if groups.get("a"):
        return _either_order(year or 0, int(groups["a"]), int(groups["b"]), groups["gap"])
    month = _MONTHS[groups["n"]] if groups.get("n") else int(groups["m"])
    day = int(groups["d"]) if groups.get("d") else None
    if year is None:
        return f"--{month:02d}-{day:02d}" if day and _is_day(month, day) else ""
    if day is None:
        return f"{year:04d}-{month:02d}" if 1 <= month <= 12 else ""
    return f"{year:04d}-{month:02d}-{day:02d}" if _is_day(month, day) else ""


def _either_order(year: int, first: int, second: int, gap: str) -> str:
    # 14/08/2026 can be read one way only, and full stops are written by those who put the day
    # first; 08/07/2026 is July in one country and August in another.
    keys = []
    if gap != "." and _is_day(first, second):
        keys.append(f"{year:04d}-{first:02d}-{second:02d}")
    if _is_day(second, first):
        keys.append(f"{year:04d}-{second:02d}-{first:02d}")
    return "|".join(dict.fromkeys(keys))


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
