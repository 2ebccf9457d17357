"""The bundled line icons, drawn in the colour of the text they stand beside."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 20, 32, 48)


class IconSet:
    """Draws icons from a folder of SVG files whose lines are ``currentColor``."""

    def __init__(self, folder: Path, palette: QPalette) -> None:
        self._folder = folder
        self._palette = palette
        self._cache: dict[tuple[str, str], QIcon] = {}

    def use_palette(self, palette: QPalette) -> None:
        """Draw in the colours of ``palette`` from now on."""
        self._palette = palette
        self._cache.clear()

    def icon(self, name: str, colour: QColor | None = None) -> QIcon:
        """Return an icon; an unknown name gives an empty one, since an icon is never alone."""
        tint = colour or self._palette.color(QPalette.ColorRole.ButtonText)
        key = (name, tint.name())
        if key not in self._cache:
            self._cache[key] = self._draw(name, tint)
        return self._cache[key]

    def _draw(self, name: str, tint: QColor) -> QIcon:
        icon = QIcon()
        path = self._folder / f"{name}.svg"
        if not path.is_file():
            return icon
        drawing = path.read_text(encoding="utf-8")
        pale = self._palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
        chosen = self._palette.color(QPalette.ColorRole.HighlightedText)
        for mode, colour in (
            (QIcon.Mode.Normal, tint),
            (QIcon.Mode.Disabled, pale),
            (QIcon.Mode.Selected, chosen),
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
