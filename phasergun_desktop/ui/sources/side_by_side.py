"""Two passages that disagree, beside each other: what each says, where, and a way to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.theme import colours_for, reading_font
from phasergun_desktop.ui.wording import LAYER_WORDS, PATH_MARK, file_name, literal, place_in_words

FIRST_SIZE = (820, 360)
READING_POINTS = 11.5


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text of the source right before and after a passage ("" where there is none)."""

    before: str = ""
    after: str = ""


class PassageCard(QFrame):
    """One side: the quote in its surroundings, the file and heading under it, and the button."""

    open_wanted = Signal(object)

    def __init__(self, number: int, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._number = number
        # The passage that is shown.
        self.place: SourcePlace | None = None
        self.text = QTextBrowser(openLinks=False)
        self.text.setFont(reading_font(READING_POINTS))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.file_label = ElidedLabel()
        font = self.file_label.font()
        font.setBold(True)
        self.file_label.setFont(font)
        self.place_label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.button = QPushButton(f"Open source {number}")
        self.button.clicked.connect(self._on_clicked)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        column = laid_out(QVBoxLayout(self), (self.text, 1), self.file_label, self.place_label)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_place(self, place: SourcePlace, around: Surroundings = Surroundings()) -> None:
        """Show ``place``, with the text ``around`` it where that is known."""
        self.place = place
        name = file_name(place.file)
        self.file_label.setText(name)
        self.file_label.setToolTip(literal(place.file))
        layer = LAYER_WORDS[place.layer] if place.layer is not None else ""
        where = place_in_words(place.locator, place.heading_path)
        headings = PATH_MARK.join(place.heading_path[-2:])
        if headings and headings not in where:
            where = ", ".join(part for part in (headings, where) if part)
        self.place_label.setText("\n".join(part for part in (layer, where) if part))
        self.button.setToolTip(literal(f"Show this passage in {name} (Alt+{self._number})"))
        self.text.setAccessibleName(f"Passage {self._number}, from {name}")
        self.text.setAccessibleDescription(f"In question: {place.value or 'the whole passage'}")
        # Here, as its colour is the theme's and the card is shown anew for each.
        self.button.setIcon(self._icons.icon("open-external"))
        self.text.setHtml(self._html(place, around))

    def _html(self, place: SourcePlace, around: Surroundings) -> str:
        colours = colours_for(self.palette())
        muted = colours.muted.name()
        mark = (
            f"background-color:{colours.passage.name()};color:{colours.passage_text.name()};"
            "font-weight:600"
        )
        at = place.quote.find(place.value) if place.value else -1
        if at >= 0:
            end = at + len(place.value)
            quote = (
                f"{_html(place.quote[:at])}<span style='{mark}'>{_html(place.value)}</span>"
                f"{_html(place.quote[end:])}"
            )
        else:
            quote = _html(place.quote)
        before, after = (
            f"<span style='color:{muted}'>{_html(text)}</span>" if text else ""
            for text in (around.before, around.after)
        )
        return f"<p>{before}{quote}{after}</p>"

    def _on_clicked(self) -> None:
        if self.place is not None:
            self.open_wanted.emit(self.place)


class SideBySideDialog(QDialog):
    """Stays beside the desk while the sources are opened; Escape closes it."""

    place_activated = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sources that disagree")
        self.resize(*FIRST_SIZE)
        self.setModal(False)
        self.message = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.message.setAccessibleName("What does not agree")
        self.cards = (PassageCard(1, icons), PassageCard(2, icons))
        row = QGridLayout()
        for column_number, card in enumerate(self.cards):
            card.open_wanted.connect(self.place_activated)
            row.addWidget(card, 0, column_number)
            row.setColumnStretch(column_number, 1)
            # The key of a button works on every platform; a mnemonic does not on a Mac.
            card.button.setShortcut(QKeySequence(f"Alt+{column_number + 1}"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.settle_button = QPushButton("&Settle…")
        self.settle_button.setToolTip("Say which passage holds and why; kept with the draft")
        buttons.addButton(self.settle_button, QDialogButtonBox.ButtonRole.ActionRole)
        self.hint = QLabel("Alt+1 and Alt+2 open a source, Escape closes")
        foot = laid_out(QHBoxLayout(), (self.hint, 1), buttons)
        laid_out(QVBoxLayout(self), self.message, (row, 1), foot)

    def show_discrepancy(
        self, discrepancy: Discrepancy, around: Sequence[Surroundings] = ()
    ) -> None:
        """Show the sides of ``discrepancy``; ``around`` has the text around each, if known."""
        self.message.setText(discrepancy.message)
        known = [*around, *(Surroundings() for _ in self.cards)]
        for number, card in enumerate(self.cards):
            is_there = number < len(discrepancy.sides)
            card.setVisible(is_there)
            if is_there:
                card.show_place(discrepancy.sides[number], known[number])


def _html(text: str) -> str:
    return escape(text).replace("\n", "<br>")
