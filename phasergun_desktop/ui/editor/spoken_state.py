"""What a screen reader is told of the sentence at the cursor: its support, its problem."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextCursor

from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.ui.editor.draft_hover import state_in_words
from phasergun_desktop.ui.editor.draft_reader import read_block
from phasergun_desktop.ui.editor.statement_keys import runs_now

if TYPE_CHECKING:
    from phasergun_desktop.ui.editor.draft_book import DraftBook
    from phasergun_desktop.ui.editor.draft_editor import DraftEditor


def unit_at(cursor: QTextCursor, book: DraftBook) -> DraftSentence | None:
    """Return the unit that the cursor stands in, or else directly behind, as the writer answers
    for it now."""
    piece = read_block(cursor.block())
    position, found = cursor.position() - piece.start, None
    for run in runs_now(piece, book):
        unit = book.units.get(run.unit)
        if unit is not None and run.start <= position <= run.end:
            accepted = run.accepted.split("#")[0] if run.unit not in book.lapsed else ""
            found = replace(unit, accepted=accepted, needs_check=run.unit in book.stale)
            if position < run.end:
                break
    return found


class SpokenState(QObject):
    """Keeps the accessible description of the editor true, and announces a marked sentence when
    the cursor comes into it."""

    def __init__(self, editor: DraftEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._revision = 0
        editor.cursorPositionChanged.connect(self._on_moved)

    def _on_moved(self) -> None:
        # What is being typed is looked at when the marks are drawn, and told then.
        revision = self._editor.document().revision()
        if revision == self._revision:
            self.tell()
        self._revision = revision

    def tell(self) -> None:
        """Say what is known of the sentence at the cursor."""
        unit = unit_at(self._editor.textCursor(), self._editor.book)
        words = "" if unit is None or unit.kind is UnitKind.HEADING else _sentence(unit)
        if words == self._editor.accessibleDescription():
            return
        self._editor.setAccessibleDescription(words)
        if unit is not None and state_in_words(unit) and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._editor, words))


def _sentence(unit: DraftSentence) -> str:
    found = state_in_words(unit)
    if found:
        return found.replace("\n", " ")
    return "Supported by its source" if unit.citations else ""
