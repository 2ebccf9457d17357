"""Tells that something went wrong that should not have, with a report to copy."""

from __future__ import annotations

import platform
import sys

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.logs import traceback_without_text
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.reading_order import follow_the_eye

TEXT = (
    "Something went wrong in PhaserGun itself. You can go on; were your draft not saved, the line "
    "at the bottom would say so. "
    "The report below says which kind of error it was and where in the program. It holds no text "
    "of your documents, prompts or drafts and no names of your files; nothing is sent unless you "
    "send it."
)


def report_of(error: BaseException) -> str:
    """Return what a developer needs, versions and the course of events, and nothing of the
    user's: it is copied and sent."""
    versions = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}"
    return f"{versions}\n\n{traceback_without_text(error)}"


class ReportDialog(QDialog):
    """Does not block the window behind it."""

    def __init__(self, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Something went wrong")
        self.resize(640, 420)
        label = QLabel(TEXT, wordWrap=True)
        self.report = QPlainTextEdit(report_of(error), readOnly=True)
        self.report.setAccessibleName("Report")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._on_copy)
        buttons.rejected.connect(self.reject)
        laid_out(QVBoxLayout(self), label, (self.report, 1), buttons)
        follow_the_eye(self, self)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())


def print_report(error: BaseException) -> None:
    """Write the report to the terminal as well, where there is one."""
    if sys.stderr is not None:
        sys.stderr.write(report_of(error) + "\n")
