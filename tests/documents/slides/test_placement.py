"""The order in which the shapes of a slide are read."""

from __future__ import annotations

import random

from phasergun_desktop.documents.slides.placement import Box, Shape, reading_order


def shape(name: str, box: Box | None) -> Shape:
    return Shape(0, box, name)


def order(*shapes: Shape) -> list[str]:
    return [each.text for each in reading_order(shapes)]


def test_columns_are_read_one_after_the_other_where_no_row_divides_them() -> None:
    assert order(
        shape("right", Box(60, 0, 40, 50)),
        shape("left above", Box(0, 0, 50, 20)),
        shape("left below", Box(0, 25, 50, 25)),
    ) == ["left above", "left below", "right"]


def test_edges_that_overlap_a_little_still_divide() -> None:
    assert order(shape("below", Box(0, 19, 9, 20)), shape("above", Box(0, 0, 9, 20))) == [
        "above",
        "below",
    ]


def test_shapes_without_a_place_come_last_in_the_order_of_the_file() -> None:
    shapes = (shape("a", None), shape("b", None), shape("placed", Box(0, 0, 1, 1)))
    assert order(*shapes) == ["placed", "a", "b"]


def test_any_heap_of_shapes_keeps_every_shape_once() -> None:
    source = random.Random(3)
    for _ in range(50):
        shapes = [
            shape(str(index), Box(*(source.randrange(0, 60) for _ in range(4))))
            for index in range(40)
        ]
        assert sorted(order(*shapes)) == sorted(each.text for each in shapes)


def test_a_staircase_ends() -> None:
    stairs = [shape(str(step), Box(step, step, 3, 3)) for step in range(3_000)]
    assert len(order(*stairs)) == 3_000
