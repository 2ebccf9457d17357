"""Tells greetings and thanks from questions: they are answered without a look at the documents."""

from __future__ import annotations

import re

from phasergun_desktop.text.lexicon import listed

GREETING_ANSWER = (
    "Hello. Ask a question about the documents of this project; the answer comes with its sources."
)
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 6


def is_greeting(text: str) -> bool:
    """Whether ``text`` is a greeting, thanks or a farewell and nothing else."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return 0 < len(words) <= _LONGEST and set(words) <= set(listed("conversation", "greetings"))
