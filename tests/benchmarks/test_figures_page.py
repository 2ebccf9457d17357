"""The page of figures says what was measured, and nothing else."""

from __future__ import annotations

import json
import re

import pytest

from tests.benchmarks.figures_page import MEASURED, PAGE, PLACEHOLDER, TEMPLATE, render

# A decimal, a percentage or a count of a count: what a measurement gives.
FIGURE = re.compile(r"\d[.]\d|\d %|\d of \d")
NOT_MEASURED = ("1.5B", "Python 3.11", "within 1.2 times", "95 % interval")


def test_the_page_says_what_was_measured() -> None:
    report = json.loads(MEASURED.read_text(encoding="utf-8"))
    rendered = render(TEMPLATE.read_text(encoding="utf-8"), report)
    assert PAGE.read_text(encoding="utf-8") == rendered, "run: python -m tests.benchmarks --page"


def test_no_figure_is_written_into_the_text_by_hand() -> None:
    text = PLACEHOLDER.sub("", TEMPLATE.read_text(encoding="utf-8"))
    for known in NOT_MEASURED:
        text = text.replace(known, "")
    assert [line for line in text.splitlines() if FIGURE.search(line)] == []


def test_a_figure_is_printed_with_its_spread_and_its_aim() -> None:
    slow = {
        "name": "start",
        "unit": "s",
        "n": 7,
        "minimum": 0.84,
        "median": 1.0692,
        "maximum": 1.33,
        "target": 1.0,
        "at_least": False,
        "is_met": False,
    }
    share = {"name": "kept", "unit": "share", "n": 4, "median": 0.5, "note": "2 of 4"}
    report = {"benchmarks": [{"name": "window", "figures": [slow, share]}]}
    said = render("{{window/start}}; {{window/start|aim}}; {{window/kept}}", report)
    assert said.endswith("1.07 s (0.84 to 1.33, n = 7); ≤ 1 s, **missed**; 0.50")
    assert render("{{window/kept + window/kept|of}}", report).endswith("4 of 8")


def test_a_figure_that_was_never_measured_cannot_be_printed() -> None:
    with pytest.raises(KeyError):
        render("{{window/start}}", {"benchmarks": []})
