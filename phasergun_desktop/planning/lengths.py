"""How long a draft may be."""

from __future__ import annotations

WORDS_WITHOUT_A_LIMIT = 700
# How much longer than asked for a draft may become.
TOLERANCE = 1.2
