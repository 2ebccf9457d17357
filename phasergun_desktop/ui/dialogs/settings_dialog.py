"""The settings: letters and lines of the page, colours, spelling, what searches and reranks."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase, QFontInfo
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QWidget,
)

from phasergun_desktop.settings.model import (
    Appearance,
    Settings,
    Spelling,
    SpellingLanguage,
    Theme,
)
from phasergun_desktop.ui.dialogs.embedding_form import EmbeddingForm
from phasergun_desktop.ui.dialogs.other_names_form import OtherNamesForm
from phasergun_desktop.ui.dialogs.reranking_form import RerankingForm
from phasergun_desktop.ui.editor.page_edit import (
    LARGEST_POINTS,
    LONGEST_LINE,
    SHORTEST_LINE,
    SMALLEST_POINTS,
)
from phasergun_desktop.ui.reading_order import follow_the_eye

THEMES = {Theme.SYSTEM: "As the system", Theme.LIGHT: "Light", Theme.DARK: "Dark"}
LANGUAGES = {
    SpellingLanguage.AMERICAN: "American English",
    SpellingLanguage.BRITISH: "British English",
}


class SettingsDialog(QDialog):
    """What is chosen holds at once, and is seen on the page behind."""

    changed = Signal(Appearance, Spelling)

    def __init__(
        self, settings: Settings, *, has_words: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self._look, self._spelling = settings.appearance, settings.spelling
        self.family, self.theme, self.language = QComboBox(), QComboBox(), QComboBox()
        self.points, self.characters = QDoubleSpinBox(), QSpinBox()
        self.reranking, self.embedding = RerankingForm(), EmbeddingForm()
        self.naming = OtherNamesForm()
        self._fill()
        self.show_settings(settings)
        form = QFormLayout(self)
        form.setSpacing(8)
        form.addRow("&Font of the draft", self.family)
        form.addRow("Si&ze", self.points)
        form.addRow("&Length of a line", self.characters)
        form.addRow("&Colours", self.theme)
        form.addRow("&Spelling", self.language)
        self.words = QPushButton("&Words that you added…")
        self.words.setToolTip("A text file with a word on each line, read when PhaserGun starts")
        self.words.setEnabled(has_words)
        form.addRow("", self.words)
        for words, chooser in (("Searc&h with", self.embedding), ("&Rerank with", self.reranking)):
            label = QLabel(words)
            label.setBuddy(chooser.method)
            form.addRow(label, chooser)
            chooser.changed.connect(self.adjustSize)
        label = QLabel("&Other names")
        label.setBuddy(self.naming.box)
        form.addRow(label, self.naming)
        self.naming.changed.connect(self.adjustSize)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.restore = buttons.addButton("Restore defaults", buttons.ButtonRole.ResetRole)
        self.restore.clicked.connect(
            # What was typed is no choice that could be made again.
            lambda: self.show_settings(replace(Settings(), naming=self.naming.naming))
        )
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)
        follow_the_eye(self, self)
        self.setMinimumWidth(480)
        for box in (self.family, self.theme, self.language):
            box.currentIndexChanged.connect(self._on_changed)
        for number in (self.points, self.characters):
            number.valueChanged.connect(self._on_changed)

    def _fill(self) -> None:
        self.family.addItem("Serif", "")
        # The face itself: what the system names it by ("Sans") may be none.
        system = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).family()
        self.family.addItem(f"The system's ({system})", system)
        self.family.insertSeparator(2)
        for family in QFontDatabase.families():
            if family != system and not QFontDatabase.isPrivateFamily(family):
                self.family.addItem(family, family)
        for theme, name in THEMES.items():
            self.theme.addItem(name, theme)
        for language, name in LANGUAGES.items():
            self.language.addItem(name, language)
        self.language.addItem("Not checked", None)
        self.points.setRange(SMALLEST_POINTS, LARGEST_POINTS)
        self.points.setDecimals(1)
        self.points.setSingleStep(0.5)
        self.points.setSuffix(" pt")
        self.characters.setRange(SHORTEST_LINE, LONGEST_LINE)
        self.characters.setSuffix(" characters")

    def show_settings(self, settings: Settings) -> None:
        """Show what is in force."""
        look, spelling = settings.appearance, settings.spelling
        at = self.family.findData(look.draft_font_family)
        # A face of another computer: the built-in choice stands in for it.
        self.family.setCurrentIndex(max(at, 0))
        self.points.setValue(look.draft_font_size_pt)
        self.characters.setValue(look.line_characters)
        self.theme.setCurrentText(THEMES[look.theme])
        self.language.setCurrentIndex(self.language.count() - 1)
        if spelling.is_on:
            self.language.setCurrentText(LANGUAGES[spelling.language])
        self.reranking.show_reranking(settings.reranking)
        self.embedding.show_embedding(settings.embedding)
        self.naming.show_naming(settings.naming)

    def _on_changed(self) -> None:
        self._look = replace(
            self._look,
            theme=Theme(self.theme.currentData()),
            draft_font_family=str(self.family.currentData() or ""),
            draft_font_size_pt=self.points.value(),
            line_characters=self.characters.value(),
        )
        language = self.language.currentData()
        is_on = language is not None
        chosen = SpellingLanguage(language) if is_on else self._spelling.language
        self._spelling = Spelling(is_on, chosen)
        self.changed.emit(self._look, self._spelling)
