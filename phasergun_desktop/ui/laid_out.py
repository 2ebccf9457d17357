"""Fills a layout with what stands in it, in one call."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

NO_MARGINS = (0, 0, 0, 0)

BoxT = TypeVar("BoxT", bound=QBoxLayout)
Piece = QWidget | QLayout


def laid_out(
    box: BoxT,
    *pieces: Piece | tuple[Piece, int],
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> BoxT:
    """Put ``pieces`` into ``box``, each alone or with its stretch, and return it. Margins and
    spacing are those of the style where none are given."""
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for one in pieces:
        piece, stretch = one if isinstance(one, tuple) else (one, 0)
        if isinstance(piece, QLayout):
            box.addLayout(piece, stretch)
        else:
            box.addWidget(piece, stretch)
    return box
