"""Wears light or dark: the system's choice as it changes, or the user's."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from phasergun_desktop.settings.model import Theme
from phasergun_desktop.ui.qt_absent import style_of
from phasergun_desktop.ui.theme import DARK_BELOW, dark_palette, light_palette

SCHEMES = {
    Theme.LIGHT: Qt.ColorScheme.Light,
    Theme.DARK: Qt.ColorScheme.Dark,
    Theme.SYSTEM: Qt.ColorScheme.Unknown,
}
FUSION = "fusion"


class ThemeSwitch(QObject):
    """Asks the platform for a scheme; where the style draws by palette alone, sets ours too.

    Platforms without a theme of their own report no scheme and ignore ours; there the palette
    is all there is.
    """

    # The application has its palette; the widgets hear of it by an event, a moment later.
    applied = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        # The choice in force.
        self.theme = Theme.SYSTEM
        # What the system looks like where it reports no scheme, before a palette of ours.
        base = application.palette().color(QPalette.ColorRole.Base)
        self._system_is_dark = base.lightness() < DARK_BELOW
        application.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    def choose(self, theme: Theme) -> None:
        """Wear the system's colours, or light or dark ones."""
        self.theme = theme
        self._application.styleHints().setColorScheme(SCHEMES[theme])
        self._apply()

    def _is_dark(self) -> bool:
        if self.theme is not Theme.SYSTEM:
            return self.theme is Theme.DARK
        scheme = self._application.styleHints().colorScheme()
        if scheme is Qt.ColorScheme.Unknown:
            return self._system_is_dark
        return scheme is Qt.ColorScheme.Dark

    def _apply(self) -> None:
        style = style_of(self._application)
        if style is not None and style.objectName().lower() == FUSION:
            self._application.setPalette(dark_palette() if self._is_dark() else light_palette())
        self.applied.emit()
