"""What is seen of a page before it is recognised, and where words are on it afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageFilter

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.images.page_analysis import look_at, without_dirt
from phasergun_desktop.documents.images.preparation import (
    evened,
    prepared,
    straightened,
    turned,
    unprepared,
)
from tests.documents.images.pictures import page_of


def with_noise(image: Image.Image, sigma: float) -> Image.Image:
    random = np.random.default_rng(1)
    pixels = np.asarray(image, np.float32) + random.normal(0, sigma, (image.height, image.width))
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize(
    ("degrees", "spoil"),
    [
        (-14.0, "clean"),
        (-0.6, "clean"),
        (0.0, "clean"),
        (9.0, "clean"),
        (2.5, "faint"),
        (-4.3, "faint"),
        (0.6, "noisy"),
        (12.0, "noisy"),
    ],
)
def test_skew_is_seen(degrees: float, spoil: str) -> None:
    page = page_of(size=(1500, 1200), ink=215 if spoil == "faint" else 0, paper=235)
    page = page.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=235)
    if spoil != "clean":
        page = with_noise(page, 3 if spoil == "faint" else 40)
    assert look_at(page).skew_degrees == pytest.approx(degrees, abs=0.15)


def test_pages_without_lines_have_no_skew() -> None:
    assert look_at(Image.new("L", (800, 600), 255)).skew_degrees == 0
    assert look_at(with_noise(Image.new("L", (800, 600), 128), 30)).skew_degrees == 0
    assert look_at(Image.new("L", (1, 1), 0)).skew_degrees == 0
    assert look_at(Image.new("L", (3, 900), 200)).skew_degrees == 0


def test_what_is_wrong_with_a_page_is_seen() -> None:
    clean = look_at(page_of())
    defects = [clean.is_noisy, clean.is_blurred, clean.is_negative, clean.is_blank]
    assert not any(defects)
    assert clean.shade > 0.9
    assert clean.darkest < 0.2
    assert not clean.is_on_its_side
    assert look_at(with_noise(page_of(), 40)).is_noisy
    assert look_at(page_of().filter(ImageFilter.GaussianBlur(4))).is_blurred
    assert look_at(page_of(ink=210, paper=235)).darkest > 0.8
    assert look_at(page_of(ink=235, paper=20)).is_negative
    assert look_at(Image.new("L", (500, 500), 240)).is_blank
    side = look_at(page_of().transpose(Image.Transpose.ROTATE_90))
    assert side.is_on_its_side


def test_shade_is_evened_out() -> None:
    page = np.asarray(page_of(), np.float32)
    light = np.linspace(1.0, 0.25, page.shape[1], dtype=np.float32)
    shaded = Image.fromarray((page * light).astype(np.uint8))
    look = look_at(shaded)
    assert look.shade < 0.5
    even = np.asarray(evened(shaded, look), np.float32)
    assert np.abs(even - page).mean() < 6
    assert np.percentile(even[:, -200:], 50) > 240


def test_specks_go_and_strokes_stay() -> None:
    page = np.full((9, 9), 255, np.uint8)
    page[2, 2] = page[6, 6] = page[6, 7] = 0
    assert (without_dirt(page) == 255).all()
    stroke = np.full((9, 9), 255, np.uint8)
    stroke[:, 4] = 0
    assert (without_dirt(stroke)[1:-1] == stroke[1:-1]).all()
    dot = np.full((9, 9), 255, np.uint8)
    dot[3:5, 3:5] = 0
    assert (without_dirt(dot) == dot).all()
    hole = 255 - page
    assert (without_dirt(hole) == 0).all()


@pytest.mark.parametrize(
    ("quarter_turns", "degrees", "dpi"),
    [(0, 0, 300), (1, 0, 300), (2, 6, 300), (3, -3, 300), (0, -3, 100), (1, 6, 100), (3, 5, 600)],
)
def test_a_place_on_the_prepared_page_leads_back(
    quarter_turns: int, degrees: float, dpi: int
) -> None:
    page = page_of(size=(1500, 1100))
    page.paste(0, (300, 750, 360, 810))
    page = page.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=255)
    ways = (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270)
    way = ways[quarter_turns]
    given = page.transpose(way) if way is not None else page
    upright = turned(unprepared(given, dpi), quarter_turns)
    assert upright.image.tobytes() == page.tobytes()
    ready = prepared(upright, look_at(upright.image))
    # The black square is found on both pictures, and its places are compared.
    found = ready.placing.point(*square_on(ready.image, dpi / ready.dpi))
    assert found == pytest.approx(square_on(given, 1), abs=1.0)


def square_on(image: Image.Image, shrink: float) -> tuple[float, float]:
    """The middle of the only large black square, which is 60 pixels wide once shrunk."""
    small = image.resize((round(image.width * shrink / 4), round(image.height * shrink / 4)))
    blurred = np.asarray(small.filter(ImageFilter.BoxBlur(7)), np.float32)
    row, column = np.unravel_index(int(blurred.argmin()), blurred.shape)
    half = round(55 / shrink)
    left = max(0, round(float(column) * 4 / shrink) - half)
    top = max(0, round(float(row) * 4 / shrink) - half)
    around = np.asarray(image.crop((left, top, left + 2 * half, top + 2 * half)), np.float32)
    down, across = np.nonzero(around < 128)
    return left + float(across.mean()) + 0.5, top + float(down.mean()) + 0.5


def test_a_level_page_is_left_alone() -> None:
    page = unprepared(page_of(), 300)
    assert straightened(page, look_at(page.image)) is page
    assert page.placing == Affine()


def test_a_huge_page_is_shrunk_and_leads_back() -> None:
    page = unprepared(Image.new("L", (9_000, 6_000), 255), 600)
    assert page.image.width * page.image.height < 25_100_000
    assert page.dpi < 600
    assert page.placing.point(*page.image.size) == pytest.approx((9_000, 6_000))
