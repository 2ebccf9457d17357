"""What an empty desk offers, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCommandLinkButton,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.wording import literal

if TYPE_CHECKING:
    from phasergun_desktop.projects.project_records import RegisteredProject

MOST_RECENT = 4
WIDTH, PADDING = 440, 10
OFFERS = (
    (
        "open-folder",
        "folder",
        "Open a folder",
        (
            "A folder with your procedures and project documents. Nothing in it is changed, "
            "and nothing leaves this computer."
        ),
    ),
    (
        "new-project",
        "new-project",
        "Make a new project",
        "An empty folder with a place for procedures, context documents and prompts.",
    ),
    (
        "open-sample",
        "sample",
        "Look at the sample",
        "A fictitious device with its documents, a finished draft and five prompts, to try it out.",
    ),
)


class StartPage(QWidget):
    """Three offers; the first has the keyboard."""

    offer_chosen = Signal(str)
    project_chosen = Signal(object)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._buttons: list[tuple[QCommandLinkButton, str]] = []
        heading = QLabel("What would you like to work on?")
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        heading.setFont(font)
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addStretch(2)
        column.addWidget(heading)
        column.addSpacing(10)
        for name, icon, title, text in OFFERS:
            button = QCommandLinkButton(title, text)
            button.setAccessibleName(title)
            button.setAccessibleDescription(text)
            button.clicked.connect(lambda _checked=False, name=name: self.offer_chosen.emit(name))
            button.setMinimumWidth(WIDTH)
            button.setIconSize(QSize(24, 24))
            # Outside of dialogs Return presses no button by itself, but for some desktops.
            button.setAutoDefault(True)
            self._buttons.append((button, icon))
            column.addWidget(button)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        column.addSpacing(8)
        column.addLayout(self._recent)
        column.addStretch(3)
        laid_out(QHBoxLayout(self), 1, column, 1)
        self.refresh_icons()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for button, icon in self._buttons:
            button.setIcon(self._icons.icon(icon))

    def show_recent(self, known: tuple[RegisteredProject, ...]) -> None:
        """Offer the projects that were opened before."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for one in [each for each in known if each.exists][:MOST_RECENT]:
            words = self.fontMetrics().elidedText(
                f"Go on with {one.name}", Qt.TextElideMode.ElideMiddle, WIDTH - 2 * PADDING
            )
            button = QPushButton(words.replace("&", "&&"), flat=True)
            button.setToolTip(literal(str(one.root)))
            button.setAutoDefault(True)
            button.setStyleSheet(f"text-align: left; padding: 6px {PADDING}px;")
            button.clicked.connect(
                lambda _checked=False, root=one.root: self.project_chosen.emit(root)
            )
            self._recent.addWidget(button)

    def focus_first(self) -> None:
        """Give the keyboard to the first offer."""
        self._buttons[0][0].setFocus(Qt.FocusReason.OtherFocusReason)
