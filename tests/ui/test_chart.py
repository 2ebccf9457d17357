from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from phasergun_desktop.ui.chart import EMPTY, Chart, Series
from phasergun_desktop.ui.theme import colours_for, dark_palette, light_palette

BARS = Series("Entries per day", ("Mon", "Tue", "Wed"), (3.0, None, 6.0))


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart()
    qtbot.addWidget(made)
    made.resize(300, 160)
    return made


def _coloured(image: QImage, name: str) -> list[int]:
    return [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).name() == name for y in range(image.height()))
    ]


@pytest.mark.parametrize("palette", [light_palette(), dark_palette()], ids=["light", "dark"])
def test_bars_stand_where_values_are(chart: Chart, palette: QPalette, qapp: QApplication) -> None:
    chart.setPalette(palette)
    chart.show_series(BARS)
    image = chart.grab().toImage()
    places = _coloured(image, colours_for(palette).link.name())
    third = (300 - 40) / 3
    assert any(x < 40 + third for x in places)
    assert not any(40 + 1.3 * third < x < 40 + 1.7 * third for x in places)
    assert any(x > 40 + 2 * third for x in places)


def test_a_value_is_told_at_its_place(chart: Chart) -> None:
    chart.show_series(BARS)
    assert chart.told_at(60) == "Mon: 3"
    assert chart.told_at(160) == "Tue: none"
    assert chart.told_at(280) == "Wed: 6"
    assert chart.told_at(2) == ""


@pytest.mark.parametrize(
    ("highest", "decimals", "labels"),
    [
        (4.0, 0, "0 1 2 3 4 5"),
        (1.0, 0, "0 1"),
        (17.0, 0, "0 5 10 15 20"),
        (41.2, 1, "0.0 12.5 25.0 37.5 50.0"),
        (2.3, 0, "0 2.50"),
    ],
)
def test_the_scale_has_the_decimals_of_the_values_and_room_for_them(
    chart: Chart, highest: float, decimals: int, labels: str
) -> None:
    chart.show_series(Series("Entries per day", ("Mon",), (highest,), decimals=decimals))
    assert [label for _, label in chart.scale()] == labels.split()
    widest = max(map(chart.fontMetrics().horizontalAdvance, labels.split()))
    # Left of the first place stands nothing but the scale.
    assert chart.told_at(widest) == ""


def test_screen_readers_hear_all_of_it(chart: Chart) -> None:
    chart.show_series(Series("Confidence", ("a", "b"), (41.2, 50.0), "%", 1, is_line=True))
    assert chart.accessibleName() == "Chart: Confidence"
    assert chart.accessibleDescription() == "a: 41.2 %; b: 50.0 %"


@pytest.mark.parametrize(
    "series",
    [
        EMPTY,
        Series("zeros", ("a",), (0.0,)),
        Series("nothing", ("a", "b"), (None, None)),
        Series("huge", ("a",), (1e12,)),
        Series("tiny", ("a", "b"), (1e-7, None), is_line=True),
        Series("many", tuple(map(str, range(5000))), tuple(float(x) for x in range(5000))),
    ],
    ids=lambda series: series.name,
)
def test_anything_can_be_drawn(chart: Chart, series: Series) -> None:
    chart.show_series(series)
    for size in ((1, 1), (40, 30), (600, 300)):
        chart.setMinimumHeight(0)
        chart.resize(*size)
        assert not chart.grab().isNull()


def test_the_window_starts_without_numpy() -> None:
    program = (
        "import sys\n"
        "import phasergun_desktop.ui.main_window\n"
        "sys.exit('numpy' in sys.modules or 'phasergun_desktop.evaluation.metrics' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
