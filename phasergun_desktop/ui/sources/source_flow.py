"""What happens with sources: from a mark, a passage or a hit to the place, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.sources.source_target import CitedPlace, SourceTarget, target_of

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

_STANDARD = "a standard that is named here, not a file of the project."


class SourceFlow(Flow):
    """Connects everything that names a source with the viewer."""

    def __init__(self, desk: Desk, show_source_dock: Callable[[], None]) -> None:
        super().__init__(desk)
        self._source_loader = desk.parts.source_loader
        self._message_bar = desk.parts.message_bar
        self._show_dock = show_source_dock
        self._told = ""
        self._place_in_draft: int | None = None
        # Where the writer came from, if that was not the draft.
        self._return: Callable[[], object] | None = None
        desk.parts.draft_panel.editor.footnote_activated.connect(self.open_footnote)
        desk.parts.draft_panel.footnotes_box.list.footnote_activated.connect(self.open_footnote)
        desk.parts.project_panel.file_activated.connect(self.open_file)
        desk.parts.source_panel.back_wanted.connect(self.back)
        desk.parts.source_panel.shown.connect(self._on_shown)
        desk.parts.source_loader.failed.connect(self._on_failed)

    def set_session(self, session: ProjectSession | None) -> None:
        """Show sources of another project from now on."""
        self._source_loader.set_session(session)
        self._source_panel.clear()
        self._place_in_draft = self._return = None

    def open_footnote(self, key: int) -> None:
        """Show the passage that a footnote of the draft rests on."""
        panel = self._draft_panel
        footnote = panel.book.footnotes.get(key)
        if footnote is None:
            return
        if not footnote.file:
            self._message_bar.show_text(f"{footnote.title}: {_STANDARD}")
            return
        editor = panel.editor
        if editor.mark_here() != key:
            editor.select_mark(key)
        self._place_in_draft = editor.textCursor().position()
        self._show(target_of(footnote, key))

    def open_cited(
        self, footnote: Footnote, others: Sequence[Footnote], back: Callable[[], object]
    ) -> None:
        """Show the passage that an answer rests on, and step among those of the ``others``;
        ``back`` is what leads to the answer again."""
        if not footnote.file:
            self._message_bar.show_text(f"{footnote.title}: {_STANDARD}")
            return
        targets = [target_of(one) for one in others if one.file]
        self._show(target_of(footnote), targets, back)

    def open_found(self, passage: Passage, back: Callable[[], object]) -> None:
        """Show a passage that an answer does not rest on; see ``open_cited``."""
        self._show(target_of(passage), (), back)

    def open_place(self, place: CitedPlace) -> None:
        """Show what the evidence, a search or a passage beside another one leads to; back is where
        the draft was."""
        self._place_in_draft = self._draft_panel.editor.textCursor().position()
        self._show(target_of(place))

    def open_file(self, file: str) -> None:
        """Show a whole file from its beginning."""
        self._show(SourceTarget(file))

    def back(self) -> None:
        """Return to the place in the draft, or to the answer that led here."""
        if self._return is not None:
            self._return()
            return
        editor = self._draft_panel.editor
        target = self._source_panel.target
        if target is not None and target.footnote:
            # The viewer may have gone on to another passage: its mark is the place to be.
            if editor.mark_here() != target.footnote:
                editor.select_mark(target.footnote)
        elif self._place_in_draft is not None:
            last = editor.document().characterCount() - 1
            editor.move_cursor(min(self._place_in_draft, last))
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(
        self,
        target: SourceTarget,
        siblings: Sequence[SourceTarget] | None = None,
        back: Callable[[], object] | None = None,
    ) -> None:
        """Show a place among others, those of the draft's footnotes unless they are told."""
        self._return = back
        self._show_dock()
        if siblings is None:
            siblings = [
                target_of(footnote, key)
                for _number, key, footnote in self._draft_panel.text.footnotes()
                if footnote.file
            ]
        self._source_panel.show_target(target, list(siblings))

    def _on_failed(self, error: Exception) -> None:
        self._work.report(error)
        self._told = self._message_bar.message

    def _on_shown(self, target: SourceTarget) -> None:
        bar = self._message_bar
        if target.file and self._told and bar.message == self._told:
            # It had to be read first, and has been.
            bar.hide()
        if target.file:
            self._project_panel.select_file(target.file)
