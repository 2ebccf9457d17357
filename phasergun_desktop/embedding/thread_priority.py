"""Threads that work for nobody who waits."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

_NICENESS = 10

if sys.platform == "win32":
    import ctypes

    _BELOW_NORMAL = -1

    def lower_priority() -> None:
        """Let other threads go before the one that calls this."""
        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _BELOW_NORMAL)

else:

    def lower_priority() -> None:
        """Let other threads go before the one that calls this; without effect on macOS, where a
        priority is that of the whole process."""
        if sys.platform == "linux":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
