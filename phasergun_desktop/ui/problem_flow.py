"""What happens with marked sentences: going from one to the next and mending them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QMenu, QToolTip

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.editor import problem_steps
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.editor.problem_steps import MarkedSentence
from phasergun_desktop.ui.words import count


class ProblemFlow(QObject):
    """The fixes of a sentence, each one undo step."""

    def __init__(self, parts: DeskParts, show_search: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._show_search = show_search
        self._fix_actions: list[QAction] = []
        parts.problems_panel.sentence_activated.connect(self.go_to)
        parts.draft_panel.editor.menu_wanted.connect(self._on_menu_wanted)

    def set_fix_actions(self, actions: list[QAction]) -> None:
        """Set what the menu of a marked sentence offers."""
        self._fix_actions = actions

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) marked sentence."""
        panel = self._parts.draft_panel
        panel.refresh()
        cursor = panel.editor.textCursor()
        position = cursor.selectionEnd() if step > 0 else cursor.selectionStart()
        found = problem_steps.next_sentence(panel.sentences, position, step)
        if found is None:
            self._parts.status_bar.show_work("No problems in this draft")
        else:
            self.go_to(found)

    def go_to(self, sentence: MarkedSentence) -> None:
        """Select a marked sentence and say why it is marked."""
        editor = self._parts.draft_panel.editor
        editor.move_cursor(sentence.end, anchor=sentence.start)
        editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._parts.status_bar.show_work(sentence.reason.replace("\n", " "))
        unit = self._parts.draft_panel.book.units.get(sentence.unit)
        where = editor.viewport().mapToGlobal(editor.cursorRect().bottomLeft())
        QToolTip.showText(where, hover_html(unit), editor.viewport())

    def drop_sentence(self) -> None:
        """Take the sentence at the cursor out."""
        self._with_sentence(lambda one: problem_steps.drop(self._document(), [one]))

    def mark_checked(self) -> None:
        """Take the mark off the sentence at the cursor."""
        self._with_sentence(lambda one: problem_steps.mark_checked(self._document(), one))

    def turn_into_todo(self) -> None:
        """Put TODO before the sentence at the cursor."""
        self._with_sentence(lambda one: problem_steps.turn_into_todo(self._document(), one))

    def find_another_source(self) -> None:
        """Search all documents for the sentence at the cursor, or the selected words."""
        cursor = self._parts.draft_panel.editor.textCursor()
        text = cursor.selectedText()
        if not text:
            sentence = self._sentence()
            text = sentence.text if sentence is not None else cursor.block().text()
        self._show_search()
        self._parts.search_panel.search_for(" ".join(text.split()))

    def keep_supported(self) -> None:
        """Take out every sentence that has no source."""
        panel = self._parts.draft_panel
        if panel.editor.isReadOnly():
            return
        panel.refresh()
        unsupported = [one for one in panel.sentences if one.has_no_source]
        if unsupported:
            problem_steps.drop(self._document(), unsupported)
        panel.refresh()
        self._parts.status_bar.show_work(
            count(len(unsupported), "sentence") + " without a source taken out (Ctrl+Z brings "
            "them back)"
            if unsupported
            else "Every sentence has a source"
        )

    def show_fixes(self) -> None:
        """Offer the fixes of the sentence at the cursor."""
        editor = self._parts.draft_panel.editor
        menu = QMenu(editor)
        menu.addActions(self._fix_actions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(editor.viewport().mapToGlobal(editor.cursorRect().bottomLeft()))

    def toggle_weight(self) -> None:
        """Make the selected words bold, or not."""
        editor = self._parts.draft_panel.editor
        if not editor.isReadOnly():
            is_bold = editor.fontWeight() > 500
            editor.setFontWeight(400 if is_bold else 700)

    def toggle_italic(self) -> None:
        """Make the selected words italic, or not."""
        editor = self._parts.draft_panel.editor
        if not editor.isReadOnly():
            made = QTextCharFormat()
            made.setFontItalic(not editor.fontItalic())
            editor.mergeCurrentCharFormat(made)

    def _document(self) -> QTextDocument:
        return self._parts.draft_panel.editor.document()

    def _sentence(self) -> MarkedSentence | None:
        panel = self._parts.draft_panel
        panel.refresh()
        cursor = panel.editor.textCursor()
        return problem_steps.sentence_at(panel.sentences, cursor.selectionStart())

    def _with_sentence(self, mend: Callable[[MarkedSentence], None]) -> None:
        panel = self._parts.draft_panel
        sentence = self._sentence()
        if sentence is None:
            self._parts.status_bar.show_work("The cursor is not in a marked sentence")
        elif not panel.editor.isReadOnly():
            mend(sentence)
            panel.editor.highlighter.rehighlight()
            panel.refresh()

    def _on_menu_wanted(self, menu: QMenu, position: int) -> None:
        panel = self._parts.draft_panel
        if problem_steps.sentence_at(panel.sentences, position) is None:
            return
        panel.editor.move_cursor(position)
        menu.addSeparator()
        menu.addActions(self._fix_actions)
