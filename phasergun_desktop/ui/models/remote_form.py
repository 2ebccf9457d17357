"""The part of the model dialog that names a server: address, model, key, price."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.endpoint_address import parse_address
from phasergun_desktop.settings.model_choice import GrammarField, RemoteEndpoint
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox

KEY_KEPT = "A key is in the keyring; type to replace it"
KEY_EMPTY = "None is kept; servers on your own network often need none"
GRAMMARS = (
    ("No: forms are checked, not forced", GrammarField.NONE),
    ("llama-server (“grammar”)", GrammarField.LLAMA_SERVER),
    ("vLLM (“guided_grammar”)", GrammarField.VLLM),
)


class RemoteForm(QWidget):
    """Shows one endpoint; ``changed`` says that it is another one now."""

    changed = Signal()

    def __init__(self, endpoint: RemoteEndpoint, has_key: bool) -> None:
        super().__init__()
        self._before = endpoint
        self.address = _field("Address of the server", "https://HOST/v1", endpoint.address)
        self.model = _field("Name of the model on the server", "as the server calls it")
        self.model.setText(endpoint.model)
        self.key = _field("Key", KEY_KEPT if has_key else KEY_EMPTY)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.context = QSpinBox(singleStep=1024, suffix=" tokens")
        self.context.setRange(1024, 2_000_000)
        self.context.setGroupSeparatorShown(True)
        self.context.setValue(endpoint.context_tokens)
        self.context.setAccessibleName("Context of the model")
        self.read_price = _price("read", endpoint.price_per_million_prompt_tokens)
        self.written_price = _price("written", endpoint.price_per_million_written_tokens)
        self.grammar = QComboBox()
        self.grammar.setAccessibleName("Whether the server takes a grammar")
        for words, value in GRAMMARS:
            self.grammar.addItem(words, value)
        self.grammar.setCurrentIndex(
            next(at for at, (_, value) in enumerate(GRAMMARS) if value is endpoint.grammar_field)
        )
        self.confidential = OutlinedCheckBox(
            "Send documents, too, that categories.yaml labels co&nfidential"
        )
        self.confidential.setChecked(endpoint.sends_confidential)
        self.test_button = QPushButton("&Test the connection")
        self.test_button.setToolTip("Ask the server for one word; nothing of a project is sent")
        self.result = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.notice = NoticeLabel()
        self.withdraw_button = QPushButton("&Take my agreement back")
        self.withdraw_button.setToolTip("Nothing is sent to this server until you agree again")
        self._build()
        self.withdraw_button.clicked.connect(self._on_withdrawn)
        for edit in (self.address, self.model, self.key):
            edit.textChanged.connect(self._on_changed)
        self._on_changed()

    @property
    def endpoint(self) -> RemoteEndpoint:
        """What is entered; the consent is that of before, and holds for its address only."""
        return replace(
            self._before,
            address=self.address.text().strip(),
            model=self.model.text().strip(),
            context_tokens=self.context.value(),
            price_per_million_prompt_tokens=self.read_price.value(),
            price_per_million_written_tokens=self.written_price.value(),
            grammar_field=GRAMMARS[self.grammar.currentIndex()][1],
            sends_confidential=self.confidential.isChecked(),
        )

    @property
    def entered_key(self) -> str | None:
        """The key that was typed; None where the one in the keyring stays."""
        return self.key.text().strip() or None

    def problem(self) -> str:
        """Return why this cannot be used, in a sentence; ``""`` where it can."""
        try:
            parse_address(self.address.text())
        except ModelError as error:
            return f"{error.message} {error.remedy}"
        return "" if self.model.text().strip() else "Enter the name of the model on the server."

    def _build(self) -> None:
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("A&ddress:", self.address)
        form.addRow("M&odel:", self.model)
        form.addRow("&Key:", self.key)
        form.addRow("Conte&xt:", self.context)
        prices = laid_out(QHBoxLayout(), self.read_price, self.written_price, 1)
        form.addRow("&Price:", prices)
        label = form.labelForField(prices)
        if isinstance(label, QLabel):
            label.setBuddy(self.read_price)
        form.addRow("&Grammar:", self.grammar)
        form.addRow("", self.confidential)
        row = laid_out(QHBoxLayout(), self.test_button, (self.result, 1))
        column = laid_out(QVBoxLayout(self), self.notice, margins=(22, 0, 0, 0))
        column.addWidget(self.withdraw_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addLayout(form)
        column.addLayout(row)

    def _on_changed(self) -> None:
        self.notice.setText(self._said())
        self.withdraw_button.setVisible(self._has_consent())
        self.test_button.setEnabled(not self.problem())
        self.result.clear()
        self.changed.emit()

    def _on_withdrawn(self) -> None:
        self._before = replace(self._before, consented_address="")
        self._on_changed()

    def _has_consent(self) -> bool:
        try:
            address = str(parse_address(self.address.text()))
        except ModelError:
            return False
        return address == self._before.consented_address

    def _said(self) -> str:
        try:
            address = parse_address(self.address.text())
        except ModelError:
            return (
                "With a remote server, passages of your documents leave this machine whenever a "
                "draft is written. You are asked before the first one is sent."
            )
        where = "go to another program on this machine"
        if not address.is_this_machine:
            where = "leave this machine"
        asked = "You are asked before the first one is sent."
        if self._has_consent():
            asked = "You have agreed to that."
        return (
            f"Whenever a draft is written, your prompt and passages of your documents {where}: "
            f"they are sent to {address.place}. {asked} "
            f"{address.warning}"
        ).rstrip()


def _field(name: str, hint: str, text: str = "") -> QLineEdit:
    field = QLineEdit(text, placeholderText=hint)
    field.setAccessibleName(name)
    return field


def _price(what: str, value: float) -> QDoubleSpinBox:
    box = QDoubleSpinBox(decimals=3, suffix=f" per million {what}")
    box.setRange(0.0, 1_000_000.0)
    box.setValue(value)
    box.setSpecialValueText(f"not entered ({what})")
    box.setAccessibleName(f"Price of a million tokens {what}, in your currency")
    box.setToolTip("Only for the activity log, which then says what a draft cost")
    return box
