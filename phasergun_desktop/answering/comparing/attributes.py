"""What the attributes of a device comparison are called in submissions."""

from __future__ import annotations

from phasergun_desktop.grounding.words import content_words

# The words of FDA's decision summaries and of 21 CFR 807.92(a)(5) and (6) for one thing. They
# only widen the search and the question; a value still has to stand in a passage.
DEVICE_NAME = "device name"
_CALLED: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("technology", "technological characteristics", "technologies"),
        "technology, principle of operation, measurement method",
    ),
    ((DEVICE_NAME,), "device name, device trade name, trade name, proprietary name"),
    (("intended use", "indications for use", "indications"), "intended use, indications for use"),
    (
        ("measuring range", "measurement range", "range"),
        "measuring range, measurement range, reportable range",
    ),
    (("sample type", "specimen", "specimen type", "sample"), "sample type, specimen"),
    (("sample volume", "sample size"), "sample volume, minimum sample size"),
    (("test time", "measurement time"), "test time, measuring time"),
    (("user", "users", "intended users"), "intended users, intended population"),
    (("power source", "power", "energy source"), "power source, battery, energy source"),
    (("materials", "material"), "materials, patient-contacting materials, biocompatibility"),
)


def attribute_query(attribute: str) -> str:
    """Return ``attribute`` with the other names it goes by."""
    folded = attribute.strip().casefold()
    for names, query in _CALLED:
        if folded in names:
            return query
    return attribute


def attribute_names(attribute: str) -> tuple[str, ...]:
    """Return ``attribute`` and the other names it goes by, its own first."""
    others = attribute_query(attribute).split(", ")
    return tuple(dict.fromkeys((attribute.strip(), *others)))


def attribute_in_words(attribute: str) -> str:
    """Return ``attribute`` for a question, other names in parentheses."""
    others = [n for n in attribute_query(attribute).split(", ") if n != attribute.casefold()]
    return f"{attribute} ({' or '.join(others)})" if others else attribute


def is_attribute_named(attribute: str, text: str) -> bool:
    """Whether ``text`` has all words of one of the names of ``attribute``."""
    near = set(content_words(text))
    names = (set(content_words(name)) for name in attribute_names(attribute))
    return any(words and words <= near for words in names)
