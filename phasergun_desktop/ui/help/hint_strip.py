"""Small notes over the desk of the sample: what to try first, each gone when it was done."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolBar, QToolButton, QWidget

from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel


@dataclass(frozen=True, slots=True)
class Hint:
    """``name`` is what is remembered when it was done or put away."""

    name: str
    text: str


class HintStrip(QToolBar):
    """One row over the whole width, since the page below it is narrow."""

    put_away = Signal(str)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__("Hints", parent)
        self._icons = icons
        self._notes: dict[str, QWidget] = {}
        self.setObjectName("hints")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        row = QWidget()
        self._row = laid_out(QHBoxLayout(row), margins=(6, 0, 6, 0), spacing=8)
        self.addWidget(row)
        self.hide()

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the notes that are there."""
        return tuple(self._notes)

    def show_hints(self, hints: tuple[Hint, ...]) -> None:
        """Show these notes, or nothing."""
        for name in self.shown:
            self.remove(name)
        for hint in hints:
            self._add(hint)
        self.setVisible(bool(hints))

    def remove(self, name: str) -> None:
        """Take a note away; with the last one the row goes."""
        note = self._notes.pop(name, None)
        if note is not None:
            note.hide()
            note.deleteLater()
            self.setVisible(bool(self._notes))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons in the colours of the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for note in self._notes.values():
                for button in note.findChildren(QToolButton):
                    button.setIcon(self._icons.icon("close"))

    def _add(self, hint: Hint) -> None:
        words = NoticeLabel()
        words.setText(hint.text)
        words.setToolTip(hint.text)
        words.setContentsMargins(10, 2, 10, 2)
        # (A tool bar hands that of buttons down.)
        words.setBackgroundRole(QPalette.ColorRole.Window)
        # One line: on a narrow window the end is in the tooltip.
        words.setWordWrap(False)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        close = QToolButton(autoRaise=True)
        close.setIcon(self._icons.icon("close"))
        close.setToolTip("Put this note away")
        close.setAccessibleName(f"Put away: {hint.text}")
        close.clicked.connect(lambda: self.put_away.emit(hint.name))
        note = QFrame()
        laid_out(QHBoxLayout(note), (words, 1), close, margins=NO_MARGINS, spacing=0)
        self._row.addWidget(note, 1)
        self._notes[hint.name] = note
