"""Which version this is, under which licences, and where its folders are."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.paths import Places
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.help.installed_parts import (
    folders,
    installed_parts,
    notice,
    versions_line,
)
from phasergun_desktop.ui.laid_out import laid_out

ABOUT = (
    "Drafts sections of submissions from the documents of your project. Everything runs on this "
    "computer, unless you choose a model server of your own."
)
COPY_REPORT = "Copy the report of the last error"


class AboutDialog(QDialog):
    """``report`` is that of the last error of ours, empty without one. Nothing in it is of the
    user's documents."""

    def __init__(self, places: Places, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self.setWindowTitle("About PhaserGun")
        self.resize(640, 520)
        versions = QLabel(versions_line(), wordWrap=True)
        versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        about = QLabel(ABOUT, wordWrap=True)
        self.licences = QPlainTextEdit(_licences(), readOnly=True)
        self.licences.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.licences.setAccessibleName("Licences")
        self.folder_buttons: list[QPushButton] = []
        self._lines = [versions_line(), ""]
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy_button = self.buttons.addButton("&Copy this", role)
        self.copy_button.setToolTip("Copy versions, folders and licences")
        self.copy_button.clicked.connect(lambda: self._copy(self.text))
        self.report_button = self.buttons.addButton(COPY_REPORT, role)
        self.report_button.setVisible(bool(report))
        self.report_button.clicked.connect(lambda: self._copy(self._report))
        rows = versions, about, self._folders(places), (self.licences, 1), self.buttons
        laid_out(QVBoxLayout(self), *rows, spacing=10)

    @property
    def text(self) -> str:
        """Everything as text."""
        return "\n".join([*self._lines, "", self.licences.toPlainText()])

    def _folders(self, places: Places) -> QGridLayout:
        grid = QGridLayout()
        for row, (what, folder) in enumerate(folders(places)):
            path = ElidedLabel(str(folder))
            show = QPushButton("Show in folder", autoDefault=False)
            show.setAccessibleName(f"Show in folder: {what}")
            show.setEnabled(folder.is_dir())
            address = QUrl.fromLocalFile(str(folder))
            show.clicked.connect(lambda _=False, address=address: QDesktopServices.openUrl(address))
            grid.addWidget(QLabel(f"{what}:"), row, 0)
            grid.addWidget(path, row, 1)
            grid.addWidget(show, row, 2)
            self.folder_buttons.append(show)
            self._lines.append(f"{what}: {folder}")
        grid.setColumnStretch(1, 1)
        return grid

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)


def _licences() -> str:
    parts = [f"{one.name} {one.version}: {one.licence}" for one in installed_parts()]
    return "\n".join(["INSTALLED BESIDE THE PROGRAM", "", *parts, "", "NOTICE", "", notice()])
