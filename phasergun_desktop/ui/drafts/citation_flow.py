"""Citing by hand: what is selected in a source, found or ticked becomes a footnote."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from phasergun_desktop.drafts.draft_shape import NO_UNIT, Run
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.retrieval.model import Hit
from phasergun_desktop.ui.editor import draft_clipboard
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter
from phasergun_desktop.ui.editor.unit_places import UnitPlace, place_at
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.sources.source_target import target_of

NOTHING_CHOSEN = "Select words in a source, a search result or a passage of the evidence first"
OTHER_DRAFT = "Another draft is open now; nothing was cited"
NO_SENTENCE = "Put the cursor of the draft into the sentence that this is the source of"

# A place in a file (code points), a footnote that is made already, or nothing.
Passage = tuple[str, int, int] | Footnote | None


class CitationFlow(Flow):
    """Puts footnotes in at the cursor of the draft, each as one undo step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._transcript = desk.parts.ask_panel.transcript
        source, search = desk.parts.source_panel, desk.parts.search_panel
        # A button need not take the keyboard: it is about what stands beside it.
        source.bar.cite_wanted.connect(lambda: self._fetch(source.citation(), is_quote=False))
        source.bar.quote_wanted.connect(lambda: self._fetch(source.citation(), is_quote=True))
        search.cite_wanted.connect(lambda: self._fetch(self._found(), is_quote=False))
        search.quote_wanted.connect(lambda: self._fetch(self._found(), is_quote=True))

    def cite(self) -> None:
        """Cite what is chosen for the sentence at the cursor of the draft."""
        self._fetch(self._chosen(), is_quote=False)

    def quote(self) -> None:
        """Put what is chosen in as a quotation with its footnote."""
        self._fetch(self._chosen(), is_quote=True)

    # What is chosen -----------------------------------------------------------------------

    def _chosen(self) -> Passage:
        """Return the passage that the writer means: of the list with the keyboard, else what is
        selected or marked in the source in view."""
        search, board = self._search_panel, self._prompt_panel.board
        focus = QApplication.focusWidget()
        if focus is not None and search.isAncestorOf(focus) and search.isVisible():
            found = self._found()
            if found is not None:
                return found
        if focus is board.tree:
            row = board.tree.current_row()
            if row is not None and row.unit is not None:
                passage = row.unit.passage
                return passage.file, passage.start, passage.end
        if focus is self._transcript and (note := self._transcript.chosen_footnote()) is not None:
            return note
        return self._source_panel.citation()

    def _found(self) -> Passage:
        hit = self._search_panel.chosen_hit()
        if not isinstance(hit, Hit):
            return None
        target = target_of(hit)
        return target.file, target.start, target.end

    def _fetch(self, chosen: Passage, *, is_quote: bool) -> None:
        editor, session = self._draft_panel.editor, self._work.session
        if session is None or editor.isReadOnly():
            return
        at, page = QTextCursor(editor.textCursor()), editor.document()
        place = None if is_quote else self._sentence(at.selectionStart())
        if chosen is None:
            self._work.say(NOTHING_CHOSEN)
        elif not is_quote and place is None:
            self._work.say(NO_SENTENCE)
        elif isinstance(chosen, Footnote):
            self._put(chosen, at, is_quote=is_quote)
        else:
            words = ""
            if place is not None:
                words = place.text
                # The writer may type on meanwhile, and pushes a cursor at the end along.
                at.setPosition(_stretch_at(place, at.selectionStart())[0])

            def on_found(note: Footnote | None) -> None:
                if session is not self._work.session or editor.document() is not page:
                    self._work.say(OTHER_DRAFT)
                elif note is None:
                    self._work.say(NOTHING_CHOSEN)
                else:
                    self._put(note, at, is_quote=is_quote)

            job = self._work.call(lambda: session.citation(*chosen, words))
            job.succeeded.connect(on_found)

    # Into the draft -----------------------------------------------------------------------

    def _sentence(self, at: int) -> UnitPlace | None:
        panel = self._draft_panel
        panel.refresh()
        place = place_at(panel.text.places(), at)
        return None if place is None or place.level or place.key == NO_UNIT else place

    def _put(self, footnote: Footnote, at: QTextCursor, *, is_quote: bool) -> None:
        panel = self._draft_panel
        if panel.editor.isReadOnly():
            return
        if is_quote:
            words = " ".join(footnote.quote.split())
            draft_clipboard.put_cited(at, f"“{words}”", footnote, panel.book)
            self._work.say("Put in as a quotation")
        else:
            self._cite(footnote, at.selectionStart())
        panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        panel.editor.ensureCursorVisible()

    def _cite(self, footnote: Footnote, at: int) -> None:
        panel, place = self._draft_panel, self._sentence(at)
        if place is None:
            self._work.say(NO_SENTENCE)
            return
        start, end = _stretch_at(place, at)
        book = panel.book
        key = book.key_of_place(footnote) or book.add_footnote(footnote)
        there = panel.editor.keys_between(start, end)
        if key in there:
            self._work.say(
                f"This sentence has this footnote already: {panel.editor.numbers()[key]}"
            )
            return
        cursor = QTextCursor(panel.editor.document())
        cursor.setPosition(end)
        cursor.beginEditBlock()
        ShapeWriter(cursor).add_runs((Run("", footnote=key),))
        cursor.endEditBlock()
        if panel.editor.textCursor().hasSelection():
            # What is typed next goes on with the text and replaces no words.
            panel.editor.move_cursor(cursor.position())
        self._work.say("Cited for this sentence; it is checked against the passage now")


def _stretch_at(place: UnitPlace, at: int) -> tuple[int, int]:
    """Return the stretch of a unit that a position is in: of a row its cell."""
    return next((s for s in place.stretches if s[0] <= at <= s[1]), place.stretches[-1])
