"""The draft with its sources under it: opened, written into by a generation, edited, kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from phasergun_desktop.drafts.model import Draft, Edit
from phasergun_desktop.drafts.source_changes import SourceState
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.ui.editor import problem_steps
from phasergun_desktop.ui.editor.draft_book import BookKeys, DraftBook
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.draft_page import DraftPage, LeftPages, blank_page
from phasergun_desktop.ui.editor.draft_text import DraftText
from phasergun_desktop.ui.editor.footnote_list import FootnotesBox
from phasergun_desktop.ui.editor.page_edit import following_end
from phasergun_desktop.ui.editor.problem_steps import MarkedSentence
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out

REFRESH_MS = 250


class DraftFrame(QWidget):
    """The list is there while the draft has sources and more than the page is wanted."""

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = BookKeys()
        self._is_bare = False
        self.editor = DraftEditor(DraftBook(self._keys))
        self.footnotes_box = FootnotesBox(icons)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.editor)
        self.splitter.addWidget(self.footnotes_box)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setChildrenCollapsible(False)
        self.footnotes_box.line.folded.connect(self._share)
        self.footnotes_box.hide()
        self._share(True)
        laid_out(QVBoxLayout(self), self.splitter, margins=NO_MARGINS)

    def show_footnotes(self, footnotes: list[tuple[int, int, Footnote]]) -> None:
        """List (number, key, footnote) under the page."""
        self.footnotes_box.show_footnotes(footnotes, self.editor.highlighter.changed_footnotes)
        self._show_box()

    def set_bare(self, is_bare: bool) -> None:
        """Show nothing but the page, or the list of sources under it again."""
        self._is_bare = is_bare
        self._show_box()

    def _show_box(self) -> None:
        self.footnotes_box.setVisible(self.footnotes_box.list.count() > 0 and not self._is_bare)

    def _share(self, is_folded: bool) -> None:
        self.splitter.setSizes([420, self.footnotes_box.line_height if is_folded else 110])


class DraftPanel(DraftFrame):
    """Owns the editor and what stands behind its text."""

    changed = Signal()
    problems_changed = Signal()
    # Whether there is a draft on the page, finished or being written.
    draft_shown = Signal(bool)

    def __init__(self, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(icons, parent)
        self._page, self._left_pages = self._new_page(), LeftPages()
        # As it was opened or kept last, without later edits.
        self.draft: Draft | None = None
        self._is_loading = False
        self._is_edited = False
        # Whether a generation writes into the editor.
        self.is_generating = False
        self._is_open = True
        self._is_touched = False
        # Those that are marked, in the order of the text.
        self.sentences: list[MarkedSentence] = []
        # As it was seen last; the highlighter knows which of them are still to be settled.
        self.changed_sources: Mapping[int, SourceState] = {}
        self._refresh = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._refresh.timeout.connect(self.refresh)
        self.editor.show_page(self._page.document, self._page.book, self._page.highlighter)
        self.editor.textChanged.connect(self._on_text_changed)
        self.editor.marks_changed.connect(self._refresh.start)

    def _new_page(self) -> DraftPage:
        page = blank_page(self.editor.new_document(), DraftBook(self._keys), self.editor.colours)
        page.document.contentsChange.connect(self._on_contents_change)
        return page

    @property
    def text(self) -> DraftText:
        """The text on the page as units, places and footnotes."""
        return self._page.text

    @property
    def book(self) -> DraftBook:
        """What stands behind the text on the page."""
        return self._page.book

    # The draft ----------------------------------------------------------------------------

    def snapshot(self) -> Draft | None:
        """Return the draft as it stands, footnotes numbered by position; None if there is none."""
        if self.draft is None:
            return None
        return self.text.snapshot(
            self.draft, is_edited=self._is_edited, is_growing=self.is_generating
        )

    def settle_edits(self) -> tuple[Edit, ...]:
        """Make final what the writer has done since the last call, and return it."""
        if self.draft is None or self.is_generating:
            return ()
        return self.text.settle_edits()

    def rename(self, title: str) -> None:
        """Give the draft on the desk another name."""
        if self.draft is not None:
            self.draft = replace(self.draft, title=title)
            self.changed.emit()

    def note_edit(self, edit: Edit) -> None:
        """Keep with the draft what the writer did that is not in the words of the text."""
        self.text.edit_log.add(edit)
        self.refresh()
        self.changed.emit()

    def open_draft(self, draft: Draft) -> None:
        """Show a kept draft. Undo begins anew, unless the draft was on this desk a moment ago and
        its text has not changed since."""
        if not self._start_anew(draft):
            try:
                self.text.write(draft)
            except Exception:
                # Half of a draft is not kept in its place.
                self.draft = None
                self.new_draft(None)
                raise
        self._is_edited = bool(draft.edited_html)
        self._finish_loading()

    def new_draft(self, draft: Draft | None) -> None:
        """Begin with an empty page; with None nothing is kept until something is written."""
        self._start_anew(draft)
        self._is_loading = True
        self._finish_loading()

    def set_open(self, is_open: bool) -> None:
        """Take the writer's words, or none: without a project nothing could keep them."""
        self._is_open = is_open
        self.editor.setReadOnly(not is_open or self.is_generating)

    def adopt(self, draft: Draft) -> None:
        """Give the text that the writer typed on an empty page a draft to be kept in."""
        self.draft = draft
        self.draft_shown.emit(True)

    def forget_pages(self) -> None:
        """Keep nothing of drafts that are not in view: another project is opened."""
        self._left_pages.clear()

    def _start_anew(self, draft: Draft | None) -> bool:
        """Put another page into view; whether the draft stands on it already."""
        self._is_loading = True
        self._left_pages.keep(self._page, self.snapshot())
        kept = self._left_pages.take(draft)
        self._page = kept or self._new_page()
        if kept is None:
            self._page.document.setUndoRedoEnabled(False)
        self.editor.show_page(self._page.document, self._page.book, self._page.highlighter)
        self.draft = draft
        self._is_edited = False
        self.draft_shown.emit(draft is not None)
        return kept is not None

    def _finish_loading(self) -> None:
        self.editor.document().setUndoRedoEnabled(True)
        self.editor.document().setModified(False)
        self.editor.move_cursor(0)
        self._is_loading = False
        self.text.start_log(self.draft)
        self.refresh()

    def keep_making_of(self, draft: Draft) -> None:
        """Take over from ``draft``, a newer form of the one on the desk, how it was made."""
        if self.draft is not None:
            self.draft = replace(
                self.draft, prompt_sha256=draft.prompt_sha256, calls=draft.calls, trace=draft.trace
            )

    def put_in_place(self, draft: Draft) -> None:
        """Replace the text by that of ``draft``, an earlier form of the one on the desk; one undo
        step brings the text back."""
        self.settle_edits()
        self._is_loading = True
        try:
            self.text.replace_by(draft, self._page.writer)
        finally:
            self._is_loading = False
        self._is_edited = True
        self.draft = draft
        self.text.start_log(self.draft)
        self.editor.move_cursor(0)
        self.refresh()
        self.changed.emit()

    # A generation -------------------------------------------------------------------------

    def begin_generation(self, draft: Draft) -> None:
        """Put the empty page of ``draft`` into view, to be written into; one undo step empties it
        again. The draft that was in view stands as it is, on a page of its own."""
        self.new_draft(draft)
        self.is_generating = True
        self.editor.setReadOnly(True)
        self.editor.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def stream(self, text: str) -> None:
        """Show text that is not bound yet."""
        with following_end(self.editor):
            self._page.writer.stream(text)

    def add_unit(self, unit: DraftSentence, footnotes: tuple[Footnote, ...]) -> None:
        """Show a bound unit in place of the streamed text."""
        with following_end(self.editor):
            self._page.writer.add_unit(unit, footnotes)

    def discard_stream(self) -> None:
        """Take out what was streamed and is not kept."""
        self._page.writer.discard_stream()

    def end_generation(self, draft: Draft | None, status: str = "error") -> None:
        """Give the text back to the writer; ``draft`` is what was kept, None if nothing was
        (then ``status`` says why)."""
        self._page.writer.discard_stream()
        self.is_generating = False
        self.editor.setReadOnly(not self._is_open)
        # The cursor was pushed along to the end; the view stays where the writer reads.
        start = self.editor.textCursor()
        start.setPosition(0)
        self.editor.setTextCursor(start)
        if draft is not None:
            self.draft = draft
        elif self.draft is not None and self.draft.status == "writing":
            self.draft = replace(self.draft, status=status)
        self.text.start_log(self.draft)
        self.refresh()
        self.changed.emit()

    # Sources and problems -----------------------------------------------------------------

    def set_changed_footnotes(self, states: Mapping[int, SourceState]) -> None:
        """Show what became of the sources of footnotes (by key) that are not as they were."""
        self.changed_sources = states
        self.editor.highlighter.set_changed_footnotes(frozenset(states))
        self.refresh()

    def refresh(self) -> None:
        """Bring the list of sources and the marked sentences up to date."""
        self._refresh.stop()
        self.show_footnotes(self.text.footnotes())
        self._follow_text()
        self.sentences = problem_steps.marked_sentences(self.text.places(), self.book)
        self.editor.spoken.tell()
        self.problems_changed.emit()

    def _follow_text(self) -> None:
        if self.is_generating:
            return
        changed = self.text.follow()
        if changed:
            places = [one for one in self.text.places() if one.key in changed]
            self.editor.highlighter.mark_anew(places)

    def _on_contents_change(self, _position: int, _removed: int, _added: int) -> None:
        self._is_touched = True

    def _on_text_changed(self) -> None:
        # Marks that are drawn anew are told of as well, but change nothing that is written.
        is_touched, self._is_touched = self._is_touched, False
        if self._is_loading or not is_touched:
            return
        if not self.is_generating:
            self._is_edited = True
        self._refresh.start()
        self.changed.emit()
