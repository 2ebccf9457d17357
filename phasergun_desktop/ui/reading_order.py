"""The order of Tab: that of the eye, as widgets stand in their layouts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QSplitter, QWidget


def follow_the_eye(window: QWidget, *panels: QWidget) -> None:
    """Let Tab go through ``panels`` one after the other, each from the left to the right and from
    the top down. The order in which widgets were made, Qt's own, is another one."""
    stops = [window, *(one for panel in panels for one in _stops(panel))]
    # At the end Tab begins with what is first behind the window, which Qt moves nothing to while
    # it takes no keys itself.
    policy = window.focusPolicy()
    window.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)
    window.setFocusPolicy(policy)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    placed: list[tuple[tuple[int, ...], QWidget]] = []
    for child in widget.children():
        if isinstance(child, QWidget):
            if isinstance(widget, QSplitter):
                place: tuple[int, ...] | None = (widget.indexOf(child),)
            else:
                place = _place_in(layout, child) if layout is not None else None
            if place is not None:
                placed.append((place, child))
    for _place, child in sorted(placed, key=lambda one: one[0]):
        yield from _stops(child)


def _place_in(layout: QLayout, widget: QWidget) -> tuple[int, ...] | None:
    """Return the numbers that lead to ``widget`` through layouts in layouts. (Items of layouts are
    not asked for: Python and Qt do not agree on whose they are, and that ends in a crash.)"""
    at = layout.indexOf(widget)
    if at >= 0:
        return (at,)
    for inner in layout.children():
        if isinstance(inner, QLayout):
            found = _place_in(inner, widget)
            if found is not None:
                return (layout.indexOf(inner), *found)
    return None
