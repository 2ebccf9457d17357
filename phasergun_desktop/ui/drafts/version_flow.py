"""The versions of the draft on the desk: kept, listed with their differences, brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.drafts.differences import Piece, draft_text, word_differences
from phasergun_desktop.drafts.draft_store import DraftVersion
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.dialogs.versions_dialog import NOW, VersionsDialog
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.flow import Desk, Flow

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

SAVED_BY_WRITER = "Saved by you"


class VersionFlow(Flow):
    """Restoring is one undo step; what stood there before is kept as a version too."""

    # The draft on the desk makes room for another one.
    left = Signal()

    def __init__(self, desk: Desk, drafts: DraftFlow) -> None:
        super().__init__(desk)
        self._drafts = drafts
        drafts.shelf.opened.connect(self.left)
        drafts.generation.begun.connect(self.left)

    def save_version(self) -> None:
        """Ask for a name and keep the draft as it stands under it."""
        if self._draft_panel.draft is None:
            self._work.say("There is no draft to keep a version of yet")
            return
        name, is_given = QInputDialog.getText(
            self._window, "Save a version", "Name of this version (it is kept for good)"
        )
        if is_given and name.strip():
            self.keep_version(SAVED_BY_WRITER, name.strip())

    def keep_version(self, why: str, name: str = "") -> None:
        """Keep the draft as it stands, beside the window's thread."""
        session, draft = self._work.session, self._draft_panel.snapshot()
        if session is None or draft is None:
            return
        job = self._work.call(lambda: session.save_version(draft, why, name), must_run=True)
        if name:
            job.succeeded.connect(lambda _none: self._work.say(f"Version “{name}” saved"))

    def show_versions(self) -> None:
        """List the versions of the draft, with their differences."""
        session, draft = self._work.session, self._draft_panel.snapshot()
        if session is None or draft is None or self._draft_panel.is_generating:
            self._work.say("There is no draft with versions here")
            return
        self._work.call(
            lambda: session.versions(draft.draft_id),
            lambda versions: self._open_versions(session, draft, versions),
        )

    def _open_versions(
        self, session: ProjectSession, draft: Draft, versions: tuple[DraftVersion, ...]
    ) -> None:
        panel = self._draft_panel
        if panel.draft is None or panel.draft.draft_id != draft.draft_id:
            return

        def compare(first: int, second: int) -> JobHandle:
            def differences() -> tuple[Piece, ...]:
                one, other = (
                    draft if number == NOW else session.version(number)
                    for number in (first, second)
                )
                return word_differences(draft_text(one), draft_text(other))

            return self._work.runners.interactive.submit_call(differences)

        dialog = VersionsDialog(versions, compare, self._window)
        dialog.restore_wanted.connect(self.restore)
        self.left.connect(dialog.reject)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def restore(self, version_id: int) -> None:
        """Bring an earlier version back, as one undo step."""
        panel = self._draft_panel
        draft = panel.snapshot()
        if draft is None or panel.is_generating:
            return
        self._drafts.leaving.emit()

        def on_restored(restored: Draft) -> None:
            if panel.draft is not None and panel.draft.draft_id == restored.draft_id:
                panel.put_in_place(restored)
                self._work.say("The earlier version is back (Ctrl+Z brings the other one)")
                self._drafts.shelf.check_sources()

        self._work.do(lambda session: session.restore(draft, version_id), on_restored)
