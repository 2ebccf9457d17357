"""How long a prompt may be."""

from __future__ import annotations

from phasergun_desktop.references.model import PROMPT_TOO_LONG, Problem, Severity

# Twelve pages. A prompt says what to write; what it rests on belongs into the project.
MOST_CHARACTERS = 40_000


def length_problems(prompt: str) -> tuple[Problem, ...]:
    """Return what stops a prompt that is too long to be one."""
    if len(prompt) <= MOST_CHARACTERS:
        return ()
    words = f"{len(prompt.split()):,} words"
    message = (
        f"The prompt has {words} and {len(prompt):,} characters; it can have about "
        f"{MOST_CHARACTERS // 6:,} words and at most {MOST_CHARACTERS:,} characters."
    )
    remedy = (
        "Save the text as a file in the Context folder, and write a prompt that refers to it, "
        "for example [Context|General|file.docx]."
    )
    return (Problem(PROMPT_TOO_LONG, Severity.BLOCKS, message, remedy, 0, len(prompt)),)
