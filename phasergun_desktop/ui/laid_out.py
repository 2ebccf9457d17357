"""Fills a layout with what stands in it, and gives the columns of a table their widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QLayout, QTableView, QWidget

NO_MARGINS = (0, 0, 0, 0)

BoxT = TypeVar("BoxT", bound=QBoxLayout)
Piece = QWidget | QLayout | int
# The pixels of a digit in the font that widths of columns are stated for.
_DIGIT = 7


def laid_out(
    box: BoxT,
    *pieces: Piece | tuple[Piece, int],
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> BoxT:
    """Put ``pieces`` into ``box``, each alone or with its stretch, and return it; a number is empty
    room that stretches so. Margins and spacing are those of the style where none are given."""
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for one in pieces:
        piece, stretch = one if isinstance(one, tuple) else (one, 0)
        if isinstance(piece, int):
            box.addStretch(piece)
        elif isinstance(piece, QLayout):
            box.addLayout(piece, stretch)
        else:
            box.addWidget(piece, stretch)
    return box


def give_widths(view: QTableView, widths: Sequence[int]) -> None:
    """Give the columns of ``view`` their ``widths``, and more where the font is large."""
    digit = max(view.fontMetrics().horizontalAdvance("0"), _DIGIT)
    for column, width in enumerate(widths):
        view.setColumnWidth(column, width * digit // _DIGIT)
