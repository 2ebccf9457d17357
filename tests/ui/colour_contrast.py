"""How well a text can be told from its ground."""

from __future__ import annotations

from PySide6.QtGui import QColor


def contrast(first: QColor, second: QColor) -> float:
    """Return the contrast ratio of two colours after WCAG 2, 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    parts = []
    for channel in (colour.redF(), colour.greenF(), colour.blueF()):
        linear = channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        parts.append(linear)
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
