"""The cited passages whose files changed: followed where they moved, shown where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from phasergun_desktop.drafts.model import EditKind
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState
from phasergun_desktop.ui.dialogs.changed_sources_dialog import ChangedSourcesDialog
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.editor.draft_revision import DraftRevision
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.sources.source_flow import SourceFlow

if TYPE_CHECKING:
    from phasergun_desktop.workspace.draft_proof import Rebinding

NOT_CARRIED = "The new text does not carry the sentence any more; it is marked in the draft."
NO_MARK = "The draft has no mark of this footnote any more."


class ChangedSourcesFlow(Flow):
    """Takes what the shelf has found out about the sources. Footnotes are known by their keys,
    since their numbers change while the text is edited."""

    sources_checked = Signal()
    # A footnote's key, and why it keeps its old place (empty: it has the new one).
    settled = Signal(int, str)
    # The draft on the desk makes room for another one.
    left = Signal()

    def __init__(self, desk: Desk, drafts: DraftFlow, sources: SourceFlow) -> None:
        super().__init__(desk)
        self._drafts = drafts
        self._sources = sources
        self._changes: dict[int, SourceChange] = {}
        self._revision = DraftRevision(desk.parts.draft_panel)
        drafts.shelf.sources_checked.connect(self._on_sources_checked)
        drafts.shelf.opened.connect(self.forget)
        drafts.generation.begun.connect(self.forget)

    def forget(self, _draft: object = None) -> None:
        """Know of no changes: another draft comes on the desk."""
        self._changes = {}
        self.left.emit()

    def _on_sources_checked(self, changes: Mapping[int, SourceChange]) -> None:
        self._changes = {
            key: one for key, one in changes.items() if one.state is not SourceState.MOVED
        }
        moved = {
            key: one.place
            for key, one in changes.items()
            if one.state is SourceState.MOVED and one.place is not None
        }
        for key, place in moved.items():
            self._revision.bind_anew(key, place, EditKind.MOVED)
        if moved:
            self._drafts.autosave.mark_dirty()
        states = {key: one.state for key, one in self._changes.items()}
        self._draft_panel.set_changed_footnotes(states)
        self.sources_checked.emit()

    @property
    def changes(self) -> dict[int, SourceChange]:
        """The footnotes whose cited words are not there any more as last seen, by key, with the
        numbers of today and in their order; those without a mark are left out."""
        return {
            key: replace(change, note=replace(change.note, number=number))
            for key, number in self._draft_panel.editor.numbers().items()
            if (change := self._changes.get(key)) is not None
        }

    def show_changed_sources(self) -> None:
        """Show old and new text of every cited passage that changed."""
        dialog = ChangedSourcesDialog(self.changes, self._window)
        dialog.place_wanted.connect(self.use_new_place)
        self.settled.connect(dialog.settle)
        dialog.source_wanted.connect(self._show_new_place)
        self.left.connect(dialog.reject)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _show_new_place(self, key: int) -> None:
        change = self._changes.get(key)
        if change is not None and change.place is not None:
            self._sources.open_place(change.place)

    def use_new_place(self, key: int) -> None:
        """Let the footnote with ``key`` point at the new text of its source where that carries the
        sentence, else mark the sentence; ``settled`` follows."""
        panel = self._draft_panel
        draft = panel.snapshot()
        if draft is None or panel.is_generating:
            return
        number = panel.editor.numbers().get(key)
        if number is None:
            self.settled.emit(key, NO_MARK)
            return
        stands = panel.text.statements()

        def on_bound(found: Rebinding) -> None:
            if panel.draft is None or panel.draft.draft_id != draft.draft_id:
                return
            self._revision.mark(
                [stands[index] for index, _ in found.units], [unit for _, unit in found.units]
            )
            why = NOT_CARRIED
            if found.footnote is not None:
                why = ""
                self._revision.bind_anew(key, found.footnote, EditKind.REBOUND)
                self._changes.pop(key, None)
                changed = panel.editor.highlighter.changed_footnotes - {key}
                panel.editor.highlighter.set_changed_footnotes(changed)
            panel.refresh()
            self._drafts.autosave.mark_dirty()
            self.settled.emit(key, why)

        self._work.do(lambda session: session.use_new_place(draft, number), on_bound)
