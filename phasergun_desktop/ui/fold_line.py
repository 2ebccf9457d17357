"""A line that shows or hides what belongs to it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QStyleOptionToolButton, QToolButton, QWidget

# What the style leaves free around the arrow and the words.
_MARGIN = 14


class FoldLine(QToolButton):
    """A triangle and words over the whole width; Space or a click folds and unfolds."""

    folded = Signal(bool)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.is_folded = True
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.fold(not self.is_folded))
        self.say("")
        self._show()

    def fold(self, is_folded: bool) -> None:
        """Fold or unfold; ``folded`` follows where that changes something."""
        if is_folded != self.is_folded:
            self.is_folded = is_folded
            self._show()
            self.folded.emit(is_folded)

    def say(self, what: str) -> None:
        """Say what it is about beside its name."""
        text = f"{self._name}{f': {what}' if what else ''}"
        self.setText(" " + text.replace("&", "&&"))
        self.setAccessibleName(text)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Leave out the end of what is too long: the style by itself leaves out the middle, where
        the figures stand."""
        super().initStyleOption(option)
        room = self.width() - option.iconSize.width() - _MARGIN
        end, mnemonic = Qt.TextElideMode.ElideRight, Qt.TextFlag.TextShowMnemonic
        option.text = option.fontMetrics.elidedText(option.text, end, room, mnemonic.value)

    def _show(self) -> None:
        arrow = Qt.ArrowType.RightArrow if self.is_folded else Qt.ArrowType.DownArrow
        self.setArrowType(arrow)
        self.setAccessibleDescription("folded" if self.is_folded else "unfolded")
