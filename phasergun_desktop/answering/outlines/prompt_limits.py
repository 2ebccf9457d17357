"""How long a prompt may be, and what is said of one that the search reads badly."""

from __future__ import annotations

import unicodedata

from phasergun_desktop.references.model import Problem, Severity

# Twelve pages. A prompt says what to write; what it rests on belongs into the project.
MOST_CHARACTERS = 40_000
_MIN_LETTERS = 8
_OTHER_SCRIPT = 0.5


def length_problems(prompt: str) -> tuple[Problem, ...]:
    """Return what stops a prompt that is too long to be one."""
    if len(prompt) <= MOST_CHARACTERS:
        return ()
    message = (
        f"The prompt has {len(prompt.split()):,} words; it can have about {MOST_CHARACTERS // 6:,}."
    )
    remedy = (
        "Save the text as a file in the Context folder, and write a prompt that refers to it, "
        "for example [Context|General|file.docx]."
    )
    return (Problem("prompt_too_long", Severity.BLOCKS, message, remedy, 0, len(prompt)),)


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
