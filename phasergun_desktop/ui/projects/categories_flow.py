"""Opens the list of categories and writes what was changed in it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.dialogs.categories_dialog import CategoriesDialog
from phasergun_desktop.ui.flow import Flow
from phasergun_desktop.workspace.session_categories import CategorySheet

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class CategoriesFlow(Flow):
    """One list at a time; the folder is read again when it was saved."""

    def open_dialog(self) -> None:
        """Show what each document is, at the file that is selected in the tree."""
        session, record = self._work.session, self._project_panel.current_record()
        if session is None:
            return

        def on_read(sheet: CategorySheet) -> None:
            file = record.file if record is not None else ""
            dialog = CategoriesDialog(sheet, file, self._window)
            dialog.save_wanted.connect(partial(self._save, session, dialog, sheet.text))
            dialog.open()

        self._work.call(session.category_sheet, on_read)

    def _save(
        self,
        session: ProjectSession,
        dialog: CategoriesDialog,
        before: str,
        text: str,
        hidden: tuple[str, ...],
    ) -> None:
        def save() -> None:
            if text != before:
                session.save_categories(before, text)
            session.reading.hide_labels(hidden)

        def on_saved(_none: object) -> None:
            dialog.accept()
            self._work.say("Categories saved")
            if session is self._work.session and self._work.sync is not None:
                self._work.sync.request()

        def on_failed(error: Exception) -> None:
            if isinstance(error, PhaserGunError):
                dialog.show_failure(f"{error.message} {error.remedy}".strip())
            else:
                dialog.show_failure("Nothing was saved.")
                self._work.report(error)

        job = self._work.call(save, failed=on_failed, must_run=True)
        job.succeeded.connect(on_saved)
