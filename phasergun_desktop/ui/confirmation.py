"""Asks over the window, which goes on meanwhile: what to do, for a text, for a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from phasergun_desktop.drafts.export import ExportFormat

FILE_KINDS = {
    ExportFormat.WORD: "Word document (*.docx)",
    ExportFormat.MARKDOWN: "Markdown (*.md)",
}


def confirm(
    window: QWidget,
    title: str,
    question: str,
    more: str,
    answers: Mapping[str, Callable[[], object]],
    role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.DestructiveRole,
) -> QMessageBox:
    """Open a question over ``window``: a button for each of ``answers`` does what it says, and one
    cancels. Returns the box."""
    box = QMessageBox(
        QMessageBox.Icon.Question, title, question, QMessageBox.StandardButton.Cancel, window
    )
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(more)
    for words, do in answers.items():
        box.addButton(words, role).clicked.connect(lambda _checked=False, do=do: do())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def ask_text(
    window: QWidget, title: str, label: str, text: str, then: Callable[[str], object]
) -> QInputDialog:
    """Ask for another ``text``, which ``then`` is handed. Returns the dialog."""
    dialog = QInputDialog(window)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.resize(420, dialog.sizeHint().height())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.textValueSelected.connect(then)
    dialog.open()
    return dialog


def ask_file(
    window: QWidget, title: str, name: str, kinds: str, then: Callable[[Path], object]
) -> QFileDialog:
    """Ask for a file to write, at first ``name``, whose ending another name gets before the dialog
    asks whether a file is to go; ``kinds`` are filters of Qt. Returns the dialog."""
    dialog = QFileDialog(window, title, str(Path.home()), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
    dialog.selectFile(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.open()
    return dialog
