"""The list of drafts: renamed, duplicated, put in the trash and back."""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.confirmation import ask_text, confirm
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.generation import utc_now
from phasergun_desktop.ui.projects.project_tree_model import Node, NodeKind

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

CHOOSE = "Choose a draft in the list first"


class DraftListFlow(Flow):
    """Works on the draft on the desk, or on the one that is selected in the tree while the keyboard
    is there: a tab may have been changed since something was selected."""

    def __init__(self, desk: Desk, drafts: DraftFlow) -> None:
        super().__init__(desk)
        self._drafts = drafts
        # Puts something else on the desk than this draft.
        self.leave: Callable[[str], None] = lambda _draft_id: drafts.shelf.new_draft()

    def _node(self, kind: NodeKind) -> Node | None:
        panel, draft = self._project_panel, self._draft_panel.draft
        node = panel.current_node()
        is_of_desk = kind is NodeKind.DRAFT and draft is not None and not panel.tree.hasFocus()
        if node is not None and node.kind is kind and not is_of_desk:
            return node
        if kind is NodeKind.DRAFT and draft is not None:
            return Node(kind, draft.draft_id, title=draft.title)
        self._work.say(CHOOSE)
        return None

    def _is_on_desk(self, draft_id: str) -> bool:
        draft = self._draft_panel.draft
        return draft is not None and draft.draft_id == draft_id

    def _do(self, work: Callable[[ProjectSession], object], said: str) -> None:

        def on_done(_result: object) -> None:
            self._work.say(said)
            self._drafts.drafts_changed.emit()

        self._work.do(work, on_done, must_run=True)

    # Rename and duplicate ---------------------------------------------------------------------

    def ask_name(self) -> None:
        """Ask for another name."""
        node = self._node(NodeKind.DRAFT)
        if node is not None:
            rename = partial(self.rename, node.key)
            ask_text(self._window, "Rename the draft", "Name of the draft", node.title, rename)

    def rename(self, draft_id: str, name: str) -> None:
        """Give a draft another name; an empty one changes nothing."""
        title = " ".join(name.split())
        if not title:
            return
        if self._is_on_desk(draft_id):
            self._draft_panel.rename(title)
            self._drafts.autosave.save_now()
            self._do(lambda _session: None, "Renamed")
            return

        def work(session: ProjectSession) -> None:
            session.save_draft(replace(session.drafts.load(draft_id), title=title))

        self._do(work, "Renamed")

    def duplicate(self) -> None:
        """Make a draft of the same text, and open it."""
        node = self._node(NodeKind.DRAFT)
        if node is None or self._draft_panel.is_generating:
            return
        self._drafts.autosave.save_now()
        standing = self._draft_panel.snapshot() if self._is_on_desk(node.key) else None

        def work(session: ProjectSession) -> Draft:
            draft = standing or session.kept_draft(node.key)
            taken = {one.title for one in session.drafts.list()}
            title = next(one for one in _copies_of(draft.title) if one not in taken)
            made = replace(draft, draft_id=uuid.uuid4().hex, title=title, created=utc_now())
            session.save_draft(made)
            return made

        def on_made(draft: Draft) -> None:
            self._drafts.shelf.show_draft(draft)
            self._drafts.drafts_changed.emit()
            self._work.say(f"“{draft.title}” is open")

        self._work.do(work, on_made, must_run=True)

    # Trash ------------------------------------------------------------------------------------

    def throw_away(self) -> None:
        """Put the draft in the trash."""
        node = self._node(NodeKind.DRAFT)
        if node is None or self._draft_panel.is_generating:
            return
        if self._is_on_desk(node.key):
            # As it stands: it may be put back.
            self._drafts.autosave.save_now()
            self.leave(node.key)
        self._do(
            lambda session: session.drafts.throw_away(node.key),
            f"“{node.title}” is in the trash, at the end of the list",
        )

    def put_back(self) -> None:
        """Take the selected draft out of the trash."""
        node = self._node(NodeKind.THROWN)
        if node is not None:
            self._do(
                lambda session: session.drafts.put_back(node.key), "Back in the list of drafts"
            )

    def ask_to_empty(self) -> None:
        """Ask, then remove what is in the trash for good."""
        what, gone = "Delete every draft in the trash?", "They cannot be brought back."
        confirm(self._window, "Empty the trash", what, gone, {"Delete": self.empty})

    def empty(self) -> None:
        """Remove what is in the trash for good."""
        self._do(lambda session: session.drafts.empty_trash(), "The trash is empty")


def _copies_of(title: str) -> Iterator[str]:
    """Yield "A (copy)", "A (copy 2)" and so on, also where ``title`` is one of these."""
    stem = re.sub(r" \(copy(?: \d+)?\)$", "", title)
    yield f"{stem} (copy)"
    yield from (f"{stem} (copy {number})" for number in itertools.count(2))
