"""Boxes to pick from (a prompt, the outline of a section) that the mouse wheel does not change in
passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from phasergun_desktop.profiles.section_template import SectionTemplate, TemplateFamily
from phasergun_desktop.ui.wording import file_name, literal

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session_prompts import PromptFile

NEW_PROMPT = "New prompt"
AS_THE_PROMPT_SAYS = "As the prompt says"
FAMILY_NAMES = {
    TemplateFamily.SUBMISSION: "510(k)",
    TemplateFamily.DESIGN_HISTORY: "Design history file",
    TemplateFamily.ARTIFACT: "Project",
}
_TIP = (
    "Outline of the section, drafted from the whole project; what you write as a prompt beside it "
    "names its sources and adds to it (Ctrl+8)"
)
_TOOL_TIP = Qt.ItemDataRole.ToolTipRole


class PickerBox(QComboBox):
    """Turns with the wheel only while it has the keyboard, which the wheel does not give it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def value(self) -> str:
        """What stands behind the words in the box, empty for nothing."""
        return str(self.currentData() or "")

    def add(self, words: str, value: str, tip: str) -> None:
        """Add a row."""
        self.addItem(words, value)
        self.setItemData(self.count() - 1, tip, _TOOL_TIP)

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
            self.add(prompt.title, prompt.file, literal(prompt.file))
        self.addItem(NEW_PROMPT, "")

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


class TemplatePicker(PickerBox):
    """Lists templates by family; ``chosen`` gives the name, empty for the prompt's own outline."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Outline of the section")
        self.setAccessibleDescription(_TIP)
        self.setSizeAdjustPolicy(PickerBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setMaxVisibleItems(24)
        self.templates: tuple[SectionTemplate, ...] = ()
        self.show_templates(())
        self.activated.connect(self._on_activated)

    def show_templates(self, templates: tuple[SectionTemplate, ...]) -> None:
        """List ``templates`` (by family and title); what is chosen stays, if it is still there."""
        chosen = self.value
        self.templates = templates
        self.clear()
        self.add(AS_THE_PROMPT_SAYS, "", "What the prompt asks for, and nothing else.")
        family: TemplateFamily | None = None
        for template in templates:
            if template.family is not family:
                self.insertSeparator(self.count())
                family = template.family
            name = f"{FAMILY_NAMES[template.family]}: {template.title}"
            self.add(name, template.name, template.description)
        self.choose(chosen)

    def choose(self, name: str) -> None:
        """Choose a template by its name; one that is not there is the prompt's own outline."""
        row = self.findData(name) if name else 0
        self.setCurrentIndex(max(row, 0))
        self._show_tip()

    def _on_activated(self, _row: int) -> None:
        self._show_tip()
        self.chosen.emit(self.value)

    def _show_tip(self) -> None:
        about = self.currentData(_TOOL_TIP)
        self.setToolTip(f"{about}\n{_TIP}" if self.value else _TIP)
