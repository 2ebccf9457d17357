"""Reads the activity log for its panel, checks it and writes it to a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from phasergun_desktop.activity.log_export import ENDINGS, export_log
from phasergun_desktop.activity.model import ActivityEntry, VerifyResult
from phasergun_desktop.ui.activity.activity_panel import ActivityPanel
from phasergun_desktop.ui.project_work import ProjectWork

# More would take seconds to read; the command line shows all.
MOST_ENTRIES = 20_000
_WITH, _WITHOUT, _TABLE = (
    "The whole log (*.jsonl)",
    "The whole log without questions and answers (*.jsonl)",
    "Table for a spreadsheet (*.csv)",
)


class ActivityFlow(QObject):
    """The panel shows the log as it is when it comes into view."""

    def __init__(self, panel: ActivityPanel, work: ProjectWork, window: QWidget) -> None:
        super().__init__(window)
        self._panel = panel
        self._work = work
        self._window = window
        panel.wanted.connect(self.read)
        panel.verify_wanted.connect(self._on_verify_wanted)
        panel.export_wanted.connect(self._on_export_wanted)

    def read(self) -> None:
        """Show the log of the project in view, if the panel is seen."""
        session = self._work.session
        if session is None:
            self._panel.show_entries(())
            return
        if self._panel.isVisible():

            def entries() -> tuple[ActivityEntry, ...]:
                return session.activity.entries(MOST_ENTRIES)

            self._work.call(entries, self._panel.show_entries)

    def _on_verify_wanted(self) -> None:
        session = self._work.session
        if session is not None:
            self._work.say("Checking the log…")
            self._work.call(session.activity.verify, self._on_verified)

    def _on_verified(self, result: VerifyResult) -> None:
        self._work.say("")
        self._work.tell(result.in_words())

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
            rows = session.activity.chain()
            export_log(path, rows, with_texts=form != _WITHOUT)
            return len(rows)

        self._work.call(
            work,
            lambda rows: self._work.say(f"{rows:,} entries exported to {path.name}"),
            must_run=True,
        )
