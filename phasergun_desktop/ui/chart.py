"""A small chart: bars or a line over named places, in the colours of the palette."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from phasergun_desktop.ui.theme import colours_for

# How many steps a scale may have, the likeliest first.
_LINES = (4, 5, 2)
_DOT = 3.0
_GAP = 6
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Series:
    """What a chart shows: a value (None for none) at each of ``places``, in order. ``decimals``
    are those of the values in words."""

    name: str
    places: tuple[str, ...]
    values: tuple[float | None, ...]
    unit: str = ""
    decimals: int = 0
    is_line: bool = False

    def told(self, value: float) -> str:
        """Return a value in words."""
        return f"{value:,.{self.decimals}f} {self.unit}".strip()


EMPTY = Series("", (), ())


class Chart(QWidget):
    """Shows one series; the value at a place is told on hover, and all of it to screen readers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What is shown.
        self.series = EMPTY
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(72)
        self.show_series(EMPTY)

    def sizeHint(self) -> QSize:
        """Return the size that it likes to have."""
        return QSize(320, 160)

    def show_series(self, series: Series) -> None:
        """Show another series."""
        self.series = series
        told = [
            f"{place}: {series.told(value)}"
            for place, value in zip(series.places, series.values, strict=True)
            if value is not None
        ]
        self.setAccessibleName(f"Chart: {series.name}" if series.name else "Chart")
        self.setAccessibleDescription("; ".join(told[-60:]) or "Nothing to show")
        self.update()

    def told_at(self, x: float) -> str:
        """Return place and value nearest to ``x`` in pixels; empty where there is none."""
        area, series = self._area(), self.series
        if not series.places or not area.left() <= x <= area.right():
            return ""
        at = min(int((x - area.left()) / area.width() * len(series.places)), len(series.places) - 1)
        value = series.values[at]
        return f"{series.places[at]}: {'none' if value is None else series.told(value)}"

    def event(self, event: QEvent) -> bool:
        """Tell the value under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.told_at(event.pos().x()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw scale, values and the names of the first and the last place."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = colours_for(self.palette())
        values = [each for each in self.series.values if each is not None]
        if not values:
            painter.setPen(colours.muted)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Nothing to show yet")
            painter.end()
            return
        area, scale = self._area(), self.scale()
        top, metrics = scale[-1][0], painter.fontMetrics()
        for value, label in scale:
            y = area.bottom() - area.height() * value / top
            painter.setPen(QPen(colours.rule, 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(colours.muted)
            box = QRectF(0, y - metrics.height() / 2, area.left() - _GAP, metrics.height())
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label
            )
        self._draw_places(painter, area)
        self._draw_values(painter, area, top)
        painter.end()

    def scale(self) -> list[tuple[float, str]]:
        """Return the values of the lines, from 0 on, and what stands beside them: in as many steps
        as have no more decimals than the values."""
        decimals = self.series.decimals
        top = _top_of(max((each for each in self.series.values if each is not None), default=1.0))
        lines = next((n for n in _LINES if _has_no_more(top / n, decimals)), 1)
        steps = [top * line / lines for line in range(lines + 1)]
        return [(each, _short(each, decimals)) for each in steps]

    def _draw_places(self, painter: QPainter, area: QRectF) -> None:
        places = self.series.places
        box = QRectF(area.left(), area.bottom() + 2, area.width(), painter.fontMetrics().height())
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft, places[0])
        if len(places) > 1:
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, places[-1])

    def _draw_values(self, painter: QPainter, area: QRectF, top: float) -> None:
        colour = colours_for(self.palette()).link
        step = area.width() / len(self.series.values)
        points = [
            QPointF(area.left() + step * (at + 0.5), area.bottom() - area.height() * value / top)
            for at, value in enumerate(self.series.values)
            if value is not None
        ]
        painter.setPen(QPen(colour, 2))
        if self.series.is_line:
            painter.drawPolyline(points)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for point in points:
            if self.series.is_line:
                painter.drawEllipse(point, _DOT, _DOT)
            else:
                width = max(1.0, min(step * 0.8, 28.0))
                left = point.x() - width / 2
                painter.drawRect(QRectF(left, point.y(), width, area.bottom() - point.y()))

    def _area(self) -> QRectF:
        """Return where the values stand: right of the scale, above the names of places."""
        metrics = self.fontMetrics()
        left = max(metrics.horizontalAdvance(label) for _, label in self.scale()) + 2 * _GAP
        top, bottom = metrics.height() / 2 + 2, metrics.height() + _GAP
        return QRectF(
            left, top, max(1.0, self.width() - left - _GAP), max(1.0, self.height() - top - bottom)
        )


def _top_of(highest: float) -> float:
    """Return the upper end of a scale: the next round number."""
    if highest <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(highest))
    return next(step * power for step in _STEPS if step * power >= highest * 0.999)


def _has_no_more(value: float, decimals: int) -> bool:
    return math.isclose(value, round(value, decimals))


def _short(value: float, decimals: int) -> str:
    return f"{value:,.{decimals if _has_no_more(value, decimals) else max(decimals, 2)}f}"
