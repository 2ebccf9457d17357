"""Boxes to pick from that the mouse wheel does not change in passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from phasergun_desktop.ui.wording import file_name, literal

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session_prompts import PromptFile

NEW_PROMPT = "New prompt"


class PickerBox(QComboBox):
    """Turns with the wheel only while it has the keyboard, which the wheel does not give it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what lies behind, unless the writer is in the box."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class PromptPicker(PickerBox):
    """Lists the prompts by title, each with its file; the last row is the new prompt."""

    def show_prompts(self, prompts: tuple[PromptFile, ...]) -> None:
        """List the prompts; the first row is current afterwards."""
        self.clear()
        for prompt in prompts:
            self.addItem(prompt.title, prompt.file)
            tip = literal(prompt.file)
            self.setItemData(self.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.addItem(NEW_PROMPT, "")

    @property
    def file(self) -> str:
        """File of the current prompt; empty for one that is not saved."""
        data = self.currentData()
        return data if isinstance(data, str) else ""

    def row_of(self, file: str) -> int:
        """Return the row of a prompt, -1 if it is not listed. A draft of the command line knows
        the name of its prompt only."""
        row = self.findData(file) if file else -1
        if row >= 0 or not file:
            return row
        wanted = file_name(file).casefold()
        files = [str(self.itemData(at)) for at in range(self.count())]
        same = [at for at, one in enumerate(files) if file_name(one).casefold() == wanted]
        return same[0] if len(same) == 1 else -1
