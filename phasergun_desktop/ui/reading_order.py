"""The order of Tab: that of the eye, as widgets stand in their layouts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QSplitter, QStackedWidget, QWidget


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
    for child in _children(widget):
        yield from _stops(child)


def _children(widget: QWidget) -> Iterator[QWidget]:
    layout = widget.layout()
    if isinstance(widget, QSplitter | QStackedWidget):
        pages = (widget.widget(at) for at in range(widget.count()))
        yield from (page for page in pages if page is not None)
    elif layout is not None:
        yield from _in_layout(layout)


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        inner, widget = (item.layout(), item.widget()) if item is not None else (None, None)
        if inner is not None:
            yield from _in_layout(inner)
        elif widget is not None:
            yield widget
