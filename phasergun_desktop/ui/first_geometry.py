"""Where the window stands at its first start: on the screen with its frame, in the middle."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtWidgets import QStyle, QWidget


def expected_frame(window: QWidget) -> QMargins:
    """Return the frame that the system will draw, as far as the style knows before it is there."""
    real, inner = window.frameGeometry(), window.geometry()
    if real != inner:
        return QMargins(
            inner.left() - real.left(),
            inner.top() - real.top(),
            real.right() - inner.right(),
            real.bottom() - inner.bottom(),
        )
    style = window.style()
    edge = style.pixelMetric(QStyle.PixelMetric.PM_MdiSubWindowFrameWidth, None, window)
    title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight, None, window)
    return QMargins(edge, title + edge, edge, edge)


def first_geometry(available: QRect, frame: QMargins, wanted: QSize) -> QRect:
    """Return the place of the window's inside: ``wanted`` or less, so that it fits into
    ``available`` with its frame, in the middle of it."""
    room = available.marginsRemoved(frame)
    size = wanted.boundedTo(room.size())
    inside = QRect(room.topLeft(), size)
    inside.translate((room.width() - size.width()) // 2, (room.height() - size.height()) // 2)
    return inside
