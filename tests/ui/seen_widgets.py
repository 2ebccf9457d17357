"""What a person without a mouse or with large letters meets: names, stops of Tab, cut text."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)

from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.fold_line import FoldLine

MOST_STOPS = 120


def _takes_keys(widget: QWidget) -> bool:
    return (
        widget.isVisible()
        and widget.isEnabled()
        and bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        and widget.focusProxy() is None
    )


def described(widget: QWidget) -> str:
    """Return what tells a widget from others in a failing test."""
    text = widget.property("text") or widget.accessibleName() or widget.objectName()
    return f"{type(widget).__name__} {str(text)[:60]!r}"


def spoken_name(widget: QWidget) -> str:
    """Return the name under which a screen reader finds a widget."""
    name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return str(widget.accessibleName() or name)


def unnamed(root: QWidget) -> list[str]:
    """Return the controls of ``root`` that a screen reader has no name for."""
    return [
        described(widget)
        for widget in root.findChildren(QWidget)
        if _takes_keys(widget)
        and widget.window() is root.window()
        and not isinstance(widget, QTabBar)
        and not spoken_name(widget)
    ]


def tab_stops(window: QWidget) -> list[QWidget]:
    """Return the widgets that Tab comes to, from the one with the keyboard round to it again."""
    found: list[QWidget] = []
    for _ in range(MOST_STOPS):
        here = QApplication.focusWidget()
        if here is None or here in found:
            break
        assert here.window() is window, described(here)
        found.append(here)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    return found


def missed(window: QWidget, stops: list[QWidget]) -> list[str]:
    """Return the controls in view that Tab does not come to, and stops that are not in view."""
    inside = window.rect()
    # (Qt keeps the tabs of hidden panels outside of the window.)
    unseen = [
        one
        for one in stops
        if not isinstance(one, QTabBar) and not inside.intersects(_rect(one, window))
    ]
    every = [one for one in window.findChildren(QWidget) if one.window() is window]
    skipped = [one for one in every if _takes_keys(one) and one not in stops]
    return [f"not in view: {described(one)}" for one in unseen] + [
        f"skipped: {described(one)}" for one in skipped if not isinstance(one, QTabBar)
    ]


def against_the_eye(panel: QWidget, stops: list[QWidget]) -> list[str]:
    """Return the steps of Tab inside of ``panel`` that go neither right nor down."""
    here = [one for one in stops if panel.isAncestorOf(one) and not isinstance(one, QTabBar)]
    if here:
        first = min(range(len(here)), key=lambda at: _at(here[at], panel))
        here = here[first:] + here[:first]
    found = []
    for before, after in pairwise(here):
        one, two = _rect(before, panel), _rect(after, panel)
        is_beside = two.left() >= one.left() and two.top() <= one.bottom() and two != one
        if not (is_beside or two.top() >= one.bottom() - 2):
            found.append(f"{described(before)} → {described(after)}")
    return found


def cut_texts(root: QWidget) -> list[str]:
    """Return the labels, buttons, tabs and boxes in view whose text does not fit."""
    found = []
    for widget in root.findChildren(QWidget):
        is_here = widget.isVisible() and widget.window() is root.window()
        # (The buttons of a panel's title are Qt's own; they have no text.)
        if not is_here or _scrolls(widget) or widget.objectName().startswith("qt_"):
            continue
        if not _text_fits(widget):
            found.append(f"{described(widget)} {widget.size().toTuple()}")
        elif isinstance(widget, QLabel | QAbstractButton) and _is_outside(widget):
            found.append(f"outside of its panel: {described(widget)}")
    return found


def _text_fits(widget: QWidget) -> bool:
    if isinstance(widget, ElidedLabel | FoldLine):
        return True
    if isinstance(widget, QLabel):
        if not widget.text():
            return True
        if widget.wordWrap():
            return widget.height() >= widget.heightForWidth(widget.width()) - 1
        return widget.width() >= widget.sizeHint().width() - 1
    if isinstance(widget, QTabBar):
        return all(
            widget.fontMetrics().horizontalAdvance(widget.tabText(at)) <= widget.tabRect(at).width()
            for at in range(widget.count())
        )
    if isinstance(widget, QLineEdit):
        text = widget.placeholderText()
        return widget.fontMetrics().horizontalAdvance(text) <= widget.width() - 8
    if isinstance(widget, QAbstractButton) and (widget.text() or not widget.icon().isNull()):
        wanted = widget.minimumSizeHint() if widget.text() else widget.iconSize()
        if widget.hasHeightForWidth():
            return widget.height() >= widget.heightForWidth(widget.width()) - 1
        is_wide = widget.width() >= wanted.width() - 1
        return is_wide and widget.height() >= min(wanted.height(), widget.iconSize().height())
    return True


def _scrolls(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractScrollArea | QComboBox):
            return True
        parent = parent.parentWidget()
    return False


def _is_outside(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    return parent is not None and not parent.rect().adjusted(-1, -1, 1, 1).contains(
        widget.geometry()
    )


def _rect(widget: QWidget, inside: QWidget) -> QRect:
    return QRect(widget.mapTo(inside, QPoint(0, 0)), widget.size())


def _at(widget: QWidget, inside: QWidget) -> tuple[int, int]:
    where = _rect(widget, inside)
    return where.top(), where.left()
