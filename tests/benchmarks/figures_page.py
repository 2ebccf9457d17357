"""The page of figures: ``figures.md`` with each ``{{benchmark/figure}}`` read from measured.json.

``{{key|form}}`` prints a figure in one of the forms of ``FORMS``; ``{{a + b|of}}`` adds counts.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
TEMPLATE, MEASURED, PAGE = FOLDER / "figures.md", FOLDER / "measured.json", FOLDER / "README.md"
PLACEHOLDER = re.compile(r"\{\{([^{}|]+)(?:\|(\w+))?\}\}")
HEAD = (
    "<!-- Written by `python -m tests.benchmarks --page` from figures.md and measured.json. -->\n"
)
Row = Mapping[str, Any]
# Printed with three decimals, and with an interval where they have one.
_PRECISE = ("area", "mean")


def render(template: str, report: Row) -> str:
    """Return the page. Raises ``KeyError`` for a figure or form that there is not."""
    rows = {
        f"{benchmark['name']}/{figure['name']}": figure
        for benchmark in report["benchmarks"]
        for figure in benchmark["figures"]
    }

    def replaced(match: re.Match[str]) -> str:
        key, form = match[1].strip(), match[2] or "spread"
        if key == "runs":
            return _runs(report)
        if form == "of":
            return _of([rows[each.strip()] for each in key.split(" + ")])
        return FORMS[form](rows[key])

    blocks = PLACEHOLDER.sub(replaced, template).split("\n\n")
    return HEAD + "\n\n".join(
        block if block.startswith(("|", "#")) else _fill(block) for block in blocks
    )


def write_page() -> None:
    """Write the page beside its template."""
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    PAGE.write_text(render(TEMPLATE.read_text(encoding="utf-8"), report), encoding="utf-8")


def _fill(paragraph: str) -> str:
    end = "\n" if paragraph.endswith("\n") else ""
    return textwrap.fill(paragraph, 100, break_long_words=False, break_on_hyphens=False) + end


def _number(value: float, unit: str) -> str:
    if unit.startswith("share"):
        return f"{value:.2f}" if value else "0"
    if unit in _PRECISE:
        return f"{value:.3f}"
    size = abs(value)
    digits = 0 if size >= 20 or value == int(value) else 1 if size >= 2 else 2 if size >= 0.1 else 3
    return f"{value:,.{digits}f}"


def _unit(row: Row) -> str:
    # Areas under a curve were measured without a unit.
    return str(row.get("unit") or "area")


def _with_unit(row: Row, value: float) -> str:
    unit = _unit(row)
    is_bare = unit.startswith("share") or unit in (*_PRECISE, "similarity")
    return _number(value, unit) if is_bare else f"{_number(value, unit)} {unit}"


def _median(row: Row) -> str:
    return str(row["text"]) if "text" in row else _with_unit(row, row["median"])


def _spread(row: Row) -> str:
    """The median with what is known of its spread; shares have intervals and no runs."""
    if "text" in row or row.get("minimum", row.get("maximum")) == row.get("maximum"):
        return _median(row)
    runs = "" if _unit(row) in ("share", *_PRECISE) else f", n = {row['n']}"
    low, high = (_number(row[end], _unit(row)) for end in ("minimum", "maximum"))
    return f"{_median(row)} ({low} to {high}{runs})"


def _interval(row: Row) -> str:
    found = re.search(r"95 % interval ([\d.]+ to [\d.]+)", row["note"])
    if found is None:
        raise KeyError(f"{row['name']} has no interval in its note")
    return found[1].replace(".0 ", " ").removesuffix(".0")


def _mean(row: Row) -> str:
    found = re.search(r"mean ([\d.]+)", row["note"])
    if found is None:
        raise KeyError(f"{row['name']} has no mean in its note")
    return found[1]


def _of(rows: list[Row]) -> str:
    pairs = [re.search(r"(\d+) of (\d+)", row["note"]) for row in rows]
    counts = [(int(pair[1]), int(pair[2])) for pair in pairs if pair is not None]
    if len(counts) < len(rows):
        raise KeyError(f"{rows[0]['name']} has no count in its note")
    return f"{sum(count for count, _all in counts)} of {sum(whole for _count, whole in counts)}"


def _aim(row: Row) -> str:
    sign = "≥" if row["at_least"] else "≤"
    missed = "" if row["is_met"] else ", **missed**"
    return f"{sign} {_with_unit(row, row['target'])}{missed}"


FORMS: dict[str, Callable[[Row], str]] = {
    "spread": _spread,
    "median": _median,
    "least": lambda row: f"{row['minimum']:.3f}",
    "most": lambda row: _with_unit(row, row["maximum"]),
    "p95": lambda row: _with_unit(row, row["p95"]),
    "interval": _interval,
    "mean": _mean,
    "aim": _aim,
}


def _runs(report: Row) -> str:
    """The table of when and where each benchmark was run."""
    lines = ["| benchmark | what | run |", "|---|---|---|"]
    for each in report["benchmarks"]:
        day = str(each.get("measured", report["measured"]))[:10]
        lines.append(f"| `{each['name']}` | {each['about']} | {day} |")
    return "\n".join(lines)
