"""Units of measurement as they are written, and what makes them comparable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import cast

from phasergun_desktop.text.lexicon import listed

_PREFIXES = cast("tuple[tuple[str, str, str], ...]", listed("units", "prefixes"))
# Symbol, compared as, factor, words, prefixes.
_SCALED = cast("tuple[tuple[str, str, str, list[str], list[str]], ...]", listed("units", "scaled"))
# Compared as, factor, ways to write it.
_WRITTEN = cast("tuple[tuple[str, str, list[str]], ...]", listed("units", "written"))
_BELOW = cast("tuple[tuple[str, str, list[str]], ...]", listed("units", "below"))
_Unit = tuple[str, Decimal]


def _scaled() -> Iterator[tuple[str, _Unit]]:
    for symbol, unit, scale, words, prefixes in _SCALED:
        amounts = {mark: (name, Decimal(factor)) for mark, name, factor in _PREFIXES}
        for mark in prefixes:
            name, factor = amounts.get(mark, ("", Decimal(1)))
            amount = factor * Decimal(scale)
            yield f"{mark}{symbol}", (unit, amount)
            if unit == "m":
                yield f"{mark}{symbol}2", ("m2", amount**2)
                yield f"{mark}{symbol}3", ("l", 1000 * amount**3)
            for word in words:
                yield f"{name}{word}", (unit, amount)
                yield f"{name}{word}s", (unit, amount)


def _listed(rows: Iterable[tuple[str, str, list[str]]]) -> Iterator[tuple[str, _Unit]]:
    for unit, factor, names in rows:
        yield from ((name, (unit, Decimal(factor))) for name in names)


def _with_lost_case(units: dict[str, _Unit]) -> Mapping[str, _Unit]:
    """Return ``units``, and each in lower case, the first of the same letters; "5 n" are no
    newtons."""
    folded: dict[str, _Unit] = {}
    for name, unit in units.items():
        if len(name) > 1 or name == "L":
            folded.setdefault(name.lower(), unit)
    return MappingProxyType(folded | units)


UNITS = _with_lost_case({**dict(_scaled()), **dict(_listed(_WRITTEN))})
_PARTS = _with_lost_case({**dict(_listed(_BELOW)), **UNITS})
# Alone they are words far more often than amperes or kelvins, "h" of "/h" is not. "Ten units were
# tested" counts things.
_NOT_ALONE = frozenset({"a", "eq", "eu", "k", "u", "unit", "units", "c"})
_JOINT = r"\s?[/·⋅∙]\s?|\*|\ per\ "
_JOINTS = re.compile(f"({_JOINT})")


def _any_of(names: Iterable[str]) -> str:
    ordered = sorted({name.lower() for name in names}, key=lambda name: (-len(name), name))
    return f"(?:{'|'.join(map(re.escape, ordered))})"


_ALONE = _any_of(name for name in UNITS if name.lower() not in _NOT_ALONE)
_FIRST = _any_of({*_NOT_ALONE, "in", "cells", "cycles"} - {"c"})
_PLAIN = _any_of(name for name in _PARTS if not (name in "Aa" or name[0].isdigit()))
# "EU/100 mL" is one unit, "500 mL / 100 mL" and "40 mm * 25 mm" are lists.
_AMOUNT = _any_of(name for name in _PARTS if name[0].isdigit())
_MORE = rf"(?:(?:{_JOINT}){_PLAIN}(?:\^?[23])?|(?:/|\ per\ ){_AMOUNT})"

# A unit, or units joined ("mg/dL", "millilitres per minute", "N·m"), as a regular expression for
# text in lower case. "C" is a temperature behind a number alone, and "N/A" no quantity.
UNIT_PATTERN = (
    rf"(?:(?!n/a(?!\w)){_ALONE}(?:\^[23])?{_MORE}{{0,3}}(?!\w)|{_FIRST}{_MORE}{{1,3}}(?!\w)"
    r"|(?:(?<=\d)|(?<=\d\s))c(?!\w))"
)


def unit_of(written: str) -> tuple[str, Decimal]:
    """Return what the unit is compared as and the exact factor to it.

    ``written`` is text that ``UNIT_PATTERN`` matches in its folded form; ``("", 1)`` for anything
    else. Case tells units apart that differ in nothing else: 5 mPa are not 5 MPa, Nm are no nm.
    """
    known = _known(written, UNITS)
    if known is not None:
        return known
    over: list[str] = []
    under: list[str] = []
    amount = Decimal(1)
    parts = _JOINTS.split(written)
    for part, joint in zip(parts[::2], ["", *parts[1::2]], strict=True):
        known = _known(part, _PARTS)
        if known is None:
            return "", Decimal(1)
        is_below = "/" in joint or "per" in joint
        if part == "in" and "per" in joint:
            return "", Decimal(1)  # "3 mg per in vitro test"
        (under if is_below else over).append(known[0])
        amount = amount / known[1] if is_below else amount * known[1]
    return "/".join("·".join(sorted(each)) for each in (over, under) if each), amount


def known_part(written: str) -> str:
    """Return the longest beginning of ``written`` that is a unit in its case; "" for none."""
    while written and not unit_of(written)[0]:
        written = written[: max((each.start() for each in _JOINTS.finditer(written)), default=0)]
    return written


def _known(part: str, units: Mapping[str, _Unit]) -> _Unit | None:
    name = part.replace("^", "")
    known = units.get(name) or units.get(name.lower())
    if known is None and name[-1:] in ("2", "3"):
        base = _known(name[:-1], units)
        return base and (f"{base[0]}{name[-1]}", base[1] ** int(name[-1]))
    return known
