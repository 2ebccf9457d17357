"""How the draft looks: styles, lists, tables, and words in bold or italics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor

from phasergun_desktop.ui.editor import page_styles
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.style_bar import STYLES, StyleBar


class FormatFlow:
    """Changes what is at the cursor, each change one undo step."""

    def __init__(self, editor: DraftEditor, style_bar: StyleBar) -> None:
        self._editor = editor
        self._style_bar = style_bar

    def handlers(self) -> dict[str, Callable[[], object]]:
        """Return what each action does, by its name."""
        changes: dict[str, Callable[[QTextCursor], object]] = {
            "list": page_styles.toggle_list,
            "table": page_styles.insert_table,
            "add-row": partial(page_styles.change_table, rows=1),
            "add-column": partial(page_styles.change_table, columns=1),
            "remove-row": partial(page_styles.change_table, rows=-1),
            "remove-column": partial(page_styles.change_table, columns=-1),
        }
        for name, kind, level in STYLES[:-1]:
            changes[name.lower().replace(" ", "-")] = partial(
                page_styles.set_style, kind=kind, level=level
            )
        return {
            "bold": self.toggle_weight,
            "italic": self.toggle_italic,
            **{name: partial(self._change_page, change) for name, change in changes.items()},
        }

    def toggle_weight(self) -> None:
        """Make the selected words bold, or not."""
        editor = self._editor
        if not editor.isReadOnly():
            is_bold = editor.fontWeight() > 500
            editor.setFontWeight(400 if is_bold else 700)

    def toggle_italic(self) -> None:
        """Make the selected words italic, or not."""
        editor = self._editor
        if not editor.isReadOnly():
            made = QTextCharFormat()
            made.setFontItalic(not editor.fontItalic())
            editor.mergeCurrentCharFormat(made)

    def _change_page(self, change: Callable[[QTextCursor], object]) -> None:
        editor = self._editor
        if editor.isReadOnly():
            return
        made = change(editor.textCursor())
        if isinstance(made, QTextCursor):
            editor.setTextCursor(made)
        editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._style_bar.show_style()
