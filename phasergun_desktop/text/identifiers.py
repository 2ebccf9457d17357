"""Numbers that name something: submissions, standards, sections, documents, parts, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from phasergun_desktop.text.units import UNIT_PATTERN, unit_of
from phasergun_desktop.text.value_model import Value, ValueKind

_BODY = (
    r"(?:(?:ansi|aami|bs|din|en|iso|iec|ieee|astm|clsi|ul|nist|jis|csa|une|nf)"
    r"(?:/(?:aami|iso|iec|astm|tr|ts|tir|pas|asme|esd|ieee)){0,4}[ -]?){1,6}"
    r"(?:tr |ts |tir |sp |std\.? )?"
)
_STANDARD = re.compile(
    rf"\b(?P<body>{_BODY})"
    r"(?P<number>\d{3,}(?:[.-]\d+)*|[a-z]{1,4}\d[\da-z]*(?:-[\da-z]+)*)"
    r"(?P<edition>[:](?:19|20)\d{2}| \((?:19|20)\d{2}\)| ?,? (?:\d(?:st|nd|rd|th)|edition \d[\d.]*"
    r"|(?:first|second|third|fourth|fifth) )(?: ?(?:edition|ed)\b\.?)?)?"
    r"(?P<more>(?: ?[+/] ?(?:a|amd|ac|cor)\.? ?\d+(?::(?:19|20)\d{2})?)*)"
)
_CFR = re.compile(
    r"(?:\b(?P<title>\d{1,2}) ?c\.?f\.?r\.? ?(?:parts? |§+ ?|sections? )?|§+ ?|\bcfr )"
    r"(?P<part>\d{1,4}(?:\.\d+)?)(?P<sub>(?: ?\((?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})\))*)"
)
_SECTION = re.compile(
    r"(?<![\w.])(?P<part>\d{1,4}(?:\.\d+)*[a-z]?)(?P<sub>(?:\((?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2})\))+)"
)
_VERSION = re.compile(
    r"\b(?:v|ver\.?|version|release|firmware(?: version)?|software version) ?(?P<n>\d+(?:\.\d+)*)"
    r"(?P<tail>[a-z]?(?:-?(?:rc|beta|alpha)\d*)?)(?![\w.]\d)\b"
)
_REVISION = re.compile(
    r"\b(?:rev(?:ision)?\.?|issue|amendment|edition|ed\.)[ :#]{0,2}(?:no\.? )?"
    r"(?P<n>\d+(?:\.\d+)*|[a-z]{1,2})(?![\w'.]\w)\b"
)
_DOTTED = re.compile(r"(?<![\w.])\d+(?:\.\d+){2,}(?![\w.]\d)")
_NUMBERED = re.compile(
    r"(?<![°º])\b(?:[kp]\d{6}(?:/s\d{3})?|den\d{6}|q\d{6,7}|h\d{6}"
    r"|[a-z]{1,6}\d{0,3}(?:[-/][a-z]{1,5}){0,6}[-/](?:[a-z]{0,4}\d[\da-z]*|x{2,4})(?:-[\da-z]+)*"
    r"|[a-z]{2,5}\d{3,}[a-z\d]*)\b"
)
_DIRECTIVE = re.compile(r"\b(?:\d{2,4}/\d{1,4}/[a-z]{2,3}|(?:19|20)\d{2}/\d{2,4})\b")
_HYPHENATED = re.compile(r"(?<![\w.])(?<!\d-)\d+(?:-\d+){2,}(?![\w-])")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)[^\s<>\"]+|\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b")
# "Class II", "Annex A", "Type BF": a letter or a Roman number that says which one.
_LABEL = re.compile(
    r"\b(?P<what>class|type|phase|annex|appendix|tier|category|module|grade|part|level|subpart"
    r"|schedule|title|chapter|table|figure|attachment|exhibit|article|section)(?:es|s)? "
    r"(?P<which>[IVX]{1,4}|[A-H]F?|[A-H]\d?)(?P<more>[ab]?)(?![\w'-])",
    re.IGNORECASE,
)
_ROMAN = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "vi": 6,
    "vii": 7,
    "viii": 8,
    "ix": 9,
    "x": 10,
}
_ORDINAL_EDITION = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}


def find_identifiers(folded: str, written: str) -> Iterator[tuple[re.Match[str], Value]]:
    """Yield what names something by a number, the longest forms first.

    ``written`` is the same text with its case. Matches may overlap: the first that takes a place
    has it.
    """
    made = partial(_value, written)
    for match in _ADDRESS.finditer(folded):
        yield match, made(match, ValueKind.IDENTIFIER, match.group().rstrip(".,;)"))
    for match in _CFR.finditer(folded):
        key = f"{match['part']}{match['sub'].replace(' ', '')}"
        yield match, made(match, ValueKind.CFR, key, match["title"] or "")
    for match in _STANDARD.finditer(folded):
        yield match, made(match, ValueKind.STANDARD, _standard_key(match))
    for match in _DIRECTIVE.finditer(folded):
        yield match, made(match, ValueKind.IDENTIFIER, match.group())
    for match in _NUMBERED.finditer(folded):
        is_numbered = any(c.isdigit() for c in match.group()) or "-x" in match.group()
        if is_numbered and not _is_unit(folded, written, match):
            yield match, made(match, ValueKind.IDENTIFIER, match.group())
    for match in _HYPHENATED.finditer(folded):
        yield match, made(match, ValueKind.IDENTIFIER, match.group())
    for match in _VERSION.finditer(folded):
        yield match, made(match, ValueKind.IDENTIFIER, f"version {match['n']}{match['tail']}")
    for match in _REVISION.finditer(folded):
        number = match["n"]
        # "revision of" and "issue a" are words; a revision's letter is a capital.
        if number[0].isdigit() or written[match.start("n") : match.end("n")].isupper():
            yield match, made(match, ValueKind.IDENTIFIER, f"rev {number.lstrip('0') or '0'}")
    for match in _SECTION.finditer(folded):
        key = f"{match['part']}{match['sub'].replace(' ', '')}"
        yield match, made(match, ValueKind.CFR, key)
    for match in _DOTTED.finditer(folded):
        yield match, made(match, ValueKind.IDENTIFIER, f"version {match.group()}")
    for match in _LABEL.finditer(folded):
        which = written[match.start("which") : match.end("which")]
        if which.isupper():
            yield match, made(match, ValueKind.IDENTIFIER, _label_key(match))


def _is_unit(folded: str, written: str, match: re.Match[str]) -> bool:
    """Whether ``match`` is of a unit: "m/s2", "N/15 mm"."""
    unit = _unit().match(folded, match.start()) if "/" in match.group() else None
    return bool(unit and unit.end() >= match.end() and unit_of(written[slice(*unit.span())])[0])


@cache
def _unit() -> re.Pattern[str]:
    return re.compile(UNIT_PATTERN)


def identifier_agrees(value: Value, other: Value) -> bool:
    """Whether the source's ``other`` states ``value``; both of one kind."""
    if value.kind is ValueKind.CFR:
        # A section carries its part: "21 CFR 820" is stated where 21 CFR 820.30 is.
        if value.unit and other.unit and value.unit != other.unit:
            return False
        return other.key == value.key or other.key.startswith((f"{value.key}.", f"{value.key}("))
    if value.kind is ValueKind.STANDARD:
        return _standard_agrees(value.key, other.key)
    return value.key == other.key


def _standard_agrees(mine: str, theirs: str) -> bool:
    my_bodies, my_number, my_edition = mine.split("|")
    their_bodies, their_number, their_edition = theirs.split("|")
    if my_number != their_number:
        return False
    # "ISO 14971" is stated where "ANSI/AAMI/ISO 14971" is, not the other way round, and any
    # body where the source names none.
    if their_bodies and not set(my_bodies.split()) & set(their_bodies.split()):
        return False
    return not my_edition or their_edition == my_edition or their_edition.startswith(my_edition)


def _standard_key(match: re.Match[str]) -> str:
    """Return ``bodies|number|edition`` with the amendments in the edition."""
    bodies = " ".join(part for part in re.split(r"[ /-]+", match["body"].strip()) if part)
    edition = match["edition"] or ""
    for word, digit in _ORDINAL_EDITION.items():
        edition = edition.replace(word, digit)
    digits = re.findall(r"\d+(?:\.\d+)?", edition)
    more = re.findall(r"(?:a|amd|ac|cor)\.? ?(\d+)(?::(\d{4}))?", match["more"] or "")
    amended = "".join(f"+{number}:{year}" for number, year in more)
    return f"{bodies}|{match['number']}|{digits[0] if digits else ''}{amended}"


def _label_key(match: re.Match[str]) -> str:
    which = match["which"].lower()
    return f"{match['what'].lower()} {_ROMAN.get(which, which)}{match['more'].lower()}"


def _value(written: str, match: re.Match[str], kind: ValueKind, key: str, unit: str = "") -> Value:
    text = written[match.start() : match.end()].strip(" ,")
    return Value(kind, text, key, unit, start=match.start(), end=match.end())
