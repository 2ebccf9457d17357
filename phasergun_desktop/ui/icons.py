"""The bundled line icons, drawn in the colour of the text they stand beside."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer

from phasergun_desktop.ui.theme import colours_for

SIZES = (16, 20, 32, 48)


class IconSet:
    """Icons of a folder of SVG files whose lines are ``currentColor``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._clones: list[QIconEngine] = []

    def icon(self, name: str, tint: str = "") -> QIcon:
        """Return an icon in the colour of text, or in the one of ``Colours`` that ``tint`` names;
        an unknown name gives an empty one, since an icon is never alone."""
        key = (name, tint)
        if key not in self._icons:
            path = self._folder / f"{name}.svg"
            engine = _LineEngine(path, tint, self._clones) if path.is_file() else None
            self._icons[key] = QIcon(engine) if engine is not None else QIcon()
        return self._icons[key]


class _LineEngine(QIconEngine):
    """Draws an icon in the colours that the application wears when it is shown."""

    def __init__(self, path: Path, tint: str, clones: list[QIconEngine]) -> None:
        super().__init__()
        self._clones = clones
        self._path = path
        self._tint = tint
        self._drawn, self._drawn_for = QIcon(), 0

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon in pixels of the screen."""
        return self._icon().pixmap(size, 1.0, mode, state)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the icon in the middle of ``rect``."""
        self._icon().paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def clone(self) -> QIconEngine:
        """Return another one of the same icon."""
        # Qt owns it, but does not hold the Python object that draws: it would be gone at once.
        self._clones.append(_LineEngine(self._path, self._tint, self._clones))
        return self._clones[-1]

    def _icon(self) -> QIcon:
        palette = QGuiApplication.palette()
        if self._drawn_for != palette.cacheKey():
            self._drawn, self._drawn_for = self._draw(palette), palette.cacheKey()
        return self._drawn

    def _draw(self, palette: QPalette) -> QIcon:
        icon, role = QIcon(), QPalette.ColorRole
        drawing = self._path.read_text(encoding="utf-8")
        text = palette.color(role.ButtonText)
        tint: QColor = getattr(colours_for(palette), self._tint) if self._tint else text
        for mode, colour in (
            (QIcon.Mode.Normal, tint),
            (QIcon.Mode.Disabled, palette.color(QPalette.ColorGroup.Disabled, role.ButtonText)),
            (QIcon.Mode.Selected, palette.color(role.HighlightedText)),
        ):
            coloured = drawing.replace("currentColor", colour.name())
            renderer = QSvgRenderer(QByteArray(coloured.encode("utf-8")))
            for size in SIZES:
                pixmap = QPixmap(size, size)
                pixmap.fill(Qt.GlobalColor.transparent)
                painter = QPainter(pixmap)
                renderer.render(painter)
                painter.end()
                icon.addPixmap(pixmap, mode)
        return icon
