"""Units of measurement as they are written, and what makes them comparable."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Unit compared, exact factor to it, and the ways to write it (folded to lower case).
_WRITTEN: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "%",
        "1",
        (
            "%",
            "percent",
            "per cent",
            "pct",
        ),
    ),
    (
        "l",
        "0.000001",
        (
            "µl",
            "ul",
            "microlitre",
            "microlitres",
            "microliter",
            "microliters",
        ),
    ),
    (
        "l",
        "0.001",
        (
            "ml",
            "millilitre",
            "millilitres",
            "milliliter",
            "milliliters",
        ),
    ),
    (
        "l",
        "1",
        (
            "l",
            "litre",
            "litres",
            "liter",
            "liters",
        ),
    ),
    ("mg/dl", "1", ("mg/dl",)),
    ("mmol/l", "1", ("mmol/l",)),
    (
        "g",
        "0.001",
        (
            "mg",
            "milligram",
            "milligrams",
        ),
    ),
    (
        "g",
        "1",
        (
            "g",
            "gram",
            "grams",
        ),
    ),
    (
        "g",
        "1000",
        (
            "kg",
            "kilogram",
            "kilograms",
        ),
    ),
    (
        "s",
        "0.001",
        (
            "ms",
            "millisecond",
            "milliseconds",
        ),
    ),
    (
        "s",
        "1",
        (
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
        ),
    ),
    (
        "s",
        "60",
        (
            "min",
            "mins",
            "minute",
            "minutes",
        ),
    ),
    (
        "s",
        "3600",
        (
            "h",
            "hr",
            "hrs",
            "hour",
            "hours",
        ),
    ),
    (
        "day",
        "1",
        (
            "day",
            "days",
            "calendar days",
            "calendar day",
        ),
    ),
    (
        "day",
        "7",
        (
            "week",
            "weeks",
        ),
    ),
    (
        "month",
        "1",
        (
            "month",
            "months",
        ),
    ),
    (
        "month",
        "12",
        (
            "year",
            "years",
        ),
    ),
    (
        "m",
        "0.001",
        (
            "mm",
            "millimetre",
            "millimetres",
            "millimeter",
            "millimeters",
        ),
    ),
    (
        "m",
        "0.01",
        (
            "cm",
            "centimetre",
            "centimetres",
            "centimeter",
            "centimeters",
        ),
    ),
    (
        "m",
        "1",
        (
            "m",
            "metre",
            "metres",
            "meter",
            "meters",
        ),
    ),
    (
        "ft",
        "1",
        (
            "ft",
            "feet",
            "foot",
        ),
    ),
    (
        "in",
        "1",
        (
            "inch",
            "inches",
        ),
    ),
    (
        "°c",
        "1",
        (
            "°c",
            "degrees c",
            "degrees celsius",
        ),
    ),
    (
        "°f",
        "1",
        (
            "°f",
            "degrees f",
            "degrees fahrenheit",
        ),
    ),
    (
        "v",
        "1",
        (
            "v",
            "volt",
            "volts",
            "vdc",
        ),
    ),
    ("ah", "0.001", ("mah",)),
    ("a", "0.001", ("ma",)),
    ("pa", "1000", ("kpa",)),
    ("pa", "1", ("pa",)),
    ("hz", "1", ("hz",)),
    ("hz", "1000", ("khz",)),
    ("hz", "1000000", ("mhz",)),
    ("hz", "1000000000", ("ghz",)),
    ("bpm", "1", ("bpm",)),
    (
        "db",
        "1",
        (
            "db",
            "dba",
        ),
    ),
)

UNITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {name: (compared, factor) for compared, factor, names in _WRITTEN for name in names}
)
