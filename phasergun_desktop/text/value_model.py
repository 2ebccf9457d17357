"""A value as a text states it, and the form in which values are compared."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class ValueKind(StrEnum):
    """What sort of value it is."""

    NUMBER = "number"
    RANGE = "range"
    DATE = "date"
    IDENTIFIER = "identifier"
    STANDARD = "standard"
    CFR = "cfr"
    NAME = "name"


class Bound(StrEnum):
    """On which side a number bounds; a number that is stated plainly bounds on none."""

    NONE = ""
    AT_MOST = "≤"
    BELOW = "<"
    AT_LEAST = "≥"
    ABOVE = ">"
    PLUS_MINUS = "±"
    WITHIN = "within"


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written (``text``) and as compared (``key``, and ``unit`` for quantities).

    ``raw`` is a number without the ``factor`` of its unit, for a table that names the unit in
    its header. ``bound`` is set for numbers only. ``start``..``end`` are places in the even form of
    the text (``words.even``).
    """

    kind: ValueKind
    text: str
    key: str
    unit: str = ""
    raw: str = ""
    factor: Decimal = Decimal(1)
    bound: Bound = Bound.NONE
    start: int = 0
    end: int = 0
