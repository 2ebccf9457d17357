"""A line that shows or hides what belongs to it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget


class FoldLine(QToolButton):
    """A triangle and words over the whole width; Space or a click folds and unfolds."""

    folded = Signal(bool)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._on_toggled)
        self.say("")
        self._on_toggled(False)

    @property
    def is_folded(self) -> bool:
        """Whether what belongs to it is hidden."""
        return not self.isChecked()

    def fold(self, is_folded: bool) -> None:
        """Fold or unfold; ``folded`` follows where that changes something."""
        self.setChecked(not is_folded)

    def say(self, what: str) -> None:
        """Say what it is about beside its name."""
        self.setText(f" {self._name}{f': {what}' if what else ''}")
        self.setAccessibleName(self.text().strip())

    def _on_toggled(self, is_open: bool) -> None:
        self.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self.setAccessibleDescription("unfolded" if is_open else "folded")
        self.folded.emit(not is_open)
