"""What is said of a prompt in a script that the search reads badly."""

from __future__ import annotations

import unicodedata

_MIN_LETTERS = 8
_OTHER_SCRIPT = 0.5


def language_notes(task: str) -> tuple[str, ...]:
    """Return a sentence where most of ``task`` is in a script that the search reads badly."""
    letters = [character for character in task if character.isalpha()]
    if len(letters) < _MIN_LETTERS:
        return ()
    others = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if others / len(letters) < _OTHER_SCRIPT:
        return ()
    text = (
        "The prompt is not in Latin script. The search knows English best and may miss passages; "
        "ask in English for better results."
    )
    return (text,)
