"""Reads the activity log for its panel, checks it and writes it to a file."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from phasergun_desktop.activity.log_export import ENDINGS, export_log
from phasergun_desktop.activity.model import ActivityEntry, VerifyResult
from phasergun_desktop.activity.retention import first_kept
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.ui.activity.removal_dialog import RemovalDialog
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.flow import Flow
from phasergun_desktop.ui.project_work import ProjectWork

_LOG = logging.getLogger(__name__)
# More would take seconds to read; the command line shows all.
MOST_ENTRIES = 20_000
_WITH, _WITHOUT, _TABLE = (
    "The whole log (*.jsonl)",
    "The whole log without questions and answers (*.jsonl)",
    "Table for a spreadsheet (*.csv)",
)


class ActivityFlow(Flow):
    """The panel shows the log as it is when it comes into view."""

    # Days that are kept, whether only texts are removed, and of how many entries.
    older_counted = Signal(int, bool, int)

    def __init__(self, parts: DeskParts, work: ProjectWork, window: QWidget) -> None:
        super().__init__(parts, work, window)
        self._panel = panel = parts.activity_panel
        panel.wanted.connect(self.read)
        panel.verify_wanted.connect(self._on_verify_wanted)
        panel.export_wanted.connect(self._on_export_wanted)
        panel.removal_wanted.connect(self._on_removal_wanted)

    def read(self) -> None:
        """Show the log of the project in view, if the panel is seen."""
        session = self._work.session
        if session is None:
            self._panel.show_entries(())
            return
        if self._panel.isVisible():

            def entries() -> tuple[ActivityEntry, ...]:
                return session.log_entries(MOST_ENTRIES)

            self._work.call(entries, self._panel.show_entries)

    def _on_verify_wanted(self) -> None:
        session = self._work.session
        if session is not None:
            self._work.say("Checking the log…")
            self._work.call(session.activity.verify, self._on_verified)

    def _on_verified(self, result: VerifyResult) -> None:
        self._work.say("")
        self._work.tell(result.in_words())

    def keep_search(self, query: str, found: SearchResult | PhaserGunError) -> None:
        """Log a search of the window, also one that failed."""
        session = self._work.session
        if session is not None:
            # Where the log cannot be written, the project said so when it was opened.
            self._work.call(
                lambda: session.log_search(query, found),
                failed=lambda error: _LOG.warning("a search was not logged: %s", error),
                must_run=True,
            )

    def _on_removal_wanted(self) -> None:
        session = self._work.session
        if session is None:
            return
        dialog = RemovalDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def count_older(days: int, only_texts: bool) -> None:
            log = session.activity
            count = log.texts_older_than if only_texts else log.older_than
            self._work.call(
                lambda: count(first_kept(days)),
                lambda older: self.older_counted.emit(days, only_texts, older),
            )

        # The dialog may be closed before its answer is there.
        self.older_counted.connect(dialog.show_count)
        dialog.days_chosen.connect(count_older)
        dialog.removal_wanted.connect(self.remove_older)
        count_older(dialog.days.value(), only_texts=False)
        dialog.open()

    def remove_older(self, days: int, only_texts: bool = False) -> None:
        """Remove the entries that are older than ``days``, or their texts only; a checkpoint says
        so."""
        session = self._work.session
        if session is None:
            return

        def on_removed(_entry: object) -> None:
            self._work.say("Removed; one entry says so")
            self.read()

        log = session.activity
        remove = log.remove_texts_older_than if only_texts else log.remove_older_than
        self._work.call(
            lambda: remove(first_kept(days), session.project.name), on_removed, must_run=True
        )

    def _on_export_wanted(self) -> None:
        dialog = QFileDialog(self._window, "Export the activity log", str(Path.home()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([_WITH, _WITHOUT, _TABLE])
        dialog.selectFile("Activity log")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda file: self.export(file, dialog.selectedNameFilter()))
        dialog.open()

    def export(self, file: str, form: str = _WITH) -> None:
        """Write the log to ``file`` in a form of the dialog."""
        session, path = self._work.session, Path(file)
        if session is None:
            return
        if path.suffix.lower() not in ENDINGS:
            path = path.with_name(path.name + (".csv" if form == _TABLE else ".jsonl"))

        def work() -> int:
            rows = session.log_rows()
            export_log(path, rows, with_texts=form != _WITHOUT)
            return len(rows)

        self._work.call(
            work,
            lambda rows: self._work.say(f"{rows:,} entries exported to {path.name}"),
            must_run=True,
        )
