"""Units of measurement as they are written, and what makes them comparable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import cast

from phasergun_desktop.text.lexicon import listed

_PREFIXES = (
    # written before a symbol, before a word, factor
    (("g",), "giga", "1000000000"),
    (("k",), "kilo", "1000"),
    (("h",), "hecto", "100"),
    (("d",), "deci", "0.1"),
    (("c",), "centi", "0.01"),
    (("m",), "milli", "0.001"),
    (("µ", "u", "mc"), "micro", "0.000001"),
    (("n",), "nano", "0.000000001"),
    (("p",), "pico", "0.000000000001"),
    (("f",), "femto", "0.000000000000001"),
)
# Symbol, words, and the prefixes that are in use before it ("" is the bare unit).
_SCALED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("l", ("litre", "liter"), " dcmµunpf"),
    ("g", ("gram", "gramme"), " kcmµunpf"),
    ("m", ("metre", "meter"), " kdcmµun"),
    ("mol", ("mole",), " mµunp"),
    ("s", ("second",), " mµun"),
    ("v", ("volt",), " kmµu"),
    ("a", ("ampere", "amp"), " mµun"),
    ("ah", (), " m"),
    ("w", ("watt",), " kmµu"),
    ("wh", (), " km"),
    ("j", ("joule",), " km"),
    ("pa", ("pascal",), " hk"),
    ("hz", ("hertz",), " k"),
    ("bar", (), " m"),
    ("eq", (), " mµ"),
    ("n", ("newton",), " km"),
    ("iu", (), " mµk"),
)
# Compared as, factor, ways to write it.
_WRITTEN = cast("tuple[tuple[str, str, list[str]], ...]", listed("units", "written"))


def _scaled() -> Iterator[tuple[str, tuple[str, str]]]:
    for symbol, words, prefixes in _SCALED:
        if " " in prefixes:
            yield symbol, (symbol, "1")
            for word in words:
                yield from ((word, (symbol, "1")), (f"{word}s", (symbol, "1")))
        for marks, name, factor in _PREFIXES:
            if marks[0] not in prefixes:
                continue
            for mark in marks:
                yield f"{mark}{symbol}", (symbol, factor)
            for word in words:
                yield f"{name}{word}", (symbol, factor)
                yield f"{name}{word}s", (symbol, factor)


UNITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    dict(_scaled()) | {name: (unit, factor) for unit, factor, names in _WRITTEN for name in names}
)
# "a" and "n" alone are words far more often than amperes and newtons, "h" of "/h" is not.
# "Ten units were tested" counts things.
_NOT_ALONE = frozenset({"a", "n", "eq", "j", "u", "unit", "units", "c"})
# Units that another one resembles but for the case of its letters.
_CASED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "mPa": ("pa", "0.001"),
        "mHz": ("hz", "0.001"),
        "MV": ("v", "1000000"),
        "MW": ("w", "1000000"),
        "MJ": ("j", "1000000"),
        "MN": ("n", "1000000"),
        "MΩ": ("ohm", "1000000"),
        "mM": ("mol/l", "0.001"),
        "µM": ("mol/l", "0.000001"),
        "nM": ("mol/l", "0.000000001"),
        "mS": ("siemens", "0.001"),
        "µS": ("siemens", "0.000001"),
    }
)
_ALTERNATIVES = "|".join(
    re.escape(name)
    for name in sorted((n for n in UNITS if n not in _NOT_ALONE), key=len, reverse=True)
)
_BELOW = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_OVER = rf"(?:\s?/\s?|\ per\ )(?:{_BELOW})(?!\w)"
_RATIO = re.compile(r"\s*/\s*| per ")

# A unit, or one unit over another ("mg/dL", "millilitres per minute"), as a regular expression.
# "C" is a temperature behind a number alone.
UNIT_PATTERN = (
    rf"(?:(?:{_ALTERNATIVES})(?:{_OVER}|(?!\w))|(?:units?|u){_OVER}|(?:(?<=\d)|(?<=\d\s))c(?!\w))"
)


def unit_of(written: str) -> tuple[str, Decimal]:
    """Return what the unit is compared as and the exact factor to it.

    ``written`` is text that ``UNIT_PATTERN`` matches in its folded form; ``("", 1)`` for anything
    else. Case tells units apart that differ in nothing else: 5 mPa are not 5 MPa.
    """
    known = _known(written)
    if known is not None:
        return known[0], Decimal(known[1])
    above, *below = map(_known, _RATIO.split(written, maxsplit=1))
    if above is None or len(below) != 1 or below[0] is None:
        return "", Decimal(1)
    (over, factor), (under, divisor) = above, below[0]
    amount = Decimal(factor) / Decimal(divisor)
    return f"{over}/{under}", amount


def _known(written: str) -> tuple[str, str] | None:
    return _CASED.get(written) or UNITS.get(written) or UNITS.get(written.lower())
