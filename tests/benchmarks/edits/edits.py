"""Seeded edits of a sentence: one value, sign, word or name is changed, and nothing else.

The patterns are the benchmark's own: none of the product's readers of values is used here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.benchmarks.edits.sources import Stated

EDIT_SEED = 20262


@dataclass(frozen=True, slots=True)
class Edited:
    """A sentence that was changed, what was changed, and the sentence it was made of."""

    kind: str
    stated: Stated
    text: str
    was: str
    now: str


_Edit = tuple[int, int, str]
_UNITS = (
    ("mg/dL", "mmol/L"),
    ("µL", "mL"),
    ("mL", "µL"),
    ("seconds", "minutes"),
    ("minutes", "hours"),
    ("hours", "days"),
    ("days", "weeks"),
    ("weeks", "months"),
    ("months", "years"),
    ("years", "months"),
    ("%", " mg/dL"),
    ("percent", "mg/dL"),
    ("°C", "°F"),
    ("°F", "°C"),
    ("feet", "meters"),
    ("ft", "m"),
    ("mm", "cm"),
    ("cm", "mm"),
    ("kg", "g"),
    ("mg", "g"),
    ("V", "mV"),
    ("Hz", "kHz"),
    ("L", "mL"),
    ("working days", "calendar months"),
)
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
# Not part of an identifier, a date, a standard or a section.
_DIGITS = re.compile(
    r"(?<![\w.,:/§()-])(?<!§ )(?<!CFR )(?<!ISO )(?<!IEC )\d+(?:\.\d+)?(?![\w/:()]|-\d|,\d|\.\d)"
)
_RANGE = re.compile(
    r"(?<![\w.-])(?<!ISO )(?<!IEC )(\d+(?:\.\d+)?)( ?(?:–|-|to) ?)(\d+(?:\.\d+)?)(?![\w-]|\.\d)"
)
_NEGATED = re.compile(r"\b(is|are|was|were|shall|must|should|may|can|will|has|have|does|do) not ")
_AFFIRMED = re.compile(
    r"\b(is|are|was|were|shall|must|should|may|can|will) (?!not\b|no\b)(?=[a-z])"
)
_SIGNS = (
    ("≤", "≥"),
    ("≥", "≤"),
    ("<", ">"),
    (">", "<"),
    ("±", "≤ "),
    ("at least ", "at most "),
    ("at most ", "at least "),
    ("no more than ", "no less than "),
    ("less than ", "more than "),
    ("more than ", "less than "),
    ("greater than ", "less than "),
    ("up to ", "at least "),
    ("within ", "after at least "),
)
_STANDARD = re.compile(r"\b(?:ISO|IEC|EN|CLSI|AAMI|ASTM)\b[ A-Z/]*\d[\d-]*(?::(\d{4}))?")
_K_NUMBER = re.compile(r"\b(?:[Kk]|DEN)(\d{6})\b")
_DOCUMENT = re.compile(r"\b[A-Z]{2,5}\d?-(?:[A-Z]{1,3}-)?(\d{1,4})\b")
_CFR = re.compile(r"\b21 CFR (?:Part )?(\d{3}(?:\.\d+)?)")
_DATES = (
    re.compile(r"\b(?:19|20)\d{2}-\d{2}-\d{2}\b"),
    re.compile(rf"\b(?:{'|'.join(_MONTHS)}) \d{{1,2}}, (?:19|20)\d{{2}}\b"),
    re.compile(rf"\b\d{{1,2}} (?:{'|'.join(_MONTHS)}) (?:19|20)\d{{2}}\b"),
    re.compile(rf"\b(?:{'|'.join(_MONTHS)}),? (?:19|20)\d{{2}}\b"),
    re.compile(r"\b\d{1,2}/\d{1,2}/(?:19|20)\d{2}\b"),
)
# Products, companies and the like: letters that mix, or capitals that are no common abbreviation.
_NAME = re.compile(
    r"(?<![\w-])(?:[A-Z][a-z]+[A-Z][A-Za-z]*|RIGHTEST|VivaChek|GlucoTrace|Contour|Fora|FORA|Dexcom"
    r"|Libre|FreeStyle|PaperClip|RespiraWorks|PactoSigna|Meta|Roche|Abbott|Radiometer|Siemens"
    r"|Beckman|Sysmex|Eiken|EasyMax|TeleRPM)(?:®|™)?(?: [A-Z][a-z]+| [A-Z]\d\b)?(?![\w-])"
)
_OTHER_NAMES = (
    "GlucoTrace G3",
    "Accu-Chek Guide",
    "NovaMax Plus",
    "CareSens N",
    "HemoCue",
    "OneTouch Verio",
)


def edits_of(stated: Sequence[Stated], per_kind: int) -> list[Edited]:
    """Return up to ``per_kind`` edits of every kind, one a sentence and kind, spread over the
    documents."""
    found: list[Edited] = []
    for kind, edit in _KINDS.items():
        draw = random.Random(f"{EDIT_SEED} {kind}")
        order = list(stated)
        draw.shuffle(order)
        by_file: dict[str, int] = {}
        made: list[Edited] = []
        for most in (1, 2, 4):  # every document once before any a second time
            for item in order:
                if len(made) == per_kind:
                    break
                if by_file.get(item.file, 0) >= most or any(e.stated is item for e in made):
                    continue
                places = edit(item.text, draw)
                if not places:
                    continue
                start, end, now = draw.choice(places)
                text = item.text[:start] + now + item.text[end:]
                if text != item.text:
                    by_file[item.file] = by_file.get(item.file, 0) + 1
                    made.append(Edited(kind, item, text, item.text[start:end], now))
        found.extend(made)
    return found


def _digit(text: str, draw: random.Random) -> list[_Edit]:
    spans = [m.span() for m in _DIGITS.finditer(text) if m.start() > 3]
    return [(s, e, _other_digits(text[s:e], draw)) for s, e in spans]


def _other_digits(number: str, draw: random.Random) -> str:
    """Return the number with one digit changed; no leading zero comes about."""
    at = draw.choice([index for index, c in enumerate(number) if c.isdigit()])
    choices = [c for c in "123456789" if c != number[at]]
    return number[:at] + draw.choice(choices) + number[at + 1 :]


def _unit(text: str, draw: random.Random) -> list[_Edit]:
    del draw
    places = []
    for unit, other in _UNITS:
        for match in re.finditer(rf"(?<=\d)(?P<gap>[ -]?){re.escape(unit)}(?![\w/])", text):
            start = match.end("gap")
            places.append((start, match.end(), other))
    return places


def _sign(text: str, draw: random.Random) -> list[_Edit]:
    del draw
    places: list[_Edit] = []
    for sign, other in _SIGNS:
        pattern = re.escape(sign) + (r"(?=\d)" if sign[0].isalpha() else r"(?= ?\d)")
        found = re.finditer(rf"(?<![\w-]){pattern}", text, re.IGNORECASE)
        places += [(*match.span(), other) for match in found]
    minus = re.finditer(r"(?<=[ (;:])[-−](?=\d)(?<!\d [-−])", text)
    places += [(*match.span(), "") for match in minus]
    # Less than nothing is nothing: "-0.000" is 0.000.
    numbers = re.finditer(r"(?<=: )(?=\d+\.\d+(?!\.))(?![0.]+(?![\d.]))", text)
    places += [(m.start(), m.start(), "-") for m in numbers]
    return places


def _range_end(text: str, draw: random.Random) -> list[_Edit]:
    places = []
    for match in _RANGE.finditer(text):
        if re.fullmatch(r"(?:19|20)\d\d", match[1]):
            continue
        places.append((*match.span(1), _other_digits(match[1], draw)))
        places.append((*match.span(3), _other_digits(match[3], draw)))
        places.append((*match.span(), match[3] + match[2] + match[1]))
    return places


def _date(text: str, draw: random.Random) -> list[_Edit]:
    places = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            date = match.group()
            month = next((m for m in _MONTHS if m in date), "")
            if month and draw.random() < 0.5:
                other = draw.choice([m for m in _MONTHS if m != month])
                places.append((*match.span(), date.replace(month, other)))
            else:
                year = re.search(r"(?:19|20)\d{2}", date)
                if year:
                    now = str(int(year.group()) + draw.choice((-2, -1, 1, 2)))
                    places.append((*match.span(), date.replace(year.group(), now)))
    return places


def _edition(text: str, draw: random.Random) -> list[_Edit]:
    places = []
    for match in _STANDARD.finditer(text):
        if match[1]:
            now = str(int(match[1]) + draw.choice((-7, -3, -1, 1, 2)))
            places.append((*match.span(1), now))
        else:
            digits = re.search(r"\d[\d-]*\d", match.group())
            if digits:
                start = match.start() + digits.start()
                part = draw.choice((f"{digits.group()}-9", f"{digits.group()}:1998"))
                places.append((start, match.start() + digits.end(), part))
    places += [(*m.span(1), _other_digits(m[1], draw)) for m in _CFR.finditer(text)]
    return places


def _number_of_a_document(text: str, draw: random.Random) -> list[_Edit]:
    places = [(*m.span(1), _other_digits(m[1], draw)) for m in _K_NUMBER.finditer(text)]
    places += [(*m.span(1), _other_digits(m[1], draw)) for m in _DOCUMENT.finditer(text)]
    return places


def _negation(text: str, draw: random.Random) -> list[_Edit]:
    del draw
    removed = [(m.start(), m.end(), f"{m[1]} ") for m in _NEGATED.finditer(text)]
    added = [(m.start(), m.end(), f"{m[1]} not ") for m in _AFFIRMED.finditer(text)]
    return removed or added[:1]


def _name(text: str, draw: random.Random) -> list[_Edit]:
    return [
        (*match.span(), draw.choice([n for n in _OTHER_NAMES if n not in text]))
        for match in _NAME.finditer(text)
    ]


_KINDS: dict[str, Callable[[str, random.Random], list[_Edit]]] = {
    "digit": _digit,
    "unit": _unit,
    "sign": _sign,
    "range end": _range_end,
    "date": _date,
    "edition": _edition,
    "number of a document": _number_of_a_document,
    "negation": _negation,
    "name": _name,
}
