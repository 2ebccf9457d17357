"""Reads the activity log for its panel, checks it and writes it to a file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from phasergun_desktop.activity.log_export import ENDINGS, export_log
from phasergun_desktop.activity.model import VerifyResult
from phasergun_desktop.activity.retention import first_kept
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.ui.activity.removal_dialog import RemovalDialog
from phasergun_desktop.ui.confirmation import ask_file
from phasergun_desktop.ui.flow import Desk, Flow

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

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

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._panel = panel = desk.parts.activity_panel
        panel.wanted.connect(self.read)
        panel.verify_button.clicked.connect(self._on_verify_wanted)
        panel.export_button.clicked.connect(self._on_export_wanted)
        panel.remove_button.clicked.connect(self._on_removal_wanted)

    def read(self) -> None:
        """Show the log of the project in view, if the panel is seen."""
        if self._work.session is None:
            self._panel.show_entries(())
        elif self._panel.isVisible():
            self._work.do(
                lambda session: session.log_entries(MOST_ENTRIES), self._panel.show_entries
            )

    def _on_verify_wanted(self) -> None:
        if self._work.session is not None:
            self._work.say("Checking the log…")
            self._work.do(lambda session: session.activity.verify(), self._on_verified)

    def _on_verified(self, result: VerifyResult) -> None:
        self._work.say("")
        self._work.tell(result.in_words())

    def keep_search(self, query: str, found: SearchResult | PhaserGunError) -> None:
        """Log a search of the window, also one that failed."""
        # Where the log cannot be written, the project said so when it was opened.
        self._work.do(
            lambda session: session.log_search(query, found),
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

        def remove(session: ProjectSession) -> None:
            log = session.activity
            remove_older = log.remove_texts_older_than if only_texts else log.remove_older_than
            remove_older(first_kept(days), session.project.name)

        def on_removed(_none: object) -> None:
            self._work.say("Removed; one entry says so")
            self.read()

        self._work.do(remove, on_removed, must_run=True)

    def _on_export_wanted(self) -> None:
        dialog = ask_file(
            self._window,
            "Export the activity log",
            "Activity log",
            ";;".join((_WITH, _WITHOUT, _TABLE)),
            lambda path: self.export(path, dialog.selectedNameFilter()),
        )

    def export(self, path: Path, form: str = _WITH) -> None:
        """Write the log to ``path`` in a form of the dialog."""
        if path.suffix.lower() not in ENDINGS:
            path = path.with_name(path.name + (".csv" if form == _TABLE else ".jsonl"))

        def work(session: ProjectSession) -> int:
            rows = session.log_rows()
            export_log(path, rows, with_texts=form != _WITHOUT)
            return len(rows)

        self._work.do(
            work,
            lambda rows: self._work.say(f"{rows:,} entries exported to {path.name}"),
            must_run=True,
        )
