"""Which language model each of the three profiles uses, and which profile is in use."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.models.model_page import ModelFacts, ModelPage
from phasergun_desktop.ui.wording import literal

NAMES = {
    ModelProfile.CHEAP: "Cheap",
    ModelProfile.BALANCED: "Balanced",
    ModelProfile.PREMIUM: "Premium",
}
MEANINGS = {
    ModelProfile.CHEAP: "fast, for first drafts: stays closest to the words of the sources",
    ModelProfile.BALANCED: "the usual choice",
    ModelProfile.PREMIUM: "your best model, slower or elsewhere",
}


class ModelDialog(QDialog):
    """``choices_made`` carries the settings and, by profile, a key where one was typed."""

    choices_made = Signal(object, object)

    def __init__(self, facts: ModelFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Language model")
        self._generation = facts.generation
        self.in_use = QComboBox()
        self.in_use.setAccessibleName("Model profile in use")
        for profile in ModelProfile:
            self.in_use.addItem(f"{NAMES[profile]}: {MEANINGS[profile]}", profile)
        label = QLabel("Drafts are written &with:")
        label.setBuddy(self.in_use)
        row = laid_out(QHBoxLayout(), label, (self.in_use, 1))
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName("Model profiles")
        self.pages = {profile: ModelPage(profile, facts) for profile in ModelProfile}
        for profile, page in self.pages.items():
            self.tabs.addTab(page, NAMES[profile])
            page.changed.connect(self._on_changed)
        self.problem_label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        laid_out(
            QVBoxLayout(self), row, (self.tabs, 1), self.problem_label, self.buttons, spacing=10
        )
        for button in self.findChildren(QPushButton):
            # Return in a field must not press whichever button comes first.
            button.setAutoDefault(False)
        self.save_button.setDefault(True)
        self.resize(640, 560)
        self._show(facts.generation.model_profile)
        self.in_use.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def save_button(self) -> QPushButton:
        """Keeps what was chosen."""
        button = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        if button is None:
            raise RuntimeError("the dialog was made without its button")
        return button

    @property
    def generation(self) -> Generation:
        """What is chosen now."""
        made = replace(self._generation, model_profile=self._profile_in_use())
        for profile, page in self.pages.items():
            made = made.with_choice(profile, page.choice)
        return made

    def accept(self) -> None:
        """Hand the choices over, and the keys apart from them; the fields are emptied."""
        if self._problem():
            return
        made = self.generation
        keys: dict[ModelProfile, str] = {}
        for profile, page in self.pages.items():
            key = page.form.entered_key
            if key is not None and page.remote.isChecked():
                keys[profile] = key
            page.form.key.clear()
        super().accept()
        self.choices_made.emit(made, keys)

    def _show(self, profile: ModelProfile) -> None:
        at = tuple(ModelProfile).index(profile)
        self.in_use.setCurrentIndex(at)
        self.tabs.setCurrentIndex(at)
        self.in_use.currentIndexChanged.connect(self._on_in_use)
        self._on_changed()

    def _profile_in_use(self) -> ModelProfile:
        return tuple(ModelProfile)[self.in_use.currentIndex()]

    def _on_in_use(self, at: int) -> None:
        self.tabs.setCurrentIndex(at)
        self._on_changed()

    def _on_changed(self) -> None:
        for at, profile in enumerate(ModelProfile):
            mark = " (in use)" if profile is self._profile_in_use() else ""
            self.tabs.setTabText(at, NAMES[profile] + mark)
        problem = self._problem()
        self.problem_label.setText(problem)
        self.save_button.setEnabled(not problem)
        self.save_button.setToolTip(literal(problem or "Keep these choices (Return)"))

    def _problem(self) -> str:
        for profile, page in self.pages.items():
            problem = page.problem(profile is self._profile_in_use())
            if problem:
                return f"{NAMES[profile]}: {problem}"
        return ""
