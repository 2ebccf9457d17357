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
    return _palette(
        window="#f3f4f6",
        base="#ffffff",
        alternate="#f6f7f9",
        text="#1e2126",
        button="#eceef1",
        mid="#c3c8cf",
        highlight="#2f66b5",
        accent="#2f66b5",
        link="#1b4f9c",
        disabled="#8b9099",
        placeholder="#626873",
    )


def dark_palette() -> QPalette:
    """The palette where the platform has none of its own, for dark."""
    return _palette(
        window="#24272c",
        base="#1c1f23",
        alternate="#23262b",
        text="#dfe2e7",
        button="#32363d",
        mid="#4a4e55",
        highlight="#35619f",
        accent="#6f9fe0",
        link="#8ab8ff",
        disabled="#7d838c",
        placeholder="#949ba5",
    )


def _palette(
    *,
    window: str,
    base: str,
    alternate: str,
    text: str,
    button: str,
    mid: str,
    highlight: str,
    accent: str,
    link: str,
    disabled: str,
    placeholder: str,
) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette(QColor(button), QColor(window))
    for target, colour in (
        (role.WindowText, text),
        (role.Base, base),
        (role.AlternateBase, alternate),
        (role.Text, text),
        (role.ButtonText, text),
        (role.ToolTipBase, base),
        (role.ToolTipText, text),
        (role.Mid, mid),
        (role.Highlight, highlight),
        (role.HighlightedText, "#ffffff"),
        (role.Accent, accent),
        (role.Link, link),
        (role.PlaceholderText, placeholder),
    ):
        palette.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(disabled))
    return palette
