"""Chooses the outline of a section: the prompt's own, or one of the templates."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from phasergun_desktop.profiles.section_template import SectionTemplate, TemplateFamily
from phasergun_desktop.ui.generate.picker_box import PickerBox

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

    @property
    def template_name(self) -> str:
        """Name of the chosen template; empty for the prompt's own outline."""
        data = self.currentData()
        return data if isinstance(data, str) else ""

    def show_templates(self, templates: tuple[SectionTemplate, ...]) -> None:
        """List ``templates`` (by family and title); what is chosen stays, if it is still there."""
        chosen = self.template_name
        self.templates = templates
        self.clear()
        self._add(AS_THE_PROMPT_SAYS, "", "What the prompt asks for, and nothing else.")
        family: TemplateFamily | None = None
        for template in templates:
            if template.family is not family:
                self.insertSeparator(self.count())
                family = template.family
            name = f"{FAMILY_NAMES[template.family]}: {template.title}"
            self._add(name, template.name, template.description)
        self.choose(chosen)

    def choose(self, name: str) -> None:
        """Choose a template by its name; one that is not there is the prompt's own outline."""
        row = self.findData(name) if name else 0
        self.setCurrentIndex(max(row, 0))
        self._show_tip()

    def _add(self, text: str, name: str, tip: str) -> None:
        self.addItem(text, name)
        self.setItemData(self.count() - 1, tip, _TOOL_TIP)

    def _on_activated(self, _row: int) -> None:
        self._show_tip()
        self.chosen.emit(self.template_name)

    def _show_tip(self) -> None:
        about = self.currentData(_TOOL_TIP)
        self.setToolTip(f"{about}\n{_TIP}" if self.template_name else _TIP)
