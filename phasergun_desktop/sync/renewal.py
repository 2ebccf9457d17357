"""How long it takes to make documents anew that another version has made."""

from __future__ import annotations

import math
import time

# What takes longer is asked before.
ASKED_ABOVE_S = 60.0
# By what was done until then it is told how long the rest takes.
_TRIAL_S = 3.0


class Renewal:
    """Times the documents that are made anew because another version of parser, chunker or embedder
    made them. Where that ``is_allowed`` it may take any time, else a minute: ``left`` documents
    then stay as they are, which would take ``left_s`` seconds."""

    def __init__(self, *, is_allowed: bool) -> None:
        self._most_s = math.inf if is_allowed else ASKED_ABOVE_S
        self._began = 0.0
        self.left = 0
        self.left_s = 0.0

    def is_too_long(self, done: int, total: int) -> bool:
        """Whether, of ``total`` documents of which ``done`` are made and one is about to be, the
        others are left as they are."""
        now, others = time.monotonic(), total - done - 1
        if not done:
            self._began = now
            return False
        spent = now - self._began
        needed = spent / done * others
        if spent < _TRIAL_S or spent + needed <= self._most_s:
            return False
        self.left, self.left_s = others, needed
        return others > 0
