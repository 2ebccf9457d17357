"""Counts the lists and numbered headings of a Word file as Word shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.styles import ParagraphStyle, Styles
from phasergun_desktop.documents.word.word_names import W, is_on, number, value

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_MAX_LABEL = 60
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_REPEATS = 20


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is counted and written.

    ``text`` has ``%1`` to ``%9`` where the counts of the levels stand. ``restarts_after`` is the
    level (from 1) whose use sets the count back; 0 for never, None for every outer level.
    """

    start: int = 0
    number_format: str = "decimal"
    text: str = ""
    restarts_after: int | None = None
    separator: str = " "
    is_legal: bool = False
    style_id: str = ""


# A level that a label names and no definition has.
_UNKNOWN = Level(start=1)


@dataclass(frozen=True, slots=True)
class Label:
    """What stands before a paragraph, and its style.

    ``text`` is its number with what separates it from the text, empty for none and for a bullet;
    ``depth`` is the level of its list from 1, 0 outside of lists.
    """

    style: ParagraphStyle
    text: str = ""
    depth: int = 0


@dataclass(slots=True)
class _Definition:
    levels: dict[int, Level]
    linked_style: str = ""


@dataclass(slots=True)
class _Instance:
    definition: str
    levels: dict[int, Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of one file and how far each is counted.

    A list (``w:num``) counts on where another one of the same definition (``w:abstractNum``)
    stopped, unless it states a start of its own: that holds at its first item of that level.
    """

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._definitions: dict[str, _Definition] = {}
        self._instances: dict[str, _Instance] = {}
        self._styles = styles
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()
        for element in root if root is not None else ():
            if element.tag == f"{W}abstractNum":
                linked = value(element.find(f"{W}numStyleLink"))
                levels = _levels(element.iterfind(f"{W}lvl"))
                self._definitions[element.get(f"{W}abstractNumId", "")] = _Definition(
                    levels, linked
                )
            elif element.tag == f"{W}num":
                self._instances[element.get(f"{W}numId", "")] = _instance(element)

    def next(self, properties: Element | None) -> Label:
        """Count the next paragraph, whose ``w:pPr`` is ``properties``."""
        if properties is None:
            return Label(self._styles.paragraph(""))
        style = self._styles.paragraph(value(properties.find(f"{W}pStyle")))
        stated = properties.find(f"{W}numPr")
        list_id, depth = style.numbering, style.depth
        if stated is not None:
            list_id = value(stated.find(f"{W}numId")) or list_id
            level = stated.find(f"{W}ilvl")
            depth = number(level, 0, LEVELS - 1) if level is not None else depth
        if not list_id or list_id == "0":
            return Label(style, depth=int(style.is_list and list_id != "0"))
        instance = self._instances.get(list_id)
        if instance is None:
            return Label(style, depth=(depth or 0) + 1 if style.is_list else 0)
        if depth is None:
            levels = self._levels_of(instance)[1].items()
            depth = next((each for each, level in levels if level.style_id == style.style_id), 0)
        text, is_item = self._advance(list_id, depth, instance)
        return Label(style, text, depth + 1 if is_item or style.is_list else 0)

    def _advance(self, list_id: str, depth: int, instance: _Instance) -> tuple[str, bool]:
        """Count one item at level ``depth`` (from 0); return its label, and whether it is one."""
        key, levels = self._levels_of(instance)
        level = levels.get(depth)
        if level is None:
            return "", True
        counts = self._counts.setdefault(key, {})
        restated = instance.starts.get(depth)
        if restated is not None and (list_id, depth) not in self._begun:
            counts[depth] = restated
        elif depth in counts:
            counts[depth] += 1
        else:
            counts[depth] = level.start
        self._begun.add((list_id, depth))
        for outer in range(depth):
            # A level that was skipped counts as begun: 2, 2.1.1, then 2.2.
            skipped = levels.get(outer, _UNKNOWN)
            counts.setdefault(outer, instance.starts.get(outer, skipped.start))
        for inner in range(depth + 1, LEVELS):
            after = levels[inner].restarts_after if inner in levels else None
            if after is None or depth < after:
                counts.pop(inner, None)
        if level.number_format == "bullet":
            return "", True
        text = _label(level, counts, levels).strip()[:_MAX_LABEL]
        # A level without number and text is how an item is taken out of a list.
        return f"{text}{level.separator}" if text else "", bool(text)

    def _levels_of(self, instance: _Instance) -> tuple[str, dict[int, Level]]:
        """Return the definition that a list counts by, and its levels with the list's own.

        A definition may be another list's, by way of a style.
        """
        key = instance.definition
        seen: set[str] = set()
        while key in self._definitions and key not in seen:
            seen.add(key)
            linked = self._styles.numbering_of(self._definitions[key].linked_style)
            following = self._instances.get(linked)
            if following is None:
                break
            key = following.definition
        levels = self._definitions[key].levels if key in self._definitions else {}
        return key, {**levels, **instance.levels}


def _label(level: Level, counts: dict[int, int], levels: dict[int, Level]) -> str:
    def count(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        counted = levels.get(place, _UNKNOWN)
        reached = counts.get(place, counted.start)
        if level.is_legal and counted.number_format != "none":
            return str(reached)
        return spelled(reached, counted.number_format)

    return _PLACE.sub(count, level.text)


def _instance(element: Element) -> _Instance:
    instance = _Instance(value(element.find(f"{W}abstractNumId")))
    for override in element.iterfind(f"{W}lvlOverride"):
        depth = _depth(override)
        stated = override.find(f"{W}startOverride")
        if stated is not None:
            instance.starts[depth] = number(stated, 0)
        level = override.find(f"{W}lvl")
        if level is not None:
            instance.levels[depth] = _level(level)
    return instance


def _levels(elements: Iterable[Element]) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for element in elements:
        found.setdefault(_depth(element), _level(element))
    return found


def _depth(element: Element) -> int:
    stated = element.get(f"{W}ilvl", "")
    return min(LEVELS - 1, int(stated)) if stated.isascii() and stated.isdigit() else 0


def _level(element: Element) -> Level:
    # A format that only later versions know stands in the first of two branches.
    kind = next(element.iter(f"{W}numFmt"), None)
    restart = element.find(f"{W}lvlRestart")
    return Level(
        start=number(element.find(f"{W}start"), 0),
        number_format=value(kind) or "decimal",
        text=value(element.find(f"{W}lvlText"))[:_MAX_LABEL],
        restarts_after=number(restart, 0) if restart is not None else None,
        separator="" if value(element.find(f"{W}suff")) == "nothing" else " ",
        is_legal=is_on(element, f"{W}isLgl"),
        style_id=value(element.find(f"{W}pStyle")),
    )


def spelled(count: int, number_format: str) -> str:
    """Return ``count`` (0 or more) as Word's ``number_format`` writes it; unknown ones decimal."""
    match number_format:
        case "none" | "bullet":
            return ""
        case "decimalZero":
            return f"{count:02d}"
        case "lowerRoman":
            return _roman(count)
        case "upperRoman":
            return _roman(count).upper()
        case "lowerLetter":
            return _letters(count)
        case "upperLetter":
            return _letters(count).upper()
    return str(count)


def _roman(count: int) -> str:
    if not 0 < count < 4000:
        return str(count)
    text = ""
    for size, letters in _ROMAN:
        text += letters * (count // size)
        count %= size
    return text


def _letters(count: int) -> str:
    """Return a, b, ... z, aa, bb, ...: after the last letter each is written twice."""
    if count < 1:
        return str(count)
    repeats, index = divmod(count - 1, 26)
    return chr(ord("a") + index) * min(repeats + 1, _MAX_REPEATS)
