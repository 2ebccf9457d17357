"""The cited passages whose files changed: followed where they moved, shown where they differ."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from phasergun_desktop.drafts.model import EditKind
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.dialogs.changed_sources_dialog import ChangedSourcesDialog
from phasergun_desktop.ui.draft_flow import DraftFlow
from phasergun_desktop.ui.editor.draft_revision import DraftRevision
from phasergun_desktop.ui.ports import SessionPort
from phasergun_desktop.ui.problem_reporter import ProblemReporter
from phasergun_desktop.ui.proof_ports import RebindingPort
from phasergun_desktop.ui.source_flow import SourceFlow

NOT_CARRIED = "The new text does not carry the sentence any more; it is marked in the draft."


class ChangedSourcesFlow(QObject):
    """Takes what the shelf has found out about the sources."""

    sources_checked = Signal()
    # A footnote's number, and why it keeps its old place (empty: it has the new one).
    settled = Signal(int, str)

    def __init__(
        self,
        parts: DeskParts,
        reporter: ProblemReporter,
        drafts: DraftFlow,
        sources: SourceFlow,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._reporter = reporter
        self._drafts = drafts
        self._sources = sources
        self._window = window
        self._session: SessionPort | None = None
        self._changes: tuple[SourceChange, ...] = ()
        self._revision = DraftRevision(parts.draft_panel)
        drafts.shelf.sources_checked.connect(self._on_sources_checked)
        drafts.shelf.opened.connect(self._forget)
        drafts.generation.begun.connect(self._forget)

    def set_session(self, session: SessionPort | None) -> None:
        """Work in another project from now on."""
        self._session = session
        self._forget()

    def _forget(self, _draft: object = None) -> None:
        self._changes = ()

    def _on_sources_checked(self, changes: tuple[SourceChange, ...]) -> None:
        moved = [one for one in changes if one.state is SourceState.MOVED and one.place]
        self._changes = tuple(one for one in changes if one.state is not SourceState.MOVED)
        for change in moved:
            key = self._revision.key_of(change.note.number)
            if key and change.place is not None:
                self._revision.bind_anew(key, change.place, EditKind.MOVED)
        if moved:
            self._drafts.autosave.mark_dirty()
        numbers = frozenset(one.note.number for one in self._changes)
        self._parts.draft_panel.set_changed_numbers(numbers)
        self.sources_checked.emit()

    @property
    def changes(self) -> tuple[SourceChange, ...]:
        """The footnotes whose cited words are not there any more, as last seen."""
        return self._changes

    def show_changed_sources(self) -> None:
        """Show old and new text of every cited passage that changed."""
        dialog = ChangedSourcesDialog(self._changes, self._window)
        dialog.place_wanted.connect(self.use_new_place)
        self.settled.connect(dialog.settle)
        dialog.source_wanted.connect(self._show_new_place)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _show_new_place(self, number: int) -> None:
        change = next((one for one in self._changes if one.note.number == number), None)
        if change is not None and change.place is not None:
            place = change.place
            self._sources.open_place(
                SourcePlace(
                    place.file,
                    place.title,
                    place.quote,
                    place.start,
                    place.end,
                    place.sha256,
                    place.layer,
                    place.heading_path,
                    place.locator,
                    place.block_id,
                )
            )

    def use_new_place(self, number: int) -> None:
        """Let a footnote point at the new text of its source where that carries the sentence,
        else mark the sentence; ``settled`` follows."""
        session, panel = self._session, self._parts.draft_panel
        draft = panel.snapshot()
        if session is None or draft is None or panel.is_generating:
            return
        _, keys = panel.units_now()
        key = self._revision.key_of(number)
        job = self._parts.runners.interactive.submit_call(
            lambda: session.use_new_place(draft, number)
        )

        def on_bound(found: RebindingPort) -> None:
            if panel.draft is None or panel.draft.draft_id != draft.draft_id:
                return
            self._revision.mark(
                [keys[index] for index, _ in found.units], [unit for _, unit in found.units]
            )
            why = NOT_CARRIED
            if found.footnote is not None:
                why = ""
                self._revision.bind_anew(key, found.footnote, EditKind.REBOUND)
                self._changes = tuple(c for c in self._changes if c.note.number != number)
                changed = panel.editor.highlighter.changed_footnotes - {key}
                panel.editor.highlighter.set_changed_footnotes(changed)
            panel.refresh()
            self._drafts.autosave.mark_dirty()
            self.settled.emit(number, why)

        job.succeeded.connect(on_bound)
        job.failed.connect(self._reporter.report)
