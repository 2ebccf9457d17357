"""The widgets of the prompt panel and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from phasergun_desktop.ui.choice_button import ChoiceButton
from phasergun_desktop.ui.generate.evidence_board import EvidenceBoard
from phasergun_desktop.ui.generate.picker_box import PromptPicker, TemplatePicker
from phasergun_desktop.ui.generate.prompt_editor import PromptEditor
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel

_PROMPT_HEIGHT = 180

GENERATE = "Write the draft in the words of its sources (Ctrl+G)"


class PromptFrame(QWidget):
    """The prompt with its buttons above, the evidence below; nothing is connected yet."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._model_notice = NoticeLabel()
        self.picker = PromptPicker()
        self.template_picker = TemplatePicker()
        self.agent_button = ChoiceButton("Agent")
        self.profile_button = ChoiceButton("Profile")
        for button in (self.agent_button, self.profile_button):
            button.hide()
        self.notice = NoticeLabel()
        self.notice.hide()
        self.editor = PromptEditor()
        self.board = EvidenceBoard(icons)
        self.plan_button = QPushButton("Plan")
        self.generate_button = QPushButton("Generate")
        self.prose_button = QPushButton("As prose")
        self.save_button = QPushButton("Save prompt")
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self._build()
        self.refresh_icons()

    def _build(self) -> None:
        label = QLabel("P&rompt")
        label.setBuddy(self.picker)
        self.picker.setAccessibleName("Prompts of this project")
        self.picker.setSizeAdjustPolicy(
            PromptPicker.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.picker.setMinimumContentsLength(12)
        top = laid_out(QHBoxLayout(), label, (self.picker, 1), self.save_button)
        outline = QLabel("Se&ction")
        outline.setBuddy(self.template_picker)
        choices = self.agent_button, self.profile_button
        section = laid_out(QHBoxLayout(), outline, (self.template_picker, 1), *choices)
        width = max(label.sizeHint().width(), outline.sizeHint().width())
        label.setMinimumWidth(width)
        outline.setMinimumWidth(width)
        self.plan_button.setToolTip("Show what would be read, without writing (Ctrl+Shift+Return)")
        self.generate_button.setToolTip(GENERATE)
        self.save_button.setToolTip("Save the prompt in Context/Prompt (Ctrl+Shift+S)")
        self.summary.setWordWrap(True)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.summary.setAccessibleName("Plan in short")
        writing = self.prose_button, self.plan_button, self.generate_button
        buttons = laid_out(QHBoxLayout(), (self.summary, 1), *writing)
        rows = top, section, (self.editor, 1), buttons
        upper = QWidget()
        laid_out(QVBoxLayout(upper), *rows, margins=(10, 8, 10, 6), spacing=6)
        self._stack(upper)

    def _stack(self, upper: QWidget) -> None:
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.board)
        # A prompt is a few lines; its evidence is what is read.
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([_PROMPT_HEIGHT, 3 * _PROMPT_HEIGHT])
        self.splitter.setChildrenCollapsible(False)
        self.editor.setMinimumHeight(48)
        self.board.setMinimumHeight(40)
        notices = self._model_notice, self.notice
        laid_out(QVBoxLayout(self), *notices, (self.splitter, 1), margins=NO_MARGINS, spacing=0)
        self._model_notice.hide()

    def tell(self, words: str) -> None:
        """Say something above the prompt; empty takes it away."""
        self.notice.setText(words)
        self.notice.setVisible(bool(words))

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        self.plan_button.setIcon(self._icons.icon("plan"))
        self.generate_button.setIcon(self._icons.icon("generate"))
        self.board.refresh_icons()
