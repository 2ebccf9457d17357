"""Collects Python's garbage while the writer does nothing."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

QUIET_MS, AGAIN_MS = 3000, 60_000
# Young objects are collected as always; all of them never by the interpreter's own choice.
THRESHOLDS = (2000, 20, 1_000_000)


class QuietCollection(QObject):
    """A full collection holds up every thread for a tenth of a second and more once a project is
    open. So it is done when nothing was typed for a while; what the first one leaves, libraries and
    window, is not looked at again. ``end`` gives the interpreter its own ways back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = gc.get_threshold()
        self._is_first = True
        gc.set_threshold(*THRESHOLDS)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._collect)
        self._timer.start(QUIET_MS)

    def put_off(self) -> None:
        """Wait: the writer is at work."""
        if self._timer.remainingTime() < QUIET_MS:
            self._timer.start(QUIET_MS)

    def end(self) -> None:
        """Collect as the interpreter does."""
        self._timer.stop()
        gc.unfreeze()
        gc.set_threshold(*self._before)

    def _collect(self) -> None:
        gc.collect()
        if self._is_first:
            gc.freeze()
        self._is_first = False
        self._timer.start(AGAIN_MS)
