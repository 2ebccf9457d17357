"""The tabs of the open drafts: they follow the desk and the list, and drive the one page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.drafts.draft_shelf import STILL_WRITING
from phasergun_desktop.ui.editor.draft_tabs import NEW, NEW_TITLE, UNSAVED, WRITING, Mark
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.projects.contents_flow import ContentsFlow
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.ui.wording import names_of_drafts

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class DraftTabFlow(Flow):
    """A draft, its prompt and its evidence are one thing: a tab opens it as the list does, saved
    before. Cursor and view are where they were; undo goes on as ``LeftPages`` says."""

    def __init__(
        self, desk: Desk, drafts: DraftFlow, contents: ContentsFlow, memory: WindowMemory
    ) -> None:
        super().__init__(desk)
        self._draft_tabs = desk.parts.draft_tabs
        self._drafts = drafts
        self._memory = memory
        self._session: ProjectSession | None = None
        self._is_restored = False
        # Every draft of the project that was seen: what else is remembered is of others.
        self._own: set[str] = set()
        # Title and name in the list, by draft.
        self._names: dict[str, tuple[str, str]] = {}
        # Cursor, its anchor, the first position in view and its distance from the edge, by draft.
        self._places: dict[str, tuple[int, int, int, int]] = {}
        tabs, panel = desk.parts.draft_tabs, desk.parts.draft_panel
        tabs.draft_wanted.connect(self._on_wanted)
        tabs.close_wanted.connect(self.close)
        tabs.tabMoved.connect(lambda _from, _to: self._keep())
        drafts.leaving.connect(self._on_leaving)
        drafts.shelf.settled.connect(self._on_settled)
        panel.draft_shown.connect(lambda _has_draft: self._follow_desk())
        panel.changed.connect(self._on_changed)
        contents.drafts_listed.connect(self._on_listed)
        drafts.running_changed.connect(lambda _is_running: self._show_marks())
        drafts.autosave.state_changed.connect(self._show_marks)

    def set_session(self, session: ProjectSession | None) -> None:
        """Show the tabs of another project from now on; call before its draft is on the desk."""
        self._on_leaving()
        self._session, self._is_restored, self._own = session, False, set()
        for draft_id in self._draft_tabs.draft_ids:
            self._draft_tabs.drop(draft_id)

    @property
    def on_desk(self) -> str:
        """The draft on the desk."""
        draft = self._draft_panel.draft
        return draft.draft_id if draft is not None else NEW

    # Following --------------------------------------------------------------------------------

    def _follow_desk(self) -> None:
        if self._session is None:
            return
        draft, tabs = self._draft_panel.draft, self._draft_tabs
        tabs.put(self.on_desk, self._name(draft) if draft is not None else NEW_TITLE)
        tabs.select(self.on_desk)
        self._keep()

    def _on_changed(self) -> None:
        draft = self._draft_panel.draft
        if draft is not None and draft.draft_id in self._draft_tabs.draft_ids:
            self._draft_tabs.put(draft.draft_id, self._name(draft))

    def _name(self, draft: Draft) -> str:
        title, name = self._names.get(draft.draft_id, ("", ""))
        return name if title == draft.title else draft.title

    def _on_listed(self, listed: tuple[Any, ...]) -> None:
        """Take over names from the list, and what is no longer there (each a ``DraftSummary``);
        the first time the tabs of the last time come back."""
        session, tabs = self._session, self._draft_tabs
        if session is None:
            return
        self._own.update(one.draft_id for one in listed)
        there = [one for one in listed if not one.thrown]
        names = names_of_drafts(there)
        self._names = {one.draft_id: (one.title, names[one.draft_id]) for one in there}
        if not self._is_restored:
            self._is_restored = True
            before = [one for one in self._memory.settings.window.open_drafts if one in names]
            for at, draft_id in enumerate(before):
                tabs.put(draft_id, names[draft_id], at)
            self._follow_desk()
        held = {one.draft_id for one in self._drafts.autosave.unsaved_of(session)}
        for draft_id in tabs.draft_ids:
            if draft_id == self.on_desk or draft_id in held:
                continue
            if draft_id in names:
                tabs.put(draft_id, names[draft_id])
            else:
                tabs.drop(draft_id)
        self._on_changed()
        self._keep()

    def _keep(self) -> None:
        if self._is_restored:
            open_ids = [one for one in self._draft_tabs.draft_ids if one != NEW]
            self._own.update(open_ids)
            self._memory.set_open_drafts(open_ids, self._own)

    def _show_marks(self) -> None:
        marks: dict[str, Mark] = {
            one.item.draft_id: UNSAVED for one in self._drafts.autosave.failures
        }
        if self._draft_panel.is_generating:
            marks[self.on_desk] = WRITING
        self._draft_tabs.show_marks(marks)

    # Places -----------------------------------------------------------------------------------

    def _on_leaving(self) -> None:
        editor = self._draft_panel.editor
        cursor, top = editor.textCursor(), editor.cursorForPosition(QPoint(0, 0))
        at = (cursor.position(), cursor.anchor(), top.position(), editor.cursorRect(top).top())
        self._places[self.on_desk] = at

    def _on_settled(self) -> None:
        self._follow_desk()
        place = self._places.pop(self.on_desk, None)
        if place is None:
            return
        editor = self._draft_panel.editor
        end = editor.document().characterCount() - 1
        position, anchor, top = (min(one, end) for one in place[:3])
        # A long text is laid out as far as it was looked at; the bar ends there until then.
        editor.document().documentLayout().documentSize()
        editor.move_cursor(position, anchor)
        first, bar = editor.textCursor(), editor.verticalScrollBar()
        first.setPosition(top)
        bar.setValue(bar.value() + editor.cursorRect(first).top() - place[3])

    # Switching and closing ----------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) tab."""
        tabs = self._draft_tabs
        if tabs.count() > 1:
            self._on_wanted(tabs.beside(self.on_desk, step))

    def _on_wanted(self, draft_id: str) -> None:
        if self._refuses():
            self._draft_tabs.select(self.on_desk)
        elif draft_id:
            # Also the one on the desk: another one may be on its way.
            self._drafts.shelf.open_draft(draft_id)
            self._draft_panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self, draft_id: str) -> None:
        """Close a tab; the draft stays in the list. The one on the desk gives way to the tab
        beside it."""
        tabs = self._draft_tabs
        is_on_desk = draft_id == self.on_desk
        if is_on_desk and self._refuses():
            return
        ids = tabs.draft_ids
        last = draft_id == ids[-1]
        beside = tabs.beside(draft_id, -1 if last else 1)
        if not is_on_desk:
            tabs.drop(draft_id)
        elif beside != draft_id:
            tabs.drop(draft_id)
            self._drafts.shelf.open_draft(beside)
        elif draft_id != NEW:
            self._drafts.shelf.new_draft()
            tabs.drop(draft_id)
        self._places.pop(draft_id, None)
        self._keep()

    def _refuses(self) -> bool:
        is_writing = self._draft_panel.is_generating
        if is_writing:
            self._work.say(STILL_WRITING)
        return is_writing
