"""Colours and type faces, chosen from the palette so that light and dark follow the system."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QPalette

SERIF_FACES = (
    "Charter",
    "Source Serif 4",
    "Georgia",
    "Cambria",
    "Liberation Serif",
    "Times New Roman",
    "DejaVu Serif",
)
MONOSPACE_FACES = ("Consolas", "Menlo", "Liberation Mono", "DejaVu Sans Mono")
DARK_BELOW = 128
_ROLE = QPalette.ColorRole
_TEXTS = (_ROLE.WindowText, _ROLE.Text, _ROLE.ButtonText)


@dataclass(frozen=True, slots=True)
class Colours:
    """The few colours with a meaning; text colours have a contrast of 4.5:1 or better."""

    is_dark: bool
    link: QColor
    muted: QColor
    wrong: QColor
    partly: QColor
    good: QColor
    passage: QColor
    passage_text: QColor
    passage_edge: QColor
    notice: QColor
    notice_text: QColor
    rule: QColor


def colours_for(palette: QPalette) -> Colours:
    """Return the colours that suit the base colour of ``palette``."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < DARK_BELOW
    if dark:
        return Colours(
            is_dark=True,
            link=QColor("#8ab8ff"),
            muted=QColor("#a9afb8"),
            wrong=QColor("#ff8f85"),
            partly=QColor("#e5b567"),
            good=QColor("#8fcf9f"),
            passage=QColor("#5c4d12"),
            passage_text=QColor("#fff6d6"),
            passage_edge=QColor("#e0b93c"),
            notice=QColor("#3d3520"),
            notice_text=QColor("#f3e6c4"),
            rule=QColor("#4a4e55"),
        )
    return Colours(
        is_dark=False,
        link=QColor("#1b4f9c"),
        muted=QColor("#5c636d"),
        wrong=QColor("#b3261e"),
        partly=QColor("#8a5a00"),
        good=QColor("#22693b"),
        passage=QColor("#fff0b3"),
        passage_text=QColor("#1f1a05"),
        passage_edge=QColor("#b98900"),
        notice=QColor("#fdf3d8"),
        notice_text=QColor("#3f3207"),
        rule=QColor("#d5d8dd"),
    )


def reading_font(points: float, family: str = "") -> QFont:
    """Return the serif of the draft and the sources; ``family`` comes first if it is set."""
    font = QFont()
    font.setFamilies([*([family] if family else []), *SERIF_FACES])
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPointSizeF(points)
    return font


def light_palette() -> QPalette:
    """The palette where the platform has none of its own, for light."""
    colours = {
        _ROLE.Window: "#f3f4f6",
        _ROLE.Base: "#ffffff",
        _ROLE.AlternateBase: "#f6f7f9",
        _ROLE.Text: "#1e2126",
        _ROLE.Button: "#eceef1",
        _ROLE.Mid: "#c3c8cf",
        _ROLE.Highlight: "#2f66b5",
        _ROLE.Accent: "#2f66b5",
        _ROLE.Link: "#1b4f9c",
        _ROLE.PlaceholderText: "#626873",
    }
    return _palette(colours, disabled="#8b9099")


def dark_palette() -> QPalette:
    """The palette where the platform has none of its own, for dark."""
    colours = {
        _ROLE.Window: "#24272c",
        _ROLE.Base: "#1c1f23",
        _ROLE.AlternateBase: "#23262b",
        _ROLE.Text: "#dfe2e7",
        _ROLE.Button: "#32363d",
        _ROLE.Mid: "#4a4e55",
        _ROLE.Highlight: "#35619f",
        _ROLE.Accent: "#6f9fe0",
        _ROLE.Link: "#8ab8ff",
        _ROLE.PlaceholderText: "#949ba5",
    }
    return _palette(colours, disabled="#7d838c")


def _palette(colours: dict[QPalette.ColorRole, str], *, disabled: str) -> QPalette:
    palette = QPalette(QColor(colours[_ROLE.Button]), QColor(colours[_ROLE.Window]))
    colours |= dict.fromkeys((*_TEXTS, _ROLE.ToolTipText), colours[_ROLE.Text])
    colours |= {_ROLE.ToolTipBase: colours[_ROLE.Base], _ROLE.HighlightedText: "#ffffff"}
    for role, colour in colours.items():
        palette.setColor(role, QColor(colour))
    for role in _TEXTS:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(disabled))
    return palette
