"""The values of a text (numbers with units, dates, identifiers, standards), made comparable."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from phasergun_desktop.text.dates import date_agrees, find_dates
from phasergun_desktop.text.identifiers import find_identifiers, identifier_agrees
from phasergun_desktop.text.names import missing_names
from phasergun_desktop.text.quantities import bound_agrees, find_quantities
from phasergun_desktop.text.units import UNIT_PATTERN, unit_of
from phasergun_desktop.text.value_model import Bound, Value, ValueKind
from phasergun_desktop.text.words import even

__all__ = ["Bound", "Value", "ValueKind", "extract_values", "is_label", "missing_values"]

_UNIT_ALONE = re.compile(rf"(?<![\w/])(?P<unit>{UNIT_PATTERN})", re.IGNORECASE)
# What a bare number counts follows it: "5 strips" is no "5" under the heading "seconds".
_COUNTED = re.compile(r"[ \t-]{0,2}(?!(?:to|up|and|or|by|x|through)\b)[^\W\d_A-Z]")
_YEAR = re.compile(r"(?:19|20)\d{2}")


def extract_values(text: str) -> list[Value]:
    """Return the values of ``text``, longest forms first, none counted twice.

    A range is given beside its two numbers. A unit after the second number of a range holds for
    the first too. Names are not values here: ``missing_values`` looks for them by itself.
    """
    return list(_values(text))


def missing_values(sentence: str, sources: str) -> list[Value]:
    """Return the values and names of ``sentence`` that do not stand, normalised, in ``sources``.

    A number is stated where it has the same amount, sign and bound ("at least"); a range where
    its two ends stand together, in their order.
    """
    stated = _Stated(sources)
    written = even(sentence)
    missing: list[Value] = []
    for value in _values(sentence):
        if value.kind is ValueKind.RANGE and any(
            value.start <= other.start and other.end <= value.end for other in missing
        ):
            continue  # One of its ends is named already.
        if not stated.states(value, written):
            missing.append(value)
    taken = [(value.start, value.end) for value in _values(sentence)]
    return missing + missing_names(sentence, sources, taken)


@lru_cache(maxsize=4096)
def _values(text: str) -> tuple[Value, ...]:
    written = even(text)
    # Lower case has other lengths for a few letters; those keep their case.
    folded = written.lower()
    if len(folded) != len(written):
        folded = "".join(c if len(c.lower()) != 1 else c.lower() for c in written)
    taken = bytearray(len(folded))

    def take(match: re.Match[str]) -> bool:
        start, end = match.span()
        if any(taken[start:end]):
            return False
        taken[start:end] = b"\x01" * (end - start)
        return True

    values: list[Value] = []
    for match, key in find_dates(folded, written):
        if take(match):
            values.append(
                Value(
                    ValueKind.DATE,
                    written[match.start() : match.end()],
                    key,
                    start=match.start(),
                    end=match.end(),
                )
            )
    values.extend(value for match, value in find_identifiers(folded, written) if take(match))
    values.extend(find_quantities(folded, written, take))
    return tuple(values)


class _Stated:
    """What a source states, ready to be asked for values."""

    def __init__(self, source: str) -> None:
        self._values = _values(source)
        self._written = even(source)
        self._folded = self._written.lower()
        self._units: frozenset[tuple[str, Decimal]] | None = None

    def states(self, value: Value, sentence: str) -> bool:
        match value.kind:
            case ValueKind.NUMBER:
                return self._states_number(value, sentence)
            case ValueKind.RANGE:
                return self._states_range(value)
            case ValueKind.DATE:
                return any(
                    date_agrees(value.key, other.key)
                    for other in self._values
                    if other.kind is ValueKind.DATE
                )
            case _:
                return any(
                    identifier_agrees(value, other)
                    for other in self._values
                    if other.kind is value.kind
                ) or self._stands(value)

    def _states_number(self, value: Value, sentence: str) -> bool:
        same = [
            other
            for other in self._values
            if other.kind is ValueKind.NUMBER and self._is_amount(value, other)
        ]
        if any(bound_agrees(value, other, sentence, self._written) for other in same):
            return True
        if any(self._bounds(value, other) for other in same):
            return True
        if same or value.unit:
            return False
        # A bare number may be a year of a date, or part of an identifier.
        return self._is_year(value.raw) or self._is_piece(value.raw)

    def _bounds(self, value: Value, number: Value) -> bool:
        """Whether ``number`` is the end of a range that bounds on the side that is asked."""
        return any(
            other.kind is ValueKind.RANGE
            and (
                (value.bound is Bound.AT_LEAST and other.start == number.start)
                or (value.bound is Bound.AT_MOST and other.end == number.end)
            )
            for other in self._values
        )

    def _is_amount(self, value: Value, other: Value) -> bool:
        if value.unit and other.unit:
            return value.unit == other.unit and value.key == other.key
        if value.raw != other.raw:
            return False
        # A table gives the unit in its header: it must stand somewhere in the span.
        return not value.unit or (self._has_unit(value) and not self._is_count(other))

    def _is_count(self, number: Value) -> bool:
        return not number.unit and _COUNTED.match(self._written, number.end) is not None

    def _has_unit(self, value: Value) -> bool:
        if self._units is None:
            self._units = frozenset(
                unit_of(match["unit"]) for match in _UNIT_ALONE.finditer(self._written)
            )
        return (value.unit, value.factor) in self._units

    def _states_range(self, value: Value) -> bool:
        low, _, high = value.key.partition("..")
        raw = value.raw.split("..")
        touched = False
        for other in self._values:
            if other.kind is not ValueKind.RANGE:
                continue
            if value.unit and other.unit and value.unit != other.unit:
                continue
            if other.key == value.key or other.raw == value.raw:
                return True
            ends = {*other.key.split(".."), *other.raw.split("..")}
            touched = touched or bool(ends & {low, high, *raw})
        # Ends that the source states apart ("lower limit 20, upper limit 600") make the range,
        # unless one of them belongs to another range there.
        return not touched

    def _is_year(self, raw: str) -> bool:
        return bool(_YEAR.fullmatch(raw)) and any(
            key[:4] == raw
            for other in self._values
            if other.kind is ValueKind.DATE
            for key in other.key.split("|")
        )

    def _is_piece(self, raw: str) -> bool:
        return any(
            re.search(rf"(?<![\d.])0*{re.escape(raw)}(?![\d]|\.\d)", other.text.lower())
            for other in self._values
            if other.kind in (ValueKind.IDENTIFIER, ValueKind.STANDARD, ValueKind.CFR)
        )

    def _stands(self, value: Value) -> bool:
        """An identifier with other punctuation around it still stands in the source."""
        key = value.key.split(" ", 1)[-1] if value.key.startswith("version ") else value.key
        if value.kind is ValueKind.STANDARD:
            _, number, edition = value.key.split("|")
            if edition:
                return False
            key = number
        elif value.key.startswith("rev "):
            return False
        return bool(key) and (
            re.search(rf"(?<![\w.-]){re.escape(key)}(?!\w|[.-]\d|\()", self._folded) is not None
        )


def is_label(text: str) -> bool:
    """Whether there is no more than a label, a lead-in to what follows, or a note in brackets."""
    line = text.strip()
    if extract_values(line):
        return False
    is_note = line[:1] == "[" and line[-1:] == "]"
    return len(line.split()) <= 2 or line[-1:] == ":" or is_note
