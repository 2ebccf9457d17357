"""An evaluation question made of a turn."""

from __future__ import annotations

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.conversations.turns import as_alone
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.retrieval.model import Passage


def judged_question(turn: Turn, passage: Passage | Footnote | None = None) -> JudgedQuestion:
    """Return the question of ``turn`` as it is understood alone, with the file of the right
    ``passage``, else with those that its answer cites; without any it is one that is not to be
    answered."""
    files: tuple[str, ...]
    if isinstance(passage, Passage):
        files, words = (passage.file,), passage.text
    else:
        notes = (passage,) if passage is not None else turn.footnotes
        files = tuple(dict.fromkeys(note.file for note in notes if note.file))
        words = next((note.quote for note in notes if note.quote), "")
    text = " ".join(as_alone(turn).split())
    return JudgedQuestion("", text, bool(files), files, passage=words)
