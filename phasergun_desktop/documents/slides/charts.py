"""Reads the numbers behind a chart: title, categories, series and their values as table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.slides.slide_names import C
from phasergun_desktop.documents.slides.slide_text import paragraphs

_AXES = ("catAx", "valAx", "dateAx", "serAx")
_DATE_ORIGIN = date(1899, 12, 30)
_DATE_CODE = re.compile(r"[yd]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_MAX_DAYS = 2_900_000


# Series that share their categories: the first row names the series.
ChartTable = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The texts of a chart (title first, then axes) and its numbers."""

    texts: tuple[str, ...] = ()
    tables: tuple[ChartTable, ...] = ()


@dataclass(slots=True)
class _Series:
    name: str
    categories: dict[int, str]
    columns: list[tuple[str, dict[int, str]]] = field(default_factory=list)


def read_chart(root: Element) -> Chart:
    """Return the content of a chart part."""
    chart = root.find(f"{C}chart")
    if chart is None:
        return Chart()
    texts = _title(chart)
    for axis in _AXES:
        for element in chart.iterfind(f"{C}plotArea/{C}{axis}"):
            texts.extend(_title(element))
    series = [_series(element, index) for index, element in enumerate(chart.iter(f"{C}ser"), 1)]
    return Chart(tuple(texts), tuple(_tables(series)))


def _title(element: Element) -> list[str]:
    title = element.find(f"{C}title")
    if title is None:
        return []
    shown = " ".join(" ".join(paragraphs(title)).split())
    cached = _points(title.find(f"{C}tx"))
    return [shown] if shown else list(cached.values())[:1]


def _series(element: Element, index: int) -> _Series:
    names = list(_points(element.find(f"{C}tx")).values())
    name = " ".join(names) or f"Series {index}"
    categories = element.find(f"{C}cat")
    series = _Series(name, _points(element.find(f"{C}xVal") if categories is None else categories))
    for tag, suffix in (("val", ""), ("yVal", ""), ("bubbleSize", " (size)")):
        values = _points(element.find(f"{C}{tag}"))
        if values:
            series.columns.append((name + suffix, values))
    return series


def _points(source: Element | None) -> dict[int, str]:
    """Return the cached texts of a reference by their index."""
    if source is None:
        return {}
    # Of categories in several levels the innermost come first.
    source = next(source.iter(f"{C}lvl"), source)
    single = source.find(f"{C}v")
    if single is not None:
        return {0: (single.text or "").strip()}
    code = next((found.text or "" for found in source.iter(f"{C}formatCode")), "")
    found: dict[int, str] = {}
    for place, point in enumerate(source.iter(f"{C}pt")):
        value = (point.findtext(f"{C}v") or "").strip()
        if value:
            found[_index(point, place)] = _shown(value, point.get("formatCode", code))
    return found


def _shown(value: str, code: str) -> str:
    """Return a number as the chart shows it: percent, date, no digits of binary rounding."""
    try:
        number = float(value)
    except ValueError:
        return value
    plain = _LITERAL.sub("", code)
    if "%" in plain:
        return f"{number * 100:.10g}%"
    if _DATE_CODE.search(plain) and 1 <= number < _MAX_DAYS:
        return (_DATE_ORIGIN + timedelta(days=int(number))).isoformat()
    return f"{number:.15g}"


def _tables(series: list[_Series]) -> Iterator[ChartTable]:
    groups: list[list[_Series]] = []
    for item in series:
        if not item.columns:
            continue
        if groups and groups[-1][0].categories == item.categories:
            groups[-1].append(item)
        else:
            groups.append([item])
    for group in groups:
        columns = [column for item in group for column in item.columns]
        categories = group[0].categories
        indexes = sorted(categories.keys() | {key for _, values in columns for key in values})
        rows = [("", *(name for name, _ in columns))]
        for index in indexes:
            label = categories.get(index, "" if categories else str(index + 1))
            rows.append((label, *(values.get(index, "") for _, values in columns)))
        yield tuple(rows)


def _index(point: Element, place: int) -> int:
    stated = point.get("idx", "")
    return int(stated) if stated.isdecimal() and len(stated) < 10 else place
