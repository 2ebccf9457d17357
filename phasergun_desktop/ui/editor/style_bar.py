"""A slim bar above the page: style of the paragraph, weight, list, table, footnote."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from phasergun_desktop.drafts.draft_shape import ParagraphKind
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.page_styles import set_style, style_at
from phasergun_desktop.ui.generate.picker_box import PickerBox
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out

STYLES = (
    ("Text", ParagraphKind.TEXT, 0),
    ("Heading 1", ParagraphKind.HEADING, 1),
    ("Heading 2", ParagraphKind.HEADING, 2),
    ("Heading 3", ParagraphKind.HEADING, 3),
    ("List", ParagraphKind.LIST_ITEM, 0),
)


class StyleBar(QWidget):
    """Shows the style at the cursor; the buttons are actions of the window's menus."""

    def __init__(self, editor: DraftEditor, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._icons = icons
        self.styles = PickerBox()
        self.styles.setAccessibleName("Style of the paragraph")
        self.styles.setToolTip("Style of the paragraph (Ctrl+Alt+0 to Ctrl+Alt+3)")
        for name, _kind, _level in STYLES:
            self.styles.addItem(name)
        self._buttons: list[QToolButton] = []
        self._row = laid_out(QHBoxLayout(self), self.styles, margins=(8, 2, 8, 2), spacing=2)
        self.styles.activated.connect(self._on_chosen)
        editor.cursorPositionChanged.connect(self.show_style)

    def set_actions(
        self, bold: QAction, italic: QAction, table: Sequence[QAction], more: Sequence[QAction]
    ) -> None:
        """Set what the buttons do: weight and slant, what can be done with tables, and others."""
        for action, letter in ((bold, "B"), (italic, "I")):
            button = self._add(action)
            button.setText(letter)
            font = QFont(button.font())
            font.setBold(action is bold)
            font.setItalic(action is italic)
            button.setFont(font)
        tables = QToolButton(autoRaise=True)
        tables.setIcon(self._icons.icon("table"))
        tables.setToolTip("Table, rows and columns")
        tables.setAccessibleName("Table")
        menu = QMenu(self)
        menu.addActions(list(table))
        tables.setMenu(menu)
        tables.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._row.addWidget(tables)
        self._buttons.append(tables)
        for action in more:
            button = self._add(action)
            button.setText(action.iconText().rstrip("…"))
        self._row.addStretch(1)

    def _add(self, action: QAction) -> QToolButton:
        button = QToolButton(autoRaise=True)
        name = action.text().replace("&", "").rstrip("…")
        button.setToolTip(f"{name} ({action.shortcut().toString()})")
        button.setAccessibleName(name)
        button.clicked.connect(action.trigger)
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for button in self._buttons:
            if button.menu() is not None:
                button.setIcon(self._icons.icon("table"))

    def show_style(self) -> None:
        """Show the style at the cursor."""
        kind, level = style_at(self._editor.textCursor())
        at = next(
            (i for i, one in enumerate(STYLES) if one[1] is kind and one[2] == min(level, 3)), 0
        )
        self.styles.setCurrentIndex(at)

    def _on_chosen(self, at: int) -> None:
        if not self._editor.isReadOnly():
            _name, kind, level = STYLES[at]
            set_style(self._editor.textCursor(), kind, level)
        self._editor.setFocus()
