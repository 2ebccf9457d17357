"""Reads the numbers behind a chart: title, categories, series and their values as table rows."""

from __future__ import annotations

import re
from datetime import date, timedelta
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.container.xml_parts import C
from phasergun_desktop.documents.slides.slide_text import paragraphs

_AXES = ("catAx", "valAx", "dateAx", "serAx")
_DATE_ORIGIN = date(1899, 12, 30)
_DATE_CODE = re.compile(r"[yd]", re.IGNORECASE)
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_MAX_DAYS = 2_900_000

# The values of a series, or its categories, by their index.
_Points = dict[int, str]
# Series that share their categories: the first row names the series.
ChartTable = tuple[tuple[str, ...], ...]


def read_chart(root: Element) -> tuple[list[str], list[ChartTable]]:
    """Return the texts of a chart part (title first, then axes) and its numbers."""
    chart = root.find(f"{C}chart")
    if chart is None:
        return [], []
    texts = _title(chart)
    for axis in _AXES:
        for element in chart.iterfind(f"{C}plotArea/{C}{axis}"):
            texts.extend(_title(element))
    groups: list[tuple[_Points, list[tuple[str, _Points]]]] = []
    for index, element in enumerate(chart.iter(f"{C}ser"), 1):
        categories, columns = _series(element, index)
        if columns and groups and groups[-1][0] == categories:
            groups[-1][1].extend(columns)
        elif columns:
            groups.append((categories, columns))
    return texts, [_table(categories, columns) for categories, columns in groups]


def _title(element: Element) -> list[str]:
    title = element.find(f"{C}title")
    if title is None:
        return []
    shown = " ".join(" ".join(paragraphs(title)).split())
    cached = _points(title.find(f"{C}tx"))
    return [shown] if shown else list(cached.values())[:1]


def _series(element: Element, index: int) -> tuple[_Points, list[tuple[str, _Points]]]:
    """Return categories and columns of a series; each column has a name."""
    name = " ".join(_points(element.find(f"{C}tx")).values()) or f"Series {index}"
    categories = element.find(f"{C}cat")
    columns = (
        (name + suffix, _points(element.find(f"{C}{tag}")))
        for tag, suffix in (("val", ""), ("yVal", ""), ("bubbleSize", " (size)"))
    )
    return (
        _points(element.find(f"{C}xVal") if categories is None else categories),
        [(title, values) for title, values in columns if values],
    )


def _points(source: Element | None) -> _Points:
    """Return the cached texts of a reference by their index."""
    if source is None:
        return {}
    # Of categories in several levels the innermost come first.
    source = next(source.iter(f"{C}lvl"), source)
    single = source.find(f"{C}v")
    if single is not None:
        return {0: (single.text or "").strip()}
    code = next((found.text or "" for found in source.iter(f"{C}formatCode")), "")
    found: _Points = {}
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


def _table(categories: _Points, columns: list[tuple[str, _Points]]) -> ChartTable:
    rows = [("", *(name for name, _ in columns))]
    for index in sorted(categories.keys() | {key for _, values in columns for key in values}):
        label = categories.get(index, "" if categories else str(index + 1))
        rows.append((label, *(values.get(index, "") for _, values in columns)))
    return tuple(rows)


def _index(point: Element, place: int) -> int:
    stated = point.get("idx", "")
    return int(stated) if stated.isdecimal() and len(stated) < 10 else place
