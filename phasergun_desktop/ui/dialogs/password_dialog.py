"""Asks for the password of protected documents, and says where it is kept."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox
from phasergun_desktop.ui.reading_order import follow_the_eye
from phasergun_desktop.ui.wording import count, file_name, literal, shortened_name

KEPT = (
    "The password is kept in this computer's keyring, never in the project folder. It is tried "
    "on every protected document of this project."
)
LONGEST_NAME = 60


class PasswordDialog(QDialog):
    """``password_entered`` carries what was typed; the field is emptied at once."""

    password_entered = Signal(str)
    forget_wanted = Signal()

    def __init__(
        self, files: Sequence[str], can_forget: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Enter password")
        question = QLabel(_question(files), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        question.setToolTip(literal("\n".join(files)))
        label = QLabel("&Password:")
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.field.setAccessibleName("Password")
        label.setBuddy(self.field)
        self.reveal = OutlinedCheckBox("&Show the password")
        kept = QLabel(KEPT, wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.try_button = QPushButton("&Try this password")
        self.try_button.setEnabled(False)
        self.buttons.addButton(self.try_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.forget_button = QPushButton("&Forget entered passwords")
        if can_forget:
            self.buttons.addButton(self.forget_button, QDialogButtonBox.ButtonRole.ResetRole)
        else:
            self.forget_button.setParent(self)
            self.forget_button.hide()
        rows = question, label, self.field, self.reveal, kept, self.buttons
        laid_out(QVBoxLayout(self), *rows, spacing=8)
        self.setMinimumWidth(420)
        for button in self.buttons.buttons():
            # Return in the field tries the password, also while that button was off before.
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)
        self.try_button.setDefault(True)
        self.field.textChanged.connect(lambda text: self.try_button.setEnabled(bool(text)))
        self.reveal.toggled.connect(self._on_revealed)
        self.forget_button.clicked.connect(self._on_forget)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        follow_the_eye(self, self)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Hand the password over and close."""
        password = self.field.text()
        if password:
            self.field.clear()
            super().accept()
            self.password_entered.emit(password)

    def _on_revealed(self, is_on: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if is_on else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)

    def _on_forget(self) -> None:
        self.field.clear()
        self.reject()
        self.forget_wanted.emit()


def _question(files: Sequence[str]) -> str:
    if not files:
        return "No document of this project asks for a password now."
    if len(files) == 1:
        return f"{shortened_name(file_name(files[0]), LONGEST_NAME)} is password protected."
    return f"{count(len(files), 'document')} of this project are password protected."
