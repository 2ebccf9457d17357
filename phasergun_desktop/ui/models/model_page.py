"""One of the three model profiles in the model dialog: where its model comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.models.model_store import ModelState, ModelStatus
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelChoice, ModelProfile, ModelSource
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.models.remote_form import RemoteForm
from phasergun_desktop.ui.outlined_checks import OutlinedRadioButton

STATES = {
    ModelState.ABSENT: "not on this machine",
    ModelState.PARTIAL: "half fetched",
    ModelState.PRESENT: "on this machine",
    ModelState.VERIFIED: "on this machine",
    ModelState.DAMAGED: "damaged",
}
READY = (ModelState.PRESENT, ModelState.VERIFIED)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What the dialog shows; ``checks`` by path, ``has_key`` by address."""

    generation: Generation
    catalogue: Sequence[ModelStatus]
    defaults: Mapping[ModelProfile, str]
    checks: Mapping[str, ModelCheck] = field(default_factory=dict)
    has_key: Mapping[str, bool] = field(default_factory=dict)


class ModelPage(QWidget):
    """Asks where the model of ``profile`` comes from."""

    changed = Signal()
    fetch_wanted = Signal(str)
    check_wanted = Signal(str)

    def __init__(self, profile: ModelProfile, facts: ModelFacts) -> None:
        super().__init__()
        self.profile = profile
        self._default = facts.defaults[profile]
        self._before = facts.generation.choice(profile)
        choice = self._before
        self.of_catalogue = OutlinedRadioButton("A &model that comes with PhaserGun")
        self.own_file = OutlinedRadioButton("&Your own model file (GGUF)")
        self.remote = OutlinedRadioButton("A &remote server")
        self.remote.setToolTip("Any server with the OpenAI interface: vLLM, llama-server, Ollama")
        self.models = QComboBox()
        self.models.setAccessibleName("Model that comes with PhaserGun")
        self.fetch_button = QPushButton("&Fetch it")
        self.fetch_button.setToolTip("Bring this model to this machine; it is downloaded once")
        self.fetch_result = _words()
        self.file = QLineEdit(choice.file, placeholderText="a file that ends in .gguf")
        self.file.setAccessibleName("Path of the model file")
        self.browse_button = QPushButton("&Choose…")
        self.browse_button.setToolTip("Choose a model file")
        self.check_button = QPushButton("C&heck it")
        self.check_button.setToolTip("Load the file apart from this window, and measure its speed")
        self.check_result = _words()
        address = choice.endpoint.address
        self.form = RemoteForm(choice.endpoint, facts.has_key.get(address, False))
        self._catalogue_box, self._file_box = QWidget(), QWidget()
        self._build()
        self.show_catalogue(facts.catalogue, choice.model or self._default)
        if choice.file and choice.file in facts.checks:
            self.show_check(facts.checks[choice.file])
        {
            ModelSource.CATALOGUE: self.of_catalogue,
            ModelSource.FILE: self.own_file,
            ModelSource.REMOTE: self.remote,
        }[choice.source].setChecked(True)
        self._connect()
        self._on_source()

    @property
    def choice(self) -> ModelChoice:
        """What is chosen now."""
        source = ModelSource.CATALOGUE
        if self.own_file.isChecked():
            source = ModelSource.FILE
        elif self.remote.isChecked():
            source = ModelSource.REMOTE
        model = str(self.models.currentData() or "")
        if not self._before.model and model == self._default:
            # Not chosen by the user: a later version may give the profile a better one.
            model = ""
        return replace(
            self._before,
            source=source,
            model=model,
            file=self.file.text().strip(),
            endpoint=self.form.endpoint,
        )

    def problem(self, is_in_use: bool) -> str:
        """Return why this cannot be kept, in a sentence; ``""`` where it can.

        The file of a profile that is not in use may be on a disk that is not there now.
        """
        if self.remote.isChecked():
            return self.form.problem()
        file = self.file.text().strip()
        if self.own_file.isChecked() and not (file and (Path(file).is_file() or not is_in_use)):
            return "Choose a model file that is on this machine."
        return ""

    def show_catalogue(self, catalogue: Sequence[ModelStatus], name: str = "") -> None:
        """Show the models of the catalogue as they are on this machine now."""
        name = name or str(self.models.currentData() or "")
        self._ready = {each.entry.name: each.state in READY for each in catalogue}
        self.models.clear()
        for each in catalogue:
            entry = each.entry
            size = f"{entry.size_bytes / 1e6:,.0f} MB"
            words = f"{entry.title} ({size}, {entry.licence}): {STATES[each.state]}"
            self.models.addItem(words, entry.name)
        self.models.setCurrentIndex(max(self.models.findData(name), 0))
        self._on_model()

    def show_check(self, check: ModelCheck) -> None:
        """Say what came of a check."""
        if not check.is_usable:
            self.check_result.setText(f"⚠ {check.problem}")
            return
        self.check_result.setText(
            f"✓ It can be used: {check.parameters / 1e9:.1f} billion parameters "
            f"({check.architecture}). Measured now on this machine: reads "
            f"{check.prompt_tokens_per_s:.0f} and writes {check.writing_tokens_per_s:.0f} tokens "
            f"a second, takes {check.memory_bytes / 1e9:.1f} GB of memory."
        )

    def _build(self) -> None:
        margins = (22, 0, 0, 0)
        row = laid_out(QHBoxLayout(), (self.models, 1), self.fetch_button)
        laid_out(QVBoxLayout(self._catalogue_box), row, self.fetch_result, margins=margins)
        row = laid_out(QHBoxLayout(), (self.file, 1), self.browse_button, self.check_button)
        laid_out(QVBoxLayout(self._file_box), row, self.check_result, margins=margins)
        local = self.of_catalogue, self._catalogue_box, self.own_file, self._file_box
        laid_out(QVBoxLayout(self), *local, self.remote, self.form, 1, spacing=6)

    def _connect(self) -> None:
        for button in (self.of_catalogue, self.own_file, self.remote):
            button.toggled.connect(self._on_source)
        self.models.currentIndexChanged.connect(self._on_model)
        self.fetch_button.clicked.connect(
            lambda: self.fetch_wanted.emit(str(self.models.currentData() or ""))
        )
        self.browse_button.clicked.connect(self._browse)
        self.check_button.clicked.connect(lambda: self.check_wanted.emit(self.file.text().strip()))
        self.file.textChanged.connect(self._on_file)
        self.form.changed.connect(self.changed)

    def _on_source(self) -> None:
        # Only what is chosen is shown: three forms at once ask three questions.
        self._catalogue_box.setVisible(self.of_catalogue.isChecked())
        self._file_box.setVisible(self.own_file.isChecked())
        self.form.setVisible(self.remote.isChecked())
        self.changed.emit()

    def _on_model(self) -> None:
        name = str(self.models.currentData() or "")
        self.fetch_button.setVisible(not self._ready.get(name, True))
        self.fetch_result.clear()
        self.changed.emit()

    def _on_file(self) -> None:
        self.check_result.clear()
        self.check_button.setEnabled(bool(self.file.text().strip()))
        self.changed.emit()

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Choose a model file", self.file.text())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Model files (*.gguf)", "All files (*)"])
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_file_selected(self, path: str) -> None:
        self.file.setText(path)
        self.check_wanted.emit(path)


def _words() -> QLabel:
    return QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
