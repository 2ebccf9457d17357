"""Shows the difference of two texts: what came is underlined, what went is struck through."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QTextBrowser, QWidget

from phasergun_desktop.drafts.differences import Change, Piece
from phasergun_desktop.ui.theme import colours_for, reading_font
from phasergun_desktop.ui.wording import count

POINTS = 11.0
_THIN_SPACE = "\u2009"
FIRST = "first-change"


def difference_html(pieces: tuple[Piece, ...], inserted: str, deleted: str) -> str:
    """Return the pieces as HTML; ``inserted`` and ``deleted`` are colours (``#rrggbb``). Shape
    says it too, for those who do not see the colours."""
    parts: list[str] = []
    before, is_marked = Change.SAME, False
    for piece in pieces:
        if Change.SAME not in (before, piece.change):
            # “75” would be read as one number where 7 became 5.
            parts.append(_THIN_SPACE)
        before = piece.change
        text = escape(piece.text).replace("\n", "<br>")
        if piece.change is not Change.SAME and not is_marked:
            parts.append(f'<a name="{FIRST}"></a>')
            is_marked = True
        if piece.change is Change.INSERTED:
            text = f'<span style="color:{inserted}; text-decoration:underline">{text}</span>'
        elif piece.change is Change.DELETED:
            text = f'<span style="color:{deleted}; text-decoration:line-through">{text}</span>'
        parts.append(text)
    return f'<div style="line-height:140%">{"".join(parts)}</div>'


def difference_in_words(pieces: tuple[Piece, ...]) -> str:
    """Say how much changed."""
    came, went = (
        sum(
            any(letter.isalnum() for letter in word)
            for piece in pieces
            if piece.change is change
            for word in piece.text.split()
        )
        for change in (Change.INSERTED, Change.DELETED)
    )
    if all(piece.change is Change.SAME for piece in pieces):
        return "The words are the same."
    return f"{count(came, 'word')} inserted (underlined), {count(went, 'word')} deleted (struck)."


class DifferenceView(QTextBrowser):
    """Read-only; follows light and dark."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What is shown.
        self.pieces: tuple[Piece, ...] = ()
        self.setAccessibleName(name)
        self.setFont(reading_font(POINTS))
        self.document().setDefaultFont(reading_font(POINTS))
        self.document().setDocumentMargin(12.0)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setOpenLinks(False)

    def show_pieces(self, pieces: tuple[Piece, ...]) -> None:
        """Show a difference from its first change: in a long text it is far below."""
        self.pieces = pieces
        self._draw()
        self.scrollToAnchor(FIRST)

    def _draw(self) -> None:
        colours = colours_for(self.palette())
        self.setHtml(difference_html(self.pieces, colours.good.name(), colours.wrong.name()))

    def changeEvent(self, event: QEvent) -> None:
        """Recolour when light turns dark or back."""
        super().changeEvent(event)
        # Qt may send one before the widget is made.
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "pieces"):
            place = self.verticalScrollBar().value()
            self._draw()
            self.verticalScrollBar().setValue(place)
