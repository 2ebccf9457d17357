"""Tells the user of problems: those of the environment in the bar, our own with a report."""

from __future__ import annotations

import logging

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.ui.dialogs.report_dialog import ReportDialog, report_of
from phasergun_desktop.ui.message_bar import MessageBar

_LOG = logging.getLogger(__name__)


class ProblemReporter:
    """Never blocks and never swallows."""

    def __init__(self, bar: MessageBar, parent: QWidget) -> None:
        self._bar = bar
        self._parent = parent
        # The report that is open, if one is.
        self.dialog: ReportDialog | None = None
        # Of the last error of ours, for whoever closed its dialog too soon; empty without one.
        self.last_report = ""
        # Why the draft on the desk is not saved, and where its words are.
        self.unsaved: PhaserGunError | None = None

    def report(self, error: BaseException) -> None:
        """Show the problem where it belongs."""
        if isinstance(error, PhaserGunError):
            # One full disk fails many things; what becomes of the words is said about it.
            if self.unsaved is not None and self.unsaved.title == error.title:
                error = self.unsaved
            self._bar.show_problem(error)
            return
        _LOG.error("Unexpected error", exc_info=error)
        self.last_report = report_of(error)
        if self.dialog is not None:
            # One report at a time: the first cause is the one that helps.
            return
        dialog = ReportDialog(error, self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.destroyed.connect(self._on_closed)
        self.dialog = dialog
        dialog.show()

    def _on_closed(self) -> None:
        self.dialog = None
